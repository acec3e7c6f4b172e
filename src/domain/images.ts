// Recognises PNG, JPEG and WebP by their bytes and reads their size in pixels.

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
  let pixels = false
  while (at + 12 <= view.byteLength) {
    pixels ||= ascii(view, at + 4, 'IDAT')
    const last = ascii(view, at + 4, 'IEND')
    at += 12 + view.getUint32(at)
    if (last) break
  }
  if (!pixels || at !== view.byteLength || !ascii(view, at - 8, 'IEND')) return undefined
  return { type: 'image/png', width: view.getUint32(16), height: view.getUint32(20) }
}

function jpeg(view: DataView): Picture | undefined {
  const end = view.byteLength
  if (end < 20 || view.getUint16(0) !== 0xffd8 || view.getUint16(end - 2) !== 0xffd9) return undefined
  let at = 2
  while (at + 9 <= end) {
    if (view.getUint8(at) !== 0xff) return undefined
    const marker = view.getUint8(at + 1)
    if (marker === 0xff) {
      at += 1
      continue
    }
    // Start of frame, but not the tables DHT, JPG and DAC that share the range.
    if (marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)) {
      return { type: 'image/jpeg', width: view.getUint16(at + 7), height: view.getUint16(at + 5) }
    }
    if (marker === 0xda || marker === 0xd9) return undefined
    const length = view.getUint16(at + 2)
    if (length < 2) return undefined
    at += 2 + length
  }
  return undefined
}

function webp(view: DataView): Picture | undefined {
  if (view.byteLength < 30 || !ascii(view, 0, 'RIFF') || !ascii(view, 8, 'WEBP')) return undefined
  const declared = view.getUint32(4, true) + 8
  if (declared !== view.byteLength && declared !== view.byteLength - 1) return undefined
  if (ascii(view, 12, 'VP8X')) {
    const size = (at: number): number => 1 + view.getUint16(at, true) + (view.getUint8(at + 2) << 16)
    return { type: 'image/webp', width: size(24), height: size(27) }
  }
  if (ascii(view, 12, 'VP8L') && view.getUint8(20) === 0x2f) {
    const bits = view.getUint32(21, true)
    return { type: 'image/webp', width: 1 + (bits & 0x3fff), height: 1 + ((bits >> 14) & 0x3fff) }
  }
  if (
    ascii(view, 12, 'VP8 ') &&
    view.getUint8(23) === 0x9d &&
    view.getUint8(24) === 0x01 &&
    view.getUint8(25) === 0x2a
  ) {
    return { type: 'image/webp', width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  return undefined
}
