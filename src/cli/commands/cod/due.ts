// `shipx cod due`: what couriers owe of COD, by courier and age or by parcel, and what to expect.
import { counted } from '../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import type { CourierName } from '../../../domain/money/codjudge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { istDate, readDay } from '../../../domain/time.ts'
import { documentCouriers } from '../../../engine/money/couriers.ts'
import { keepDays, type NewDays } from '../../../engine/money/coddays.ts'
import type { OwedSum, PaidUntil } from '../../../engine/money/codowed.ts'
import { day, flag, moment, month, someOf, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { showMoney } from '../../output/display.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { withSource } from '../../source/open.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { cycleOption } from '../reconcile/codoptions.ts'
import { codTermsHere, type CodTerms } from '../reconcile/codterms.ts'
import { couriersWanted } from '../reconcile/wantedcouriers.ts'
import { courierCheck } from '../reconcile/judging.ts'
import { dueName, dueWords } from './ages.ts'
import {
  courierNames,
  courierView,
  owedByCourier,
  owedTogether,
  unremittedOf,
  type CourierDue,
  type CouriersDue,
} from './couriersdue.ts'
import { doubtSums, doubtView, noteDoubts, printDoubts, type DoubtSums } from './doubts.ts'
import { forecastView, printForecast } from './forecast.ts'
import { asOfNote, awayNote, parcelView, printParcels } from './parcelsdue.ts'

/** The couriers that --courier means; one that remittances name is looked up there alone. */
async function couriersGiven(
  context: Context,
  place: BesidePlace | undefined,
  courier: string | undefined,
): Promise<Couriers> {
  if (courier === undefined) return undefined
  const kept = (await place?.database.read(() => documentCouriers(place.account), 'single')) ?? []
  return couriersWanted(context, place, courier, kept)
}

type Couriers = readonly string[] | undefined

/** The flag that keeps a hinted command to the same couriers. */
const flagOf = (couriers: Couriers): string =>
  couriers === undefined ? '' : ` --courier ${quoted(couriers.join(','))}`

/** Whether a courier is one of --courier. */
const wantedBy = (couriers: Couriers): ((one: CourierName) => boolean) => {
  const same = courierCheck()
  return (one) => couriers === undefined || couriers.some((name) => same(name, one))
}

const options = {
  as_of: day,
  month,
  courier: word,
  since: moment,
  until: moment,
  cycle: cycleOption,
  parcels: flag,
  late: flag,
  only: someOf(dueWords, 'age', dueName),
  forecast: flag,
  unexplained: flag,
  twice: flag,
}

const kindsOf = ({ unexplained, twice }: { readonly unexplained: boolean; readonly twice: boolean }) => [
  ...(unexplained ? (['unexplained'] as const) : []),
  ...(twice ? (['twice'] as const) : []),
]

/** What excludes what. */
function faultsOf(context: Context, given: OptionsOf<typeof options>, parcels: boolean): readonly Fault[] {
  const now = context.io.host.now()
  const { forecast, unexplained, twice } = given
  const modes = [
    ...(forecast ? ['--forecast'] : []),
    ...(given.parcels ? ['--parcels'] : []),
    ...(unexplained || twice ? [unexplained ? '--unexplained' : '--twice'] : []),
  ]
  const [field, other] = modes
  const asOf = given.as_of === undefined ? '--month' : '--as-of'
  const start = given.as_of === undefined ? given.month?.[0] : readDay(given.as_of)![0]
  return [
    ...(other === undefined ? [] : [{ field: field!, message: `and ${other} exclude each other` }]),
    ...(given.as_of !== undefined && given.month !== undefined
      ? [{ field: '--as-of', message: 'and --month exclude each other' }]
      : []),
    ...(start !== undefined && start > now
      ? [{ field: asOf, message: 'is in the future: what is owed then is not known' }]
      : []),
    ...(start !== undefined && forecast
      ? [{ field: asOf, message: 'goes without --forecast, which begins today' }]
      : []),
    ...(['late', 'only'] as const)
      .filter((name) => context.flags.has(name) && !parcels)
      .map((name) => ({ field: `--${name}`, message: 'goes with --parcels' })),
  ]
}

/** The end of the day that --as-of or --month names: today at most, and now where it is today. */
function asOfDay(
  { as_of: on, month: period }: Pick<OptionsOf<typeof options>, 'as_of' | 'month'>,
  now: number,
): PaidUntil | undefined {
  const end = on === undefined ? period?.[1] : readDay(on)![1]
  return end === undefined ? undefined : { day: istDate(Math.min(end, now)), end: Math.min(end, now) }
}

const due = verb(options, async (context, given) => {
  const { format } = context
  const doubts = given.unexplained || given.twice
  const parcels = given.parcels || ((format === 'jsonl' || format === 'ids') && !given.forecast && !doubts)
  refuse(context, faultsOf(context, given, parcels))
  if (given.forecast) checkShape(context, forecastView)
  else if (doubts) checkShape(context, doubtView)
  else if (parcels) checkShape(context, parcelView)
  else checkShape(context, courierView)
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      const terms = await codTermsHere(context, place, given.cycle)
      const now = context.io.host.now()
      const asOf = asOfDay(given, now)
      const { late, only, since = 0 } = given
      const until = Math.min(given.until ?? now, asOf?.end ?? now)
      const couriers = await couriersGiven(context, place, given.courier)
      const wanted = wantedBy(couriers)
      const question = { since, until, asOf, today: asOf?.day ?? istDate(now) }
      if (given.forecast) await printForecast(context, place, terms, wanted)
      else if (doubts) await printDoubts(context, place, { wanted, asOf, kinds: kindsOf(given) })
      else if (parcels)
        await printParcels(context, place, terms, {
          ...question,
          wanted,
          only: late ? ['late'] : only,
          nothing: nothingOf(couriers),
        })
      else await printCouriers(context, place, terms, { ...question, couriers, whole: isWhole(given) })
      return 0
    } finally {
      await place?.close()
    }
  })
})

interface Question {
  readonly couriers: Couriers
  readonly since: number
  readonly until: number
  /** The day that ages count from. */
  readonly today: string
  readonly asOf: PaidUntil | undefined
  /** Whether all deliveries are in question. */
  readonly whole: boolean
}

const isWhole = ({ since, until }: { readonly since: unknown; readonly until: unknown }): boolean =>
  since === undefined && until === undefined

/** That no COD is owed, by which couriers. */
const nothingOf = (couriers: Couriers): string =>
  couriers === undefined
    ? 'No COD is owed: no delivered COD parcel here is unpaid.'
    : `${couriers.map((name) => safe(name)).join(' or ')}: no delivered COD parcel is unpaid.`

const none: CouriersDue & { readonly doubts: DoubtSums } = {
  sums: [],
  couriers: [],
  news: undefined,
  doubts: { unexplained: 0, paid_twice: 0 },
}

async function printCouriers(
  context: Context,
  place: BesidePlace | undefined,
  terms: CodTerms,
  { couriers, since, until, whole, today, asOf }: Question,
): Promise<void> {
  const wanted = wantedBy(couriers)
  const over = { wanted, ...(asOf === undefined ? {} : { until: asOf }) }
  const answer =
    place === undefined
      ? none
      : await place.database.read(function* () {
          const owed = yield* owedByCourier(place, terms, { since, until }, today, over)
          return { ...owed, doubts: yield* doubtSums(place, { wanted, asOf }) }
        })
  const { sums, couriers: found, news, doubts } = answer
  const beside = { as_of: today, unexplained: doubts.unexplained, paid_twice: doubts.paid_twice }
  await printList(context, courierView, found, nothingOf(couriers), beside)
  if (asOf !== undefined) await context.note(asOfNote(asOf.day))
  if (found.length > 0) await noteOwed(context, found, flagOf(couriers), whole ? sums : undefined)
  await noteUnseen(context, sums.filter(wanted))
  await noteDoubts(context, doubts, flagOf(couriers))
  if (place !== undefined && news !== undefined) await keep(place, news)
}

/** Keeps days that were added up, where this run may write: they are added up again otherwise. */
async function keep({ database, account }: BesidePlace, news: NewDays): Promise<void> {
  try {
    await database.write(() => keepDays(account, news))
  } catch (error) {
    if (!(error instanceof ShipxError)) throw error
  }
}

/** Says what couriers owe together; with all sums, also which couriers remit nothing. */
async function noteOwed(
  context: Context,
  found: readonly CourierDue[],
  of: string,
  sums: readonly OwedSum[] | undefined,
): Promise<void> {
  const { parcels: count, owed, late, away } = owedTogether(found)
  const amount = (sum: number): string => showMoney(rupeesOf(sum), context.screen)
  const who = counted(found.length, ['courier owes', 'couriers owe'])
  const parcels = counted(count, ['parcel', 'parcels'])
  await context.note(`${who} ${amount(owed)} for ${parcels}; ${amount(late)} of it is late.`)
  if (away > 0) await context.note(`${awayNote(amount(away))} Its parcels: shipx cod due --parcels${of}`)
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

/** Names the couriers that no kept remittance pays anything of. */
async function noteUnremitted(context: Context, none: readonly CourierDue[]): Promise<void> {
  if (none.length === 0) return
  await context.note(
    `No remittance of ${courierNames(none)} is kept: all delivered COD counts as owed. ` +
      'To read one: shipx reconcile cod <file>',
  )
}

export const verbs = { 'cod due': due }
