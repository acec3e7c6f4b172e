// Judges a line of an invoice: what it should have cost, and the difference in parts that add up to it
// (docs/guides/money.md). All amounts are integer paise, all weights hundredths of a gram.
import type { ReadyService } from '../rates/pricing.ts'
import { percentage, rupeesText } from '../money.ts'
import { insideBase } from './amounts.ts'
import { isSpoilt } from './awbs.ts'
import type { Comparison } from './alike.ts'
import {
  billedTotal,
  categoryOf,
  journeyOf,
  partSum,
  type Billed,
  type Judged,
  type Reason,
  type ReasonCode,
  type Seen,
  type Shape,
  type Terms,
  type UnknownCode,
} from './billed.ts'
import { comparedParts } from './compared.ts'
import type { KnownParcel } from './parcel.ts'
import type { Case, Part } from './case.ts'
import { partsOf } from './parts.ts'
import { stillDue } from './stilldue.ts'
import { billedUnits, ourUnits, ourZone, serviceOf, type OurZone, type Tariff } from './tariffs.ts'
import { insideGst } from './wholelines.ts'
import { billedAgain, billedAlready, waysOf, type Again } from './ways.ts'

/** The terms of a document, the prices, and what else the judge needs to know. */
export interface Bench {
  readonly terms: Terms
  readonly tariff: (ms: number) => Tariff | string
  /** The instant of a day as the invoice writes it; undefined for one that cannot be read. */
  readonly dayOf: (text: string) => number | undefined
  /** The courier of the document, where it has one. */
  readonly courier: string | undefined
  /** Whether a parcel went with the courier that bills it. */
  readonly sameCourier: (biller: string, parcel: KnownParcel) => boolean
  /** What the other lines of the bill cost, where there is no card. */
  readonly comparison?: Comparison | undefined
  /** Whether shipx has nothing but the bill, and looks for no parcel. */
  readonly alone?: boolean
}

/** Judges a line against what is known of its parcel and what was billed before. */
export function judge(line: Billed, parcel: KnownParcel | undefined, seen: Seen, bench: Bench): Judged {
  const { shape } = bench.terms
  const total = billedTotal(line, shape)
  const out: Judged = {
    billed: total,
    journey: journeyOf(line, parcel, shape),
    verdict: 'ok',
    category: 'ok',
    expected: null,
    reasons: none,
    gstBilled: shape.gst === 'columns' ? (line.tax ?? 0) : shape.gst === 'inside' ? insideGst(total) : null,
    gstExpected: null,
    card: null,
    zone: undefined,
    zoneBilled: line.zone.trim(),
    weight: undefined,
    slab: undefined,
    slabBilled: undefined,
  }
  if (line.fault !== undefined) return unjudged(out, 'unread_line', line.fault)
  if (isSpoilt(line.awb))
    return unjudged(out, 'awb_spoilt', `a spreadsheet has rounded the AWB ${line.awb}: its digits are gone`)
  // A negative line is a credit whatever its parcel is: before its bill it waits.
  if (out.billed < 0) {
    if (seen.hereNet + seen.beforeNet <= 0)
      return unjudged(out, 'credit_first', 'nothing is left to credit for this AWB')
    out.verdict = 'credit'
    out.expected = out.billed
    return out
  }
  const ways = waysOf(line, out.journey, shape.whole)
  const whole = wholeReason(line, parcel, seen, ways, bench)
  if (whole !== undefined) {
    const further =
      whole[0] === 'billed_before' ? byStillDue(out, line, parcel, { seen, text: whole[1] }, bench) : undefined
    if (further !== undefined) return further
    out.expected = 0
    out.gstExpected = shape.gst === 'columns' ? 0 : null
    out.reasons = [{ code: whole[0], amount: out.billed, text: whole[1] }]
    return concluded(out, 0)
  }
  const again = billedAgain(ways, seen)
  return bench.comparison === undefined
    ? priced(out, line, parcel!, { seen, again }, bench)
    : byOthers(out, line, parcel, again, bench)
}

/** The name of the card where there is none, and lines are compared with each other. No card can have this name. */
export const noCard = '(no card)'

/** The courier that a line is compared under: its own word, else that of the document. */
export const comparedAs = (line: Billed, courier: string | undefined): string =>
  line.courier === '' ? (courier ?? '') : line.courier

/** A line judged by the others of its bill. */
function byOthers(
  out: Judged,
  line: Billed,
  parcel: KnownParcel | undefined,
  again: Again | undefined,
  bench: Bench,
): Judged {
  const { terms, courier } = bench
  const { shape } = terms
  const comparison = bench.comparison!
  // The first reading counted the lines by their own words, without parcels: so the journey here is the same.
  const journey = journeyOf(line, undefined, shape)
  out.card = noCard
  const own = comparedAs(line, courier).toLowerCase()
  const found = comparedParts({ line, parcel, courier: own, journey, again, shape, comparison })
  if ('why' in found) return byItself(out, line, comparison, terms) ?? unjudged(out, found.why, found.text)
  out.slabBilled = found.slab
  settle(out, line, found.parts, found.expected, taxOf(comparison.gstPercent), terms)
  return concluded(out, terms.tolerance)
}

/** A line that no other line can be compared with: its tax and its sum can be checked all the same. */
function byItself(out: Judged, line: Billed, { gstPercent }: Comparison, terms: Terms): Judged | undefined {
  const { shape, tolerance } = terms
  if (shape.gst === 'inside') return undefined
  const base = shape.gst === 'columns' ? baseOf(line, shape) : shape.whole ? out.billed : partSum(line)
  settle(out, line, [], base, taxOf(gstPercent), terms)
  if (out.reasons.length > 0 && Math.abs(out.billed - out.expected!) >= tolerance) return concluded(out, tolerance)
  out.gstExpected = null
  return undefined
}

const taxes = new Map<number, Pick<Tariff, 'gst' | 'gstPercent'>>()

function taxOf(percent: number): Pick<Tariff, 'gst' | 'gstPercent'> {
  let tax = taxes.get(percent)
  if (tax === undefined) {
    const share = percentage(percent)
    taxes.set(percent, (tax = { gst: (paise) => (paise < 0 ? -share(-paise) : share(paise)), gstPercent: percent }))
  }
  return tax
}

const none: readonly Reason[] = []

function unjudged(out: Judged, code: UnknownCode, text: string): Judged {
  out.verdict = 'unknown'
  out.category = 'unknown'
  out.expected = null
  out.reasons = [{ code, amount: null, text }]
  return out
}

/** The verdict by the difference; a difference below the tolerance is rounding. */
function concluded(out: Judged, tolerance: number): Judged {
  const difference = out.billed - out.expected!
  if (difference === 0) out.reasons = none
  else if (Math.abs(difference) < tolerance) out.reasons = [roundingOf(difference, out.reasons)]
  out.category = categoryOf(out.reasons)
  out.verdict = difference === 0 || out.category === 'rounding' ? 'ok' : difference > 0 ? 'over' : 'under'
  return out
}

/** Why nothing of a line was due, the first reason that holds. */
function wholeReason(
  line: Billed,
  parcel: KnownParcel | undefined,
  seen: Seen,
  ways: number,
  bench: Bench,
): readonly [ReasonCode, string] | undefined {
  if (parcel === undefined && bench.alone !== true) return ['unknown_awb', 'no parcel of yours has this AWB']
  const biller = bench.courier ?? (line.courier === '' ? undefined : line.courier)
  if (parcel !== undefined && biller !== undefined && !bench.sameCourier(biller, parcel))
    return ['other_courier', `it went with ${parcel.carrier_name ?? parcel.carrier_id ?? 'another courier'}`]
  if (parcel?.shipped === false) return ['not_shipped', notShipped(parcel)]
  const already = billedAlready(ways, seen)
  return already && [already.code, already.text]
}

/** What is below the tolerance as one reason. */
function roundingOf(amount: number, reasons: readonly Reason[]): Reason {
  const rounding = { code: 'rounding', amount, text: 'below the tolerance' } as const
  const fuel = reasons.find(({ code }) => code === 'fuel')
  return fuel === undefined ? rounding : { ...rounding, parts: [{ code: 'fuel', amount: fuel.amount! }] }
}

const notShipped = ({ struck }: KnownParcel): string =>
  struck === undefined
    ? 'the parcel was cancelled or never picked up'
    : `manifest ${struck}: the courier did not take it`

/** The price of a parcel, and what it depends on. */
type Placed = Pick<Case, 'tariff' | 'ready' | 'units'> & { readonly zone: OurZone }

/** Where and at which weight a line is priced by the card of the day, or why it cannot be. */
function placed(out: Judged, line: Billed, parcel: KnownParcel, bench: Bench): Placed | readonly [UnknownCode, string] {
  const at = parcel.day_at ?? bench.dayOf(line.pickedUp) ?? bench.dayOf(line.dated)
  if (at === undefined) return ['no_day', 'neither its record nor the line has a day']
  const tariff = bench.tariff(at)
  if (typeof tariff === 'string') return ['no_card_for_day', tariff]
  out.card = cardName(tariff)
  const ready = serviceFor(tariff, parcel, line, bench)
  if (ready === undefined) {
    const who = parcel.carrier_name ?? parcel.carrier_id ?? 'the courier'
    return ['courier_not_on_card', `${who} is not on ${tariff.card.name}`]
  }
  const zone = ourZone(tariff, ready, parcel)
  if (zone === undefined) return ['no_zone', 'its warehouse or its pincode is not known, and its record has no zone']
  out.zone = zone
  const units = unitsOf(line, parcel, ready)
  if (units === undefined)
    return ['no_weight', line.child === '' ? 'its record has no weight' : 'the line of a box has no weight']
  out.weight = units
  return { tariff, ready, zone, units }
}

/** A line priced by the card of the day. */
function priced(
  out: Judged,
  line: Billed,
  parcel: KnownParcel,
  billed: Pick<Case, 'seen' | 'again'>,
  bench: Bench,
): Judged {
  const { terms } = bench
  const { journey } = out
  const place = placed(out, line, parcel, bench)
  if (!('ready' in place)) return unjudged(out, place[0], place[1])
  const { tariff, ready } = place
  const found = partsOf({ line, parcel, terms, journey, ...place, zone: place.zone.zone, ...billed })
  if (typeof found === 'string')
    return unjudged(out, found === 'no_payment' ? found : 'no_price', sentenceOf(found, ready))
  out.slab = found.slab
  out.slabBilled = found.slabBilled
  out.zoneBilled = found.zoneBilled
  settle(out, line, found.parts, found.expected, tariff, terms)
  return concluded(out, terms.tolerance)
}

/** A further bill of a parcel, judged by what the bills before left of its price; undefined where they left nothing. */
function byStillDue(
  out: Judged,
  line: Billed,
  parcel: KnownParcel | undefined,
  { seen, text }: { readonly seen: Seen; readonly text: string },
  bench: Bench,
): Judged | undefined {
  const { terms } = bench
  if (parcel === undefined || bench.comparison !== undefined || line.child !== '') return undefined
  const own = { ...out }
  const place = placed(own, line, parcel, bench)
  if (!('ready' in place)) return undefined
  const { tariff } = place
  const { gst, whole } = terms.shape
  const bare = whole || line.total === undefined ? out.billed : partSum(line)
  const paid =
    gst === 'inside' ? insideBase(out.billed, tariff.gstPercent) : gst === 'none' ? bare : baseOf(line, terms.shape)
  const given = { line, parcel, terms, journey: out.journey, ...place, zone: place.zone.zone, seen, again: undefined }
  const still = stillDue(given, seen.billedBefore, paid)
  if (still === undefined) return undefined
  const expected = Math.min(still.left, paid)
  const parts: Part[] = []
  const why = (): string => `${text}; of ${rupeesText(still.due)} due in all, ${rupeesText(still.left)} was left`
  push(parts, 'billed_before', paid - expected, why)
  settle(own, line, parts, expected, tariff, terms)
  return concluded(own, terms.tolerance)
}

/** Our weight of a parcel; of one box of several, what the line says: the record weighs them together. */
function unitsOf(line: Billed, parcel: KnownParcel, ready: ReadyService): number | undefined {
  if (line.child !== '') return line.weight === 0 ? undefined : billedUnits(ready, line.weight)
  return parcel.dead !== undefined && parcel.dead > 0 ? ourUnits(ready, parcel) : undefined
}

const sentenceOf = (why: string, { service }: ReadyService): string =>
  why === 'no_payment' ? 'its record does not say how it is paid' : `${service.carrier_name}: ${why}`

const names = new WeakMap<object, string>()

/** The version of a card as people name it: `contract@2026-04-01`. */
function cardName({ card }: Tariff): string {
  let name = names.get(card)
  if (name === undefined) {
    name = card.valid_from === null ? card.name : `${card.name}@${card.valid_from}`
    names.set(card, name)
  }
  return name
}

/** The service of the parcel's courier; where the record names none, of the document's, else of the line's. */
function serviceFor(tariff: Tariff, parcel: KnownParcel, line: Billed, bench: Bench): ReadyService | undefined {
  const { carrier_id: id, carrier_name: name } = parcel
  const own = serviceOf(tariff, id, name)
  if (own !== undefined) return own
  if (id !== null || name !== null) return undefined
  const word = bench.courier ?? line.courier
  return serviceOf(tariff, word, word) ?? tariff.only
}

/** Adds the parts for GST and arithmetic, and sets the reasons and the expected amount of a line. */
function settle(
  out: Judged,
  line: Billed,
  parts: Part[],
  expected: number,
  tariff: Pick<Tariff, 'gst' | 'gstPercent'>,
  terms: Terms,
): void {
  const { shape } = terms
  if (shape.gst === 'none') {
    out.expected = expected
    if (!shape.whole && line.total !== undefined) push(parts, 'arithmetic', line.total - partSum(line))
  } else {
    const due = tariff.gst(expected)
    out.expected = expected + due
    out.gstExpected = due
    const base = shape.gst === 'inside' ? insideBase(out.billed, tariff.gstPercent) : baseOf(line, shape)
    const tax = shape.gst === 'inside' ? out.billed - base : (line.tax ?? 0)
    out.gstBilled = tax
    const own = tariff.gst(base)
    push(parts, 'gst', tax - own, () => `${rupeesText(tax)} of tax on ${rupeesText(base)}`)
    const sum = parts.reduce((all, { amount }) => all + amount, 0)
    // The rest of the printed total, less the tax on the difference: the line itself does not add up.
    const onDifference = own - due
    push(parts, 'arithmetic', out.billed - out.expected - sum - onDifference)
    push(parts, 'gst_on_difference', onDifference)
  }
  out.reasons = parts.length === 0 ? none : parts.map(({ code, amount, text }) => ({ code, amount, text: text() }))
}

const usualTexts: Partial<Record<ReasonCode, string>> = {
  arithmetic: 'the amounts of the line do not add up to its total',
  gst_on_difference: 'GST on the differences',
}

function push(parts: Part[], code: ReasonCode, amount: number, text = (): string => usualTexts[code] ?? ''): void {
  if (amount !== 0) parts.push({ code, amount, text })
}

/** The amount of a line that is taxed: the printed sum before tax, else the parts, else the total without its tax. */
const baseOf = (line: Billed, { whole }: Shape): number =>
  line.gross ?? (whole ? (line.total ?? 0) - (line.tax ?? 0) : partSum(line))
