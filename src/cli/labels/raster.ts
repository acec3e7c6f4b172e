// Shaped text as dots: for label printers, which have no fonts for the scripts of India.
import { fontFile, type FontFile, type OutlinePoint } from './fontfile.ts'
import type { LoadedFont } from './shaper.ts'
import type { Piece } from './typesetter.ts'

/** A picture of dots: rows of bytes, eight dots a byte, the left one first. */
export interface Picture {
  /** Dots from the upper edge of the picture to the baseline. */
  readonly above: number
  readonly rowBytes: number
  readonly rows: number
  readonly bits: Uint8Array
}

type Point = readonly [x: number, y: number]

/** Lines that a curve is drawn with: at the size of a label no one sees them. */
const steps = 4

/** The corners of a closed contour of curves. */
function corners(contour: readonly OutlinePoint[]): readonly Point[] {
  // Between two control points lies a point of the curve.
  const points = contour.flatMap((point, i): readonly OutlinePoint[] => {
    const next = contour[(i + 1) % contour.length]!
    return point.on || next.on ? [point] : [point, { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2, on: true }]
  })
  const start = points.findIndex(({ on }) => on)
  if (start === -1) return []
  const turned = [...points.slice(start), ...points.slice(0, start + 1)]
  const drawn: Point[] = []
  for (const [i, point] of turned.entries()) {
    if (point.on) {
      drawn.push([point.x, point.y])
      continue
    }
    const [from, to] = [turned[i - 1]!, turned[i + 1]!]
    for (let step = 1; step < steps; step++) {
      const t = step / steps
      const [a, b, c] = [(1 - t) ** 2, 2 * t * (1 - t), t ** 2]
      drawn.push([a * from.x + b * point.x + c * to.x, a * from.y + b * point.y + c * to.y])
    }
  }
  return drawn
}

const files = new WeakMap<LoadedFont, FontFile>()

function fileOf(font: LoadedFont): FontFile {
  let file = files.get(font)
  if (file === undefined) files.set(font, (file = fontFile(font.file)))
  return file
}

/** The height of a picture above and below its baseline, in sizes: vowel signs reach far in some scripts. */
const [rise, fall] = [1.2, 0.6]

/** A piece of shaped text at a size in dots. */
export function pictureOf({ font, glyphs, width }: Extract<Piece, { kind: 'shaped' }>, size: number): Picture {
  const scale = size / 1000
  const above = Math.ceil(size * rise)
  const rows = above + Math.ceil(size * fall)
  const rowBytes = Math.ceil((width * scale + 2) / 8)
  const bits = new Uint8Array(rowBytes * rows)
  let pen = 0
  const shapes: (readonly Point[])[] = []
  for (const { id, advance, x, y } of glyphs) {
    for (const contour of fileOf(font).outlineOf(id))
      shapes.push(corners(contour).map(([px, py]) => [(pen + x + px) * scale, above - (y + py) * scale]))
    pen += advance
  }
  for (let row = 0; row < rows; row++)
    fillRow(shapes, row + 0.5, (dot) => {
      if (dot >= 0 && dot < rowBytes * 8) bits[row * rowBytes + (dot >> 3)]! |= 0x80 >> (dot & 7)
    })
  return { above, rowBytes, rows, bits }
}

/** Fills what lies inside the shapes on a row: where their lines turn around a dot. */
function fillRow(shapes: readonly (readonly Point[])[], y: number, fill: (dot: number) => void): void {
  const crossings: (readonly [x: number, turn: number])[] = []
  for (const points of shapes)
    for (const [i, [x0, y0]] of points.entries()) {
      const [x1, y1] = points[(i + 1) % points.length]!
      if (y0 <= y === y1 <= y) continue
      crossings.push([x0 + ((y - y0) / (y1 - y0)) * (x1 - x0), y1 > y0 ? 1 : -1])
    }
  crossings.sort((a, b) => a[0] - b[0])
  let turns = 0
  for (const [i, [x, turn]] of crossings.entries()) {
    turns += turn
    if (turns === 0) continue
    const end = crossings[i + 1]?.[0] ?? x
    for (let dot = Math.round(x); dot < Math.round(end); dot++) fill(dot)
  }
}
