// The sizes of the parcels of a file, where one column holds them (docs/guides/bulk-rates.md).
import { couldBeInches, readSize, type Size } from '../../../../domain/read/sides.ts'
import type { Outcome } from '../../../../domain/read/typed.ts'
import type { Sheet } from '../../../files/sheet.ts'
import type { Listener } from './heard.ts'

/** Sides of a parcel whose sheet has none, centimetres: its volumetric weight is then 0. */
export const noSide = 0.01

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
