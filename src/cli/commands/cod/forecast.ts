// `shipx cod due --forecast`: the credits of the next two weeks, and how far the same forecast was off in the last
// eight.
import { backtest, errorPercent, onTheWay, type DueDay, type Flow } from '../../../domain/money/codforecast.ts'
import type { CourierName } from '../../../domain/money/codjudge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { dayMs, istDate, istDayNumber, istOffset, readDay } from '../../../domain/time.ts'
import { owedByDay } from '../../../engine/money/coddays.ts'
import { codFlows, paymentsKept, remittedByDay, type CameOnDay } from '../../../engine/money/codowed.ts'
import type { Context } from '../../command/context.ts'
import type { Column, View } from '../../output/columns.ts'
import { showMoney } from '../../output/display.ts'
import { printer } from '../../output/printer.ts'
import { table } from '../../output/table.ts'
import type { BesidePlace } from '../../source/beside.ts'
import type { CodTerms } from '../reconcile/codterms.ts'
import { courierCheck } from '../reconcile/judging.ts'
import { day as dayColumn, money } from './columns.ts'

/** What is expected on a day, rupees. */
interface ForecastDay extends Record<string, unknown> {
  readonly date: string
  readonly delivered: number
  readonly on_the_way: number
  readonly expected: number
}

/** A week of the past, rupees. */
interface ForecastWeek extends Record<string, unknown> {
  readonly week: string
  readonly forecast: number
  readonly due: number
  readonly came: number | null
  readonly error_percent: number | null
}

const day = <R extends Record<string, unknown>>(key: keyof R & string, header: string): Column<R> =>
  dayColumn(key, header, 1, { main: true })

export const forecastView: View<ForecastDay> = {
  noun: ['day', 'days'],
  id: ({ date }) => date,
  names: ['date', 'delivered', 'on_the_way', 'expected'],
  columns: [
    day('date', 'day'),
    money('delivered', 'delivered', 3),
    money('on_the_way', 'on the way', 4),
    money('expected', 'expected', 2),
  ],
}

const weekColumns: readonly Column<ForecastWeek>[] = [
  day('week', 'week from'),
  money('forecast', 'forecast', 2),
  money('due', 'due', 3),
  money('came', 'came', 5),
  {
    key: 'error_percent',
    header: 'off by',
    rank: 4,
    right: true,
    raw: ({ error_percent: percent }) => percent,
    show: ({ error_percent: percent }) => (percent === null ? '-' : `${percent}%`),
  },
]

/** The weeks as a sheet of a workbook. */
const weekView: View<ForecastWeek> = {
  noun: ['week', 'weeks'],
  id: ({ week }) => week,
  names: ['week', 'forecast', 'due', 'came', 'error_percent'],
  columns: weekColumns,
}

/** Days ahead, weeks back, and days of history before those. */
const [ahead, weeks, history] = [14, 8, 190]

const numberOf = (day: string): number => istDayNumber(readDay(day)![0])
const dateOf = (number: number): string => istDate(number * dayMs - istOffset)
const noonOf = (number: number): number => number * dayMs - istOffset + dayMs / 2

/** Prints the forecast, and its error below it. */
export async function printForecast(
  context: Context,
  place: BesidePlace | undefined,
  terms: CodTerms,
  wanted: (courier: CourierName) => boolean,
): Promise<void> {
  const now = context.io.host.now()
  const today = numberOf(istDate(now))
  const { sums, rows, came } =
    place === undefined
      ? { sums: [], rows: [], came: [] }
      : await place.database.read(function* () {
          const { database, account } = place
          const payments = yield* paymentsKept(database.dialect, account)
          return {
            sums: (yield* owedByDay(database.dialect, account, { since: 0, until: now }, payments)).sums,
            rows: yield* codFlows(account, now - history * dayMs),
            came: yield* remittedByDay(account, dateOf(today - 7 * weeks), payments),
          }
        })
  const couriers = new Map<string, CourierName>()
  const flows = rows.filter(wanted).map((one): Flow => {
    const courier = one.carrier_name ?? one.carrier_id ?? ''
    if (!couriers.has(courier)) couriers.set(courier, one)
    const { picked, delivered, back, parcels, amount } = one
    return { courier, picked, delivered, back, gone: one.gone === 1, parcels, amount }
  })
  const dueDay: DueDay = (courier, delivered) => numberOf(terms.dueDate(couriers.get(courier)!, noonOf(delivered)))
  const way = onTheWay(flows, today, dueDay)
  const owed = new Map<number, number>()
  let overdue = 0
  for (const one of sums.filter(wanted)) {
    const due = numberOf(terms.dueDate(one, noonOf(one.day)))
    if (due < today) overdue += one.owed
    else owed.set(due, (owed.get(due) ?? 0) + one.owed)
  }
  const days = Array.from({ length: ahead }, (_, n): ForecastDay => {
    const [delivered, more] = [owed.get(today + n) ?? 0, way.get(today + n) ?? 0]
    return {
      date: dateOf(today + n),
      delivered: rupeesOf(delivered),
      on_the_way: rupeesOf(more),
      expected: rupeesOf(delivered + more),
    }
  })
  const own = came.filter(({ courier }) => wanted({ carrier_id: null, carrier_name: courier }))
  const past = backtest(remittedBy(own, flows, couriers), today, weeks, dueDay).map((week): ForecastWeek => {
    const end = dateOf(week.from + 7)
    const paid = own.filter(({ day: on }) => on >= dateOf(week.from) && on < end)
    const sum = paid.reduce((all, { amount }) => all + amount, 0)
    return {
      week: dateOf(week.from),
      forecast: rupeesOf(week.forecast),
      due: rupeesOf(week.due),
      came: own.length === 0 ? null : rupeesOf(sum),
      error_percent: errorPercent(week.forecast, sum),
    }
  })
  await print(context, days, past, overdue)
}

/** The flows of couriers that remittances are kept of, all where none is: the others cannot be compared. */
function remittedBy(
  came: readonly CameOnDay[],
  flows: readonly Flow[],
  couriers: ReadonlyMap<string, CourierName>,
): readonly Flow[] {
  const names = new Set(came.map(({ courier }) => courier))
  if (names.size === 0 || names.has(null)) return flows
  const same = courierCheck()
  const paying = new Set(
    [...couriers].flatMap(([key, one]) => ([...names].some((name) => same(name!, one)) ? [key] : [])),
  )
  return flows.filter(({ courier }) => paying.has(courier))
}

/** How far the forecast was off in money: rupees. */
interface ForecastError {
  /** What the weeks were off by, without regard to sign, and what came in them. */
  readonly off: number
  readonly came: number
  /** `off` of `came`, with one decimal; null where nothing came. */
  readonly percent: number | null
  readonly measured: number
}

/**
 * The error by money: what all weeks were off by, of what came in them. The weeks are those from the first to the last
 * in which COD came: one between them in which nothing came is wrong by its whole forecast.
 */
function moneyError(past: readonly ForecastWeek[]): ForecastError {
  const came = past.map((week) => (week.came ?? 0) > 0)
  const between = past.slice(came.indexOf(true), came.lastIndexOf(true) + 1)
  const measured = came.includes(true) ? between : []
  const sum = (of: (week: ForecastWeek) => number): number => measured.reduce((all, week) => all + of(week), 0)
  const paise = (rupees: number | null): number => Math.round((rupees ?? 0) * 100)
  const off = sum((week) => Math.abs(paise(week.forecast) - paise(week.came)))
  const all = sum((week) => paise(week.came))
  return {
    off: rupeesOf(off),
    came: rupeesOf(all),
    percent: all <= 0 ? null : Math.round((off * 1000) / all) / 10,
    measured: measured.length,
  }
}

/** How far the forecast was off, in words. */
function errorWords({ off, came, percent, measured }: ForecastError, money: (rupees: number) => string): string {
  if (percent === null) return 'No remittance of the last eight weeks is kept, so the error is not known.'
  const where =
    measured === weeks
      ? 'over the last eight weeks'
      : measured === 1
        ? 'in the only week of the last eight in which COD came'
        : `over ${measured} of the last eight weeks, from the first to the last in which COD came`
  const misses = `${money(off)} too much or too little, of ${money(came)} that came ${where}`
  return `The forecast was off by ${percent}% by money: ${misses}.`
}

async function print(
  context: Context,
  days: readonly ForecastDay[],
  past: readonly ForecastWeek[],
  overdue: number,
): Promise<void> {
  const { io, screen, format } = context
  const error = moneyError(past)
  const out = printer(context, forecastView)
  await out.batch(days.map((one) => JSON.stringify(one)))
  await out.end(
    undefined,
    format === 'json' ? { overdue: rupeesOf(overdue), error_percent: error.percent, weeks: past } : {},
  )
  if (context.workbook !== undefined) {
    const book = printer(context, weekView)
    await book.batch(past.map((one) => JSON.stringify(one)))
    await book.end()
  }
  const total = days.reduce((sum, { expected }) => sum + Math.round(expected * 100), 0)
  const amount = (paise: number): string => showMoney(rupeesOf(paise), screen)
  const late = overdue === 0 ? '' : `; ${amount(overdue)} is overdue and in no day`
  await context.note(
    `${amount(total)} expected in ${ahead} days${late}. ${errorWords(error, (rupees) => showMoney(rupees, screen))}`,
  )
  if (format === 'plain' && screen.tty) await io.stdout.write(`\n${table(weekColumns, past, screen).text}`)
}
