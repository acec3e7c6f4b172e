// Recognises PNG, JPEG and WebP by their bytes and reads their size in pixels. A file without pixels is none of them.

/** A picture's type and size in pixels. */
export interface Picture {
  readonly type: 'image/png' | 'image/jpeg' | 'image/webp'
  readonly width: number
  readonly height: number
}

/**
 * The picture in the bytes, recognised by its header and never by a name; undefined when it is not PNG, JPEG or WebP.
 */
export function pictureOf(bytes: Uint8Array): Picture | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const picture = png(view) ?? jpeg(view) ?? webp(view)
  return picture !== undefined && picture.width > 0 && picture.height > 0 ? picture : undefined
}

const ascii = (view: DataView, at: number, text: string): boolean =>
  view.byteLength >= at + text.length && [...text].every((letter, i) => view.getUint8(at + i) === letter.charCodeAt(0))

function png(view: DataView): Picture | undefined {
  if (view.byteLength < 45 || view.getUint32(0) !== 0x89504e47 || view.getUint32(4) !== 0x0d0a1a0a) return undefined
  if (view.getUint32(8) !== 13 || !ascii(view, 12, 'IHDR')) return undefined
  // A whole file: the chunks follow one another and the last one is IEND at the very end.
  let at = 8
  let [pixels, last] = [false, false]
  while (!last && at + 12 <= view.byteLength) {
    const length = view.getUint32(at)
    pixels ||= length > 0 && ascii(view, at + 4, 'IDAT')
    last = length === 0 && ascii(view, at + 4, 'IEND')
    at += 12 + length
  }
  if (!pixels || !last || at !== view.byteLength) return undefined
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

function jpeg(view: DataView): Picture | undefined {
  const end = view.byteLength
  if (end < 20 || view.getUint16(0) !== 0xffd8 || view.getUint16(end - 2) !== 0xffd9) return undefined
  let at = 2
  let frame: Picture | undefined
  while (at + 9 <= end) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    const length = view.getUint16(at + 2)
    if (length < 2 || marker === 0xd9) return undefined
    // Start of frame, but not the tables DHT, JPG and DAC that share the range.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      frame ??= { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    }
    at += 2 + length
    // A scan has the pixels of a frame: at least one byte, where 0xff stands for itself only before 0.
    if (marker === 0xda)
      return at < end - 2 && (view.getUint8(at) !== 0xff || view.getUint8(at + 1) === 0) ? frame : undefined
  }
  return undefined
}

function webp(view: DataView): Picture | undefined {
  if (view.byteLength < 30 || !ascii(view, 0, 'RIFF') || !ascii(view, 8, 'WEBP')) return undefined
  const declared = view.getUint32(4, true) + 8
  if (declared !== view.byteLength && declared !== view.byteLength - 1) return undefined
  const pixels = pixelsIn(view, 12, view.byteLength, true)
  if (pixels === undefined) return undefined
  if (ascii(view, 12, 'VP8X')) {
    const size = (at: number): number => 1 + view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
    return { type: 'image/webp', width: size(24), height: size(27) }
  }
  return pixels.at === 12 ? pixels.picture : undefined
}

interface Frame {
  /** Where its chunk starts. */
  readonly at: number
  readonly picture: Picture
}

/** The first whole chunk of a WebP that has pixels; `frames` looks into the frames of an animation too. */
function pixelsIn(view: DataView, start: number, end: number, frames: boolean): Frame | undefined {
  for (let at = start; at + 8 <= end;) {
    const data = at + 8
    const after = data + view.getUint32(at + 4, true)
    if (after > end) return undefined
    const picture = frameAt(view, at, after)
    if (picture !== undefined) return { at, picture }
    const inside = frames && ascii(view, at, 'ANMF') ? pixelsIn(view, data + 16, after, false) : undefined
    if (inside !== undefined) return inside
    at = after + (after % 2)
  }
  return undefined
}

/** The picture that a chunk of a WebP starts with, with loss or without. */
function frameAt(view: DataView, chunk: number, end: number): Picture | undefined {
  const data = chunk + 8
  if (ascii(view, chunk, 'VP8L') && data + 5 < end && view.getUint8(data) === 0x2f) {
    const bits = view.getUint32(data + 1, true)
    return { type: 'image/webp', width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) }
  }
  if (ascii(view, chunk, 'VP8 ') && data + 10 < end && ascii(view, data + 3, '\x9d\x01\x2a')) {
    const side = (at: number): number => view.getUint16(at, true) & 0x3fff
    return { type: 'image/webp', width: side(data + 6), height: side(data + 8) }
  }
  return undefined
}
