// How parcels ended, counted in groups: one reading of the columns for keys of few values, one more for each other key
// (docs/guides/returns.md).
import sql, { type Sql } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import { noOutcomes, noRtoCosts, type OutcomeSums, type RtoCosts, type RtoKey } from '../../domain/parcels/rto.ts'
import { dayMs, istDate, istOffset } from '../../domain/time.ts'
import type { Work } from '../database/port.ts'
import { matches } from './listing.ts'
import { pickedUp, sentBack, truth } from './measures.ts'
import type { Scope } from './plan.ts'
import { dayOf, groupsOf, partOf, shipmentKeys, type Key, type Line } from './summary.ts'

/** How a shipment ended as one number: the sum of what is true of it. */
const [isPickedUp, isDelivered, isBack, isFirst, isUncounted, isFailed] = [1, 2, 4, 8, 16, 32]

const attempts = sql`coalesce(r.attempt_count, 0)`
/** A failed attempt: a reason, an attempt before the last one, or an attempt of one that waits or is sent back. */
const failed = sql`r.ndr_reason is not null or r.attempt_count > 1 or r.status = 'ndr_raised'
  or (r.attempt_count > 0 and r.status <> 'delivered' and (${sentBack}))`

/** One that counts as delivered and as lost on its way back is delivered. */
export const cameBack = sql`(${sentBack}) and coalesce(r.status, '') <> 'delivered'`

const outcome = sql`${truth(pickedUp)} + ${truth(failed)} * 32
  + case when r.status = 'delivered' then 2 + case ${attempts} when 1 then 8 when 0 then 16 else 0 end
    when ${sentBack} then 4 else 0 end`

/** Weeks since the one that begins on Monday, 29 December 1969. */
const weekOf = (date: string): Key => ({
  value: sql`(${dayOf(date)} + 3) / 7`,
  label: (week) => istDate((Number(week) * 7 - 3) * dayMs - istOffset),
})

/** The keys of groups by their names; `all` has none. */
export function rtoKeysOf(input: Query): Readonly<Record<Exclude<RtoKey, 'all'>, Key>> {
  const date = ('date_field' in input ? input.date_field : undefined) ?? 'created_at'
  return { ...shipmentKeys(date), week: weekOf(date) }
}

type Changing<T> = { -readonly [K in keyof T]: T[K] }

/** A group of shipments: its keys in the order of its grouping. */
export interface OutcomeGroup {
  readonly keys: readonly (string | null)[]
  readonly sums: OutcomeSums
  readonly costs: RtoCosts
}

interface MakingGroup {
  keys: readonly (string | null)[]
  most: number
  readonly sums: Changing<OutcomeSums>
  readonly costs: Changing<RtoCosts>
}

/** The groups of one list of keys, while they are made. */
export interface Grouping {
  readonly keys: readonly Key[]
  readonly names: readonly string[]
  readonly groups: Map<string, MakingGroup>
}

/** What is known of a group by the values and the names of its keys. */
export function groupAt(grouping: Grouping, line: Line, at: (i: number) => number, n: number): MakingGroup {
  const parts = grouping.keys.map((key, i) => partOf(key, line[`k${at(i)}`], line[`n${at(i)}`]))
  const id = JSON.stringify(parts.map((part) => part.id))
  const shown = parts.map((part) => part.shown)
  let group = grouping.groups.get(id)
  if (group === undefined) {
    group = { keys: shown, most: n, sums: { ...noOutcomes }, costs: { ...noRtoCosts } }
    grouping.groups.set(id, group)
  } else if (n > group.most || (n === group.most && JSON.stringify(shown) < JSON.stringify(group.keys)))
    Object.assign(group, { keys: shown, most: n })
  return group
}

/** Adds shipments that ended alike. */
function addOutcome(sums: Changing<OutcomeSums>, code: number, n: number, value: number): void {
  const is = (bit: number): number => ((code & bit) === 0 ? 0 : n)
  sums.orders += n
  sums.picked_up += is(isPickedUp)
  sums.delivered += is(isDelivered)
  sums.rto += is(isBack)
  sums.first_attempt += is(isFirst)
  sums.uncounted += is(isUncounted)
  sums.ndr += is(isFailed)
  if ((code & isDelivered) !== 0) {
    sums.ndr_recovered += is(isFailed)
    sums.delivered_value += value
  } else if ((code & isBack) !== 0) sums.rto_value += value
}

const ending: Key = { value: outcome, few: true }
const value = sql`coalesce(r.total_price, 0)`

/**
 * Counts the shipments that match by each list of keys; `values` also adds up what they are worth. It is several
 * statements, so the transaction must see one unchanging state.
 */
export function* countOutcomes(
  scope: Scope,
  input: Query,
  lists: readonly (readonly RtoKey[])[],
  values = false,
): Work<readonly Grouping[]> {
  const known = rtoKeysOf(input)
  const named = (name: RtoKey): readonly (readonly [string, Key])[] => (name === 'all' ? [] : [[name, known[name]]])
  const groupings = lists.map((list): Grouping => {
    const keys = list.flatMap(named)
    return { keys: keys.map(([, key]) => key), names: keys.map(([name]) => name), groups: new Map() }
  })
  const sums: readonly Sql[] = values ? [value] : []
  // Reading once more costs more than weeks among two keys of few values.
  const others = new Set(groupings.flatMap(({ keys }) => keys.filter((key) => key.few === true)))
  const isFew = ({ keys, names }: Grouping): boolean =>
    keys.every((key, i) => key.few === true || (names[i] === 'week' && others.size <= 2))
  const few = [
    ...new Map(groupings.filter(isFew).flatMap(({ keys, names }) => names.map((name, i) => [name, keys[i]!]))),
  ]
  const count = function* (own: readonly Grouping[], all: readonly (readonly [string, Key])[]): Work<void> {
    const child = all.find(([, key]) => key.child !== undefined)?.[1].child
    const found = yield* matches(scope, 'shipment', input, child)
    const lines = yield* groupsOf(scope, found, [...all, ['', ending]], { list: sums })
    const code = `k${all.length}`
    for (const grouping of own) {
      const places = grouping.names.map((name) => all.findIndex(([one]) => one === name))
      for (const line of lines) {
        const n = Number(line['s0'])
        const group = groupAt(grouping, line, (i) => places[i]!, n)
        addOutcome(group.sums, Number(line[code]), n, Number(line['s1'] ?? 0))
      }
    }
  }
  if (groupings.some(isFew)) yield* count(groupings.filter(isFew), few)
  for (const grouping of groupings)
    if (!isFew(grouping))
      yield* count(
        [grouping],
        grouping.names.map((name, i) => [name, grouping.keys[i]!]),
      )
  return groupings
}

/** The groups of a grouping in order: by time, else the largest first, then by name, without a name last. */
export function groupsIn({ groups, names }: Grouping): readonly OutcomeGroup[] {
  const compare = (a: string | null, b: string | null): number =>
    a === b ? 0 : a === null ? 1 : b === null || a < b ? -1 : 1
  const byKeys = (a: MakingGroup, b: MakingGroup, timed: boolean): number =>
    names.reduce(
      (order, name, i) => (order !== 0 || (timed && !inTime.has(name)) ? order : compare(a.keys[i]!, b.keys[i]!)),
      0,
    )
  return [...groups.values()].toSorted(
    (a, b) => byKeys(a, b, true) || b.sums.orders - a.sums.orders || byKeys(a, b, false),
  )
}

const inTime: ReadonlySet<string> = new Set(['week', 'day', 'month'])
