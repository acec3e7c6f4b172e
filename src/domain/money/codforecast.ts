// Which COD credits to expect by day: from what was delivered and, with the share that history delivers, from what is
// on its way (docs/guides/cod.md, Forecast).

/** COD parcels of a courier that were picked up on one day and ended on one day: days since 1970 in IST, paise. */
export interface Flow {
  readonly courier: string
  readonly picked: number
  readonly delivered: number | null
  /** When it was sent back. */
  readonly back: number | null
  /** Whether it was cancelled or lost. */
  readonly gone: boolean
  readonly parcels: number
  readonly amount: number
}

/** The day on which COD is due of what a courier delivered on a day. */
export type DueDay = (courier: string, delivered: number) => number

/** An amount times a part of a whole, half-up, exact. */
export function shareOf(amount: number, part: number, whole: number): number {
  const doubled = 2 * amount * part + whole
  if (Number.isSafeInteger(doubled)) return Math.floor(doubled / (2 * whole))
  return Number((2n * BigInt(amount) * BigInt(part) + BigInt(whole)) / (2n * BigInt(whole)))
}

/** Pickups of history: so many days before a day, and not the last ones, of which many are still on their way. */
const [oldest, youngest] = [120, 14]
/** Fewer parcels that ended say nothing of a courier: all couriers together count. */
const fewest = 30

/** How parcels of a courier ended by the days since their pickup. */
interface Endings {
  readonly delivered: Map<number, number>
  readonly all: Map<number, number>
  total: number
}

const noEndings = (): Endings => ({ delivered: new Map(), all: new Map(), total: 0 })

function addTo(map: Map<number, number>, key: number, n: number): void {
  map.set(key, (map.get(key) ?? 0) + n)
}

/** What history up to a day says of each courier; '' stands for all of them. */
function historyOf(flows: readonly Flow[], today: number): ReadonlyMap<string, Endings> {
  const found = new Map<string, Endings>([['', noEndings()]])
  for (const { courier, picked, delivered, back, gone, parcels } of flows) {
    const end = delivered ?? back
    if (gone || end === null || end >= today || picked < today - oldest || picked >= today - youngest) continue
    let own = found.get(courier)
    if (own === undefined) found.set(courier, (own = noEndings()))
    for (const endings of new Set([own, found.get('')!])) {
      const days = Math.max(0, end - picked)
      if (delivered !== null) addTo(endings.delivered, days, parcels)
      addTo(endings.all, days, parcels)
      endings.total += parcels
    }
  }
  return found
}

/** What is expected of parcels on their way on the morning of a day, by the day on which it is due. */
export function onTheWay(flows: readonly Flow[], today: number, dueDay: DueDay): ReadonlyMap<number, number> {
  const history = historyOf(flows, today)
  const expected = new Map<number, number>()
  for (const { courier, picked, delivered, back, gone, amount } of flows) {
    const ended = (delivered !== null && delivered < today) || (back !== null && back < today)
    if (gone || picked >= today || ended) continue
    const own = history.get(courier)
    const endings = own === undefined || own.total < fewest ? history.get('')! : own
    const age = today - picked
    const left = [...endings.all].reduce((sum, [days, n]) => (days >= age ? sum + n : sum), 0)
    if (left === 0) continue
    for (const [days, n] of endings.delivered)
      if (days >= age) addTo(expected, dueDay(courier, picked + days), shareOf(amount, n, left))
  }
  return expected
}

/** What was delivered before a day, by the day on which it is due. */
export function dueOf(flows: readonly Flow[], before: number, dueDay: DueDay): ReadonlyMap<number, number> {
  const due = new Map<number, number>()
  for (const { courier, delivered, amount } of flows)
    if (delivered !== null && delivered < before) addTo(due, dueDay(courier, delivered), amount)
  return due
}

/** The sum of the days from `from` and before `end`. */
export const sumBetween = (sums: ReadonlyMap<number, number>, from: number, end: number): number =>
  [...sums].reduce((sum, [day, amount]) => (day >= from && day < end ? sum + amount : sum), 0)

/** A week of the past: what the forecast of its first morning said, and what was due in it, paise. */
export interface PastWeek {
  readonly from: number
  readonly forecast: number
  readonly due: number
}

/** The last `weeks` whole weeks before a day, the latest first. */
export function backtest(flows: readonly Flow[], today: number, weeks: number, dueDay: DueDay): readonly PastWeek[] {
  const actual = dueOf(flows, today, dueDay)
  return Array.from({ length: weeks }, (_, n) => {
    const from = today - 7 * (n + 1)
    const said = sumBetween(dueOf(flows, from, dueDay), from, from + 7)
    const more = sumBetween(onTheWay(flows, from, dueDay), from, from + 7)
    return { from, forecast: said + more, due: sumBetween(actual, from, from + 7) }
  })
}

/** How far a forecast was off, in percent of what came with one decimal; null where nothing came. */
export const errorPercent = (forecast: number, came: number): number | null =>
  came <= 0 ? null : Math.round((Math.abs(forecast - came) * 1000) / came) / 10
