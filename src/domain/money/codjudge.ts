// What a courier remitted of a parcel's COD against what is due, and when it was due (docs/guides/cod.md, Verdicts).

/** The verdicts, in the order in which the first that holds ends it. */
export const codVerdicts = [
  'unknown_awb',
  'remitted_on_prepaid',
  'remitted_on_rto',
  'not_due',
  'overdue',
  'twice',
  'short',
  'excess',
  'adjusted',
  'late',
  'ok',
] as const
export type CodVerdict = (typeof codVerdicts)[number]

/** A courier as records name it. */
export interface CourierName {
  readonly carrier_id: string | null
  readonly carrier_name: string | null
}

/** What is known of a parcel's COD: paise, IST days. */
export interface CodParcel {
  /** Undefined where nothing says how it is paid. */
  readonly cod: boolean | undefined
  /** Whether it came back, or is on its way back. */
  readonly back: boolean
  /** Whether nothing is to be collected for it: it was cancelled, never picked up, or lost. */
  readonly void: boolean
  /** What its record says is collected. */
  readonly amount: number
  readonly delivered: string | undefined
  readonly due: string | undefined
}

/** What was remitted of an AWB over all remittances so far: paise, an IST day. */
export interface CodPaid {
  /** The sum before deductions. */
  readonly amount: number
  /** How many times it was paid, refunds taken off. */
  readonly times: number
  /** The part of it that deductions with a reason took, the early-COD fee aside. */
  readonly adjusted: number
  /** The part of it that was taken off without a reason. */
  readonly unexplained: number
  /** The last day on which some of it was paid. */
  readonly on: string | undefined
  /** Each payment, in the order in which they were read; refunds are below 0. */
  readonly payments: readonly Payment[]
}

/** A payment of a parcel: paise, an IST day. */
export interface Payment {
  readonly amount: number
  readonly on: string | undefined
}

/** The day from which payments add up to an amount; undefined where they never do, or the day is not known. */
export function settledOn(payments: readonly Payment[], amount: number): string | undefined {
  let [sum, settled]: [number, Payment | undefined] = [0, undefined]
  for (const one of payments.toSorted((a, b) => ((a.on ?? '9999') < (b.on ?? '9999') ? -1 : a.on === b.on ? 0 : 1))) {
    sum += one.amount
    settled = sum < amount ? undefined : (settled ?? one)
  }
  return settled?.on
}

/** A judgement: paise, whole days. */
export interface CodJudged {
  readonly verdict: CodVerdict
  readonly due: number
  readonly difference: number
  /** Days after the due date: of a payment, or until today; null where no due date is known. */
  readonly daysLate: number | null
}

const dayMs = 86_400_000

/** The days from one IST day to another. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayMs)

/** What a courier owes for a parcel: nothing for a prepaid one, one that came back, or one that was not carried. */
export const owedFor = ({ cod, back, void: none, amount }: CodParcel): number =>
  cod === false || back || none ? 0 : amount

/** The verdict of a parcel on a day; a difference up to `tolerance` paise is none. */
export function judgeCod(parcel: CodParcel | undefined, paid: CodPaid, today: string, tolerance: number): CodJudged {
  if (parcel === undefined) return { verdict: 'unknown_awb', due: 0, difference: paid.amount, daysLate: null }
  const due = owedFor(parcel)
  const difference = paid.amount - due
  const nothing = paid.amount <= 0 && due > 0
  // What is paid again later was paid in time all the same.
  const on = nothing ? today : (settledOn(paid.payments, due - tolerance) ?? paid.on)
  const daysLate = parcel.due === undefined || on === undefined ? null : Math.max(0, daysBetween(parcel.due, on))
  const verdict = verdictOf(parcel, paid, { due, tolerance, late: (daysLate ?? 0) > 0, nothing })
  return { verdict, due, difference: verdict === 'not_due' ? 0 : difference, daysLate }
}

function verdictOf(
  { cod, back }: CodParcel,
  { amount, times, adjusted }: CodPaid,
  facts: { readonly due: number; readonly tolerance: number; readonly late: boolean; readonly nothing: boolean },
): CodVerdict {
  const { due, tolerance, late, nothing } = facts
  if (amount > 0 && cod === false) return 'remitted_on_prepaid'
  if (amount > 0 && back) return 'remitted_on_rto'
  if (nothing) return late ? 'overdue' : 'not_due'
  if (times > 1 && amount > due + tolerance) return 'twice'
  if (amount < due - tolerance) return 'short'
  if (amount > due + tolerance) return 'excess'
  if (adjusted !== 0) return 'adjusted'
  return late ? 'late' : 'ok'
}

/** The word for what was taken off COD without a reason. */
export const unexplained = 'unexplained'

/** The word for what a remittance pays and the bank never got. */
export const notInBank = 'not_in_bank'

/** What lists of parcels are narrowed down to: a verdict, or one of these. */
export const codWords: readonly string[] = [...codVerdicts, unexplained, notInBank]

/** How long something is due, by its due date and today. */
export const codAges = ['not due', 'due today', '1-3 days', '4-7 days', '8-15 days', 'over 15 days'] as const
export type CodAge = (typeof codAges)[number]

/** The age of what was due on a day. */
export function ageOf(due: string, today: string): CodAge {
  const days = daysBetween(due, today)
  if (days < 0) return 'not due'
  if (days === 0) return 'due today'
  return days <= 3 ? '1-3 days' : days <= 7 ? '4-7 days' : days <= 15 ? '8-15 days' : 'over 15 days'
}
