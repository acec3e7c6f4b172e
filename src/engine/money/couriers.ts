// The couriers that an account knows, as they are spelt: those of kept documents, and those of its parcels.
import sql from 'sql-template-tag'
import { rows, type Dialect, type Work } from '../database/port.ts'

/** The couriers of the documents that count, in the order in which they were kept first. */
export function* documentCouriers(account: number): Work<readonly string[]> {
  const found = yield* rows<{ courier: string }>(
    sql`select courier from documents where account_id = ${account} and complete = 1 and courier <> ''
      group by courier order by min(created_at), courier`,
  )
  return found.map(({ courier }) => courier)
}

/** The couriers of an account's disputes, as the invoices spelt them. */
export function* disputeCouriers(account: number): Work<readonly string[]> {
  const found = yield* rows<{ courier: string }>(
    sql`select distinct courier from disputes where account_id = ${account} order by courier`,
  )
  return found.map(({ courier }) => courier)
}

/** A courier of parcels. */
export interface ParcelCourier extends Record<string, unknown> {
  readonly id: string | null
  readonly name: string
}

/** The couriers of all shipments of an account, read in the order of the shipments: no index has the names. */
export function* parcelCouriers({ planning }: Dialect, account: number): Work<readonly ParcelCourier[]> {
  const own = planning?.inAccount(account) ?? sql`r.account_id = ${account}`
  return yield* rows<ParcelCourier>(
    sql`select distinct r.carrier_id as id, r.carrier_name as name from shipments r
      where ${own} and r.carrier_name is not null order by name, id`,
  )
}
