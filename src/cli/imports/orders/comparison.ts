// Compares an order at the target with the one in the file (docs/guides/sheets.md, Orders).
import { differences } from '../../../domain/orderdiff.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import type { Failure } from '../importer.ts'

/** An order at the target: its shipment, and the order that it was made from, where the target shows it. */
export interface Found {
  readonly shipment: Shipment
  readonly made?: OrderCreate | undefined
}

/** A field of an order as the file names it: its header. */
export type Shown = (field: string) => string

/** What differs between the order of the file and the target's, as the file names it; none when they are the same. */
export const differing = (input: OrderCreate, { shipment, made }: Found, shown: Shown): readonly string[] => [
  ...new Set(differences(input, shipment, made).map(shown)),
]

/** 'unchanged' when the target's order has the same facts; otherwise the failure that names the differences. */
export function compareOrder(input: OrderCreate, found: Found, shown: Shown): 'unchanged' | Failure {
  const fields = differing(input, found, shown)
  if (fields.length === 0) return 'unchanged'
  const tracking = found.shipment.attributes.tracking_number
  const number = tracking == null ? 'without a tracking number yet' : `tracking number ${tracking}`
  const [there, differs] = ['this order is there already', `with another ${fields.join(', ')}`]
  return { code: 'duplicate_order', message: `${there} (${number}), ${differs}`, reason: `${there}, ${differs}` }
}
