// What kept remittances and the lines of one pay of a parcel: before it, after it, and together.
import type { CodPaid } from '../../../domain/money/codjudge.ts'
import { reusedAfter } from '../../../domain/money/parcel.ts'
import { isPaidBy, type PaidUntil } from '../../../engine/money/codowed.ts'
import type { AwbPayment, Counted } from '../../../engine/money/remittances.ts'
import type { CodLine } from './codlines.ts'

/** What other remittances say of the parcels of one. */
export interface Others {
  readonly counted: Counted
  /** Which of them count for what the bank got: none that pays in a transfer and was not compared with it. */
  readonly inBank: Counted
  /** The ids of the remittance itself and of those that it replaces. */
  readonly own: readonly string[]
  /** Whether the remittance with an id stands before it. */
  readonly isBefore: (document: string) => boolean
  /** Only what they paid until then counts; undefined for all of it. */
  readonly until: PaidUntil | undefined
}

/** What a remittance paid of a parcel. */
export interface PaidIn {
  readonly remittance: string
  readonly amount: number
}

const sumIn = (
  part: 'adjusted' | 'unexplained',
  ...lists: readonly (readonly Readonly<Record<'adjusted' | 'unexplained', number>>[])[]
): number => lists.flat().reduce((sum, one) => sum + one[part], 0)

/** What lines and earlier payments add up to. */
export function paidBy(lines: readonly CodLine[], earlier: readonly AwbPayment[]): CodPaid {
  const amounts = [...earlier.map(({ remitted }) => remitted), ...lines.map(({ remitted }) => remitted)]
  const days = [...earlier.map(({ remitted_on: on }) => on ?? undefined), ...lines.map(({ on }) => on)]
  return {
    amount: amounts.reduce((sum, amount) => sum + amount, 0),
    times: amounts.filter((amount) => amount > 0).length - amounts.filter((amount) => amount < 0).length,
    adjusted: sumIn('adjusted', lines, earlier),
    unexplained: sumIn('unexplained', lines, earlier),
    on: lastPaid(amounts, days),
    payments: amounts.map((amount, at) => ({ amount, on: days[at] })),
  }
}

/** The last day on which an amount above 0 was paid. */
function lastPaid(amounts: readonly number[], days: readonly (string | undefined)[]): string | undefined {
  const paid = days.filter((day, at): day is string => day !== undefined && amounts[at]! > 0)
  return paid.reduce<string | undefined>((last, day) => (last === undefined || day > last ? day : last), undefined)
}

/** Whether a payment is for a parcel that was delivered then: AWBs are used again. */
export const sameParcel = (delivered: number | null) => (payment: AwbPayment) =>
  delivered === null || payment.delivered === null || Math.abs(payment.delivered - delivered) < reusedAfter

/** What each remittance paid. */
export function sumsIn(payments: readonly AwbPayment[]): readonly PaidIn[] {
  const sums = new Map<string, number>()
  for (const { number, remitted } of payments) sums.set(number, (sums.get(number) ?? 0) + remitted)
  return [...sums].map(([remittance, amount]) => ({ remittance, amount }))
}

/** Payments of a parcel by other remittances: those that count, and later ones that do not. */
export function standing(
  payments: readonly AwbPayment[],
  { isBefore, until }: Others,
  lacks: (some: readonly AwbPayment[]) => boolean,
): { readonly earlier: readonly AwbPayment[]; readonly later: readonly AwbPayment[] } {
  const isIn = (one: AwbPayment): boolean => until === undefined || isPaidBy(until, one)
  const earlier = payments.filter((one) => isIn(one) && isBefore(one.document))
  const later: AwbPayment[] = []
  for (const one of payments) {
    if (earlier.includes(one)) continue
    if (isIn(one) && lacks(earlier)) earlier.push(one)
    else later.push(one)
  }
  return { earlier, later }
}
