// Compares an order at the target with the one in the file (docs/guides/sheets.md, Orders).
import { differences } from '../../../domain/orderdiff.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import type { Failure, Label } from '../importer.ts'

/** 'unchanged' when the target's order has the same facts; otherwise the failure that names the differences. */
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

/** What shipx would do with an order, given the target's record of its id. */
export const labelOf = (input: OrderCreate, there: Shipment | undefined): Label => {
  if (there === undefined) return 'create'
  return compareOrder(input, there) === 'unchanged' ? 'unchanged' : 'conflict'
}
