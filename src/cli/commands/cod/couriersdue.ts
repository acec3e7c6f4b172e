// What couriers owe of COD by age: the sums of `shipx cod due` and of the month's report.
import { ageOf, codAges, type CodAge, type CourierName } from '../../../domain/money/codjudge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { dayMs, istOffset } from '../../../domain/time.ts'
import type { Work } from '../../../engine/database/port.ts'
import { owedByDay, type NewDays } from '../../../engine/money/coddays.ts'
import { paymentsKept, type Delivered, type OwedSum, type PaidUntil } from '../../../engine/money/codowed.ts'
import type { View } from '../../output/columns.ts'
import type { BesidePlace } from '../../source/beside.ts'
import { safe } from '../../terminal/safe.ts'
import type { CodTerms } from '../reconcile/codterms.ts'
import { ageKeys } from './ages.ts'
import { day, money, moneyIfAny, plain } from './columns.ts'

/** What a courier owes, rupees by age. */
export interface CourierDue extends Record<string, unknown> {
  readonly courier: string | null
  readonly parcels: number
  readonly owed: number
  readonly late: number
  /** What remittances pay of these parcels and the bank never got: it is owed. */
  readonly not_in_bank: number
  /** What remittances pay of all its parcels in question. */
  readonly remitted: number
  /** The part of `remitted` that was never compared with a bank statement. */
  readonly not_compared: number
}

export const courierView: View<CourierDue> = {
  noun: ['courier', 'couriers'],
  id: ({ courier }) => courier ?? '',
  names: [
    'courier',
    'parcels',
    'owed',
    ...Object.values(ageKeys),
    'late',
    'not_in_bank',
    'remitted',
    'not_compared',
    'oldest_due',
    'cycle',
  ],
  columns: [
    plain('courier', 'courier', 1, { main: true }),
    plain('parcels', 'parcels', 10, { right: true }),
    money('owed', 'owed', 2),
    // A narrow table keeps what is late: the oldest age longest.
    ...codAges.map((age, n) => money<CourierDue>(ageKeys[age], age, 8 - n)),
    moneyIfAny('not_in_bank', 'not in bank', 9),
    moneyIfAny('remitted', 'remitted', 13),
    moneyIfAny('not_compared', 'never compared', 14),
    day('oldest_due', 'oldest', 11),
    plain('cycle', 'due', 12, { wide: true }),
  ],
}

/** A day since 1970 in IST as an instant: noon, so that hours of a cycle count from the middle of the day. */
const noonOf = (number: number): number => number * dayMs - istOffset + dayMs / 2

/** What a courier owes, paise by age. */
interface Owing {
  readonly name: string | null
  parcels: number
  owed: number
  away: number
  paid: number
  unseen: number
  oldest: string
  readonly ages: Map<CodAge, number>
}

/** What couriers owe by age, the one that owes the most first; one that owes nothing is left out. */
function couriersDue(sums: readonly OwedSum[], terms: CodTerms, today: string): readonly CourierDue[] {
  const found = new Map<string, Owing>()
  for (const one of sums) {
    const key = one.carrier_name ?? one.carrier_id ?? ''
    const due = terms.dueDate(one, noonOf(one.day))
    const known = found.get(key) ?? {
      name: one.carrier_name ?? one.carrier_id,
      parcels: 0,
      owed: 0,
      away: 0,
      paid: 0,
      unseen: 0,
      oldest: '9999',
      ages: new Map<CodAge, number>(),
    }
    const age = ageOf(due, today)
    known.parcels += one.parcels
    known.owed += one.owed
    known.away += one.away
    known.paid += one.paid
    known.unseen += one.unseen
    found.set(key, known)
    if (one.parcels === 0) continue
    known.ages.set(age, (known.ages.get(age) ?? 0) + one.owed)
    if (due < known.oldest) known.oldest = due
  }
  return [...found.values()]
    .filter(({ parcels }) => parcels > 0)
    .toSorted((a, b) => b.owed - a.owed || ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
    .map(({ name, parcels, owed, away, paid, unseen, oldest, ages }) => ({
      courier: name,
      parcels,
      owed: rupeesOf(owed),
      ...Object.fromEntries(codAges.map((age) => [ageKeys[age], rupeesOf(ages.get(age) ?? 0)])),
      late: rupeesOf(owed - (ages.get('not due') ?? 0) - (ages.get('due today') ?? 0)),
      not_in_bank: rupeesOf(away),
      remitted: rupeesOf(paid),
      not_compared: rupeesOf(unseen),
      oldest_due: oldest,
      cycle: terms.words(name ?? undefined),
    }))
}

/** What couriers owe: all sums, rupees by courier of those wanted, and days that are worth keeping. */
export interface CouriersDue {
  readonly sums: readonly OwedSum[]
  readonly couriers: readonly CourierDue[]
  readonly news: NewDays | undefined
}

/** What couriers owe for parcels that were delivered in a period; with `until`, by what was paid until a day. */
export function* owedByCourier(
  { database, account }: Pick<BesidePlace, 'database' | 'account'>,
  terms: CodTerms,
  delivered: Delivered,
  today: string,
  { wanted = () => true, until }: { readonly wanted?: (one: CourierName) => boolean; readonly until?: PaidUntil } = {},
): Work<CouriersDue> {
  const payments = yield* paymentsKept(database.dialect, account, until)
  const { sums, news } = yield* owedByDay(database.dialect, account, delivered, payments)
  return { sums, couriers: couriersDue(sums.filter(wanted), terms, today), news }
}

const paise = (rupees: number): number => Math.round(rupees * 100)

/** What couriers owe together, how much of it is late, and what of it the bank never got: paise. */
export const owedTogether = (couriers: readonly CourierDue[]) => ({
  parcels: couriers.reduce((sum, { parcels }) => sum + parcels, 0),
  owed: couriers.reduce((sum, { owed }) => sum + paise(owed), 0),
  late: couriers.reduce((sum, { late }) => sum + paise(late), 0),
  away: couriers.reduce((sum, { not_in_bank: away }) => sum + paise(away), 0),
})

/** The couriers that owe COD and that no kept remittance pays anything of; those without a name are left out. */
export function unremittedOf(found: readonly CourierDue[], sums: readonly OwedSum[]): readonly CourierDue[] {
  const paying = new Set(sums.filter(({ paid }) => paid > 0).map((one) => one.carrier_name ?? one.carrier_id))
  return found.filter(({ courier }) => courier !== null && !paying.has(courier))
}

/** The names of couriers in a sentence, five at most. */
export function courierNames(couriers: readonly Pick<CourierDue, 'courier'>[]): string {
  const names = couriers.map(({ courier }) => safe(courier ?? ''))
  return names.length > 5 ? `${names.slice(0, 5).join(', ')} and ${names.length - 5} more` : names.join(', ')
}
