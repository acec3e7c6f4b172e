// A screenshot as a small PNG: at most 256 colours by a palette, which is what flat pictures of text need.
import { deflateSync, inflateSync } from 'node:zlib'
import { pngOf } from '../support/pictures.ts'

const channels: Readonly<Record<number, number>> = { 2: 3, 6: 4 }

/** The pixels of a PNG as browsers write it (8 bits, not interlaced), three bytes each. */
function pixelsOf(png: Buffer): { readonly width: number; readonly height: number; readonly rgb: Uint8Array } {
  const [width, height, colour] = [png.readUInt32BE(16), png.readUInt32BE(20), png[25]!]
  const data: Buffer[] = []
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12)
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT')
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const step = channels[colour]!
  const lines = inflateSync(Buffer.concat(data))
  const [stride, rgb] = [width * step, new Uint8Array(width * height * 3)]
  let before = new Uint8Array(stride)
  for (let y = 0; y < height; y++) {
    const filter = lines[y * (stride + 1)]!
    const line = Uint8Array.from(lines.subarray(y * (stride + 1) + 1, (y + 1) * (stride + 1)))
    for (let x = 0; x < stride; x++) {
      const [left, up, corner] = [x < step ? 0 : line[x - step]!, before[x]!, x < step ? 0 : before[x - step]!]
      line[x]! += [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter]!
    }
    for (let x = 0; x < width; x++) rgb.set(line.subarray(x * step, x * step + 3), (y * width + x) * 3)
    before = line
  }
  return { width, height, rgb }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)]
  return a <= b && a <= c ? left : b <= c ? up : corner
}

/** The same picture with the 256 colours that most of its pixels have, and the nearest of them for the others. */
export function smaller(png: Buffer): Buffer {
  const { width, height, rgb } = pixelsOf(png)
  const counts = new Map<number, number>()
  const colourAt = (at: number): number => (rgb[at]! << 16) | (rgb[at + 1]! << 8) | rgb[at + 2]!
  for (let at = 0; at < rgb.length; at += 3) counts.set(colourAt(at), (counts.get(colourAt(at)) ?? 0) + 1)
  const palette = [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, 256)
    .map(([colour]) => colour)
  const apart = (a: number, b: number): number =>
    ((a >> 16) - (b >> 16)) ** 2 + (((a >> 8) & 255) - ((b >> 8) & 255)) ** 2 + ((a & 255) - (b & 255)) ** 2
  const places = new Map<number, number>()
  for (const colour of counts.keys())
    places.set(
      colour,
      palette.reduce((best, one, i) => (apart(one, colour) < apart(palette[best]!, colour) ? i : best), 0),
    )
  const lines = new Uint8Array(height * (width + 1))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) lines[y * (width + 1) + 1 + x] = places.get(colourAt((y * width + x) * 3))!
  const colours = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]))
  return pngOf(width, height, 3, [
    ['PLTE', colours],
    ['IDAT', deflateSync(lines, { level: 9, memLevel: 9 })],
  ])
}
