// The columns of the sides of a parcel: one for each side, or one of sizes (docs/guides/bulk-rates.md).
import type { SheetColumn } from './headers.ts'
import type { Sheet } from './sheet.ts'

const orders = ['lxwxh', 'lxbxh', 'lwh', 'lbh']
const words = ['size', 'dimension', 'dimensions', 'dims']

/** The headers of three sides in one cell; `folded`, because a header may write the signs between them in many ways. */
export const sizeHeaders: readonly string[] = [
  ...orders,
  ...words.flatMap((word) => [word, ...['package', 'parcel', 'box', 'product'].map((what) => `${what}_${word}`)]),
  ...words.flatMap((word) => orders.map((order) => `${word}_${order}`)),
]

/** A column of three sides. */
export const sizeColumn = {
  name: 'size',
  aliases: sizeHeaders,
  size: true,
} as const satisfies SheetColumn

/** A column for each side; `W` may be a weight, so that `B` is the width where a sheet has both. */
export const sideColumns = [
  { name: 'length', weaker: ['l'], side: true },
  { name: 'width', aliases: ['breadth', 'b'], weaker: ['w'], side: true },
  { name: 'height', weaker: ['h'], side: true },
] as const satisfies readonly SheetColumn[]

const sides = sideColumns.map(({ name }) => name)

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
