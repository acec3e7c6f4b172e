// Records in groups of several kinds, out of one reading of their columns (docs/inside/performance.md, Sums).
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import type { Group } from '../../domain/parcels/summary.ts'
import { rows, type RecordKind, type Work } from '../database/port.ts'
import { Derived } from './derived.ts'
import { matches, type Matches } from './listing.ts'
import { measures } from './measures.ts'
import type { Scope } from './plan.ts'
import { groupsOf, keyColumns, merged, type Added, type Grouping, type Line } from './summary.ts'

/**
 * The sums of the matches in groups by each list of keys, as `groupsOf` gives them for one. No list is empty, and no
 * key is of a child table.
 */
export function* talliesOf(
  scope: Scope,
  found: Matches,
  lists: readonly Grouping[],
  { list, join: beside = empty }: Pick<Added<never>, 'list' | 'join'>,
): Work<readonly (readonly Line[])[]> {
  if (lists.length === 1) return [yield* groupsOf(scope, found, lists[0]!, { list, join: beside })]
  const places = new Map<string, number>()
  const columns: Sql[] = []
  const placeOf = (value: Sql): number => {
    const known = places.get(value.sql)
    if (known !== undefined) return known
    places.set(value.sql, columns.length)
    return columns.push(value) - 1
  }
  const kinds = lists.map((grouping) => {
    const keys = keyColumns(grouping.map(([, key]) => key))
    return { names: keys.map(([, name]) => name), keys: keys.map(([value]) => placeOf(value)) }
  })
  const from = sql`${found.from}${beside} ${found.where}`
  return scope.dialect.planning === undefined
    ? yield* inSets(columns, kinds, list, from)
    : yield* inCalls(columns, kinds, list, from)
}

/** A list of keys: their names in its lines, and their places among the columns of all lists. */
interface Kind {
  readonly names: readonly string[]
  readonly keys: readonly number[]
}

/** The groups while they are made: by the number of the first key, then of the next one; the sums by the last one. */
type Tree = (Tree | number[] | undefined)[]

/** The values of a column so far, each with a number. */
interface Seen {
  readonly numbers: Map<unknown, number>
  readonly values: unknown[]
}

/** Where a value is among those that a row brings, and what is made of it. */
interface Taken {
  readonly at: number
  readonly make?: Derived['make']
}

const valueOf = (row: readonly unknown[], { at, make }: Taken): unknown =>
  make === undefined ? row[at] : make(row[at])

/**
 * Groups by calls for each row: a third of the processor's time of a table of groups for each kind. A value is looked
 * up once for all kinds.
 */
function* inCalls(
  columns: readonly Sql[],
  kinds: readonly Kind[],
  list: readonly Sql[],
  from: Sql,
): Work<readonly (readonly Line[])[]> {
  const brought: Sql[] = []
  // Known by its text, where nothing is bound in it.
  const placeOf = (value: Sql): number => {
    const known = brought.findIndex((other) => value.values.length === 0 && other.sql === value.sql)
    return known >= 0 ? known : brought.push(value) - 1
  }
  const takenFrom = (value: Sql): Taken =>
    value instanceof Derived ? { at: placeOf(value.of), make: value.make } : { at: placeOf(value) }
  const [keyed, summed] = [columns.map(takenFrom), list.map(takenFrom)]
  const seen = columns.map((): Seen => ({ numbers: new Map(), values: [] }))
  const trees = kinds.map(({ keys }) => ({ keys, last: keys.length - 1, tree: [] as Tree }))
  const none = [0, ...list.map(() => 0)]
  const numbers = columns.map(() => 0)
  const one = [1, ...list.map(() => 0)]
  // Each step is written out: a row passes here once for each kind.
  const each = (row: readonly unknown[]): void => {
    for (let i = 0; i < keyed.length; i++) {
      const known = seen[i]!
      const value = valueOf(row, keyed[i]!)
      let number = known.numbers.get(value)
      if (number === undefined) known.numbers.set(value, (number = known.values.push(value) - 1))
      numbers[i] = number
    }
    for (let j = 0; j < summed.length; j++) one[j + 1] = valueOf(row, summed[j]!) as number
    for (let i = 0; i < trees.length; i++) {
      const { keys, last, tree } = trees[i]!
      let at = tree
      for (let j = 0; j < last; j++) at = (at[numbers[keys[j]!]!] ??= []) as Tree
      const sums = (at[numbers[keys[last]!]!] ??= [...none]) as number[]
      for (let j = 0; j < one.length; j++) sums[j]! += one[j]!
    }
  }
  const { sql: text, text: numbered, values } = sql`select count(each_row(${join(brought)})) ${from}`
  yield { sql: text, text: numbered, values, each }
  return trees.map(({ keys, tree }, i) => {
    const named = keys.map((key, j) => ({ name: kinds[i]!.names[j]!, values: seen[key]!.values }))
    return [...linesOf(tree, named, {})]
  })
}

/** The lines of a tree by the remaining keys, with what is above it. */
function* linesOf(
  tree: Tree,
  [key, ...others]: readonly { readonly name: string; readonly values: readonly unknown[] }[],
  above: Line,
): Generator<Line> {
  for (const [number, below] of tree.entries()) {
    if (below === undefined) continue
    const line: Record<string, unknown> = { ...above, [key!.name]: key!.values[number] }
    if (others.length > 0) yield* linesOf(below as Tree, others, line)
    else {
      for (const [i, sum] of (below as number[]).entries()) line[`s${i}`] = sum
      yield line
    }
  }
}

/** Groups by one statement with a set of columns for each kind. */
function* inSets(
  columns: readonly Sql[],
  kinds: readonly Kind[],
  list: readonly Sql[],
  from: Sql,
): Work<readonly (readonly Line[])[]> {
  const all = columns.map((_, i) => `q.c${i}`)
  const given = [
    ...columns.map((value, i) => sql`${value} as ${raw(`c${i}`)}`),
    ...list.map((measure, i) => sql`${measure} as ${raw(`m${i + 1}`)}`),
  ]
  // The columns that a set leaves out, as bits: the last column is the lowest.
  const leftOut = ({ keys }: Kind): number => all.reduce((bits, _, i) => bits * 2 + (keys.includes(i) ? 0 : 1), 0)
  const sets = new Map(kinds.map((kind) => [leftOut(kind), kind.keys.map((at) => all[at]!).join(', ')]))
  const sums = list.map((_, i) => `sum(cast(q.m${i + 1} as double precision)) as s${i + 1}`)
  const shown = [...all, `grouping(${all.join(', ')}) as left_out`, 'count(*) as s0', ...sums]
  const found = yield* rows<Line>(
    sql`select ${raw(shown.join(', '))} from (select ${join(given)} ${from}) q
      group by grouping sets (${raw([...sets.values()].map((set) => `(${set})`).join(', '))})`,
  )
  return kinds.map((kind) => {
    const bits = leftOut(kind)
    const own = found.filter((line) => Number(line['left_out']) === bits)
    return own.map((line) => ({
      ...line,
      ...Object.fromEntries(kind.names.map((name, i) => [name, line[`c${kind.keys[i]!}`]])),
    }))
  })
}

/**
 * Records that match, grouped by each of several keys; no key is of a child table. `added` is added up next to the
 * sums of the summaries, which `known` names. The groups are those of one summary for each key. `beside` are further
 * lists of keys, whose lines come as they are.
 */
export function* sumByEach<N extends string, M extends string = never>(
  scope: Scope,
  kind: RecordKind,
  input: Query,
  by: Grouping,
  known: readonly N[],
  added: Added<M>,
  beside: readonly Grouping[] = [],
): Work<{
  readonly groups: readonly (readonly Group<Record<N | M, number>>[])[]
  readonly beside: readonly (readonly Line[])[]
}> {
  const all = { ...added, list: [...measures[kind], ...added.list] }
  const names = [...known, ...added.names]
  const found = yield* matches(scope, kind, input)
  const lines = yield* talliesOf(scope, found, [...by.map((key) => [key]), ...beside], all)
  return { groups: by.map((key, i) => merged(lines[i]!, [key], names)), beside: lines.slice(by.length) }
}
