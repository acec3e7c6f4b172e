// The couriers that an account knows, as they are spelt: those of kept documents, and those of its parcels.
import sql from 'sql-template-tag'
import { rows, type Work } from '../database/port.ts'

/** The couriers of the documents that count, in the order in which they were kept first. */
export function* documentCouriers(account: number): Work<readonly string[]> {
  const found = yield* rows<{ courier: string }>(
    sql`select courier from documents where account_id = ${account} and complete = 1 and courier <> ''
      group by courier order by min(created_at), courier`,
  )
  return found.map(({ courier }) => courier)
}

/** A courier of parcels. */
export interface ParcelCourier extends Record<string, unknown> {
  readonly id: string | null
  readonly name: string
}

/** The couriers of all shipments of an account. */
export function* parcelCouriers(account: number): Work<readonly ParcelCourier[]> {
  return yield* rows<ParcelCourier>(
    sql`select distinct carrier_id as id, carrier_name as name from shipments
      where account_id = ${account} and carrier_name is not null order by name, id`,
  )
}
