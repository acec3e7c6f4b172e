// Describes the filters of a listing for people.
import { openReturnStatuses, openStatuses } from '../../domain/parcels/statuses.ts'
import type { Query } from '../../domain/contract.ts'
import type { Filter } from '../../domain/filters.ts'
import type { Column } from '../../domain/parcels/columns.ts'
import { columnName, isBound, type Listing } from '../../domain/parcels/listings.ts'
import { readDay } from '../../domain/time.ts'
import type { Context } from '../command/context.ts'
import { showTime, words } from '../output/display.ts'
import { safe } from '../terminal/safe.ts'

type Shown = Pick<Context, 'screen'>

/**
 * The filters of a query in words: `delivered · COD · created from 01 Sep 00:00`. `couriers` holds names by id; a
 * courier without one is its id.
 */
export function filterWords(
  { screen }: Shown,
  { filters, columns }: Listing,
  input: Query,
  couriers: ReadonlyMap<string, string> = new Map(),
): string {
  const values: Readonly<Record<string, unknown>> = input
  const parts = Object.entries(filters).flatMap(([name, filter]) => {
    const value = values[name]
    const none = value === undefined || (Array.isArray(value) && value.length === 0)
    if (none) return []
    const column = columns[columnName(filter, values)]!
    const named = column.noun === 'courier' ? [value].flat().map((id) => couriers.get(String(id)) || id) : value
    return [phrase(filter, column, named, { screen })]
  })
  return safe(parts.join(screen.ascii ? ' - ' : ' · '))
}

/** The statuses that `--open` stands for. */
const open: ReadonlySet<string> = new Set([openStatuses.join(), openReturnStatuses.join()])

/** One filter in words: the name of its column, its comparison and its value. */
function phrase(filter: Filter, { noun, date }: Column, value: unknown, { screen }: Shown): string {
  if (typeof noun !== 'string') return noun[value === true ? 0 : 1]
  const values = [value].flat().map(String)
  if (noun === '') return open.has(values.join()) ? 'open' : values.map(words).join(', ').toLowerCase()
  if (noun === 'zone') return values.map(words).join(', ')
  // An order is looked for with and without its sign.
  if (!isBound(filter))
    return `${noun} ${values.filter((one) => !one.startsWith('#') || !values.includes(one.slice(1))).join(', ')}`
  const lower = filter.comparison === 'at_least'
  if (date !== true) return `${noun} ${lower ? 'at least' : 'at most'} ${String(value)}`
  const stored = filter.stored(value)
  const whole = readDay(String(value)) !== undefined || typeof stored !== 'number'
  return `${noun} ${lower ? 'from' : 'until'} ${whole ? String(value) : showTime(stored, screen)}`
}
