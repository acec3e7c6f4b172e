// `shipx cod due`: what couriers owe of COD, by courier and age or by parcel, and what to expect.
import { counted } from '../../../domain/count.ts'
import { ageOf, codAges, daysBetween, type CodAge, type CourierName } from '../../../domain/money/codjudge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { didYouMean } from '../../../domain/nearest.ts'
import { dayMs, istDate, istOffset } from '../../../domain/time.ts'
import { keepsPayments, owedParcels, owedSums, type OwedSum } from '../../../engine/money/codowed.ts'
import { flag, moment, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import type { Column, View } from '../../output/columns.ts'
import { showDay, showMoney } from '../../output/display.ts'
import { checkShape, printer, printList } from '../../output/printer.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { safe } from '../../terminal/safe.ts'
import { cycleOption } from '../reconcile/codoptions.ts'
import { codTermsHere, type CodTerms } from '../reconcile/codterms.ts'
import { courierCheck } from '../reconcile/judging.ts'
import { forecastView, printForecast } from './forecast.ts'
import { money } from './moneycolumn.ts'

/** What a courier owes, rupees by age. */
interface CourierDue extends Record<string, unknown> {
  readonly courier: string | null
  readonly parcels: number
  readonly owed: number
  readonly late: number
}

const ageKeys: Readonly<Record<CodAge, string>> = {
  'not due': 'not_due',
  'due today': 'due_today',
  '1-3 days': 'late_1_3',
  '4-7 days': 'late_4_7',
  '8-15 days': 'late_8_15',
  'over 15 days': 'late_over_15',
}

const plain = <R extends Record<string, unknown>>(
  key: keyof R & string,
  header: string,
  rank: number,
  over: Partial<Column<R>> = {},
): Column<R> => ({ key, header, rank, raw: (record) => record[key] as string | number | null, ...over })

const day = <R extends Record<string, unknown>>(key: keyof R & string, header: string, rank: number): Column<R> =>
  plain(key, header, rank, {
    kind: 'day',
    show: (record) => (record[key] === null ? '-' : showDay(String(record[key]))),
  })

const courierView: View<CourierDue> = {
  noun: ['courier', 'couriers'],
  id: ({ courier }) => courier ?? '',
  names: ['courier', 'parcels', 'owed', ...Object.values(ageKeys), 'late', 'oldest_due', 'cycle'],
  columns: [
    plain('courier', 'courier', 1, { main: true }),
    plain('parcels', 'parcels', 9, { right: true }),
    money('owed', 'owed', 2),
    ...codAges.map((age, n) => money<CourierDue>(ageKeys[age], age, 3 + n)),
    day('oldest_due', 'oldest', 10),
    plain('cycle', 'due', 11, { wide: true }),
  ],
}

/** A parcel that a courier owes COD for, rupees. */
interface ParcelDue extends Record<string, unknown> {
  readonly awb: string
  readonly order: string | null
  readonly courier: string | null
  readonly delivered: string
  readonly due_date: string
  readonly age: string
  readonly days_late: number
  readonly due: number
  readonly remitted: number
  readonly owed: number
}

const parcelView: View<ParcelDue> = {
  noun: ['parcel', 'parcels'],
  id: ({ awb }) => awb,
  names: ['awb', 'order', 'courier', 'delivered', 'due_date', 'age', 'days_late', 'due', 'remitted', 'owed'],
  columns: [
    plain('awb', 'AWB', 1, { whole: true }),
    plain('order', 'order', 8),
    plain('courier', 'courier', 5),
    day('delivered', 'delivered', 7),
    day('due_date', 'due date', 4),
    plain('age', 'age', 3),
    plain('days_late', 'days late', 9, { right: true }),
    money('due', 'due', 6),
    money('remitted', 'remitted', 10),
    money('owed', 'owed', 2),
  ],
}

/** A day since 1970 in IST as an instant: noon, so that hours of a cycle count from the middle of the day. */
const noonOf = (number: number): number => number * dayMs - istOffset + dayMs / 2

/** Whether a courier is the one of --courier. */
const wantedBy = (courier: string | undefined): ((one: CourierName) => boolean) => {
  const same = courierCheck()
  return (one) => courier === undefined || same(courier, one)
}

/** What couriers owe by age, the one that owes the most first. */
function couriersDue(sums: readonly OwedSum[], terms: CodTerms, today: string): readonly CourierDue[] {
  const found = new Map<
    string,
    { name: string | null; parcels: number; owed: number; oldest: string; ages: Map<CodAge, number> }
  >()
  for (const one of sums) {
    const key = one.carrier_name ?? one.carrier_id ?? ''
    const due = terms.dueDate(one, noonOf(one.day))
    const known = found.get(key) ?? {
      name: one.carrier_name ?? one.carrier_id,
      parcels: 0,
      owed: 0,
      oldest: due,
      ages: new Map<CodAge, number>(),
    }
    const age = ageOf(due, today)
    known.parcels += one.parcels
    known.owed += one.owed
    known.ages.set(age, (known.ages.get(age) ?? 0) + one.owed)
    if (due < known.oldest) known.oldest = due
    found.set(key, known)
  }
  return [...found.values()]
    .toSorted((a, b) => b.owed - a.owed || ((a.name ?? '') < (b.name ?? '') ? -1 : 1))
    .map(({ name, parcels, owed, oldest, ages }) => ({
      courier: name,
      parcels,
      owed: rupeesOf(owed),
      ...Object.fromEntries(codAges.map((age) => [ageKeys[age], rupeesOf(ages.get(age) ?? 0)])),
      late: rupeesOf(owed - (ages.get('not due') ?? 0) - (ages.get('due today') ?? 0)),
      oldest_due: oldest,
      cycle: terms.words(name ?? undefined),
    }))
}

const options = { courier: word, since: moment, until: moment, cycle: cycleOption, parcels: flag, forecast: flag }

const due = verb(options, async (context, given) => {
  const { format } = context
  const parcels = given.parcels || ((format === 'jsonl' || format === 'ids') && !given.forecast)
  refuse(
    context,
    given.forecast && given.parcels ? [{ field: '--forecast', message: 'and --parcels exclude each other' }] : [],
  )
  if (given.forecast) checkShape(context, forecastView)
  else if (parcels) checkShape(context, parcelView)
  else checkShape(context, courierView)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      const terms = await codTermsHere(context, place, given.cycle)
      const question = { ...given, since: given.since ?? 0, until: given.until ?? context.io.host.now() }
      if (given.forecast) await printForecast(context, place, terms, wantedBy(given.courier))
      else if (parcels) await printParcels(context, place, terms, question)
      else await printCouriers(context, place, terms, question)
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
}

const nothing = 'No COD is owed: no delivered COD parcel here is unpaid.'

async function printCouriers(
  context: Context,
  place: BesidePlace | undefined,
  terms: CodTerms,
  { courier, since, until }: Question,
): Promise<void> {
  const today = istDate(context.io.host.now())
  const sums =
    place === undefined
      ? []
      : await place.database.read(function* () {
          return yield* owedSums(
            place.database.dialect,
            place.account,
            { since, until },
            yield* keepsPayments(place.account),
          )
        })
  const wanted = wantedBy(courier)
  const own = sums.filter(wanted)
  const found = couriersDue(own, terms, today)
  await printList(context, courierView, found, own.length === 0 && sums.length === 0 ? nothing : undefined)
  if (found.length === 0 && sums.length > 0) return warnCourier(context, courier!, sums)
  const owed = found.reduce((sum, one) => sum + Math.round(one.owed * 100), 0)
  const late = found.reduce((sum, one) => sum + Math.round(one.late * 100), 0)
  if (found.length === 0) return
  const count = found.reduce((sum, { parcels }) => sum + parcels, 0)
  const amount = (paise: number): string => showMoney(rupeesOf(paise), context.screen)
  const who = counted(found.length, ['courier owes', 'couriers owe'])
  const parcels = counted(count, ['parcel', 'parcels'])
  await context.note(`${who} ${amount(owed)} for ${parcels}; ${amount(late)} of it is late.`)
}

function warnCourier(context: Context, courier: string, sums: readonly CourierName[]): Promise<void> {
  const names = [...new Set(sums.flatMap(({ carrier_name: name }) => (name === null ? [] : [safe(name)])))]
  return context.warn(`no courier called "${safe(courier)}" owes COD here${didYouMean(courier, names)}`)
}

/** Parcels that are read at a time. */
const piece = 1000

async function printParcels(
  context: Context,
  place: BesidePlace | undefined,
  terms: CodTerms,
  { courier, since, until }: Question,
): Promise<void> {
  const out = printer(context, parcelView)
  const wanted = wantedBy(courier)
  const today = istDate(context.io.host.now())
  let seen = 0
  if (place !== undefined) {
    const { database, account } = place
    const paid = await database.read(() => keepsPayments(account), 'single')
    let after = { delivered_at: since, awb: '' }
    for (;;) {
      const from = after
      const found = await database.read(
        () => owedParcels(database.dialect, account, { since, until }, from, piece, { paid }),
        'single',
      )
      const last = found.at(-1)
      if (last === undefined) break
      const own = found.filter(wanted).map((one): ParcelDue => {
        const dueDate = terms.dueDate(one, one.delivered_at)
        return {
          awb: one.awb,
          order: one.order_name,
          courier: one.carrier_name ?? one.carrier_id,
          delivered: istDate(one.delivered_at),
          due_date: dueDate,
          age: ageOf(dueDate, today),
          days_late: Math.max(0, daysBetween(dueDate, today)),
          due: rupeesOf(one.due),
          remitted: rupeesOf(one.paid),
          owed: rupeesOf(one.due - one.paid),
        }
      })
      seen += own.length
      if (own.length > 0) await out.batch(own.map((one) => JSON.stringify(one)))
      after = { delivered_at: last.delivered_at, awb: last.awb }
    }
  }
  await out.end()
  if (seen === 0) await context.note(nothing)
}

export const verbs = { 'cod due': due }
