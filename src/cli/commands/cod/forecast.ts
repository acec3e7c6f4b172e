// `shipx cod due --forecast`: the credits of the next two weeks, and how far the same forecast was off in the last
// eight.
import { backtest, errorPercent, onTheWay, type DueDay, type Flow } from '../../../domain/money/codforecast.ts'
import type { CourierName } from '../../../domain/money/codjudge.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { dayMs, istDate, istOffset, readDay } from '../../../domain/time.ts'
import { codFlows, keepsPayments, owedSums, remittedByDay } from '../../../engine/money/codowed.ts'
import type { Context } from '../../command/context.ts'
import type { Column, View } from '../../output/columns.ts'
import { showDay, showMoney } from '../../output/display.ts'
import { printer } from '../../output/printer.ts'
import { table } from '../../output/table.ts'
import type { BesidePlace } from '../../source/beside.ts'
import type { CodTerms } from '../reconcile/codterms.ts'
import { money } from './moneycolumn.ts'

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

const day = <R extends Record<string, unknown>>(key: keyof R & string, header: string): Column<R> => ({
  key,
  header,
  rank: 1,
  main: true,
  kind: 'day',
  raw: (record) => record[key] as string,
  show: (record) => showDay(record[key] as string),
})

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

/** Days ahead, weeks back, and days of history before those. */
const [ahead, weeks, history] = [14, 8, 190]

const numberOf = (day: string): number => Math.floor((readDay(day)![0] + istOffset) / dayMs)
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
          return {
            sums: yield* owedSums(
              place.database.dialect,
              place.account,
              { since: 0, until: now },
              yield* keepsPayments(place.account),
            ),
            rows: yield* codFlows(place.account, now - history * dayMs),
            came: yield* remittedByDay(place.account, dateOf(today - 7 * weeks)),
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
  const past = backtest(flows, today, weeks, dueDay).map((week): ForecastWeek => {
    const end = dateOf(week.from + 7)
    const paid = came.filter(({ day: on }) => on >= dateOf(week.from) && on < end)
    return {
      week: dateOf(week.from),
      forecast: rupeesOf(week.forecast),
      due: rupeesOf(week.due),
      came: came.length === 0 ? null : rupeesOf(paid.reduce((sum, { amount }) => sum + amount, 0)),
      error_percent: errorPercent(week),
    }
  })
  await print(context, days, past, overdue)
}

/** The mean error of weeks in which something was due, percent with one decimal; null without such a week. */
function meanError(past: readonly ForecastWeek[]): number | null {
  const errors = past.flatMap(({ error_percent: percent }) => (percent === null ? [] : [percent]))
  return errors.length === 0 ? null : Math.round((errors.reduce((sum, one) => sum + one, 0) * 10) / errors.length) / 10
}

async function print(
  context: Context,
  days: readonly ForecastDay[],
  past: readonly ForecastWeek[],
  overdue: number,
): Promise<void> {
  const { io, screen, format } = context
  const error = meanError(past)
  const out = printer(context, forecastView)
  await out.batch(days.map((one) => JSON.stringify(one)))
  await out.end(undefined, format === 'json' ? { overdue: rupeesOf(overdue), error_percent: error, weeks: past } : {})
  const total = days.reduce((sum, { expected }) => sum + Math.round(expected * 100), 0)
  const amount = (paise: number): string => showMoney(rupeesOf(paise), screen)
  const late = overdue === 0 ? '' : `; ${amount(overdue)} is overdue and in no day`
  await context.note(
    `${amount(total)} expected in ${ahead} days${late}.` +
      (error === null ? ' No week of the last eight had COD due.' : ` Off by ${error}% on the last eight weeks.`),
  )
  if (format === 'plain' && screen.tty) await io.stdout.write(`\n${table(weekColumns, past, screen).text}`)
}
