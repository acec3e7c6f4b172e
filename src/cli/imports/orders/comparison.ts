// Compares an order at the target with the one in the file (docs/guides/sheets.md, Orders).
import { differences } from '../../../domain/orderdiff.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import type { Failure, Label } from '../importer.ts'

/** An order at the target: its shipment, and the order that it was made from, where the target shows it. */
export interface Found {
  readonly shipment: Shipment
  readonly made?: OrderCreate | undefined
}

/** 'unchanged' when the target's order has the same facts; otherwise the failure that names the differences. */
export function compareOrder(input: OrderCreate, { shipment: there, made }: Found): 'unchanged' | Failure {
  const fields = differences(input, there, made)
  if (fields.length === 0) return 'unchanged'
  const tracking = there.attributes.tracking_number
  const number = tracking == null ? 'without a tracking number yet' : `tracking number ${tracking}`
  return {
    code: 'duplicate_order',
    message: `this order is there already (${number}), with another ${fields.join(', ')}`,
  }
}

/** What shipx would do with an order, given the target's record of its id. */
export const labelOf = (input: OrderCreate, there: Found | undefined): Label => {
  if (there === undefined) return 'create'
  return compareOrder(input, there) === 'unchanged' ? 'unchanged' : 'conflict'
}
