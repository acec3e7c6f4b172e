// Judges a line by the other lines of its bill: those of its courier, billed zone, slab, payment and journey ought to
// cost the same (docs/guides/money.md, Without a contract). Amounts are integer paise, weights hundredths of a gram.
import { count } from '../count.ts'
import { rupeesText } from '../money.ts'
import { insideBase } from './amounts.ts'
import { agreed, type Alike, type Comparison, type Kind } from './alike.ts'
import type { Billed, ReasonCode, Shape, UnknownCode } from './billed.ts'
import { feeBy, type CodRule } from './codrule.ts'
import { kindKey, partsBefore, paymentOf, zoneKeyOf, type AlikePart, type Payment } from './kinds.ts'
import type { KnownParcel } from './parcel.ts'
import type { Part } from './case.ts'
import { slabEnd } from './slabgrid.ts'
import { againText, type Again } from './ways.ts'
import type { Journey } from './words.ts'

/** A line and what it is compared with. */
export interface Compared {
  readonly line: Billed
  readonly parcel: KnownParcel | undefined
  readonly courier: string
  readonly journey: Journey
  /** The way of it that was billed already. */
  readonly again: Again | undefined
  readonly shape: Shape
  readonly comparison: Comparison
}

/** What a line should have cost before GST and its parts. */
export interface ComparedParts {
  readonly parts: Part[]
  readonly expected: number
  readonly slab: number
}

/** Why a line has nothing to be compared with. */
export interface Incomparable {
  readonly why: UnknownCode
  readonly text: string
}

const codeOf: Readonly<Record<AlikePart, ReasonCode>> = {
  freight: 'rate',
  rto: 'rto_rate',
  reverse: 'reverse',
  qc: 'qc',
  fuel: 'fuel',
  other: 'surcharge',
  total: 'rate',
}

const named: Readonly<Record<AlikePart, string>> = {
  freight: 'freight',
  rto: 'RTO',
  reverse: 'return',
  qc: 'quality check',
  fuel: 'fuel',
  other: 'other charges',
  total: 'amount',
}

/** A kind in words: `zone C to 500 g`. */
const kindWords = (zone: string, slab: number): string => {
  const bare = zone.trim().replace(/^z(?:one)?[ _-]?(?=\w)/i, '')
  return `zone ${bare.length <= 2 ? bare.toUpperCase() : bare} to ${count(slab / 100)} g`
}

const none = (why: UnknownCode, text: string): Incomparable => ({ why, text })

/** What a line should have cost by the lines of its kind, or why that cannot be said. */
export function comparedParts(given: Compared): ComparedParts | Incomparable {
  const { line, courier, shape, comparison } = given
  if (line.zone.trim() === '') return none('no_zone', 'the line names no zone, and only lines of one zone are alike')
  if (line.weight === 0) return none('no_weight', 'the line names no weight, and only lines of one slab are alike')
  const grid = comparison.grids.get(courier)
  if (grid === undefined) return none('no_comparison', 'no line of its courier has an amount')
  const slab = slabEnd(grid, line.weight)
  const payment = paymentOf(line, shape)
  const kindAt = (paid: Payment, way: Journey): Kind | undefined =>
    comparison.kinds.get(kindKey({ courier, zone: zoneKeyOf(line.zone), payment: paid, journey: way }, slab))
  const words = kindWords(line.zone, slab)
  const found = shape.whole ? wholeParts(given, kindAt, payment, words) : columnParts(given, kindAt, payment, words)
  return 'why' in found ? found : { ...found, slab }
}

/** The part of an amount that is not what its kind costs. */
function partOf(part: AlikePart, amount: number, alike: Alike, words: string): Part {
  return {
    code: codeOf[part],
    amount: amount - alike.amount,
    text: () =>
      `${named[part]} ₹${rupeesText(amount)} in place of ₹${rupeesText(alike.amount)}: ` +
      `the same as ${count(alike.lines)} other lines of ${words}`,
  }
}

const fewAlike = (kind: Kind | undefined, alike: Alike | undefined, words: string): Incomparable => {
  if (kind === undefined || alike === undefined || kind.lines < 3) {
    const lines = kind?.lines === 2 ? 'two lines' : 'one line'
    return none('no_comparison', `only ${lines} of ${words} in this file, paid and sent the same way`)
  }
  const agree = `${count(alike.lines)} of ${count(kind.lines)} lines of ${words}`
  return none('no_comparison', `only ${agree} cost the same: too few to say what is right`)
}

const columnsOf = ['freight', 'rto', 'reverse', 'qc', 'fuel', 'other'] as const

type KindAt = (paid: Payment, way: Journey) => Kind | undefined
type Found = Omit<ComparedParts, 'slab'> | Incomparable

/** A line whose charges stand in columns. */
function columnParts(given: Compared, kindAt: KindAt, payment: Payment, words: string): Found {
  const { line, parcel, journey, again, shape, comparison } = given
  const own = partsBefore(line, shape, comparison.gstPercent)
  const fee = shape.gst === 'inside' ? insideBase(line.cod, comparison.gstPercent) : line.cod
  const kind = kindAt(payment, journey)
  const parts: Part[] = []
  const outAgain = again?.way === 'forward'
  // The COD fee goes with the way out.
  if (again !== undefined)
    parts.push({ code: again.code, amount: outAgain ? own.freight + fee : own.rto, text: () => againText(again) })
  let expected = 0
  for (const part of columnsOf) {
    if (part === (outAgain ? 'freight' : again?.way)) continue
    const alike = kind?.parts[part]
    if (part === 'rto' && own.rto !== 0 && parcel?.back === false) {
      parts.push({ code: 'rto_not_returned', amount: own.rto, text: () => 'the parcel did not come back' })
      continue
    }
    if (kind === undefined || alike === undefined || !agreed(alike)) return fewAlike(kind, alike, words)
    expected += alike.amount
    if (own[part] !== alike.amount) parts.push(partOf(part, own[part], alike, words))
  }
  if (!shape.cod || outAgain) return { parts, expected }
  const due = codDue(given, payment, fee)
  if (typeof due !== 'number') return due
  if (fee !== due) parts.push(codPart(given, fee, due))
  return { parts, expected: expected + due }
}

const isPrepaid = ({ line, parcel }: Compared): boolean =>
  parcel?.cod === undefined ? line.payment === 'prepaid' : !parcel.cod

function codPart(given: Compared, fee: number, due: number): Part {
  const amount = fee - due
  if (isPrepaid(given)) return { code: 'cod_on_prepaid', amount, text: () => 'a COD fee for a prepaid parcel' }
  if (given.journey === 'rto' && due === 0)
    return { code: 'cod_not_reversed', amount, text: () => 'other parcels that came back have no COD fee' }
  const text = (): string => `COD fee ₹${rupeesText(fee)} in place of ₹${rupeesText(due)}, as other lines have it`
  return { code: 'cod_rate', amount, text }
}

/** The COD fee that was due, or why that cannot be said. */
function codDue(given: Compared, payment: Payment, fee: number): number | Incomparable {
  if (isPrepaid(given) || payment === 'prepaid') return 0
  const { comparison, courier, journey } = given
  return feeOf(comparison.codRule(courier, journey), given, fee)
}

/** A fee above the fixed one may go by a value that the file does not have, unless nearly all fees are fixed. */
const nearlyAll = 19 / 20

function feeOf(rule: CodRule | undefined, { line, parcel }: Compared, fee: number): number | Incomparable {
  if (rule === undefined) return none('no_comparison', 'no rule explains two thirds of the COD fees of this file')
  const collected = line.collected ?? parcel?.collected
  const due = feeBy(rule, collected)
  if (due === undefined) return none('no_comparison', 'COD fees go by the value, and the line does not name it')
  if (rule.percent === 0 && fee > due && !(rule.valued && collected !== undefined) && rule.lines < rule.of * nearlyAll)
    return none('no_comparison', 'its COD fee may go by the value, which the line does not name')
  return due
}

/** A line with one amount for everything. */
function wholeParts(given: Compared, kindAt: KindAt, payment: Payment, words: string): Found {
  const { line, parcel, journey, again, shape, comparison, courier } = given
  const { total } = partsBefore(line, shape, comparison.gstPercent)
  if (again !== undefined) return none('no_comparison', `one amount for both ways; ${againText(again)}`)
  if (payment === '') return none('no_payment', 'one amount for everything, and the line does not say how it is paid')
  const ended = journey === 'rto' && parcel?.back === false
  const way = ended ? 'forward' : journey
  const bare = payment === 'cod' ? kindAt('prepaid', way) : undefined
  const rule = payment === 'cod' ? comparison.codRule(courier, way) : undefined
  if (rule !== undefined && bare !== undefined && agreed(bare.parts.total)) {
    const { amount } = bare.parts.total
    const due = feeOf(rule, given, total - amount)
    if (typeof due !== 'number') return due
    return wholeFound({ ...bare.parts.total, amount: amount + due }, given, total, words, ended)
  }
  const kind = kindAt(payment, way)
  if (kind === undefined || !agreed(kind.parts.total)) return fewAlike(kind, kind?.parts.total, words)
  // More than lines of its kind may be a COD fee by value, or a way back that no word of the line names.
  if (payment === 'cod' && total > kind.parts.total.amount && kind.parts.total.lines < kind.lines * nearlyAll)
    return none('no_comparison', 'its amount may hold a COD fee by the value')
  return wholeFound(kind.parts.total, given, total, words, ended)
}

function wholeFound(alike: Alike, given: Compared, total: number, words: string, ended: boolean): Found {
  const { line, parcel } = given
  if (total > alike.amount && line.said === undefined && parcel?.back !== false)
    return none('no_comparison', 'its amount may hold the way back: the line does not say which way it bills')
  const part = partOf('total', total, alike, words)
  const own: Part = ended ? { ...part, code: 'rto_not_returned', text: () => 'the parcel did not come back' } : part
  return { parts: part.amount === 0 ? [] : [own], expected: alike.amount }
}
