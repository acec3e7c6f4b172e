// How parcels ended, counted in groups by one reading of the columns, and one more for each key of many values
// (docs/guides/returns.md).
import sql from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import { noOutcomes, noRtoCosts, type OutcomeSums, type RtoCosts, type RtoKey } from '../../domain/parcels/rto.ts'
import { dayMs, istDate, istOffset } from '../../domain/time.ts'
import type { Work } from '../database/port.ts'
import { matches } from './listing.ts'
import { ending, isBack, isDelivered, isFailed, isFirst, isPickedUp, isUncounted, sentBack } from './measures.ts'
import { Derived } from './derived.ts'
import type { Scope } from './plan.ts'
import { dayOf, groupsOf, partOf, shipmentKeys, type Key, type Line } from './summary.ts'
import { talliesOf } from './tallies.ts'

/** One that counts as delivered and as lost on its way back is delivered. */
export const cameBack = sql`(${sentBack}) and coalesce(r.status, '') <> 'delivered'`

/** Weeks since the one that begins on Monday, 29 December 1969. */
const weekOf = (date: string): Key => ({
  value: new Derived(sql`(${dayOf(date)} + 3) / 7`, dayOf(date), (day) =>
    day === null ? null : Math.trunc((Number(day) + 3) / 7),
  ),
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
  const delivered = (code & isDelivered) !== 0
  sums.orders += n
  sums.picked_up += is(isPickedUp)
  sums.delivered += is(isDelivered)
  sums.rto += delivered ? 0 : is(isBack)
  sums.first_attempt += is(isFirst)
  sums.uncounted += is(isUncounted)
  sums.ndr += is(isFailed)
  if (delivered) {
    sums.ndr_recovered += is(isFailed)
    sums.delivered_value += value
  } else if ((code & isBack) !== 0) sums.rto_value += value
}

const value = sql`coalesce(r.total_price, 0)`

/** Lists of keys as groupings without a group yet. */
export function outcomeGroupings(input: Query, lists: readonly (readonly RtoKey[])[]): readonly Grouping[] {
  const known = rtoKeysOf(input)
  return lists.map((list) => {
    const names = list.flatMap((name) => (name === 'all' ? [] : [name]))
    return { keys: names.map((name) => known[name]), names, groups: new Map() }
  })
}

/** The keys that shipments are counted by for a grouping: its own, and how each ended. */
export const endingsIn = ({ keys, names }: Grouping): readonly (readonly [string, Key])[] => [
  ...keys.map((key, i) => [names[i]!, key] as const),
  ['', { value: ending }],
]

/** Adds the shipments of lines by the keys of `endingsIn` to the groups of a grouping. */
export function addLines(grouping: Grouping, lines: readonly Line[], values = false): void {
  const code = `k${grouping.keys.length}`
  for (const line of lines) {
    const n = Number(line['s0'])
    addOutcome(groupAt(grouping, line, (i) => i, n).sums, Number(line[code]), n, values ? Number(line['s1']) : 0)
  }
}

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
  const groupings = outcomeGroupings(input, lists)
  const sums = { list: values ? [value] : [] }
  const childOf = ({ keys }: Grouping): string | undefined => keys.find((key) => key.child !== undefined)?.child
  // Groups as many as records are made one kind after another.
  const isApart = (grouping: Grouping): boolean =>
    childOf(grouping) !== undefined || grouping.keys.some((key) => key.many === true)
  for (const grouping of groupings.filter(isApart)) {
    const found = yield* matches(scope, 'shipment', input, childOf(grouping))
    addLines(grouping, yield* groupsOf(scope, found, endingsIn(grouping), sums), values)
  }
  const together = groupings.filter((grouping) => !isApart(grouping))
  if (together.length === 0) return groupings
  const found = yield* matches(scope, 'shipment', input)
  const lines = yield* talliesOf(scope, found, together.map(endingsIn), sums)
  for (const [i, grouping] of together.entries()) addLines(grouping, lines[i]!, values)
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
