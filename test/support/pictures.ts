// Small pictures made of bytes, for logos in tests.
import { deflateSync } from 'node:zlib'

function crc32(bytes: Uint8Array): number {
  let crc = ~0
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0)
  }
  return ~crc >>> 0
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const out = Buffer.alloc(body.length + 8)
  out.writeUInt32BE(data.length, 0)
  body.copy(out, 4)
  out.writeUInt32BE(crc32(body), body.length + 4)
  return out
}

/** A PNG of 8 bits for each value out of its chunks between the first and the last; `colour` is the type of the format. */
export function pngOf(
  width: number,
  height: number,
  colour: number,
  chunks: readonly (readonly [type: string, data: Uint8Array])[],
): Buffer {
  // prettier-ignore
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, colour, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...chunks.map(([type, data]) => chunk(type, data)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** A PNG of the given size in pixels; `padding` bytes of an ancillary chunk make it as large as a test needs. */
export function png(width = 8, height = 8, padding = 0): Buffer {
  const lines = deflateSync(Buffer.alloc(Math.min(height, 64) * (Math.min(width, 64) + 1)))
  return pngOf(width, height, 0, [
    ...(padding > 0 ? ([['prIv', Buffer.alloc(padding)]] as const) : []),
    ['IDAT', lines],
  ])
}

/** A PNG of exactly so many bytes. */
export function pngOfBytes(length: number): Buffer {
  const bare = png(8, 8, 1).length - 1
  return png(8, 8, length - bare)
}

const u16 = (value: number): number[] => [value >> 8, value & 0xff]
const letters = (text: string): number[] => [...text].map((letter) => letter.charCodeAt(0))

/** A JPEG of an APP0, a comment, tables, a frame and a scan; `frame` is SOF0 or another of its family. */
export function jpeg(width: number, height: number, frame = 0xc0): Buffer {
  const segment = (marker: number, data: number[]): Buffer =>
    Buffer.from([0xff, marker, ...u16(data.length + 2), ...data])
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, [...letters('JFIF\0'), 1, 1, 0, ...u16(1), ...u16(1), 0, 0]),
    segment(0xfe, letters('a comment with \xff\xd9 in it')),
    // A marker may have any number of fill bytes before it.
    Buffer.from([0xff]),
    segment(0xdb, Array<number>(65).fill(1)),
    segment(0xc4, [0, ...Array<number>(16).fill(0)]),
    segment(frame, [8, ...u16(height), ...u16(width), 1, 1, 0x11, 0]),
    segment(0xda, [1, 1, 0, 0, 63, 0]),
    Buffer.from([0x12, 0x34, 0xff, 0x00, 0x56, 0xff, 0xd9]),
  ])
}

/** A chunk of a WebP. */
const riff = (form: string, data: readonly number[]): number[] => [
  ...letters(form),
  ...low(data.length, 4),
  ...data,
  ...(data.length % 2 === 0 ? [] : [0]),
]

/** A WebP of chunks. */
export const webpOf = (...chunks: readonly (readonly number[])[]): Buffer =>
  Buffer.from(riff('RIFF', [...letters('WEBP'), ...chunks.flat()]))

const low = (value: number, bytes: number): number[] =>
  Array.from({ length: bytes }, (_, i) => Math.trunc(value / 256 ** i) % 256)

const withLoss = (width: number, height: number): number[] =>
  riff('VP8 ', [0x30, 1, 0, 0x9d, 0x01, 0x2a, ...low(width, 2), ...low(height, 2), 1, 2, 3, 4])

const withoutLoss = (width: number, height: number): number[] =>
  riff('VP8L', [0x2f, ...low(width - 1 + (height - 1) * 16384, 4), 1, 2, 3, 4, 5, 6, 7, 8, 9])

/** A WebP with loss. */
export const lossy = (width: number, height: number): Buffer => webpOf(withLoss(width, height))

/** A WebP without loss. */
export const lossless = (width: number, height: number): Buffer => webpOf(withoutLoss(width, height))

/** The first chunk of a WebP of the extended form. */
export const extension = (width: number, height: number): number[] =>
  riff('VP8X', [0, 0, 0, 0, ...low(width - 1, 3), ...low(height - 1, 3)])

/** A WebP of the extended form. */
export const extended = (width: number, height: number): Buffer =>
  webpOf(extension(width, height), withoutLoss(width, height))

/** A WebP that moves: two frames, after a chunk of an odd length. */
export const animated = (width: number, height: number): Buffer =>
  webpOf(
    extension(width, height),
    riff('ANIM', [0, 0, 0, 0, 0, 0, 0]),
    ...[withLoss, withoutLoss].map((made) =>
      riff('ANMF', [...low(0, 6), ...low(width - 1, 3), ...low(height - 1, 3), 100, 0, 0, 0, ...made(width, height)]),
    ),
  )
