// The two listings as data, their filters over their columns, and what follows from the two tables.
import type { Filter } from '../filters.ts'
import { returnColumns, shipmentColumns, type Column } from './columns.ts'
import { returnFilters, returnSorts } from './returns.ts'
import { shipmentFilters } from './shipments.ts'
import { shipmentDates } from './statuses.ts'

/** A listing: what it can be filtered by, and the columns that its filters read. */
export interface Listing {
  readonly filters: Readonly<Record<string, Filter>>
  readonly columns: Readonly<Record<string, Column>>
  /** The columns that a question names by a value of its own (`date_field`, `sort_by`). */
  readonly named: readonly string[]
}

/** The listings of the contract. */
export const listings = {
  listShipments: { filters: shipmentFilters, columns: shipmentColumns, named: shipmentDates },
  listReturns: { filters: returnFilters, columns: returnColumns, named: returnSorts },
} as const satisfies Readonly<Record<string, Listing>>

/** The endpoint of a listing. */
export type ListingName = keyof typeof listings

type Input = Readonly<Record<string, unknown>>

/** The name of the column that a filter reads in a question. */
export const columnName = ({ column }: Filter, input: Input): string =>
  typeof column === 'string' ? column : column(input)

/** Whether a filter is the lower or the upper end of a range. */
export const isBound = ({ comparison }: Filter): boolean => comparison === 'at_least' || comparison === 'at_most'

/** The filters whose column answers to `holds`. A filter that reads its column from the question is none of them. */
function filtersWhere({ filters, columns }: Listing, holds: (column: Column) => boolean): readonly string[] {
  return Object.entries(filters).flatMap(([name, { column }]) =>
    typeof column === 'string' && holds(columns[column]!) ? [name] : [],
  )
}

/** The filters that the specification does not have, so that a deployment may not know them. */
export const addedFilters = (listing: Listing): readonly string[] => [
  ...new Set([
    ...Object.keys(listing.filters).filter((name) => listing.filters[name]!.added === true),
    ...filtersWhere(listing, ({ added }) => added === true),
  ]),
]

/** The filters whose values are a list of ours, of which another deployment may know more. */
export const closedFilters = (listing: Listing): readonly string[] =>
  filtersWhere(listing, ({ closed }) => closed === true)

/** The columns with a property. */
export const columnsWhere = ({ columns }: Listing, holds: (column: Column) => boolean): readonly string[] =>
  Object.keys(columns).filter((name) => holds(columns[name]!))

/** The pairs of filters that bound one column from below and from above. */
export function rangesOf({ filters }: Listing): readonly (readonly [low: string, high: string])[] {
  const all = Object.entries(filters)
  return all.flatMap(([low, { comparison, column }]) => {
    const high = all.find(([, other]) => other.comparison === 'at_most' && other.column === column)
    return comparison === 'at_least' && high !== undefined ? [[low, high[0]] as const] : []
  })
}

/**
 * The attributes that a listing's questions ask for, or parts of one: records without them cannot be filtered or
 * ordered by them.
 */
export function neededAttributes({ filters, columns, named }: Listing): readonly string[] {
  const own = Object.values(filters).flatMap(({ column }) => (typeof column === 'string' ? [column] : []))
  const paths = [...own, ...named].flatMap((name) => columns[name]!.at ?? [])
  return [...new Set(paths)]
}

/**
 * The attribute that a parameter of a question asks for. Undefined where every record answers it, and for a filter that
 * reads its column from another parameter, which is asked itself.
 */
export function attributeOf({ filters, columns, named }: Listing, name: string, value: unknown): string | undefined {
  const filter = filters[name]
  if (filter !== undefined)
    return typeof filter.column === 'string' ? (columns[filter.column]!.at ?? undefined) : undefined
  return named.includes(String(value)) ? (columns[String(value)]!.at ?? undefined) : undefined
}
