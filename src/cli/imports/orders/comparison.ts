// How an order at the target compares with the one of the file (docs/bulk.md, Orders).
import { differences } from '../../../domain/orderdiff.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import type { Failure, Label } from '../importer.ts'

/** 'unchanged' for an order that the target has, with the same facts; or the failure that names what differs. */
export function compareOrder(input: OrderCreate, there: Shipment): 'unchanged' | Failure {
  const fields = differences(input, there)
  if (fields.length === 0) return 'unchanged'
  const tracking = there.attributes.tracking_number
  const number = tracking == null ? 'without a tracking number yet' : `tracking number ${tracking}`
  return {
    code: 'duplicate_order',
    message: `this order is there already (${number}), with another ${fields.join(', ')}`,
  }
}

/** What would be done with an order, by what the target has under its id. */
export const labelOf = (input: OrderCreate, there: Shipment | undefined): Label => {
  if (there === undefined) return 'create'
  return compareOrder(input, there) === 'unchanged' ? 'unchanged' : 'conflict'
}
