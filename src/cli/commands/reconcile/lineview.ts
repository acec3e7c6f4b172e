// Judged lines as people read them, in a table and in a sheet for the courier's desk. Records for programs have the
// names of records.ts.
import type { Reason } from '../../../domain/money/billed.ts'
import { reasonName } from '../../../domain/money/reasonnames.ts'
import type { Column, View } from '../../output/columns.ts'
import { showDay, showMoney, withZones } from '../../output/display.ts'
import { recordNames } from './records.ts'

type JudgedRecord = Readonly<Record<string, unknown>>
type Cell = string | number | null

const cell = (record: JudgedRecord, name: string): Cell => (record[name] ?? null) as Cell

function reasonsIn(record: JudgedRecord): readonly Reason[] {
  const reasons = record['reasons']
  return ((typeof reasons === 'string' ? JSON.parse(reasons) : reasons) as readonly Reason[] | undefined) ?? []
}

/** A screen of this width has room for reasons in sentences. */
const wideScreen = 160

/** The reasons of a line in short, GST aside, figures first, so that a cut leaves them: `+10.00 zone, +20.00 wei…`. */
const shortWhy = (record: JudgedRecord): string =>
  reasonsIn(record)
    .filter(({ code }) => code !== 'gst_on_difference')
    .map(({ code, amount }) =>
      amount === null ? reasonName(code) : `${amount < 0 ? '' : '+'}${amount.toFixed(2)} ${reasonName(code)}`,
    )
    .join(', ')

/** The reasons of a line as one sentence: `zone d in place of c +10.00`. */
function whyOf(record: JudgedRecord): string {
  return reasonsIn(record)
    .map(({ text, amount }) => (amount === null ? text : `${text} ${amount < 0 ? '' : '+'}${amount.toFixed(2)}`))
    .join('; ')
}

type Over = Partial<Column<JudgedRecord>>

const plain = (key: string, header: string, rank: number, over: Over = {}): Column<JudgedRecord> => ({
  key,
  field: key,
  header,
  rank,
  raw: (record) => cell(record, key),
  ...over,
})

const money = (key: string, header: string, rank: number): Column<JudgedRecord> =>
  plain(key, header, rank, {
    right: true,
    whole: true,
    kind: 'money',
    show: (record, screen) => {
      const amount = cell(record, key)
      return typeof amount === 'number' ? showMoney(amount, screen) : '-'
    },
  })

const zone = (key: string, header: string, rank: number): Column<JudgedRecord> =>
  plain(key, header, rank, { raw: (record) => withZones(String(cell(record, key) ?? '')) })

const kilograms = (key: string, header: string, rank: number): Column<JudgedRecord> =>
  plain(key, header, rank, {
    right: true,
    raw: (record) => {
      const grams = cell(record, key)
      return typeof grams === 'number' ? Math.round(grams * 100) / 100_000 : null
    },
  })

/** The view of judged lines. */
export const lineView: View<JudgedRecord> = {
  noun: ['line', 'lines'],
  names: recordNames,
  id: (record) => String(record['awb']),
  columns: [
    plain('line', 'line', 6, { right: true }),
    plain('awb', 'AWB', 1, { whole: true }),
    plain('order', 'order', 10),
    plain('courier', 'courier', 14, { wide: true }),
    plain('picked_up', 'picked up', 11, {
      kind: 'day',
      show: (record) => {
        const day = cell(record, 'picked_up')
        return typeof day === 'string' ? showDay(day) : '-'
      },
    }),
    zone('zone_billed', 'zone billed', 8),
    zone('zone', 'zone', 9),
    kilograms('weight_billed', 'kg billed', 12),
    kilograms('weight', 'kg', 13),
    money('billed', 'billed', 4),
    money('expected', 'due', 5),
    money('difference', 'difference', 2),
    plain('category', 'reason', 3, {
      raw: (record) => reasonName(String(cell(record, 'category') ?? '')),
    }),
    plain('reasons', 'why', 7, {
      raw: whyOf,
      show: (record, { tty, width }) => (tty && width < wideScreen ? shortWhy(record) : whyOf(record)),
    }),
    plain('evidence', 'proof', 15, { wide: true }),
    plain('verdict', 'verdict', 16, { wide: true }),
  ],
}
