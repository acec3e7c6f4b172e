// A line of an invoice as integers, the terms by which it is judged, and what comes out.
import type { KnownParcel } from './parcel.ts'
import type { OurZone } from './tariffs.ts'
import type { Journey, SaidJourney } from './words.ts'

/** What a courier billed for a parcel in a line: paise, hundredths of a gram. */
export interface Billed {
  /** The line or row of the file. */
  readonly line: number
  readonly number: string
  /** The AWB; where the line bills one box of several, that of the whole parcel. */
  readonly awb: string
  /** The AWB of the box; '' where the line bills the whole parcel. */
  readonly child: string
  readonly order: string
  readonly courier: string
  readonly said: SaidJourney | undefined
  /** Whether `said` is the status of the parcel: how it ended, and not always what the line bills. */
  readonly byStatus: boolean
  /** The days as written. */
  readonly pickedUp: string
  readonly dated: string
  readonly zone: string
  /** 0 where the line says none. */
  readonly weight: number
  readonly freight: number
  readonly rto: number
  readonly reverse: number
  readonly qc: number
  readonly cod: number
  readonly fuel: number
  readonly other: number
  /** The components of `other` by name, where the file has several. */
  readonly others: string
  /** The printed sum before tax; undefined where the file prints none. */
  readonly gross: number | undefined
  /** GST; undefined where the file has no column for it. */
  readonly tax: number | undefined
  /** The printed total; undefined where the file prints none. */
  readonly total: number | undefined
  /** Why the line cannot be read. */
  readonly fault: string | undefined
  /** How it was paid and what was collected, paise: read where lines are compared with each other. */
  readonly payment?: 'cod' | 'prepaid' | undefined
  readonly collected?: number | undefined
}

/** A line with nothing in it but its AWB. */
export const blankLine = (awb: string): Billed => ({
  line: 0,
  number: '',
  awb,
  child: '',
  order: '',
  courier: '',
  said: undefined,
  byStatus: false,
  pickedUp: '',
  dated: '',
  zone: '',
  weight: 0,
  freight: 0,
  rto: 0,
  reverse: 0,
  qc: 0,
  cod: 0,
  fuel: 0,
  other: 0,
  others: '',
  gross: undefined,
  tax: undefined,
  total: undefined,
  fault: undefined,
})

/** Which amounts the file has columns for. */
export interface Shape {
  /** One amount for everything: `total`. */
  readonly whole: boolean
  /** A column of its own for the way back. */
  readonly rto: boolean
  readonly cod: boolean
  readonly fuel: boolean
  readonly other: boolean
  /** GST in columns, in the amounts without columns, or not there. */
  readonly gst: 'columns' | 'inside' | 'none'
}

/** How lines are judged. */
export interface Terms {
  readonly shape: Shape
  /** Which of zone and weight is taken off the freight first. */
  readonly order: 'zone' | 'weight'
  /** A difference below it is rounding, paise. */
  readonly tolerance: number
  /** How much more than ours a billed weight may be: hundredths of a gram, or a share. */
  readonly weightTolerance: { readonly units: number; readonly share: number }
  /** Whether a courier keeps the COD fee of a parcel that came back, where the card does not say it. */
  readonly keepsCod?: (courier: string) => boolean
}

/** The codes of reasons. */
export const reasonCodes = [
  'unknown_awb',
  'other_courier',
  'not_shipped',
  'duplicate',
  'billed_before',
  'zone',
  'weight',
  'rate',
  'rto_rate',
  'rto_not_returned',
  'cod_on_prepaid',
  'cod_rate',
  'cod_not_reversed',
  'reverse',
  'qc',
  'fuel',
  'surcharge',
  'gst',
  'arithmetic',
  'rounding',
  'gst_on_difference',
] as const
export type ReasonCode = (typeof reasonCodes)[number]

/** Why a line cannot be judged. */
export const unknownCodes = [
  'unread_line',
  'awb_spoilt',
  'no_day',
  'no_card_for_day',
  'courier_not_on_card',
  'no_zone',
  'no_weight',
  'no_payment',
  'no_price',
  'credit_first',
  'before_gone',
  'no_comparison',
] as const
export type UnknownCode = (typeof unknownCodes)[number]

/** A part of a difference: paise before GST, and a sentence; null paise where a line cannot be judged. */
export interface Reason {
  readonly code: ReasonCode | UnknownCode
  readonly amount: number | null
  readonly text: string
  /** Of `rounding`: what of it is fuel. The same percentage on many lines is no rounding. */
  readonly parts?: readonly FuelPart[]
}

/** A part of a difference that is charged for fuel, paise before GST. */
interface FuelPart {
  readonly code: 'fuel'
  readonly amount: number
}

export const verdicts = ['ok', 'over', 'under', 'unknown', 'credit'] as const
export type Verdict = (typeof verdicts)[number]

/** What lines are chosen by: verdicts, and reasons. */
export const lineWords = [...verdicts, ...reasonCodes.filter((code) => code !== 'gst_on_difference'), ...unknownCodes]

/** A line of an earlier document that billed the same AWB, paise. */
export interface EarlierLine {
  readonly invoice: string
  readonly amount: number
}

/** What earlier documents billed of a parcel, credits aside, since all of it was credited last. */
export interface BilledBefore {
  /** Paise before GST. */
  readonly bare: number
  /** The components that are in it, as bits (`componentBit` in stilldue.ts). */
  readonly components: number
}

/** What was billed of an AWB before a line: ways as bits (`wayBit`), and the net amount. */
export interface Seen {
  /** In this document, and the line that billed it first. */
  here: number
  hereNet: number
  hereLine: number
  /** In earlier documents. */
  before: number
  beforeNet: number
  billedBefore?: BilledBefore | undefined
  earlier: readonly EarlierLine[]
  /** Whether a line of this document took the COD fee of the parcel already. */
  codHere: boolean
  /** The AWB that the line counts under, where it is not its own; else ''. */
  under: string
}

/** Of an AWB that nothing billed yet. */
export const nothingSeen: Seen = {
  here: 0,
  hereNet: 0,
  hereLine: 0,
  before: 0,
  beforeNet: 0,
  earlier: [],
  codHere: false,
  under: '',
}

/** A line with its judgement: paise, hundredths of a gram. */
export interface Judged {
  readonly billed: number
  readonly journey: Journey
  verdict: Verdict
  category: ReasonCode | 'ok' | 'unknown'
  expected: number | null
  reasons: readonly Reason[]
  /** GST in what was billed and in what was expected; null where the document has none. */
  gstBilled: number | null
  gstExpected: number | null
  /** `contract@2026-04-01`. */
  card: string | null
  zone: OurZone | undefined
  /** The zone of the line under the card's name, or as the line writes it. */
  zoneBilled: string
  weight: number | undefined
  slab: number | undefined
  slabBilled: number | undefined
}

/** The reason with the greatest amount, GST on the difference aside; of two equal ones the later in the alphabet. */
export function categoryOf(reasons: readonly Reason[]): ReasonCode | 'ok' {
  let best: Reason | undefined
  for (const reason of reasons) {
    if (reason.code === 'gst_on_difference') continue
    const more = best === undefined ? 1 : Math.abs(reason.amount!) - Math.abs(best.amount!)
    if (more > 0 || (more === 0 && reason.code > best!.code)) best = reason
  }
  return best === undefined ? 'ok' : (best.code as ReasonCode)
}

/** What a line bills in all, with its GST where the document has GST. */
export function billedTotal(line: Billed, { whole, gst }: Shape): number {
  if (line.total !== undefined) return line.total
  const base = line.gross ?? (whole ? 0 : partSum(line))
  return gst === 'columns' ? base + (line.tax ?? 0) : base
}

/** The printed parts of a line together, before GST. */
export const partSum = (line: Billed): number =>
  line.freight + line.rto + line.reverse + line.qc + line.cod + line.fuel + line.other

/** The way that a line bills: by its charges, else by its words, else by the parcel's own milestones. */
export function journeyOf(line: Billed, parcel: KnownParcel | undefined, { whole }: Shape): Journey {
  if (!whole) {
    if (line.reverse !== 0 || line.qc !== 0) return 'reverse'
    if (line.rto !== 0) return 'rto'
    if (line.said === 'reverse' || parcel?.journey === 'return') return 'reverse'
    if (line.freight !== 0) return 'forward'
  }
  if (line.said !== undefined) return line.said === 'both' ? 'rto' : line.said === 'return' ? 'reverse' : line.said
  if (parcel === undefined) return 'forward'
  return parcel.journey === 'return' ? 'reverse' : parcel.back === true ? 'rto' : 'forward'
}
