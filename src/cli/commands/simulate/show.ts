// A simulation as people read it: a table of the cards, then what differs, where, and what nobody can know.
import { count, counted } from '../../../domain/count.ts'
import { unpricedReasons } from '../../../engine/orders/recordprice.ts'
import type { ColumnType } from '../../command/tablefile.ts'
import type { Column, View } from '../../output/columns.ts'
import { showMoney, words } from '../../output/display.ts'
import { safe } from '../../terminal/safe.ts'
import type { Screen } from '../../terminal/screen.ts'
import { padEnd, padStart, widthOf } from '../../terminal/width.ts'
import type { Refused } from './pass.ts'
import type { SimulatedRecord } from './records.ts'

type Shape = readonly [
  key: string,
  header: string,
  rank: number,
  type: ColumnType,
  at: (record: SimulatedRecord) => number | null,
]

const shapes: readonly Shape[] = [
  ['priced', 'parcels', 5, 'count', (record) => record.priced],
  ['as_shipped', 'as shipped', 2, 'money', (record) => record.as_shipped],
  ['cheapest', 'cheapest', 3, 'money', (record) => record.cheapest],
  ['total', 'as chosen', 4, 'money', (record) => record.total],
  ['freight', 'freight', 7, 'money', (record) => record.parts.freight],
  ['rto', 'rto', 8, 'money', (record) => record.parts.rto],
  ['cod', 'cod', 9, 'money', (record) => record.parts.cod],
  ['gst', 'gst', 10, 'money', (record) => record.parts.gst],
  ['difference', 'difference', 3.5, 'money', (record) => record.compared?.difference ?? null],
]

/** The names of a record in CSV: its plain fields first. */
const names = (
  'card parcels returned priced as_shipped as_shipped_parcels cheapest cheapest_parcels pick total parts.freight ' +
  'parts.rto parts.cod parts.gst compared.difference'
).split(' ')

/** The cards of a simulation, with GST in a column or without. */
export function simulatedView(gst: boolean, chosen: boolean): View<SimulatedRecord> {
  const left = new Set([...(gst ? [] : ['gst']), ...(chosen ? [] : ['total'])])
  const money = (value: number | null, screen: Screen): string => (value === null ? '-' : showMoney(value, screen))
  return {
    columns: [
      { key: 'card', header: 'card', rank: 1, main: true, raw: ({ card }) => card },
      ...shapes
        .filter(([key]) => !left.has(key))
        .map(([key, header, rank, type, at]): Column<SimulatedRecord> => ({
          key,
          header,
          rank,
          right: true,
          whole: true,
          ...(type === 'money' ? { kind: 'money' as const } : {}),
          raw: at,
          show: (record, screen) => (type === 'money' ? money(at(record), screen) : count(at(record) ?? 0)),
        })),
    ],
    id: ({ card }) => card,
    names,
    types: {
      parcels: 'count',
      returned: 'count',
      priced: 'count',
      as_shipped: 'money',
      cheapest: 'money',
      total: 'money',
    },
    noun: ['card', 'cards'],
  }
}

const parcels = (n: number): string => counted(n, ['parcel', 'parcels'])

/** An amount with its sign. */
const signed = (rupees: number, screen: Screen): string => `${rupees > 0 ? '+' : ''}${showMoney(rupees, screen)}`

/** The text below the table. */
export function simulatedText(records: readonly SimulatedRecord[], gst: boolean, screen: Screen): string {
  const [first] = records
  if (first === undefined) return ''
  const lines = [
    `${parcels(first.parcels)} that ended, ${count(first.returned)} of them came back; ${gst ? 'with' : 'before'} GST.`,
    ...records.flatMap((record) => comparedLines(record, screen)),
    ...breakdown('ZONE', records, ({ by_zone: by }) => by.map(({ zone, total }) => [zone, total]), screen),
    ...breakdown('COURIER', records, ({ by_courier: by }) => by.map(({ courier, total }) => [courier, total]), screen),
    ...breakdown('PAYMENT', records, ({ by_payment: by }) => by.map(({ payment, total }) => [payment, total]), screen),
    ...records.flatMap((record) => questionLines(record, screen)),
    ...records.flatMap(unpricedLines),
    '',
    'Not known: whether another courier would have taken each parcel that day, and how many it would have returned' +
      `${first.rto_by === undefined ? ' (--rto-by courier)' : ''}.`,
  ]
  return `${lines.join('\n')}\n`
}

/** What a card costs more or less than the first one, and on which lanes. */
function comparedLines({ card, compared }: SimulatedRecord, screen: Screen): readonly string[] {
  if (compared === null) return []
  const { difference, before, parcels: n, lanes_gain: gain, lanes_lose: lose } = compared
  if (n === 0) return [`${safe(card)} and ${safe(compared.with)} price no parcel both.`]
  const percent = before === 0 ? '' : ` (${((difference / before) * 100).toFixed(1)}%)`
  const verb = difference < 0 ? 'less' : 'more'
  const how =
    difference === 0 ? 'costs the same as' : `costs ${showMoney(Math.abs(difference), screen)} ${verb}${percent} than`
  const lanes = (title: string, list: typeof gain): readonly string[] =>
    list.length === 0
      ? []
      : [
          `  ${title}`,
          ...list.map(
            ({ from, to, city, parcels: some, difference: own }) =>
              `    ${from ?? '-'} to ${to ?? '-'}${city === null ? '' : ` ${safe(city)}`}: ` +
              `${parcels(some)}, ${signed(own, screen)}`,
          ),
        ]
  return [
    `${safe(card)} ${how} ${safe(compared.with)} on the ${parcels(n)} that both price.`,
    ...lanes('Lanes that cost the most more', lose),
    ...lanes('Lanes that cost the most less', gain),
  ]
}

/** Amounts by a key, the cards next to each other. */
function breakdown(
  title: string,
  records: readonly SimulatedRecord[],
  of: (record: SimulatedRecord) => readonly (readonly [key: string, total: number])[],
  screen: Screen,
): readonly string[] {
  const tables = records.map((record) => new Map(of(record)))
  const keys = [...new Set(tables.flatMap((table) => [...table.keys()]))]
  if (keys.length === 0) return []
  const shown = (key: string): string => (title === 'COURIER' ? safe(key) : words(safe(key)))
  const rows = [
    [title, ...records.map(({ card }) => safe(card))],
    ...keys.map((key) => [
      shown(key),
      ...tables.map((table) => (table.has(key) ? showMoney(table.get(key)!, screen) : '-')),
    ]),
  ]
  const widths = rows[0]!.map((_, i) => Math.max(...rows.map((row) => widthOf(row[i]!))))
  return ['', ...rows.map((row) => row.map((cell, i) => (i === 0 ? padEnd : padStart)(cell, widths[i]!)).join('  '))]
}

/** The answers to the questions beside the prices. */
function questionLines(record: SimulatedRecord, screen: Screen): readonly string[] {
  const { card, at_rto: at, rto_by: by, commit = [], break_even: even } = record
  const money = (value: number | null): string => (value === null ? 'no price' : showMoney(value, screen))
  const name = safe(card)
  return [
    ...(at === undefined
      ? []
      : [
          `${name} at ${at.rto_percent}% RTO: ${money(at.as_shipped)} as shipped, ${money(at.cheapest)} cheapest. ` +
            `Each returned parcel counts ${at.weight_returned ?? '-'} times, ` +
            `each delivered one ${at.weight_delivered ?? '-'}.`,
        ]),
    ...(by === undefined
      ? []
      : [
          `${name} with each courier's own RTO, like for like: ${money(by.as_shipped)} as shipped, ` +
            `${money(by.cheapest)} cheapest.${
              by.unknown.length === 0
                ? ''
                : ` Average for ${by.unknown.map((one) => safe(one)).join(', ')}: none of its parcels ended.`
            }`,
        ]),
    ...commit.flatMap(({ courier, parcels: wanted, months }) =>
      months.map(
        ({ month, parcels: has, lacks, costs, left }) =>
          `${name}, ${safe(courier)} ${month}: ${count(has)} of ${count(wanted)} parcels${
            lacks === 0
              ? ', kept'
              : `, lacks ${count(lacks)}; to fill it costs ${showMoney(costs, screen)}${
                  left === 0 ? '' : ` and still lacks ${count(left)}`
                }`
          }.`,
      ),
    ),
    ...(even === undefined ? [] : [evenLine(name, even, screen)]),
  ]
}

function evenLine(card: string, even: NonNullable<SimulatedRecord['break_even']>, screen: Screen): string {
  const { number, unit, now, value, left, why } = even
  const shown = (amount: number): string => (unit === 'rupees' ? showMoney(amount, screen) : `${amount}%`)
  const is = now === null ? '' : ` (now ${shown(now)})`
  if (value === null) return `${card} has no break-even for ${safe(number)}${is}: ${why!}.`
  const rest = left === 0 ? 'both cost the same' : `it costs ${showMoney(left!, screen)} less, and more beyond it`
  return `${card} breaks even at ${safe(number)} ${shown(value)}${is}: there ${rest}.`
}

const reasons: Readonly<Record<Refused['reason'], string>> = {
  ...unpricedReasons,
  no_courier: 'no courier of the card takes it',
}

function unpricedLines({ card, unpriced }: SimulatedRecord): readonly string[] {
  return unpriced.map(({ reason, parcels: n, example, why }) => {
    const first = why === null ? safe(example) : `${safe(example)}, ${safe(why)}`
    return `${safe(card)} has no price for ${parcels(n)}: ${reasons[reason]} (${first})`
  })
}
