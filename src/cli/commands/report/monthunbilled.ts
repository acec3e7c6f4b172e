// The parcels of a month that no kept invoice bills, with what the card says: the figures of `invoices unbilled`.
import { rupeesOf } from '../../../domain/money.ts'
import type { Bench } from '../../../domain/money/judge.ts'
import { istDate } from '../../../domain/time.ts'
import type { Database, Work } from '../../../engine/database/port.ts'
import { parcelsOf } from '../../../engine/money/parcels.ts'
import { parcelPlace } from '../../../engine/money/parcelplace.ts'
import { unbilledBetween } from '../../../engine/money/unbilled.ts'
import { judgeUnbilled, unbilledBench } from '../reconcile/unbilled.ts'

/** The parcels of a month that no invoice bills. */
export interface MonthUnbilled {
  /** IST days of pickup. */
  readonly since: string
  readonly until: string
  /** Null where they are too many to count here. */
  readonly parcels: number | null
  /** What the card says, rupees before GST; null where it has no price for any of them. */
  readonly expected: number | null
  /** Those that the card has no price for. */
  readonly unpriced: number
}

/** What prices unbilled parcels. */
export interface UnbilledPlace {
  readonly database: Database
  readonly account: number
  readonly tariff: Bench['tariff']
  readonly warehouses: ReadonlyMap<string, string>
}

/** Parcels that a report looks at, and that it prices at once. */
export const mostUnbilled = 100_000
const piece = 512

/** The parcels picked up between two instants (ms UTC) that no invoice bills. */
export function* unbilledIn(
  { database, account, tariff, warehouses }: UnbilledPlace,
  since: number,
  until: number,
): Work<MonthUnbilled> {
  const days = { since: istDate(since), until: istDate(until) }
  const awbs = yield* unbilledBetween(database.dialect, account, since, until, [], mostUnbilled + 1)
  if (awbs.length > mostUnbilled) return { ...days, parcels: null, expected: null, unpriced: 0 }
  const place = yield* parcelPlace(database.dialect, account, warehouses)
  const bench = unbilledBench(tariff)
  let [paise, unpriced] = [0, 0]
  for (let at = 0; at < awbs.length; at += piece) {
    const some = awbs.slice(at, at + piece)
    const found = yield* parcelsOf(place, some)
    for (const awb of some) {
      const { expected } = judgeUnbilled(awb, found, bench).judged
      if (expected === null) unpriced++
      else paise += expected
    }
  }
  const priced = awbs.length > unpriced
  return { ...days, parcels: awbs.length, expected: priced ? rupeesOf(paise) : null, unpriced }
}
