// What labels are made of besides the records: orders as they were sent, and the brands of stores.
import sql from 'sql-template-tag'
import type { OrderCreate } from '../../domain/orders.ts'
import { listsOf } from '../database/inlist.ts'
import { rows, type Work } from '../database/port.ts'

/** The orders of shipments, by the shipment; those of other deployments have none. */
export function* ordersOf(account: number, shipments: readonly string[]): Work<ReadonlyMap<string, OrderCreate>> {
  const found = new Map<string, OrderCreate>()
  for (const list of listsOf(shipments)) {
    const orders = yield* rows<{ shipment_id: string; doc: string }>(
      sql`select shipment_id, doc from orders where account_id = ${account} and shipment_id in (${list})`,
    )
    for (const { shipment_id, doc } of orders) found.set(shipment_id, JSON.parse(doc) as OrderCreate)
  }
  return found
}

/** The brands of the stores that have one, by the store's name. */
export function* brandNames(account: number): Work<ReadonlyMap<string, string>> {
  const found = yield* rows<{ store_name: string; brand_name: string }>(
    sql`select store_name, brand_name from stores where account_id = ${account} and brand_name is not null`,
  )
  return new Map(found.map(({ store_name, brand_name }) => [store_name, brand_name]))
}
