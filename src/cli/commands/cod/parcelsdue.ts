// `shipx cod due --parcels`: the delivered COD parcels that no remittance pays in full.
import { counted } from '../../../domain/count.ts'
import { ageOf, daysBetween, notInBank, type CodAge, type CourierName } from '../../../domain/money/codjudge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { istDate } from '../../../domain/time.ts'
import { owedParcels, paymentsKept, type OwedParcel, type PaidUntil } from '../../../engine/money/codowed.ts'
import type { Context } from '../../command/context.ts'
import type { View } from '../../output/columns.ts'
import { showDay, showMoney } from '../../output/display.ts'
import { printer } from '../../output/printer.ts'
import type { BesidePlace } from '../../source/beside.ts'
import type { CodTerms } from '../reconcile/codterms.ts'
import { ageKeys } from './ages.ts'
import { day, money, moneyIfAny, plain } from './columns.ts'

/** A parcel that a courier owes COD for, rupees. */
interface ParcelDue extends Record<string, unknown> {
  readonly awb: string
  readonly order: string | null
  readonly courier: string | null
  readonly delivered: string
  readonly due_date: string
  readonly age: CodAge
  readonly days_late: number
  readonly due: number
  readonly remitted: number
  readonly owed: number
  /** The part of `remitted` that the bank never got: it is owed. */
  readonly not_in_bank: number
  /** The part of `remitted` that was never compared with a bank statement. */
  readonly not_compared: number
}

export const parcelView: View<ParcelDue> = {
  noun: ['parcel', 'parcels'],
  id: ({ awb }) => awb,
  names: [
    'awb',
    'order',
    'courier',
    'delivered',
    'due_date',
    'age',
    'days_late',
    'due',
    'remitted',
    'owed',
    'not_in_bank',
    'not_compared',
  ],
  columns: [
    plain('awb', 'AWB', 1, { whole: true }),
    plain('order', 'order', 8),
    plain('courier', 'courier', 5),
    day('delivered', 'delivered', 7),
    day('due_date', 'due date', 4),
    plain('age', 'age', 3),
    plain('days_late', 'days late', 10, { right: true }),
    money('due', 'due', 6),
    money('remitted', 'remitted', 11),
    money('owed', 'owed', 2),
    moneyIfAny('not_in_bank', 'not in bank', 4),
    moneyIfAny('not_compared', 'never compared', 12),
  ],
}

/** Which parcels are shown: instants in ms UTC. */
export interface ParcelQuestion {
  readonly wanted: (courier: CourierName) => boolean
  readonly since: number
  readonly until: number
  /** The IST day that ages count from. */
  readonly today: string
  /** Only what was paid until then counts; undefined for all of it. */
  readonly asOf: PaidUntil | undefined
  /** Only parcels that one of these words is true of; undefined for all. */
  readonly only: readonly string[] | undefined
  /** The note of an empty list. */
  readonly nothing: string
}

/** Parcels that are read at a time. */
const piece = 1000

const recordOf = (one: OwedParcel, dueDate: string, today: string): ParcelDue => ({
  awb: one.awb,
  order: one.order_name,
  courier: one.carrier_name ?? one.carrier_id,
  delivered: istDate(one.delivered_at),
  due_date: dueDate,
  age: ageOf(dueDate, today),
  days_late: Math.max(0, daysBetween(dueDate, today)),
  due: rupeesOf(one.due),
  remitted: rupeesOf(one.paid + one.away),
  owed: rupeesOf(one.due - one.paid),
  not_in_bank: rupeesOf(one.away),
  not_compared: rupeesOf(one.unseen),
})

/** Whether a word of --only is true of a parcel. */
const isOf = ({ age, days_late: days, not_in_bank: away }: ParcelDue, word: string): boolean =>
  word === 'late' ? days > 0 : word === notInBank ? away > 0 : ageKeys[age] === word

/** Prints the parcels by delivery, and what they add up to. */
export async function printParcels(
  context: Context,
  place: BesidePlace | undefined,
  terms: CodTerms,
  { wanted, since, until, today, asOf, only, nothing }: ParcelQuestion,
): Promise<void> {
  const out = printer(context, parcelView)
  const sums = { parcels: 0, owed: 0, late: 0, away: 0 }
  if (place !== undefined) {
    const { database, account } = place
    const payments = await database.read(() => paymentsKept(database.dialect, account, asOf))
    let after = { delivered_at: since, awb: '' }
    for (;;) {
      const from = after
      const found = await database.read(
        () => owedParcels(database.dialect, account, { since, until }, from, piece, payments),
        'single',
      )
      const last = found.at(-1)
      if (last === undefined) break
      const own = found.filter(wanted).flatMap((one): readonly ParcelDue[] => {
        const record = recordOf(one, terms.dueDate(one, one.delivered_at), today)
        if (only?.some((word) => isOf(record, word)) === false) return []
        sums.parcels++
        sums.owed += one.due - one.paid
        sums.away += one.away
        if (record.days_late > 0) sums.late += one.due - one.paid
        return [record]
      })
      if (own.length > 0) await out.batch(own.map((one) => JSON.stringify(one)))
      after = { delivered_at: last.delivered_at, awb: last.awb }
    }
  }
  await out.end(undefined, context.format === 'json' ? { as_of: today } : {})
  if (asOf !== undefined) await context.note(asOfNote(today))
  const amount = (paise: number): string => showMoney(rupeesOf(paise), context.screen)
  if (sums.parcels === 0)
    return context.note(
      only === undefined ? nothing : only.join() === 'late' ? 'No COD is late.' : 'No such COD is owed.',
    )
  const parcels = counted(sums.parcels, ['parcel', 'parcels'])
  await context.note(`${parcels}, ${amount(sums.owed)} owed; ${amount(sums.late)} of it is late.`)
  if (sums.away > 0) await context.note(awayNote(amount(sums.away)))
}

/** The note about the day of --as-of. */
export const asOfNote = (day: string): string => `As of the end of ${showDay(day)}.`

/** The note about remittances that the bank never got. */
export const awayNote = (amount: string): string =>
  `${amount} remitted, but not in the bank: it counts as owed. Ask the courier for it.`
