// `shipx shipments rto`: how many parcels come back and what that costs, by any key; couriers like for like; pincodes
// where COD loses money (docs/guides/returns.md).
import type { Query } from '../../../domain/contract.ts'
import { count, counted } from '../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { codOff, type CodOffFound } from '../../../domain/parcels/codoff.ts'
import { fewSettled, rtoFigures, rtoKeys, type RtoKey } from '../../../domain/parcels/rto.ts'
import { manyKeys } from '../../../domain/parcels/summary.ts'
import { keyMeant, shownKeys } from '../../../domain/parcels/words.ts'
import { notOneOf } from '../../../domain/values.ts'
import type { OutcomeGroup } from '../../../engine/records/outcomes.ts'
import { faulty, flag, limit, list, oneOf, optionKind, sound } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuseAbsentThere } from '../../listings/absentnames.ts'
import { inventedCosts } from '../../listings/costs.ts'
import { asked, shipmentKind } from '../../listings/listing.ts'
import { questionFor } from '../../listings/question.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { showMoney } from '../../output/display.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { tableWidth } from '../../output/tablelayout.ts'
import { placeOf } from '../../source/source.ts'
import { accessible } from '../../terminal/colour.ts'
import { keepHeapSmall } from '../../terminal/heap.ts'
import { withRecords, type OwnSource } from '../pull/offer.ts'
import { alikeRow, couriersAlike, outcomesBy, rtoPricer } from './outcomes.ts'
import { likeView, offView, shareText, rtoView, type RtoRow } from './rtoview.ts'

/** A percentage from 0 to 100 with at most four decimals: `25%` or `25`. */
const percentage = optionKind<number, undefined>(undefined, (given, name) => {
  const digits = given.trim().replace(/ ?%$/, '')
  if (/^\d{1,3}(\.\d{1,4})?$/.test(digits) && Number(digits) <= 100) return sound(Number(digits))
  return faulty(undefined, name, `"${given.slice(0, 20)}" is not a percentage from 0% to 100%, such as 25%`)
})

const options = {
  by: list,
  cross: flag,
  like_for_like: oneOf(['courier'], 'kind of comparison'),
  suggest: oneOf(['cod-off'], 'suggestion'),
  margin: percentage,
  limit: limit(Infinity),
}
type Options = OptionsOf<typeof options>

/** What is shown without `--by`. */
const usualKeys = ['all', 'payment', 'courier', 'week']

const rto = verb(options, async (context, given) => {
  const by = given.by ?? usualKeys
  const keys = by.map((word) => keyMeant(word, 'shipment'))
  const over = given.suggest === 'cod-off' ? codOver(context) : {}
  const { input: typed, unknown } = await asked(context, shipmentKind, faultsOf(context, given, by, keys), over)
  if (given.like_for_like !== undefined) checkShape(context, likeView)
  else if (given.suggest !== undefined) checkShape(context, offView)
  else checkShape(context, rtoView(by, undefined))
  keepHeapSmall()
  return withRecords(context, 'how parcels ended', ['shipments'], async (own, source) => {
    const input = await questionFor(own, shipmentKind, source, typed)
    const asking: Asking = { context: own, source, input, limit: given.limit }
    if (given.like_for_like !== undefined) await compareCouriers(asking)
    else if (given.suggest !== undefined) await suggestCodOff(asking, given.margin!)
    else await byKeys(asking, by, keys as readonly RtoKey[], given.cross)
    await warnUnknown(own, unknown)
    return 0
  })
})

/** A question and where it is answered. */
interface Asking {
  readonly context: Context
  readonly source: OwnSource
  readonly input: Query
  readonly limit: number
}

/** COD parcels alone. */
const codOver = ({ flags }: Context): Readonly<Record<string, unknown>> =>
  flags.has('prepaid') || flags.has('payment') ? {} : { is_cod: true }

function faultsOf(
  { flags }: Context,
  { like_for_like: like, suggest, margin, cross }: Options,
  by: readonly string[],
  keys: readonly string[],
): readonly Fault[] {
  const faults: Fault[] = by
    .filter((_, i) => !(rtoKeys as readonly string[]).includes(keys[i]!))
    .map((key) => ({ field: '--by', message: notOneOf(key, shownKeys(rtoKeys), 'key') }))
  if (faults.length === 0 && by.length === 0)
    faults.push({ field: '--by', message: 'takes at least one key, for example --by courier,pincode' })
  const twice = keys.find((key, i) => keys.indexOf(key) !== i)
  if (faults.length === 0 && twice !== undefined)
    faults.push({ field: '--by', message: `names ${shownKeys([twice])[0]!} twice` })
  if (cross && keys.length < 2) faults.push({ field: '--cross', message: 'takes two keys or more: --by courier,zone' })
  if (cross && keys.includes('all'))
    faults.push({ field: '--cross', message: 'crosses keys with one another, and all is not one of them' })
  if (cross && keys.filter((key) => manyKeys.has(key)).length > 1)
    faults.push({ field: '--by', message: 'takes sku or tag, not both: a shipment may have several of each' })
  if (like !== undefined && suggest !== undefined)
    faults.push({ field: '--suggest', message: 'and --like-for-like are two questions: ask one at a time' })
  const other = like !== undefined ? 'like-for-like' : suggest !== undefined ? 'suggest' : undefined
  if (other !== undefined)
    for (const name of ['by', 'cross'])
      if (flags.has(name)) faults.push({ field: `--${name}`, message: `does not go with --${other}` })
  if (suggest !== undefined && !flags.has('margin'))
    faults.push({ field: '--margin', message: 'is required: what you earn of an order, such as --margin 25%' })
  if (suggest === undefined && margin !== undefined)
    faults.push({ field: '--margin', message: 'goes with --suggest cod-off' })
  if (suggest !== undefined && (flags.has('prepaid') || flags.get('payment') === 'prepaid'))
    faults.push({ field: flags.has('prepaid') ? '--prepaid' : '--payment', message: 'leaves no COD parcel to look at' })
  return faults
}

/** The groups of lists of keys, with what their returned parcels cost. */
async function groupsOf(
  { context, source, input }: Asking,
  lists: readonly (readonly RtoKey[])[],
  values = false,
): Promise<readonly (readonly OutcomeGroup[])[]> {
  const { engine } = source
  const price = await rtoPricer(context, source)
  return engine.database.read(() => outcomesBy(placeOf(engine), input, lists, price, values))
}

async function byKeys(asking: Asking, by: readonly string[], keys: readonly RtoKey[], cross: boolean): Promise<void> {
  const { context, source, input, limit: top } = asking
  const lists = cross ? [keys] : keys.map((key): readonly RtoKey[] => [key])
  const [all = [], ...found] = await groupsOf(asking, [['all'], ...lists])
  if (all.length === 0) await refuseAbsentThere(context, shipmentKind, source, input)
  const rows = found.flatMap((groups, i) =>
    groups.slice(0, top).map((group) => (cross ? crossedRow(by, group) : rowOf(by[i]!, group))),
  )
  const bars = context.screen.tty && !accessible(context.io)
  const most = rows.reduce((longest, { rto_percent: percent }) => Math.max(longest, percent ?? 0), 0)
  const drawn = bars ? { most, named: context.screen.width < tableWidth } : undefined
  await printList(context, rtoView(cross ? [by.join(',')] : by, drawn), rows)
  const shown = found.map((groups) => Math.min(top, groups.length))
  if (found.some((groups) => groups.length > top))
    await context.note(
      `${count(shown.reduce((sum, n) => sum + n, 0))} of ${count(found.flat().length)} groups; --limit all shows them`,
    )
  const many = keys.find((key) => manyKeys.has(key))
  if (many !== undefined)
    await context.note(
      `shipments with several ${many === 'sku' ? 'SKUs' : 'tags'} are counted under each, those without one not at all`,
    )
  await tell(context, input, all[0])
}

const rowOf = (by: string, { keys, sums, costs }: OutcomeGroup): RtoRow =>
  ordered(by, by === 'all' ? 'all' : keys[0]!, rtoFigures(sums, costs))

/** A group of crossed keys: their values together, and each in a field of its own. */
const crossedRow = (by: readonly string[], { keys, sums, costs }: OutcomeGroup): RtoRow => ({
  ...ordered(by.join(','), keys.map((key) => key ?? '-').join(', '), rtoFigures(sums, costs)),
  ...Object.fromEntries(by.map((word, i) => [word, keys[i]!])),
})

/** The fields in the order of the documentation. */
function ordered(by: string, key: string | null, figures: ReturnType<typeof rtoFigures>): RtoRow {
  const { orders, picked_up, settled_percent, cost_by, rto_unpriced, ...others } = figures
  const { delivered, rto: back, settled, ...more } = others
  return { by, key, orders, delivered, rto: back, settled, ...more, picked_up, settled_percent, cost_by, rto_unpriced }
}

/** What the dates are of, how much has settled, and what the costs are by. */
async function tell(context: Context, input: Query, all: OutcomeGroup | undefined): Promise<void> {
  if (all === undefined) return context.note('No shipments match.')
  const { sums, costs } = all
  const settled = sums.delivered + sums.rto
  if (costs.invented > 0)
    await context.note(inventedCosts(`of ${counted(costs.invented, ['returned parcel', 'returned parcels'])} `))
  if (context.format !== 'plain' || !context.screen.tty) return
  const date = ('date_field' in input ? input.date_field : undefined) ?? 'created_at'
  const share = shareText(settled, sums.picked_up)
  const day = date === 'created_at' ? 'creation' : date.replace(/_at$/, '').replaceAll('_', ' ')
  await context.note(
    `\n${count(sums.orders)} shipments by day of ${day}; ${count(settled)} of ${count(sums.picked_up)} picked up ` +
      `are delivered or came back (${share}). RTO % is of those`,
  )
  await context.note(costNote(sums.rto, costs))
}

function costNote(
  rto: number,
  { rto_billed: billed, rto_by_card: byCard, rto_unpriced: none }: OutcomeGroup['costs'],
): string {
  if (rto === 0) return 'None came back.'
  const parts = [
    ...(billed === 0 ? [] : [`${count(billed)} by invoices`]),
    ...(byCard === 0 ? [] : [`${count(byCard)} by the card`]),
    ...(none === 0 ? [] : [`${count(none)} without a cost, not counted (shipx local price --dry-run says why)`]),
  ]
  return `RTO COST is both ways and the COD fee that is kept, before GST: ${parts.join(', ')}.`
}

/** The refusal where nothing has ended yet. */
const nothingSettled = (what: string): ShipxError =>
  new ShipxError('not_found', `none of these parcels is delivered or came back, so ${what}`, {
    hint: 'take a longer period, or fewer filters: shipx shipments rto --since 180d',
  })

async function compareCouriers(asking: Asking): Promise<void> {
  const { context, source, input, limit: most } = asking
  const { engine } = source
  const all = await engine.database.read(() => couriersAlike(placeOf(engine), input))
  if (all.length === 0) throw nothingSettled('there is nothing to compare')
  const rows = all.map(alikeRow)
  await printList(context, likeView, rows.slice(0, most))
  const lacking = rows.filter(({ missing }) => missing.length > 0)
  if (lacking.length > 0)
    await context.note(
      `${counted(lacking.length, ['courier lacks', 'couriers lack'])} a part of the mix: what it would do there is ` +
        'not known, and ACCOUNT % is of the same part',
    )
  if (rows.length < 2) await context.note('There is one courier, so there is nothing to compare it with.')
  if (context.format === 'plain' && context.screen.tty)
    await context.note('LIKE FOR LIKE % is each courier in your own mix of zone and payment, of settled parcels.')
}

async function suggestCodOff(asking: Asking, margin: number): Promise<void> {
  const { context, limit: most } = asking
  const [all = [], groups = []] = await groupsOf(asking, [['all'], ['pincode']], true)
  const sums = all[0]?.sums
  if (sums === undefined || sums.delivered + sums.rto === 0) throw nothingSettled('nothing says where COD loses money')
  const found = codOff(
    groups.map(({ keys, sums: own, costs }) => ({
      pincode: keys[0]!,
      delivered: own.delivered,
      rto: own.rto,
      delivered_value: own.delivered_value,
      rto_value: own.rto_value,
      rto_cost: costs.rto_cost,
      rto_priced: costs.rto_billed + costs.rto_by_card,
    })),
    margin,
  )
  await printList(context, offView, found.places.slice(0, most))
  const invented = all[0]!.costs.invented
  if (invented > 0)
    await context.note(inventedCosts(`of ${counted(invented, ['returned parcel', 'returned parcels'])} `))
  await context.note(offNote(context, found, margin))
}

function offNote({ screen }: Context, { places, judged, few, chance, unpriced }: CodOffFound, margin: number): string {
  const saves = places.reduce((sum, place) => sum + Math.round(place.saves * 100), 0)
  const judgedText = `${counted(judged, ['pincode', 'pincodes'])} with ${fewSettled} settled COD parcels or more`
  const verdict =
    places.length === 0
      ? `COD loses money in none of ${judgedText} at a margin of ${margin}%, beyond chance.`
      : `COD off in ${counted(places.length, ['pincode', 'pincodes'])} of ${judgedText} would have saved ` +
        `${showMoney(saves / 100, screen)} at a margin of ${margin}%, before GST.`
  const others = [
    ...(chance === 0 ? [] : [`${counted(chance, ['pincode loses', 'pincodes lose'])} money, perhaps by chance`]),
    ...(few === 0 ? [] : [`${counted(few, ['pincode has', 'pincodes have'])} too few parcels`]),
    ...(unpriced === 0 ? [] : [`in ${counted(unpriced, ['pincode', 'pincodes'])} no return has a cost`]),
  ]
  return others.length === 0 ? verdict : `${verdict} Not among them: ${others.join('; ')}.`
}

export const verbs = { 'shipments rto': rto }
