// `shipx cod due`: what couriers owe of COD, by courier and age or by parcel, and what to expect.
import { counted } from '../../../domain/count.ts'
import { ageOf, codAges, type CodAge, type CourierName } from '../../../domain/money/codjudge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { didYouMean } from '../../../domain/nearest.ts'
import { dayMs, istDate, istOffset } from '../../../domain/time.ts'
import type { Work } from '../../../engine/database/port.ts'
import { owedSums, paymentsKept, type Delivered, type OwedSum } from '../../../engine/money/codowed.ts'
import { flag, moment, someOf, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import type { View } from '../../output/columns.ts'
import { showMoney } from '../../output/display.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { cycleOption } from '../reconcile/codoptions.ts'
import { codTermsHere, type CodTerms } from '../reconcile/codterms.ts'
import { courierCheck } from '../reconcile/judging.ts'
import { ageKeys, dueName, dueWords } from './ages.ts'
import { day, money, moneyIfAny, plain } from './columns.ts'
import { forecastView, printForecast } from './forecast.ts'
import { awayNote, parcelView, printParcels } from './parcelsdue.ts'

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
    ...codAges.map((age, n) => money<CourierDue>(ageKeys[age], age, 3 + n)),
    moneyIfAny('not_in_bank', 'not in bank', 9),
    moneyIfAny('remitted', 'remitted', 13),
    moneyIfAny('not_compared', 'never compared', 14),
    day('oldest_due', 'oldest', 11),
    plain('cycle', 'due', 12, { wide: true }),
  ],
}

/** A day since 1970 in IST as an instant: noon, so that hours of a cycle count from the middle of the day. */
const noonOf = (number: number): number => number * dayMs - istOffset + dayMs / 2

/** Whether a courier is the one of --courier. */
const wantedBy = (courier: string | undefined): ((one: CourierName) => boolean) => {
  const same = courierCheck()
  return (one) => courier === undefined || same(courier, one)
}

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

/** What couriers owe for parcels that were delivered in a period: all sums, and by courier those wanted, rupees. */
export function* owedByCourier(
  { database, account }: Pick<BesidePlace, 'database' | 'account'>,
  terms: CodTerms,
  delivered: Delivered,
  today: string,
  wanted: (one: CourierName) => boolean = () => true,
): Work<{ readonly sums: readonly OwedSum[]; readonly couriers: readonly CourierDue[] }> {
  const sums = yield* owedSums(database.dialect, account, delivered, yield* paymentsKept(database.dialect, account))
  return { sums, couriers: couriersDue(sums.filter(wanted), terms, today) }
}

const paise = (rupees: number): number => Math.round(rupees * 100)

/** What couriers owe together, how much of it is late, and what of it the bank never got: paise. */
export const owedTogether = (couriers: readonly CourierDue[]) => ({
  parcels: couriers.reduce((sum, { parcels }) => sum + parcels, 0),
  owed: couriers.reduce((sum, { owed }) => sum + paise(owed), 0),
  late: couriers.reduce((sum, { late }) => sum + paise(late), 0),
  away: couriers.reduce((sum, { not_in_bank: away }) => sum + paise(away), 0),
})

const options = {
  courier: word,
  since: moment,
  until: moment,
  cycle: cycleOption,
  parcels: flag,
  late: flag,
  only: someOf(dueWords, 'age', dueName),
  forecast: flag,
}

const due = verb(options, async (context, given) => {
  const { format } = context
  const parcels = given.parcels || ((format === 'jsonl' || format === 'ids') && !given.forecast)
  refuse(context, [
    ...(given.forecast && given.parcels ? [{ field: '--forecast', message: 'and --parcels exclude each other' }] : []),
    ...(['late', 'only'] as const)
      .filter((name) => context.flags.has(name) && !parcels)
      .map((name) => ({ field: `--${name}`, message: 'goes with --parcels' })),
  ])
  if (given.forecast) checkShape(context, forecastView)
  else if (parcels) checkShape(context, parcelView)
  else checkShape(context, courierView)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      const terms = await codTermsHere(context, place, given.cycle)
      const { courier, late, only, since = 0, until = context.io.host.now() } = given
      const wanted = wantedBy(courier)
      if (given.forecast) await printForecast(context, place, terms, wanted)
      else if (parcels)
        await printParcels(context, place, terms, { wanted, since, until, only: late ? ['late'] : only, nothing })
      else await printCouriers(context, place, terms, { courier, since, until, whole: isWhole(given) })
      return 0
    } finally {
      await place?.close()
    }
  })
})

interface Question {
  readonly courier: string | undefined
  readonly since: number
  readonly until: number
  /** Whether all deliveries are in question. */
  readonly whole: boolean
}

const isWhole = ({ since, until }: { readonly since: unknown; readonly until: unknown }): boolean =>
  since === undefined && until === undefined

const nothing = 'No COD is owed: no delivered COD parcel here is unpaid.'

async function printCouriers(
  context: Context,
  place: BesidePlace | undefined,
  terms: CodTerms,
  { courier, since, until, whole }: Question,
): Promise<void> {
  const today = istDate(context.io.host.now())
  const { sums, couriers: found } =
    place === undefined
      ? { sums: [], couriers: [] }
      : await place.database.read(() => owedByCourier(place, terms, { since, until }, today, wantedBy(courier)))
  const owing = sums.filter(({ parcels }) => parcels > 0)
  await printList(context, courierView, found, owing.length === 0 ? nothing : undefined)
  if (found.length === 0 && owing.length > 0) return warnCourier(context, courier!, owing)
  if (found.length > 0) await noteOwed(context, found, whole ? sums : undefined)
  await noteUnseen(context, sums.filter(wantedBy(courier)))
}

/** Says what couriers owe together; with all sums, also which couriers remit nothing. */
async function noteOwed(
  context: Context,
  found: readonly CourierDue[],
  sums: readonly OwedSum[] | undefined,
): Promise<void> {
  const { parcels: count, owed, late, away } = owedTogether(found)
  const amount = (sum: number): string => showMoney(rupeesOf(sum), context.screen)
  const who = counted(found.length, ['courier owes', 'couriers owe'])
  const parcels = counted(count, ['parcel', 'parcels'])
  await context.note(`${who} ${amount(owed)} for ${parcels}; ${amount(late)} of it is late.`)
  if (away > 0) await context.note(`${awayNote(amount(away))} Its parcels: shipx cod due --parcels`)
  if (sums !== undefined) await noteUnremitted(context, unremittedOf(found, sums))
}

/** Says how much of what remittances pay nobody compared with a bank statement. */
async function noteUnseen(context: Context, sums: readonly OwedSum[]): Promise<void> {
  const total = (key: 'paid' | 'unseen'): number => sums.reduce((all, one) => all + one[key], 0)
  const unseen = total('unseen')
  if (unseen === 0) return
  const amount = (sum: number): string => showMoney(rupeesOf(sum), context.screen)
  const paid = total('paid')
  await context.note(
    `Remittances pay ${amount(paid)}; ${unseen === paid ? 'none of it was' : `${amount(unseen)} of it was never`} ` +
      'compared with a bank statement. To compare: shipx reconcile cod <file> --bank <statement>',
  )
}

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

/** Names the couriers that no kept remittance pays anything of. */
async function noteUnremitted(context: Context, none: readonly CourierDue[]): Promise<void> {
  if (none.length === 0) return
  await context.note(
    `No remittance of ${courierNames(none)} is kept: all delivered COD counts as owed. ` +
      'To read one: shipx reconcile cod <file>',
  )
}

function warnCourier(context: Context, courier: string, sums: readonly CourierName[]): Promise<void> {
  const names = [...new Set(sums.flatMap(({ carrier_name: name }) => (name === null ? [] : [safe(name)])))]
  return context.warn(`no courier called "${safe(courier)}" owes COD here${didYouMean(courier, names)}`)
}

export const verbs = { 'cod due': due }
