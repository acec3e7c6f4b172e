// Totals of many priced parcels: by courier, by zone, and why some have no price.
import { count } from '../../../../domain/count.ts'
import type { Code, Fault } from '../../../../domain/errors.ts'
import { rupeesOf } from '../../../../domain/money.ts'
import type { Column } from '../../../output/columns.ts'
import type { Screen } from '../../../terminal/screen.ts'
import { showMoney, words } from '../../../output/display.ts'
import { safe } from '../../../terminal/safe.ts'
import { table } from '../../../output/table.ts'
import type { Answer } from './pricers.ts'
import { percentMore } from './views.ts'
import type { Gst } from './gst.ts'

/** A number of parcels and their prices, paise. */
interface Sum {
  parcels: number
  paid: number
}

interface Failure {
  count: number
  readonly line: number
  readonly reason: string
}

/** Totals so far, on one card or on two. */
export interface Tally {
  lines: number
  /** Lines without a price on at least one card. */
  failed: number
  readonly failures: Map<Code, Failure>
  /** By the courier's name, on each card. */
  readonly couriers: Map<string, readonly Sum[]>
  /** By the zone, on each card: with two cards only parcels that have a price on both. */
  readonly zones: Map<string, readonly Sum[]>
  readonly all: readonly Sum[]
  /** With two cards: parcels that have a price on this one only. */
  readonly alone: number[]
  readonly gst: Gst
}

const sums = (cards: number): readonly Sum[] => Array.from({ length: cards }, () => ({ parcels: 0, paid: 0 }))

/** An empty tally for one card or two. */
export const tallyOf = (cards: 1 | 2, gst: Gst): Tally => ({
  lines: 0,
  failed: 0,
  failures: new Map(),
  couriers: new Map(),
  zones: new Map(),
  all: sums(cards),
  alone: [0, 0],
  gst,
})

function sumsIn(map: Map<string, readonly Sum[]>, key: string, cards: number): readonly Sum[] {
  let found = map.get(key)
  if (found === undefined) {
    found = sums(cards)
    map.set(key, found)
  }
  return found
}

/** Adds the answers of a line, one for each card. */
export function countLine(tally: Tally, line: number, answers: readonly Answer[]): void {
  const cards = tally.all.length
  tally.lines++
  const both = answers.every(({ offer }) => offer !== undefined)
  for (const [i, answer] of answers.entries()) {
    const { offer, zone, code, reason } = answer
    if (offer === undefined) {
      const known = tally.failures.get(code!)
      if (known === undefined) tally.failures.set(code!, { count: 1, line, reason: reason! })
      else if (i === 0 || answers[0]!.offer !== undefined) known.count++
      continue
    }
    const cost = tally.gst.paid(offer, answer)
    const add = (sum: Sum): void => {
      sum.parcels++
      sum.paid += cost
    }
    add(sumsIn(tally.couriers, offer.service.carrier_name, cards)[i]!)
    if (both) {
      add(sumsIn(tally.zones, zone ?? '-', cards)[i]!)
      add(tally.all[i]!)
    } else tally.alone[i]!++
  }
  if (!both) tally.failed++
}

/** Why lines have no price: each code with its number and its first line. */
export const failuresOf = ({ failures }: Tally): readonly Fault[] =>
  [...failures].map(([code, { count: many, line, reason }]) => ({
    field: code,
    message: many === 1 ? reason : `${count(many)} lines, the first: ${reason}`,
    row: line,
  }))

/** The summary for people; `cards` are the names of the two compared cards. */
export function summaryText(tally: Tally, screen: Screen, cards: readonly [string, string] | undefined): string {
  return cards === undefined ? oneSummary(tally, screen) : twoSummary(tally, screen, cards)
}

const money = (paise: number, screen: Screen): string => showMoney(rupeesOf(paise), screen)

function oneSummary(tally: Tally, screen: Screen): string {
  const { parcels, paid: cost } = tally.all[0]!
  const priced = `${count(parcels)} of ${count(tally.lines)} parcels ${parcels === 1 ? 'has' : 'have'} a price`
  const all = `${priced}: ${money(cost, screen)} ${tally.gst.words()}`
  if (parcels === 0) return `${all}\n`
  const head = `${all}, ${money(cost / parcels, screen)} each`
  const rows = (map: Map<string, readonly Sum[]>) => [...map].map(([name, [sum]]) => ({ name, sum: sum! }))
  const drawn = (what: string, list: readonly { readonly name: string; readonly sum: Sum }[]): string =>
    table(oneColumns(what), list, screen).text
  const couriers = rows(tally.couriers).toSorted((a, b) => b.sum.parcels - a.sum.parcels || compare(a.name, b.name))
  const zones = rows(tally.zones).toSorted((a, b) => compare(a.name, b.name))
  return `${head}\n\n${drawn('courier', couriers)}\n${drawn('zone', zones)}`
}

/** The name of a zone or courier for people. */
const shownName = (what: string, name: string): string => (what === 'zone' ? words(name) : name)

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const oneColumns = (what: string): readonly Column<{ readonly name: string; readonly sum: Sum }>[] => [
  { key: what, header: what, rank: 1, raw: ({ name }) => name, show: ({ name }) => shownName(what, name) },
  numbers('parcels', 2, ({ sum }) => count(sum.parcels)),
  numbers('you pay', 3, ({ sum }, screen) => money(sum.paid, screen)),
  numbers('each', 4, ({ sum }, screen) => money(sum.paid / sum.parcels, screen)),
]

const numbers = <R>(header: string, rank: number, show: (row: R, screen: Screen) => string): Column<R> => ({
  key: header,
  header,
  rank,
  right: true,
  whole: true,
  raw: () => undefined,
  show,
})

interface TwoRow {
  readonly name: string
  readonly one: Sum
  readonly two: Sum
}

function twoSummary(tally: Tally, screen: Screen, [first, second]: readonly [string, string]): string {
  const [one, two] = tally.all as readonly [Sum, Sum]
  const more = two.paid - one.paid
  const percent = percentMore(one.paid, two.paid)
  const [a, b] = [safe(first), safe(second)]
  const share = percent === null ? '' : ` (${percent} %)`
  const difference =
    more === 0
      ? 'both cost the same'
      : `${b} costs ${money(Math.abs(more), screen)} ${more > 0 ? 'more' : 'less'}${share}`
  const priced = `${count(one.parcels)} of ${count(tally.lines)} parcels ${one.parcels === 1 ? 'has' : 'have'} a price`
  const costs = `${a} ${money(one.paid, screen)}, ${b} ${money(two.paid, screen)} ${tally.gst.words()}`
  const head = `${priced} on both cards: ${costs}; ${difference}`
  const [only = 0, other = 0] = tally.alone
  const alone =
    only + other === 0 ? '' : `Not counted: ${count(only)} with a price on ${a} alone, ${count(other)} on ${b} alone\n`
  const rows = (map: Map<string, readonly Sum[]>): readonly TwoRow[] =>
    [...map].map(([name, [x, y]]) => ({ name, one: x!, two: y! })).toSorted((x, y) => compare(x.name, y.name))
  const zones = table<TwoRow>(
    [
      { key: 'zone', header: 'zone', rank: 1, raw: ({ name }) => name, show: ({ name }) => shownName('zone', name) },
      numbers('parcels', 6, (row) => count(row.one.parcels)),
      numbers(a, 2, (row, at) => money(row.one.paid, at)),
      numbers(b, 3, (row, at) => money(row.two.paid, at)),
      numbers('difference', 4, (row, at) => money(row.two.paid - row.one.paid, at)),
      numbers('%', 5, (row) => String(percentMore(row.one.paid, row.two.paid) ?? '')),
    ],
    rows(tally.zones),
    screen,
  ).text
  const couriers = table<TwoRow>(
    [
      { key: 'courier', header: 'courier', rank: 1, raw: ({ name }) => name },
      numbers(`parcels, ${a}`, 2, (row) => count(row.one.parcels)),
      numbers('you pay', 3, (row, at) => money(row.one.paid, at)),
      numbers(`parcels, ${b}`, 4, (row) => count(row.two.parcels)),
      numbers('you pay', 5, (row, at) => money(row.two.paid, at)),
    ],
    rows(tally.couriers),
    screen,
  ).text
  return `${head}\n${alone}${zones === '' ? '' : `\n${zones}`}${couriers === '' ? '' : `\n${couriers}`}`
}
