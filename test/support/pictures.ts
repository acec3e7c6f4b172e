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
