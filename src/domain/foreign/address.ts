// The customer's address in a record of any shape.
import { parseExact } from '../exactjson.ts'
import type { Shipment } from '../parcels/shipments.ts'
import { isFields, part, text } from './values.ts'

type Address = NonNullable<Shipment['attributes']['shipping_address']>

/** Reads an address as another deployment sends it. */
export const address = part<Address>({ name: text, phone: text, city: text, state: text, zip: text })

const read = address('')

/** The address in a record's JSON text; null where it has none, and where the text is not JSON. */
export function addressIn(sent: string): Address | null {
  try {
    const value = parseExact(sent)
    const attributes = isFields(value) ? value['attributes'] : undefined
    return isFields(attributes) ? read(attributes['shipping_address'], () => undefined) : null
  } catch {
    return null
  }
}
