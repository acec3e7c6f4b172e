// The sides of the parcels of a file: a column for each side, or one column of sizes (docs/guides/bulk-rates.md).
import { couldBeInches, readSize, type Size } from '../../../../domain/read/sides.ts'
import type { Outcome } from '../../../../domain/read/typed.ts'
import type { SheetColumn } from '../../../files/headers.ts'
import type { Sheet } from '../../../files/sheet.ts'
import type { Listener } from './heard.ts'

const orders = ['lxwxh', 'lxbxh', 'lwh', 'lbh']
const words = ['size', 'dimension', 'dimensions', 'dims']

/** A column of three sides; `folded` names, because a header may write the signs between them in many ways. */
export const sizeColumn = {
  name: 'size',
  aliases: [
    ...orders,
    ...words.flatMap((word) => [word, ...['package', 'parcel', 'box', 'product'].map((what) => `${what}_${word}`)]),
    ...words.flatMap((word) => orders.map((order) => `${word}_${order}`)),
  ],
  size: true,
} as const satisfies SheetColumn

/** Sides of a parcel whose sheet has none, centimetres: its volumetric weight is then 0. */
export const noSide = 0.01

const sides = ['length', 'width', 'height'] as const

/** Whether a sheet has sizes, and not a column for each side: those say it too, and `Size` may then be XL. */
export const hasSizes = ({ places }: Pick<Sheet, 'places'>): boolean =>
  places.has('size') && !sides.every((name) => places.has(name))

/** Whether a sheet says nothing of sides: its parcels are priced on dead weight. */
export const isFlat = ({ places }: Pick<Sheet, 'places'>): boolean =>
  !places.has('size') && !sides.some((name) => places.has(name))

/** The headers that are not read: of no column of ours, or of sides that the sheet says twice. */
export function unusedHeaders({ headers, places, unknown }: Pick<Sheet, 'headers' | 'places' | 'unknown'>) {
  const twice = hasSizes({ places }) ? sides : places.has('size') ? (['size'] as const) : []
  const doubled = twice.flatMap((name) => places.get(name) ?? [])
  return headers.filter((header, at) => header !== '' && (unknown.includes(header) || doubled.includes(at)))
}

/** An unreadable cell with the reason, and the column that it is of, where the field's name is not that. */
export interface Unread {
  readonly fault: string
  readonly column?: string
}

/** Reads a size into the sides of a request. */
export type SizeReader = (raw: Record<string, unknown>, text: string, line: number) => void

/** Reads the sizes of a sheet; most lines have the size of another one. */
export function sizeReader({ counts, sizeUnit }: Pick<Sheet, 'counts' | 'sizeUnit'>, heard: Listener): SizeReader {
  const [sizes, most] = [new Map<string, Outcome<Size>>(), 400]
  const sizeIn = (text: string): Outcome<Size> => {
    const known = sizes.get(text)
    if (known !== undefined) return known
    const read = text === '' ? { fault: 'is required' } : readSize(text, sizeUnit)
    if (sizes.size < most) sizes.set(text, read)
    return read
  }
  return (raw, text, line) => {
    const read = sizeIn(text)
    if ('fault' in read) {
      // One fault says it: the other two sides are taken as read.
      raw['length'] = { fault: read.fault, column: 'size' } satisfies Unread
      raw['width'] = raw['height'] = noSide
      return
    }
    const [length, width, height] = read.value
    raw['length'] = length
    raw['width'] = width
    raw['height'] = height
    if (read.said !== undefined) heard.said(`${counts} ${line}: ${read.said}`)
    const grams = raw['dead_weight']
    if (sizeUnit === undefined && typeof grams === 'number' && couldBeInches(text, read.value, grams))
      heard.small(`${counts} ${line}: the size ${text} is read as cm; for inches write ${text}in`)
  }
}
