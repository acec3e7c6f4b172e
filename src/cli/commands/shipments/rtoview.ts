// The tables of `shipx shipments rto`: outcomes by key, couriers like for like, pincodes where COD loses money.
import { count } from '../../../domain/count.ts'
import type { CodOff } from '../../../domain/parcels/codoff.ts'
import type { LikeForLike } from '../../../domain/parcels/likeforlike.ts'
import { shortPercentIn, type RtoFigures } from '../../../domain/parcels/rto.ts'
import type { ColumnType } from '../../command/tablefile.ts'
import type { Column, View } from '../../output/columns.ts'
import { showMoney, words } from '../../output/display.ts'
import type { Screen } from '../../terminal/screen.ts'

/** The figures of a group under its key; with `--cross`, each key also has a field of its own. */
export interface RtoRow extends RtoFigures {
  readonly by: string
  readonly key: string | null
}

/** Keys whose values are words of the API. */
const worded: ReadonlySet<string> = new Set(['all', 'zone', 'payment', 'channel'])

/** The value of a key as people read it. */
const keyText = (by: string, key: string | null): string => (key === null ? '-' : worded.has(by) ? words(key) : key)

/** A percentage with one decimal. */
const percentText = (percent: number | null): string => (percent === null ? '-' : `${percent.toFixed(1)}%`)

/** A part of a whole with one decimal, rounded once: 3.846 is 3.8, although its two decimals are 3.85. */
export const shareText = (part: number, whole: number): string => percentText(shortPercentIn(part, whole))

const money = (rupees: number | null, screen: Screen): string => (rupees === null ? '-' : showMoney(rupees, screen))

interface Shape<R> {
  readonly key: keyof R & string
  readonly header?: string
  readonly rank: number
  readonly type: ColumnType
  readonly wide?: true
  readonly show: (row: R, screen: Screen) => string
}

const columnsOf = <R>(shapes: readonly Shape<R>[]): readonly Column<R>[] =>
  shapes.map(({ key, header = key.replaceAll('_', ' '), rank, type, wide, show }) => ({
    key,
    header,
    rank,
    ...(type === 'text' || type === 'truth' ? {} : { right: true as const }),
    whole: true,
    ...(wide === undefined ? {} : { wide }),
    ...(type === 'money' ? { kind: 'money' as const } : {}),
    raw: (row) => {
      const value = row[key]
      return Array.isArray(value) ? value.join(', ') : (value as string | number | boolean | null)
    },
    show,
  }))

const typesOf = <R>(shapes: readonly Shape<R>[]): Readonly<Record<string, ColumnType>> =>
  Object.fromEntries(shapes.flatMap(({ key, type }) => (type === 'text' ? [] : [[key, type]])))

const counts = <R>(key: keyof R & string, rank: number, header?: string, wide?: true): Shape<R> => ({
  key,
  rank,
  type: 'count',
  ...(header === undefined ? {} : { header }),
  ...(wide === undefined ? {} : { wide }),
  show: (row) => count(row[key] as number),
})
const percent = <R>(key: keyof R & string, rank: number, header: string, wide?: true): Shape<R> => ({
  key,
  rank,
  header,
  type: 'number',
  ...(wide === undefined ? {} : { wide }),
  show: (row) => percentText(row[key] as number | null),
})
/** A percentage whose parts the row has. */
const share = <R>(key: keyof R & string, rank: number, header: string, of: Parts<R>, wide?: true): Shape<R> => ({
  ...percent<R>(key, rank, header, wide),
  show: (row) => shareText(...of(row)),
})
type Parts<R> = (row: R) => readonly [part: number, whole: number]

const rupees = <R>(key: keyof R & string, rank: number, header: string): Shape<R> => ({
  key,
  rank,
  header,
  type: 'money',
  show: (row, screen) => money(row[key] as number | null, screen),
})
/** A mark for what is small; the column is there only where a row has it. */
const few = <R extends { readonly few: boolean }>(rank: number): Column<R> => ({
  key: 'few',
  header: '',
  rank,
  sparse: true,
  type: 'truth',
  raw: (row) => row.few,
  show: (row) => (row.few ? 'few' : ''),
})
const range = <R extends { readonly low: number | null; readonly high: number | null }>(rank: number): Column<R> => ({
  key: 'range',
  header: '95% range',
  rank,
  right: true,
  whole: true,
  drawn: true,
  raw: () => undefined,
  show: ({ low, high }) => (low === null || high === null ? '-' : `${low.toFixed(1)}-${high.toFixed(1)}`),
})

/** How the bars of percentages are drawn. */
export interface Bars {
  /** The percentage of the longest one. */
  readonly most: number
  /** Records are cards, where a bar has a name. */
  readonly named: boolean
}

const bar = <R>(at: (row: R) => number | null, { most, named }: Bars, rank: number): Column<R> => ({
  key: 'bar',
  header: named ? 'chart' : '',
  rank,
  whole: true,
  drawn: true,
  raw: () => undefined,
  show: (row, { ascii, width }) => {
    const longest = width < 60 ? 8 : width < 100 ? 16 : 24
    const length = most === 0 ? 0 : Math.round(((at(row) ?? 0) / most) * longest)
    return (ascii ? '#' : '█').repeat(length)
  },
})

const rtoShapes: readonly Shape<RtoRow>[] = [
  counts('orders', 7),
  counts('picked_up', 11, 'picked up', true),
  counts('delivered', 12, 'delivered', true),
  counts('rto', 6, 'rto'),
  counts('settled', 5, 'settled'),
  share('settled_percent', 10, 'settled %', (row) => [row.settled, row.picked_up], true),
  share('rto_percent', 2.5, 'rto %', (row) => [row.rto, row.settled]),
  share('rto_percent_of_picked_up', 13, 'rto % of picked up', (row) => [row.rto, row.picked_up], true),
  percent('first_attempt_percent', 8, '1st attempt %'),
  percent('ndr_percent', 9, 'ndr %'),
  percent('ndr_recovered_percent', 9.5, 'ndr recovered %'),
  rupees('rto_cost', 4.5, 'rto cost'),
  { key: 'cost_by', header: 'cost by', rank: 14, type: 'text', wide: true, show: ({ cost_by: by }) => by ?? '-' },
  counts('rto_unpriced', 15, 'without a cost', true),
]
/** The fields in the order of the documentation. */
const rtoNames = (
  'by key orders delivered rto settled rto_percent rto_percent_of_picked_up first_attempt_percent ndr_percent ' +
  'ndr_recovered_percent rto_cost low high few picked_up settled_percent cost_by rto_unpriced'
).split(' ')

/** Outcomes by key, with bars or without. */
export function rtoView(by: readonly string[], bars: Bars | undefined): View<RtoRow> {
  const [only, ...others] = by
  const place = rtoShapes.findIndex(({ key }) => key === 'rto_percent')
  const columns = columnsOf(rtoShapes)
  return {
    columns: [
      { key: 'by', header: 'by', rank: 3, ...(others.length === 0 ? { wide: true } : {}), raw: (row) => row.by },
      {
        key: 'key',
        header: others.length === 0 && only !== 'all' ? only!.replaceAll('_', ' ') : 'key',
        rank: 1,
        main: true,
        raw: (row) => row.key,
        show: (row) => keyText(row.by, row.key),
      },
      ...columns.slice(0, place + 1),
      range(4.7),
      few(6.5),
      ...(bars === undefined ? [] : [bar<RtoRow>((row) => row.rto_percent, bars, 6.2)]),
      ...columns.slice(place + 1),
    ],
    id: ({ key }) => key ?? '',
    names: rtoNames,
    types: { ...typesOf(rtoShapes), low: 'number', high: 'number', few: 'truth' },
    noun: ['group', 'groups'],
  }
}

const likeShapes: readonly Shape<LikeForLike>[] = [
  counts('settled', 5),
  counts('rto', 8),
  share('rto_percent', 4, 'rto %', (row) => [row.rto, row.settled]),
  percent('standardised_percent', 2, 'like for like %'),
  percent('account_percent', 3, 'account %'),
  {
    key: 'difference',
    rank: 3.5,
    type: 'number',
    show: ({ difference }) => `${difference >= 0.05 ? '+' : ''}${difference.toFixed(1).replace(/^-0\.0$/, '0.0')}`,
  },
  percent('covered_percent', 6, 'of the mix'),
]

/** Couriers in the account's own mix. */
export const likeView: View<LikeForLike> = {
  columns: [
    {
      key: 'courier',
      header: 'courier',
      rank: 1,
      main: true,
      raw: (row) => row.courier,
      show: (row) => row.courier ?? '-',
    },
    ...columnsOf(likeShapes),
    range(7),
    few(6.5),
    {
      key: 'missing',
      header: 'lacks',
      rank: 9,
      sparse: true,
      raw: ({ missing }) => missing.join(', '),
      show: ({ missing }) => missing.map((cell) => words(cell)).join(', '),
    },
  ],
  id: ({ courier }) => courier ?? '',
  names: ['courier', ...likeShapes.map(({ key }) => key), 'low', 'high', 'missing', 'few'],
  types: { ...typesOf(likeShapes), low: 'number', high: 'number', few: 'truth' },
  noun: ['courier', 'couriers'],
}

const offShapes: readonly Shape<CodOff>[] = [
  counts('settled', 5),
  counts('delivered', 9, 'delivered', true),
  counts('rto', 6),
  share('rto_percent', 3, 'rto %', (row) => [row.rto, row.settled]),
  percent('low', 7, 'at least'),
  percent('break_even_percent', 4, 'break even'),
  rupees('delivered_value', 10, 'delivered value'),
  rupees('margin', 4.5, 'margin'),
  rupees('rto_cost', 3.5, 'rto cost'),
  rupees('saves', 2, 'saves'),
  counts('rto_unpriced', 11, 'without a cost', true),
]

/** Pincodes where COD loses money. */
export const offView: View<CodOff> = {
  columns: [
    { key: 'pincode', header: 'pincode', rank: 1, whole: true, raw: (row) => row.pincode },
    ...columnsOf(offShapes),
  ],
  id: ({ pincode }) => pincode ?? '',
  names: ['pincode', ...offShapes.map(({ key }) => key)],
  types: typesOf(offShapes),
  noun: ['pincode', 'pincodes'],
}
