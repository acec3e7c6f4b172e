// Summaries of a listing: all its matches in groups, in one statement.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import { foldText } from '../../domain/filters.ts'
import {
  billedSums,
  costSums,
  returnSums,
  shipmentSums,
  timeKeys,
  type BilledSums,
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
import { matches, type Matches } from './listing.ts'
import { billedMeasures, joinBilled } from './billed.ts'
import { costMeasures, joinCharges } from './charges.ts'
import { lostReturn, measures } from './measures.ts'
import type { Scope } from './plan.ts'

/** What records are grouped by: a column, or the values of a child table. */
export interface Key {
  /** The value, from a record `r`. */
  readonly value?: Sql
  /** What people call the value, where it is an id. */
  readonly name?: Sql
  readonly child?: string
  /** The group of a value, where several values make one. */
  readonly label?: (value: string) => string
  /** People type this value: capitals and spaces make no difference. */
  readonly folded?: true
  /** It has about as many values as there are records. */
  readonly many?: true
}

const column = (name: string): Key => ({ value: sql`r.${raw(name)}` })
/** The day in IST; null for the 0 of a record that does not say when it was created. */
export const dayOf = (name: string): Sql =>
  sql`(nullif(r.${raw(name)}, 0) + ${raw(String(istOffset))}) / ${raw(String(dayMs))}`
const dateOf = (day: string): string => istDate(Number(day) * dayMs - istOffset)

const common = {
  status: column('status'),
  granular_status: column('granular_status'),
  zone: column('zone'),
  store: column('store_name'),
  city: { ...column('city_name'), folded: true },
  state: { ...column('state_name'), label: (state) => readState(state) ?? state, folded: true },
  warehouse: column('warehouse_id'),
  channel: column('channel'),
  pincode: column('pincode'),
  awb: { ...column('tracking_number'), many: true },
} as const satisfies Partial<Record<ShipmentKey & ReturnKey, Key>>

const dated = (name: string): Pick<Record<string, Key>, 'day' | 'month'> & { day: Key; month: Key } => ({
  day: { value: dayOf(name), label: dateOf },
  month: { value: dayOf(name), label: (day) => dateOf(day).slice(0, 7) },
})

/** The keys of shipments; days and months are those of the date that the listing's range applies to. */
export const shipmentKeys = (date: string): Readonly<Record<ShipmentKey, Key>> => ({
  ...common,
  ...dated(date),
  carrier: { value: sql`r.carrier_id`, name: sql`r.carrier_name` },
  sku: { child: 'shipment_skus' },
  tag: { child: 'shipment_tags' },
  ndr_reason: column('ndr_reason'),
  rto_reason: column('rto_reason'),
  attempts: column('attempt_count'),
  order: { ...column('order_display_id'), many: true },
  payment: { value: sql`r.is_cod`, label: (cod) => (cod === '1' ? 'cod' : 'prepaid') },
})

/** The keys of returns. A lost one that shipx 0.1 saved has no status in its row. */
export const returnKeys: Readonly<Record<ReturnKey, Key>> = {
  ...common,
  status: { value: raw(`coalesce(r.status, ${lostReturn})`) },
  ...dated('created_at'),
  carrier: { value: sql`r.carrier_id`, name: sql`r.carrier_name` },
  sku: { child: 'return_skus' },
  order: { ...column('order_display_id'), many: true },
  reason: column('return_reason'),
  qc_status: column('qc_status'),
  refund_status: column('refund_status'),
}

/** The amounts of a group that cannot be read, where a summary asks for them: they count as nothing. */
export type Unread = { readonly unread?: number }

/** What a summary adds up next to its own sums. */
export interface Added<N extends string> {
  readonly names: readonly N[]
  readonly list: readonly Sql[]
  /** Joins what the list reads. */
  readonly join?: Sql
}

/** What parcels cost, for a summary or a report. */
export const costsIn = ({ account }: Scope): Required<Added<keyof CostSums>> => ({
  names: costSums,
  list: costMeasures(),
  join: joinCharges(account),
})

/** What couriers billed for parcels, for a summary or a report. */
export const billedIn = ({ account }: Scope): Required<Added<keyof BilledSums>> => ({
  names: billedSums,
  list: billedMeasures(),
  join: joinBilled(account),
})

/** Two things that are added up together. */
export const addedTogether = <A extends string, B extends string>(one: Added<A>, other: Added<B>): Added<A | B> => ({
  names: [...one.names, ...other.names],
  list: [...one.list, ...other.list],
  join: sql`${one.join ?? empty}${other.join ?? empty}`,
})

/** The sums of shipments, with those that were asked for. */
export type ShipmentsSummed = ShipmentSums & Unread & Partial<CostSums & BilledSums>

/** What a summary of shipments adds up besides its usual sums. */
export interface AskedSums {
  readonly unread?: boolean
  readonly cost?: boolean
  readonly billed?: boolean
}

/**
 * Shipments that match, in groups by one key or two; `unread` also counts amounts that cannot be read, `cost` adds up
 * what they cost, `billed` what couriers billed for them.
 */
export function sumShipments(
  scope: Scope,
  input: Query,
  by: readonly ShipmentKey[],
  { unread = false, cost = false, billed = false }: AskedSums = {},
): Work<readonly Group<ShipmentsSummed>[]> {
  const keys = shipmentKeys(('date_field' in input ? input.date_field : undefined) ?? 'created_at')
  const grouping = by.map((name) => [name, keys[name]] as const)
  const added = addedTogether(cost ? costsIn(scope) : nothing, billed ? billedIn(scope) : nothing)
  return sumUp(scope, 'shipment', input, grouping, shipmentSums, unread, added)
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

type KeyColumns = readonly (readonly [value: Sql, as: string])[]

/** The values of the keys `k0`… by which rows are grouped, each with the name `n0`… that it has in the answer. */
export const keyColumns = (keys: readonly Key[]): KeyColumns =>
  keys.flatMap(({ value = sql`g.value`, name }, i): readonly (readonly [Sql, string])[] => [
    [value, `k${i}`],
    ...(name === undefined ? [] : ([[name, `n${i}`]] as const)),
  ])

function* sumUp<N extends string, M extends string>(
  scope: Scope,
  kind: RecordKind,
  input: Query,
  by: Grouping,
  known: readonly N[],
  unread: boolean,
  added: Added<M>,
): Work<readonly Group<Record<N, number> & Partial<Record<M, number>> & Unread>[]> {
  const list = [...measures[kind], ...(unread ? [sql`r.unread_amount`] : []), ...added.list]
  const names = [...known, ...(unread ? (['unread'] as const) : []), ...added.names]
  const child = by.find(([, key]) => key.child !== undefined)?.[1].child
  const found = yield* matches(scope, kind, input, child)
  return merged(yield* groupsOf(scope, found, by, { ...added, list }), by, names)
}

/** The sums of the matches in groups: keys `k0`…, their names `n0`…, the count `s0` and the sums `s1`…. */
export function* groupsOf(
  { dialect }: Scope,
  found: Matches,
  by: Grouping,
  { list, join: beside = empty }: Pick<Added<never>, 'list' | 'join'>,
): Work<readonly Line[]> {
  const keys = keyColumns(by.map(([, key]) => key))
  const from = sql`${found.from}${beside} ${found.where}`
  const many = by.some(([, { child, many: values }]) => values === true || child !== undefined)
  if (dialect.planning !== undefined && !many) return yield* groupsInTable(keys, list, from)
  const shown = [...keys.map(([value, name]) => sql`${value} as ${raw(name)}`), sql`count(*) as s0`]
  // A sum of integers beyond 64 bits would be an error.
  const sums = list.map((measure, i) => sql`sum(cast(${measure} as double precision)) as s${raw(String(i + 1))}`)
  return yield* rows<Line>(
    sql`select ${join([...shown, ...sums])} ${from} group by ${join(keys.map(([value]) => value))}`,
  )
}

/**
 * The same by a table of the groups, for a database inside this process. SQLite groups by sorting all rows; adding each
 * to its group takes two thirds of the processor's time where the groups are few (docs/inside/performance.md, Sums). An
 * empty blob stands for null, which a key cannot be. A sum of integers beyond 64 bits becomes a floating-point number.
 */
function* groupsInTable(keys: KeyColumns, measures: readonly Sql[], from: Sql): Work<readonly Line[]> {
  const names = keys.map(([, name]) => name)
  const sums = measures.map((_, i) => `s${i + 1}`)
  yield sql`create temp table sums (${raw([...names, 's0', ...sums].join(', '))},
    primary key (${raw(names.join(', '))})) without rowid`
  const values = [...keys.map(([value]) => sql`coalesce(${value}, x'')`), sql`1`]
  // A sum leaves out what is null; adding it would be null.
  for (const measure of measures) values.push(sql`coalesce(${measure}, 0)`)
  const added = ['s0', ...sums].map((name) => `${name} = ${name} + excluded.${name}`)
  yield sql`insert into temp.sums select ${join(values)} ${from} on conflict do update set ${raw(added.join(', '))}`
  const shown = names.map((name) => `nullif(${name}, x'') as ${name}`)
  const found = yield* rows<Line>(sql`select ${raw([...shown, 's0', ...sums].join(', '))} from temp.sums`)
  yield sql`drop table temp.sums`
  return found
}

/** A group as a statement returns it. */
export type Line = Readonly<Record<string, unknown>>

/** Groups that mean the same, as one, under the name that most of its records have. */
export function merged<N extends string>(
  found: readonly Line[],
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

/** The group of a key's value: what tells it from others, and what people read. */
export function partOf(
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
