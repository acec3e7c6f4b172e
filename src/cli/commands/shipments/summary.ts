// `shipx shipments|returns summary`: counts, amounts and shares by group, from the engine. A deployment yields only the
// counts that its totals allow (docs/guides/worklists.md).
import type { Query } from '../../../domain/contract.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import type { Filter } from '../../../domain/filters.ts'
import { returnFilters } from '../../../domain/parcels/returns.ts'
import { shipmentFilters } from '../../../domain/parcels/shipments.ts'
import { keysOf } from '../../../domain/keysof.ts'
import {
  failureReasons,
  qcStatuses,
  refundStatuses,
  returnBuckets,
  returnStatuses,
  shipmentBuckets,
  shipmentStatuses,
} from '../../../domain/parcels/statuses.ts'
import {
  manyKeys,
  returnKeys,
  shipmentKeys,
  type BilledSums,
  type CostSums,
  type Group,
  type ReturnKey,
  type ShipmentKey,
  type ShipmentSums,
} from '../../../domain/parcels/summary.ts'
import type { ShipmentsSummed, Unread } from '../../../engine/records/summary.ts'
import { keyMeant, shownKeys } from '../../../domain/parcels/words.ts'
import { notOneOf } from '../../../domain/values.ts'
import { zones } from '../../../domain/rates/zones.ts'
import { refuseAbsentThere } from '../../listings/absentnames.ts'
import { questionFor } from '../../listings/question.ts'
import { inventedCosts, notPricedThere } from '../../listings/costs.ts'
import { accessible } from '../../terminal/colour.ts'
import { growHeapSlowly } from '../../terminal/heap.ts'
import { count } from '../../../domain/count.ts'
import type { Engine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { inOrder } from '../../listings/inorder.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { flag, limit, list } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import { asked, returnKind, shipmentKind, type Kind } from '../../listings/listing.ts'
import { checkShape, hiddenColumns, printer } from '../../output/printer.ts'
import { isRemote, withSource } from '../../source/open.ts'
import { placeOf, type Source } from '../../source/source.ts'
import { withRecords } from '../pull/offer.ts'
import { billedNote } from './billednote.ts'
import {
  basesOf,
  billedColumns,
  billedFigures,
  costColumns,
  costFigures,
  costTotal,
  figures,
  returnRow,
  shipmentRow,
  summaryView,
  type Figure,
  type SummaryRow,
} from '../../listings/summaryview.ts'

/** A key that a deployment can count value by value: its filter and its possible values. */
interface Closed {
  readonly filter: string
  readonly values: readonly unknown[]
}

/** What a summary groups by: the keys, and the word for each as typed, which its columns have as names. */
interface By {
  readonly keys: readonly string[]
  readonly words: readonly string[]
}

/** What a summary adds up besides its usual sums. */
interface Extra {
  readonly unread: boolean
  readonly cost: boolean
  readonly billed: boolean
}

/** How the two summaries differ. */
interface Summed<R> {
  readonly kind: Kind<R>
  readonly noun: 'shipments' | 'returns'
  readonly keys: readonly string[]
  readonly record: 'shipment' | 'return'
  readonly filters: Readonly<Record<string, Filter>>
  readonly closed: Readonly<Record<string, Closed>>
  readonly sum: (engine: Engine, input: Query, by: By, extra: Extra) => Promise<Summing>
}

/**
 * The rows of a summary, and how many records have an amount that cannot be read, or a courier and no price, if that
 * was asked for.
 */
interface Summing {
  readonly rows: readonly SummaryRow[]
  readonly unread: number
  readonly unpriced: number
  /** How many have a price of the sample card. */
  readonly invented: number
}

const summed = <S extends Unread & Partial<Pick<CostSums, 'unpriced' | 'invented'>>>(
  groups: readonly Group<S>[],
  { words }: By,
  row: (sums: S) => SummaryRow,
): Summing => ({
  rows: groups.map(({ keys, sums }) => ({ ...keyed(words, keys), ...row(sums) })),
  unread: groups.reduce((sum, { sums }) => sum + (sums.unread ?? 0), 0),
  unpriced: groups.reduce((sum, { sums }) => sum + (sums.unpriced ?? 0), 0),
  invented: groups.reduce((sum, { sums }) => sum + (sums.invented ?? 0), 0),
})

/** A group's keys under their names. */
const keyed = (by: readonly string[], keys: readonly (string | null)[]): SummaryRow =>
  Object.fromEntries(by.map((key, i) => [key, keys[i]!]))

const shipments: Summed<Parameters<typeof shipmentKind.names>[0]> = {
  kind: shipmentKind,
  noun: 'shipments',
  keys: shipmentKeys,
  record: 'shipment',
  filters: shipmentFilters,
  closed: {
    status: { filter: 'status', values: shipmentStatuses },
    granular_status: { filter: 'granular_status', values: keysOf(shipmentBuckets) },
    zone: { filter: 'zone', values: zones },
    ndr_reason: { filter: 'ndr_reason', values: failureReasons },
    rto_reason: { filter: 'rto_reason', values: failureReasons },
    payment: { filter: 'is_cod', values: [true, false] },
  },
  sum: async (engine, input, by, extra) => {
    const { sumShipments } = await import('../../../engine/records/summary.ts')
    const work = () => sumShipments(placeOf(engine), input, by.keys as readonly ShipmentKey[], extra)
    const row = (sums: ShipmentsSummed): SummaryRow => ({
      ...shipmentRow(sums),
      ...(extra.cost ? costFigures(sums as ShipmentSums & CostSums) : {}),
      ...(extra.billed ? billedFigures(sums as ShipmentSums & BilledSums) : {}),
    })
    return summed(await engine.database.read(work), by, row)
  },
}

const returns: Summed<Parameters<typeof returnKind.names>[0]> = {
  kind: returnKind,
  noun: 'returns',
  keys: returnKeys,
  record: 'return',
  filters: returnFilters,
  closed: {
    status: { filter: 'status', values: returnStatuses },
    granular_status: { filter: 'granular_status', values: keysOf(returnBuckets) },
    zone: { filter: 'zone', values: zones },
    qc_status: { filter: 'qc_status', values: qcStatuses },
    refund_status: { filter: 'refund_status', values: refundStatuses },
  },
  sum: async (engine, input, by, extra) => {
    const { sumReturns } = await import('../../../engine/records/summary.ts')
    const work = () => sumReturns(placeOf(engine), input, by.keys as readonly ReturnKey[], extra)
    return summed(await engine.database.read(work), by, returnRow)
  },
}

const usual = { by: list, limit: limit(Infinity) }
type Sums = Pick<Extra, 'cost' | 'billed'>

const summary =
  <R>(of: Summed<R>) =>
  async (context: Context, { by = ['status'], limit, cost, billed }: OptionsOf<typeof usual> & Sums) => {
    const { io, screen } = context
    // What parcels cost takes the space of the bars.
    const bars = screen.tty && !accessible(io) && !cost && !billed
    const keys = by.map((word) => keyMeant(word, of.record))
    const { input: typed, unknown } = await asked(context, of.kind, keyFaults(of.keys, by, keys))
    const columns = withSums(figures[of.noun], { cost, billed })
    checkShape(context, summaryView(of.noun, by, columns, bars ? 1 : undefined))
    growHeapSlowly()
    const asking = by.length === 1 ? of.closed[by[0]!] : undefined
    const answer = async (own: Context, source: Source): Promise<number> => {
      const { engine, mirror } = source
      if (cost && (engine === undefined || mirror !== undefined)) throw notPricedThere()
      const input = await questionFor(own, of.kind, source, typed)
      if (engine !== undefined) await forewarn(own, engine, of.noun)
      const {
        rows: all,
        unread,
        unpriced,
        invented,
      } = engine === undefined
        ? { rows: await counted(own, of, source, input, by[0]!, asking!), unread: 0, unpriced: 0, invented: 0 }
        : await of.sum(engine, input, { keys, words: by }, { unread: mirror !== undefined, cost, billed })
      if (all.length === 0) await refuseAbsentThere(own, of.kind, source, input)
      const unanswered = Object.fromEntries(
        engine === undefined ? figures[of.noun].map(({ name }) => [name, null]) : [],
      )
      const rows = all.slice(0, limit).map((row) => ({ ...row, ...unanswered }))
      const most = bars ? Math.max(1, ...rows.map((row) => Number(row[of.noun]))) : undefined
      const shown = engine === undefined && screen.tty ? [] : columns
      const out = printer(own, summaryView(of.noun, by, shown, most))
      await out.batch(rows.map((row) => JSON.stringify(row)))
      await out.end()
      const named = own.flags.has('columns') ? [] : shown
      await told(own, of.noun, by, all, rows.length, basesOf(named, out.hidden()))
      if (out.hidden().length > 0) await own.note(hiddenColumns(out.hidden()))
      if (unpriced > 0) await own.note(unpricedNote(unpriced))
      if (billed && all.length > 0) await billedNote(own, source, all)
      if (invented > 0)
        await own.note(inventedCosts(`of ${count(invented)} ${invented === 1 ? 'shipment' : 'shipments'} `))
      if (unread > 0) await own.warn(unreadAmounts(of.noun, by, unread))
      await warnUnknown(own, unknown)
      return 0
    }
    return (await isRemote(context)) && (asking === undefined || billed) && !cost
      ? withRecords(context, billed ? 'what couriers billed' : lacking(of, by), [of.noun], answer)
      : withSource(context, 'read', (source) => answer(context, source))
  }

/** The figures with what parcels cost, and what was billed for them, after their value. */
const withSums = ([value, ...others]: readonly Figure[], { cost, billed }: Sums): readonly Figure[] => [
  value!,
  ...(cost ? costColumns : []),
  ...(billed ? billedColumns : []),
  ...others,
]

const unpricedNote = (n: number): string =>
  `${count(n)} with a courier ${n === 1 ? 'has' : 'have'} no price: shipx local price`

/** What a deployment cannot sum up, and what it can count. */
const lacking = <R>({ closed }: Summed<R>, by: readonly string[]): string =>
  `a summary by ${by.join(' and ')} (${Object.keys(closed).join(', ')} can be counted)`

/** From this many records on, users wait long enough to need a note: about a second for each 100,000. */
const patience = 200_000

async function forewarn(context: Context, { database, account }: Engine, noun: 'shipments' | 'returns'): Promise<void> {
  const kind = noun === 'shipments' ? 'shipment' : 'return'
  const { planning } = database.dialect
  if (planning === undefined) return
  const about = await database.read(() => planning.roughCount(kind, account), 'single')
  if (about >= patience) await context.note(`adding up about ${count(about)} ${noun}`)
}

/** The faults of keys as typed; `by` are those that they mean. */
function keyFaults(known: readonly string[], typed: readonly string[], by: readonly string[]): readonly Fault[] {
  const field = '--by'
  const wrong = typed
    .filter((_, i) => !known.includes(by[i]!))
    .map((key) => ({ field, message: notOneOf(key, shownKeys(known), 'key') }))
  if (wrong.length > 0) return wrong
  if (by.length === 0 || by.length > 2)
    return [{ field, message: 'takes one key or two, for example --by zone,courier' }]
  if (by[0] === by[1]) return [{ field, message: `names ${by[0]!} twice` }]
  if (by.every((key) => by.length === 2 && manyKeys.has(key)))
    return [{ field, message: `takes ${by.join(' or ')}, not both: a shipment may have several of each` }]
  return []
}

/** The warning about amounts that shipx cannot read. A record with several SKUs or tags counts under each of them. */
function unreadAmounts(noun: string, by: readonly string[], unread: number): string {
  const several = by.some((key) => manyKeys.has(key))
  const records = unread === 1 ? noun.slice(0, -1) : noun
  return (
    `shipx cannot read an amount of ${several ? 'some' : count(unread)} ${records} ` +
    'and counts it as 0; shipx sql shows it as null'
  )
}

/** Prints how many records that was, and what shares are of, for people. */
async function told(
  context: Context,
  noun: 'shipments' | 'returns',
  by: readonly string[],
  all: readonly SummaryRow[],
  shown: number,
  bases: string,
): Promise<void> {
  const many = by.find((key) => manyKeys.has(key))
  const having = many === undefined ? '' : ` with a ${many === 'sku' ? 'SKU' : many}`
  if (all.length === 0) return context.note(`No ${noun}${having} match.`)
  if (shown < all.length) await context.note(`${count(shown)} of ${count(all.length)} groups; --limit all shows them`)
  if (many !== undefined)
    await context.note(
      `${noun} with several ${many === 'sku' ? 'SKUs' : 'tags'} are counted under each, those without one not at all`,
    )
  if (!context.screen.tty || context.format !== 'plain') return
  const total = `${count(all.reduce((sum, row) => sum + Number(row[noun]), 0))} ${noun}`
  const cost = costTotal(all, context.screen)
  const totals =
    many === undefined
      ? [`\n${total}`, ...(cost === undefined ? [] : [cost])]
      : ['\nAmounts are before GST'].filter(() => cost !== undefined)
  await context.note([...totals, ...(bases === '' ? [] : [bases])].join('; '))
}

/** How many totals are requested at once. */
const together = 4

/** Counts by asking a deployment for the total of each value of a key. */
async function counted<R>(
  context: Context,
  { kind, noun, filters }: Summed<R>,
  { remote }: Source,
  input: Query,
  key: string,
  { filter, values }: Closed,
): Promise<readonly SummaryRow[]> {
  const one = filters[filter]!.comparison === 'is'
  const given = [(input as Readonly<Record<string, unknown>>)[filter] ?? []].flat()
  const wanted = given.length === 0 ? values : [...new Set(given)]
  const total = (over: Readonly<Record<string, unknown>>): Promise<number> => remote!.total(kind.endpoint, input, over)
  const all = await total({})
  const say = context.format === 'plain' ? context.note : context.warn
  await say('counts only, a request for each value; amounts, shares and days need a mirror: shipx pull, then --local')
  const found = inOrder(
    wanted,
    async (value): Promise<SummaryRow> => {
      const name = value === true ? 'cod' : value === false ? 'prepaid' : String(value)
      return { [key]: name, [noun]: await total({ [filter]: one ? value : [value] }) }
    },
    together,
  )
  const rows: SummaryRow[] = []
  for await (const row of found) if (row[noun] !== 0) rows.push(row)
  // Values that our lists do not contain, or no value at all.
  const rest = all - rows.reduce((sum, row) => sum + Number(row[noun]), 0)
  const named = rows.toSorted((a, b) => Number(b[noun]) - Number(a[noun]) || (String(a[key]) < String(b[key]) ? -1 : 1))
  if (rest < 0) {
    const said = `the service counts more ${noun} by ${key} than there are (${-rest} too many)`
    if (context.flags.has('strict')) throw new ShipxError('filter_ignored', said, { hint: 'shipx pull, then --local' })
    await context.warn(`${said}: it may not know this filter`)
  }
  if (rest <= 0) return named
  return [...named, { [key]: null, [noun]: rest }].toSorted((a, b) => Number(b[noun]) - Number(a[noun]))
}

const returnSummary = summary(returns)

export const verbs = {
  'shipments summary': verb({ ...usual, cost: flag, billed: flag }, summary(shipments)),
  'returns summary': verb(usual, (context, options) =>
    returnSummary(context, { ...options, cost: false, billed: false }),
  ),
}
