// The customer's address in a record of any shape.
import type { Shipment } from '../parcels/shipments.ts'
import { part, text } from './values.ts'

type Address = NonNullable<Shipment['attributes']['shipping_address']>

/** Reads an address as another deployment sends it. */
export const address = part<Address>({ name: text, phone: text, city: text, state: text, zip: text })
