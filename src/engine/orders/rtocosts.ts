// What returned parcels cost, added to the groups of their outcomes: by the invoices that bill their way back, else by
// their quoted price, else by the card's version of their day (docs/guides/returns.md, Cost). Paise before GST.
import sql, { empty, join, raw, type Sql } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { listsOf } from '../database/inlist.ts'
import { rows, type Work } from '../database/port.ts'
import { keepsAny } from '../money/documents.ts'
import { anyPriced, joinCharges } from '../records/charges.ts'
import { cameBack, groupAt, type Grouping } from '../records/outcomes.ts'
import type { Scope } from '../records/plan.ts'
import { keyColumns, type Key, type Line } from '../records/summary.ts'
import { keepsOrders, ownColumns, parcelsAfter, type SavedParcel, type Walk } from './parcelrows.ts'
import type { ParcelRow, ReturnedCost } from './recordprice.ts'

/** Parcels that are read at once. */
const piece = 500

interface ReturnedRow extends SavedParcel {
  /** The quoted cost of both ways; null without a price. */
  readonly quoted: number | null
  readonly card: string | null
}

/** What prices the parcels that have no quoted price. */
export type Pricer = (row: ParcelRow) => ReturnedCost | undefined

/** Adds the costs of the returned parcels that match to the groups of these groupings. */
export function* addRtoCosts(scope: Scope, input: Query, groupings: readonly Grouping[], price: Pricer): Work<void> {
  const { account } = scope
  const keys = [...new Set(groupings.flatMap((grouping) => grouping.keys))]
  const own = keys.filter((key) => key.child === undefined)
  const { columns, names } = readOnce(own)
  const quoted = yield* anyPriced(account)
  const walk: Walk = {
    scope,
    input,
    only: cameBack,
    orders: yield* keepsOrders(account),
    columns: sql`, ${quoted ? quote : noQuote}${columns}`,
    joined: quoted ? joinCharges(account) : empty,
  }
  const adders = groupings.map((grouping) => adderOf(grouping, own, names))
  const invoices = yield* keepsAny(account)
  for (let after = 0; ;) {
    const found = yield* parcelsAfter<ReturnedRow>(walk, after, piece)
    const billed = invoices ? yield* billedBack(account, found) : noBills
    const values = yield* childValues(account, keys, found)
    for (const row of found) {
      const cost = costOf(row, billed.get(row.seq), price)
      for (const add of adders) add(row, values, cost)
    }
    if (found.length < piece) return
    after = found.at(-1)!.seq
  }
}

/** What a returned parcel costs and by what; undefined where nothing says it. */
interface RtoCost {
  readonly paise: number
  readonly by: 'invoices' | 'card'
  readonly invented: boolean
}

const quote = raw('c.freight + c.surcharges + c.rto + c.cod_kept as quoted, c.card')
/** An account without prices has nothing to look up for each parcel. */
const noQuote = raw('null as quoted, null as card')

const noBills: ReadonlyMap<number, number> = new Map()

function costOf(row: ReturnedRow, billed: number | undefined, price: Pricer): RtoCost | undefined {
  if (billed !== undefined) return { paise: billed, by: 'invoices', invented: false }
  if (row.quoted !== null) return { paise: row.quoted, by: 'card', invented: row.card === sampleCard.name }
  if (row.carrier_id === null && row.carrier_name === null) return undefined
  const priced = price(row)
  return priced && { paise: priced.paise, by: 'card', invented: priced.card === sampleCard.name }
}

/**
 * What invoices that count billed for parcels, credits off, by the number of each whose way back is among it. Of
 * several shipments with one AWB, the one that was saved last has the lines.
 */
function* billedBack(account: number, found: readonly SavedParcel[]): Work<ReadonlyMap<number, number>> {
  const bills = new Map<number, number>()
  const awbs = [...new Set(found.flatMap(({ tracking_number: awb }) => (awb === null ? [] : [awb])))]
  for (const list of listsOf(awbs))
    for (const { seq, billed } of yield* rows<{ readonly seq: number; readonly billed: number }>(
      sql`select cast((select max(s.seq) from shipments s
            where s.account_id = ${account} and s.tracking_number = l.awb) as bigint) as seq,
          sum(l.billed - coalesce(l.gst_billed, 0)) as billed
        from document_lines l join documents d on d.account_id = ${account} and d.id = l.document_id
        where l.account_id = ${account} and l.awb in (${list}) and d.complete = 1 and d.superseded_at is null
        group by l.awb having sum(case when l.journey = 'rto' or l.rto <> 0 then l.billed else 0 end) > 0`,
    ))
      bills.set(Number(seq), Number(billed))
  return bills
}

/** The values of parcels in child tables, by the table and the number of the parcel. */
type ChildValues = ReadonlyMap<string, ReadonlyMap<number, readonly string[]>>

function* childValues(account: number, keys: readonly Key[], found: readonly SavedParcel[]): Work<ChildValues> {
  const values = new Map<string, Map<number, string[]>>()
  if (found.length === 0) return values
  for (const { child } of keys) {
    if (child === undefined) continue
    const bySeq = new Map<number, string[]>()
    const seqs = join(found.map(({ seq }) => sql`${seq}`))
    for (const { seq, value } of yield* rows<{ readonly seq: number; readonly value: string }>(
      sql`select g.seq, g.value from ${raw(child)} g where g.account_id = ${account} and g.seq in (${seqs})`,
    ))
      bySeq.set(Number(seq), [...(bySeq.get(Number(seq)) ?? []), value])
    values.set(child, bySeq)
  }
  return values
}

/** Adds the cost of a parcel to its group, or to a group for each of its values in a child table. */
type Adder = (row: ReturnedRow, values: ChildValues, cost: RtoCost | undefined) => void

/** The names that the value and the name of a key have in a row. */
type Names = readonly [value: string, name: string | undefined]

/** The columns that the rows of parcels lack of some keys, and the names of each key in a row: none is read twice. */
function readOnce(own: readonly Key[]): { readonly columns: Sql; readonly names: readonly Names[] } {
  const there = new Map(ownColumns.map((name) => [`r.${name}`, name]))
  const all = keyColumns(own)
  const nameOf = (as: string): string | undefined => {
    const value = all.find(([, one]) => one === as)?.[0]
    return value && (there.get(value.sql) ?? as)
  }
  const lacking = all.filter(([value]) => !there.has(value.sql)).map(([value, as]) => sql`, ${value} as ${raw(as)}`)
  return {
    columns: lacking.length === 0 ? empty : join(lacking, ''),
    names: own.map((_, i): Names => [nameOf(`k${i}`)!, nameOf(`n${i}`)]),
  }
}

type RtoGroup = ReturnType<typeof groupAt>

/** What is known below one value of a row: further values, and at the end a group. */
interface Branch {
  below?: Map<unknown, Branch>
  group?: RtoGroup
}

function branchAt(branch: Branch, held: unknown): Branch {
  branch.below ??= new Map()
  let next = branch.below.get(held)
  if (next === undefined) branch.below.set(held, (next = {}))
  return next
}

/** What adds costs to a grouping: what the rows hold leads to a group that was found once by its name. */
function adderOf(grouping: Grouping, own: readonly Key[], names: readonly Names[]): Adder {
  const { keys } = grouping
  const places = keys.map((key) => (key.child === undefined ? names[own.indexOf(key)]! : undefined))
  const child = keys.find((key) => key.child !== undefined)?.child
  const root: Branch = {}
  const addTo = (row: ReturnedRow, value: string | undefined, cost: RtoCost | undefined): void => {
    let at = root
    for (const place of places) at = branchAt(at, place === undefined ? value : row[place[0]])
    at.group ??= groupAt(grouping, lineOf(row, places, value), (i) => i, 0)
    addCost(at.group.costs, cost)
  }
  if (child === undefined) return (row, _, cost) => addTo(row, undefined, cost)
  return (row, values, cost) => {
    for (const value of values.get(child)?.get(row.seq) ?? []) addTo(row, value, cost)
  }
}

/** A parcel as a line of a grouping by where the row has its keys; undefined stands for `value`. */
function lineOf(row: ReturnedRow, places: readonly (Names | undefined)[], value: string | undefined): Line {
  const line: Record<string, unknown> = {}
  for (const [i, place] of places.entries()) {
    line[`k${i}`] = place === undefined ? value : row[place[0]]
    line[`n${i}`] = place?.[1] === undefined ? undefined : row[place[1]]
  }
  return line
}

function addCost(costs: RtoGroup['costs'], cost: RtoCost | undefined): void {
  if (cost === undefined) costs.rto_unpriced++
  else {
    costs.rto_cost += cost.paise
    if (cost.by === 'invoices') costs.rto_billed++
    else costs.rto_by_card++
    if (cost.invented) costs.invented++
  }
}
