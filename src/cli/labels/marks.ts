// What is drawn on a page, whatever draws it: texts, boxes and barcodes at places in dots of a label printer.
import { barsOf, modulesOf, quietModules } from '../../domain/labels/code128.ts'
import type { Fitted } from './fitting.ts'
import { dotsOf } from './fitting.ts'
import type { Line } from './typesetter.ts'

/** The dots of an inch, of the usual label printer. */
export const dpi = 203

/** Something drawn. Places are dots from the upper left; that of a text is the left end of its baseline. */
export type Mark =
  | {
      readonly kind: 'text'
      readonly x: number
      readonly y: number
      readonly size: number
      readonly line: Line
      readonly white?: boolean
    }
  | { readonly kind: 'filled'; readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  | {
      readonly kind: 'frame'
      readonly x: number
      readonly y: number
      readonly w: number
      readonly h: number
      readonly thick: number
    }
  | {
      readonly kind: 'bars'
      readonly x: number
      readonly y: number
      readonly h: number
      /** Dots of the narrowest bar. */
      readonly module: number
      readonly text: string
      readonly bars: readonly number[]
    }

/** A page: its size in dots, and what is on it. */
export interface Page {
  readonly width: number
  readonly height: number
  readonly marks: readonly Mark[]
}

/** The place of the first baseline below the upper edge of a text, and between two lines, by its size. */
const [ascent, leading] = [0.8, 1.18]

/** The height of the lines of a text, dots. */
export const heightOf = ({ lines, size }: Fitted): number => Math.ceil(lines.length * size * leading)

/** The marks of a text whose upper left corner is given; `align` is where its lines end in a width. */
export function textAt(
  text: Fitted,
  x: number,
  y: number,
  {
    width = 0,
    align = 'left',
    white = false,
  }: { width?: number; align?: 'left' | 'right' | 'middle'; white?: boolean } = {},
): readonly Mark[] {
  return text.lines.map((line, i) => {
    const free = width - dotsOf(line, text.size)
    const shift = align === 'left' ? 0 : align === 'right' ? free : free / 2
    const baseline = y + text.size * (ascent + i * leading)
    return { kind: 'text', x: Math.round(x + shift), y: Math.round(baseline), size: text.size, line, white }
  })
}

/** Narrowest bars that label printers and scanners take for sure, and those that still can be read, dots. */
const modules = [4, 3, 2]

/** The module of a barcode in a width with its quiet zones, dots; undefined where it does not fit. */
export const moduleFor = (text: string, width: number, most = 4): number | undefined =>
  modules.find((module) => module <= most && (modulesOf(text) + 2 * quietModules) * module <= width)

/** A barcode in the middle of a width, with its quiet zones. */
export function barcodeAt(text: string, module: number, x: number, y: number, width: number, h: number): Mark {
  const free = width - modulesOf(text) * module
  return { kind: 'bars', x: Math.round(x + free / 2), y, h, module, text, bars: barsOf(text) }
}

/** A line across, so many dots thick. */
export const rule = (x: number, y: number, w: number, thick = 2): Mark => ({ kind: 'filled', x, y, w, h: thick })
