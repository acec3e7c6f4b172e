// Summaries of a listing: all its matches in groups, in one statement.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import { foldText } from '../../domain/filters.ts'
import {
  costSums,
  returnSums,
  shipmentSums,
  timeKeys,
  type CostSums,
  type Group,
  type ReturnKey,
  type ReturnSums,
  type ShipmentKey,
  type ShipmentSums,
} from '../../domain/parcels/summary.ts'
import { readState } from '../../domain/read/states.ts'
import { dayMs, istDate, istOffset } from '../../domain/time.ts'
import { rows, type RecordKind, type Work } from '../database/port.ts'
import { matches } from './listing.ts'
import { costMeasures, joinCharges } from './charges.ts'
import { inside, measures, unreadAmount } from './measures.ts'
import type { Scope } from './plan.ts'

/** What records are grouped by: a column, a part of their JSON, or the values of a child table. */
export interface Key {
  /** The value, from a record `r` and its attributes `a`. */
  readonly value?: Sql
  /** What people call the value, where it is an id. */
  readonly name?: Sql
  readonly child?: string
  /** The group of a value, where several values make one. */
  readonly label?: (value: string) => string
  /** People type this value: capitals and spaces make no difference. */
  readonly folded?: true
}

const column = (name: string): Key => ({ value: sql`r.${raw(name)}` })
/** The day in IST; null for the 0 of a record that does not say when it was created. */
const dayOf = (name: string): Sql =>
  sql`(nullif(r.${raw(name)}, 0) + ${raw(String(istOffset))}) / ${raw(String(dayMs))}`
const dateOf = (day: string): string => istDate(Number(day) * dayMs - istOffset)
const common = {
  status: column('status'),
  granular_status: column('granular_status'),
  zone: column('zone'),
  store: column('store_name'),
  city: { value: inside('shipping_address', 'city'), folded: true },
  state: { value: inside('shipping_address', 'state'), label: (state) => readState(state) ?? state, folded: true },
  warehouse: column('warehouse_id'),
  channel: column('channel'),
  pincode: { value: inside('shipping_address', 'zip') },
  awb: column('tracking_number'),
} as const satisfies Partial<Record<ShipmentKey & ReturnKey, Key>>

const dated = (name: string): Pick<Record<string, Key>, 'day' | 'month'> & { day: Key; month: Key } => ({
  day: { value: dayOf(name), label: dateOf },
  month: { value: dayOf(name), label: (day) => dateOf(day).slice(0, 7) },
})

/** The keys of shipments; days and months are those of the date that the listing's range applies to. */
export const shipmentKeys = (date: string): Readonly<Record<ShipmentKey, Key>> => ({
  ...common,
  ...dated(date),
  carrier: { value: sql`r.carrier_id`, name: inside('carrier', 'name') },
  sku: { child: 'shipment_skus' },
  tag: { child: 'shipment_tags' },
  ndr_reason: column('ndr_reason'),
  rto_reason: column('rto_reason'),
  attempts: column('attempt_count'),
  order: column('order_display_id'),
  payment: { value: sql`r.is_cod`, label: (cod) => (cod === '1' ? 'cod' : 'prepaid') },
})

/** The keys of returns. */
export const returnKeys: Readonly<Record<ReturnKey, Key>> = {
  ...common,
  ...dated('created_at'),
  carrier: { value: sql`r.carrier_id`, name: inside('shipment', 'carrier', 'name') },
  sku: { child: 'return_skus' },
  order: { value: inside('order', 'display_id') },
  reason: { value: inside('return_reason') },
  qc_status: column('qc_status'),
  refund_status: column('refund_status'),
}

/** Columns that keys and sums read. */
// prettier-ignore
const columns: Readonly<Record<RecordKind, readonly string[]>> = {
  shipment: [
    'seq', 'id', 'created_at', 'status', 'granular_status', 'zone', 'carrier_id', 'store_name', 'warehouse_id', 'channel', 'is_cod',
    'attempt_count', 'ndr_reason', 'rto_reason', 'order_date', 'ready_for_pickup_at', 'picked_up_at', 'in_transit_at',
    'out_for_delivery_at', 'delivered_at', 'rto_initiated_at', 'rto_delivered_at', 'tracking_number', 'order_display_id',
  ],
  return: [
    'seq', 'created_at', 'request_date', 'total_price', 'status', 'granular_status', 'zone', 'carrier_id', 'store_name',
    'warehouse_id', 'channel', 'qc_status', 'refund_status', 'return_delivered_at', 'tracking_number',
  ],
}

/** A limit that no query reaches keeps an inner query separate, so that no record's text is carried through a sort. */
const asOne = raw(' limit 9223372036854775807')

/** The amounts of a group that cannot be read, where a summary asks for them: they count as nothing. */
export type Unread = { readonly unread?: number }

/** What a summary adds up next to its own sums. */
interface Added<N extends string> {
  readonly names: readonly N[]
  readonly list: readonly Sql[]
  /** Joins what the list reads. */
  readonly join?: Sql
}

/** What parcels cost, for a summary or a report. */
export const costsIn = ({ dialect, account }: Scope): Required<Added<keyof CostSums>> => ({
  names: costSums,
  list: costMeasures(dialect),
  join: joinCharges(account),
})

/** The sums of shipments, with those that were asked for. */
export type ShipmentsSummed = ShipmentSums & Unread & Partial<CostSums>

/**
 * Shipments that match, in groups by one key or two; `unread` also counts amounts that cannot be read, `cost` adds up
 * what they cost.
 */
export function sumShipments(
  scope: Scope,
  input: Query,
  by: readonly ShipmentKey[],
  { unread = false, cost = false }: { readonly unread?: boolean; readonly cost?: boolean } = {},
): Work<readonly Group<ShipmentsSummed>[]> {
  const keys = shipmentKeys(('date_field' in input ? input.date_field : undefined) ?? 'created_at')
  const grouping = by.map((name) => [name, keys[name]] as const)
  return sumUp(scope, 'shipment', input, grouping, shipmentSums, unread, cost ? costsIn(scope) : nothing)
}

/** Returns that match, as shipments. */
export const sumReturns = (
  scope: Scope,
  input: Query,
  by: readonly ReturnKey[],
  { unread = false }: { readonly unread?: boolean } = {},
): Work<readonly Group<ReturnSums & Unread>[]> =>
  sumUp(
    scope,
    'return',
    input,
    by.map((name) => [name, returnKeys[name]]),
    returnSums,
    unread,
    nothing,
  )

const nothing: Added<never> = { names: [], list: [] }

/** One grouping: its keys by their names. */
export type Grouping = readonly (readonly [name: string, key: Key])[]

/** A query of the records that match: the columns that keys and sums read, and their attributes as `a`. */
function* recordsOf(scope: Scope, kind: RecordKind, input: Query): Work<Sql> {
  const from = yield* matches(scope, kind, input)
  const plain = join(columns[kind].map((name) => sql`r.${raw(name)}`))
  return sql`select ${plain}, ${scope.dialect.attributes} as a ${from}${asOne}`
}

const each = (list: readonly Sql[]): readonly Sql[] =>
  list.map((measure, i) => sql`${measure} as s${raw(String(i + 1))}`)
const summed = (list: readonly Sql[]): readonly Sql[] =>
  list.map((_, i) => sql`cast(sum(m.s${raw(String(i + 1))}) as double precision) as s${raw(String(i + 1))}`)

function* sumUp<N extends string, M extends string>(
  scope: Scope,
  kind: RecordKind,
  input: Query,
  by: Grouping,
  known: readonly N[],
  unread: boolean,
  { names: more, list: added, join: beside = empty }: Added<M>,
): Work<readonly Group<Record<N, number> & Partial<Record<M, number>> & Unread>[]> {
  const { dialect, account } = scope
  const list = [...measures(dialect)[kind], ...(unread ? [unreadAmount(dialect)[kind]] : []), ...added]
  const names = [...known, ...(unread ? (['unread'] as const) : []), ...more]
  const records = yield* recordsOf(scope, kind, input)
  const keys = by.map(([, key]) => key)
  const child = keys.find((key) => key.child !== undefined)?.child
  const own = keys.flatMap(({ value, name }, i) => [
    ...(value === undefined ? [] : [sql`${value} as k${raw(String(i))}`]),
    ...(name === undefined ? [] : [sql`${name} as n${raw(String(i))}`]),
  ])
  const lines = sql`select ${join([sql`r.seq`, ...own, ...each(list)])} from (${records}) r${beside}${asOne}`
  const groups = keys.flatMap(({ value, name }, i) => [
    value === undefined ? sql`g.value` : sql`m.k${raw(String(i))}`,
    ...(name === undefined ? [] : [sql`m.n${raw(String(i))}`]),
  ])
  const shown = keys.flatMap(({ value, name }, i) => [
    sql`${value === undefined ? sql`g.value` : sql`m.k${raw(String(i))}`} as k${raw(String(i))}`,
    ...(name === undefined ? [] : [sql`m.n${raw(String(i))} as n${raw(String(i))}`]),
  ])
  // SQLite has no statistics about an inner query: it cannot see that the records are the smaller side.
  const joined = dialect.planning === undefined ? empty : raw('cross ')
  const source =
    child === undefined
      ? sql`from (${lines}) m`
      : sql`from ${raw(child)} g ${joined}join (${lines}) m on m.seq = g.seq where g.account_id = ${account}`
  const sums = [sql`count(*) as s0`, ...summed(list)]
  const found = yield* rows(sql`select ${join([...shown, ...sums])} ${source} group by ${join(groups)}`)
  return merged(found, by, names)
}

/**
 * Records that match, grouped by each of several keys in one reading; no key is of a child table. `more` is added up
 * next to the sums of the summaries, which `known` names. The groups are those of one summary for each key.
 */
export function* sumByEach<N extends string, M extends string = never>(
  scope: Scope,
  kind: RecordKind,
  input: Query,
  by: Grouping,
  known: readonly N[],
  { names: more, list: added, join: beside = empty }: Added<M>,
): Work<readonly (readonly Group<Record<N | M, number>>[])[]> {
  const records = yield* recordsOf(scope, kind, input)
  const list = [...measures(scope.dialect)[kind], ...added]
  const names = [...known, ...more]
  const own = by.flatMap(([, { value, name }], i) => [
    sql`${value!} as k${raw(String(i))}`,
    ...(name === undefined ? [] : [sql`${name} as n${raw(String(i))}`]),
  ])
  const parts = by.map(([, { name }], i) => {
    const [key, called] = [sql`m.k${raw(String(i))}`, name === undefined ? undefined : sql`m.n${raw(String(i))}`]
    const shown = [
      sql`${raw(String(i))} as g`,
      sql`cast(${key} as text) as k0`,
      sql`cast(${called ?? raw('null')} as text) as n0`,
      sql`count(*) as s0`,
      ...summed(list),
    ]
    return sql`select ${join(shown)} from m group by ${join(called === undefined ? [key] : [key, called])}`
  })
  const lines = sql`select ${join([...own, ...each(list)])} from (${records}) r${beside}`
  const found = yield* rows<{ readonly g: number }>(
    sql`with m as materialized (${lines}) ${join(parts, ' union all ')}`,
  )
  return by.map((key, i) =>
    merged(
      found.filter(({ g }) => Number(g) === i),
      [key],
      names,
    ),
  )
}

/** Groups that mean the same, as one, under the name that most of its records have. */
function merged<N extends string>(
  found: readonly Readonly<Record<string, unknown>>[],
  by: Grouping,
  names: readonly N[],
): readonly Group<Record<N, number>>[] {
  const groups = new Map<string, { keys: (string | null)[]; most: number; sums: Record<N, number> }>()
  for (const line of found) {
    const parts = by.map(([, key], i) => partOf(key, line[`k${i}`], line[`n${i}`]))
    const id = JSON.stringify(parts.map((part) => part.id))
    const keys = parts.map((part) => part.shown)
    const sums = Object.fromEntries(names.map((name, i) => [name, Number(line[`s${i}`])])) as Record<N, number>
    const count = Number(line['s0'])
    const old = groups.get(id)
    if (old === undefined) {
      groups.set(id, { keys, most: count, sums })
      continue
    }
    for (const name of names) old.sums[name] += sums[name]
    if (count > old.most || (count === old.most && JSON.stringify(keys) < JSON.stringify(old.keys)))
      Object.assign(old, { keys, most: count })
  }
  return sorted(
    [...groups.values()],
    by.map(([name]) => name),
  )
}

function partOf(
  key: Key,
  value: unknown,
  name: unknown,
): { readonly id: string | null; readonly shown: string | null } {
  if (value === null || value === undefined || value === '') return { id: null, shown: null }
  const text = key.label?.(String(value)) ?? String(value)
  if (key.folded === undefined) return { id: text, shown: typeof name === 'string' && name !== '' ? name : text }
  const spaced = text.trim().replace(/\s+/g, ' ')
  return spaced === '' ? { id: null, shown: null } : { id: foldText(spaced), shown: spaced }
}

/** The largest first, or in order of time; then by name, without a name last. */
function sorted<
  G extends {
    readonly keys: readonly (string | null)[]
    readonly most: number
    readonly sums: Readonly<Record<string, number>>
  },
>(groups: readonly G[], by: readonly string[]): readonly Group<G['sums']>[] {
  const compare = (a: string | null, b: string | null): number =>
    a === b ? 0 : a === null ? 1 : b === null || a < b ? -1 : 1
  const byName = (a: G, b: G, which: (name: string) => boolean): number =>
    by.reduce((order, name, i) => (order !== 0 || !which(name) ? order : compare(a.keys[i]!, b.keys[i]!)), 0)
  return groups
    .toSorted(
      (a, b) =>
        byName(a, b, (name) => timeKeys.has(name)) || b.sums['count']! - a.sums['count']! || byName(a, b, () => true),
    )
    .map(({ keys, sums }) => ({ keys, sums }))
}
