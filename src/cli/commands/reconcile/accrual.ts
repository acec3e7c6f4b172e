// What is still to come: parcels of the months and couriers of an invoice that no invoice bills yet, with what the card
// says (docs/guides/money.md, What is still to come). Amounts are integer paise before GST.
import type { Bench } from '../../../domain/money/judge.ts'
import { addDays, istDate, readDay } from '../../../domain/time.ts'
import type { Database } from '../../../engine/database/port.ts'
import type { KeptLine } from '../../../engine/money/lines.ts'
import { parcelsOf } from '../../../engine/money/parcels.ts'
import { type ParcelPlace } from '../../../engine/money/parcelplace.ts'
import { pickedUpBetween, unbilledBetween } from '../../../engine/money/unbilled.ts'
import { quoted } from '../../terminal/safe.ts'
import { judgeUnbilled, unbilledBench } from './unbilled.ts'

/** Lines of a document, and parcels of its months, up to which a page looks for the parcels without a line. */
const [mostLines, mostParcels] = [50_000, 100_000]

/** Parcels that are read and priced at once. */
const piece = 512

/** The parcels that a document bills. */
export interface BilledParcels {
  readonly add: (line: KeptLine) => void
  /** The AWBs of its lines; undefined where there are too many. */
  readonly awbs: () => ReadonlySet<string> | undefined
  /** The order numbers that found a parcel without its AWB. */
  readonly orders: ReadonlySet<string>
  readonly couriers: ReadonlySet<string>
  /** The first and the last month with a tenth of its parcels, `2026-09`; undefined where no parcel has a day. */
  readonly months: () => readonly [first: string, last: string] | undefined
}

/** What no invoice bills of the months of a document. */
export interface Accrual {
  readonly months: readonly [first: string, last: string]
  /** Undefined where they are too many to count for a page. */
  readonly parcels: number | undefined
  /** What they will cost; undefined without a card for them. */
  readonly amount: number | undefined
  /** How many of them the card has a price for. */
  readonly priced: number
  /** What lists them. */
  readonly command: string
}

/** Parcels of no line yet. */
export function billedParcels(): BilledParcels {
  const awbs = new Set<string>()
  const orders = new Set<string>()
  const couriers = new Set<string>()
  const months = new Map<string, number>()
  let lines = 0
  return {
    orders,
    couriers,
    add: ({ awb, picked_up: picked, courier, matched_by: matchedBy, order_name: order, category, billed }) => {
      if (lines++ >= mostLines || category === 'other_courier' || billed < 0) return
      awbs.add(awb)
      if (matchedBy === 'suffix') awbs.add(awb.slice(0, awb.lastIndexOf('-')))
      if (matchedBy === 'order' && order !== null) orders.add(order)
      if (matchedBy === null || picked === null) return
      if (courier !== null) couriers.add(courier)
      const month = istDate(picked).slice(0, 7)
      months.set(month, (months.get(month) ?? 0) + 1)
    },
    awbs: () => (lines > mostLines ? undefined : awbs),
    months: () => {
      const all = [...months.values()].reduce((sum, n) => sum + n, 0)
      const most = [...months].flatMap(([month, n]) => (n * 10 >= all ? [month] : [])).toSorted()
      return most.length === 0 ? undefined : [most[0]!, most.at(-1)!]
    },
  }
}

/** Where parcels without a line are looked for. */
export interface AccrualPlace {
  readonly database: Database
  readonly place: ParcelPlace
  /** The card; undefined where it is not there. */
  readonly tariff: Bench['tariff'] | undefined
}

/** What is still to come of the months of a document; undefined where none of its parcels has a day. */
export async function accrualOf(
  { database, place, tariff }: AccrualPlace,
  billed: BilledParcels,
): Promise<Accrual | undefined> {
  const months = billed.months()
  if (months === undefined) return undefined
  const [first, last] = [`${months[0]}-01`, addDays(`${addDays(`${months[1]}-01`, 31).slice(0, 7)}-01`, -1)]
  const whose = [...billed.couriers].toSorted().join(',')
  const courier = whose === '' ? '' : ` --courier ${quoted(whose)}`
  const found = { months, command: `shipx invoices unbilled${courier} --since ${first} --until ${last}` }
  const awbs = billed.awbs()
  if (awbs === undefined) return { ...found, parcels: undefined, amount: undefined, priced: 0 }
  const { account } = place
  const range = [account, readDay(first)![0], readDay(last)![1], [...billed.couriers]] as const
  const open = await database.read(function* () {
    if ((yield* pickedUpBetween(...range, mostParcels + 1)) > mostParcels) return undefined
    return yield* unbilledBetween(database.dialect, ...range, mostParcels)
  })
  if (open === undefined) return { ...found, parcels: undefined, amount: undefined, priced: 0 }
  const left = open.filter((awb) => !awbs.has(awb))
  const bench = tariff === undefined ? undefined : unbilledBench(tariff)
  let [parcels, amount, priced] = [0, 0, 0]
  for (let at = 0; at < left.length; at += piece) {
    const some = left.slice(at, at + piece)
    const known = await database.read(() => parcelsOf(place, some))
    for (const awb of some) {
      const one = known.get(awb)
      if (billed.orders.size > 0 && one !== undefined && 'order' in one && billed.orders.has(one.order ?? '')) continue
      parcels++
      const expected = bench === undefined ? null : judgeUnbilled(awb, known, bench).judged.expected
      if (expected === null) continue
      amount += expected
      priced++
    }
  }
  return { ...found, parcels, amount: priced === 0 ? undefined : amount, priced }
}
