// Defends the comparison of an order with the shipment that is there: what differs is named, spelling is not.
import { expect, test } from 'vitest'
import { differences } from '../../src/domain/orderdiff.ts'
import { deliveryOf, type OrderCreate } from '../../src/domain/orders.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { orderRequest } from '../support/requests.ts'

const order = (over: object = {}): OrderCreate =>
  parseInput('orchestrateForwardOrder', {
    ...orderRequest(),
    billing_customer_name: 'Asha Rao',
    billing_address: 'Flat 4B, Lake View, 2nd cross',
    billing_city: 'Bengaluru',
    billing_state: 'Karnataka',
    billing_pincode: '560038',
    ...over,
  })

/** What the fields of an order are at the target. */
const thereOf = (input: OrderCreate): Shipment => ({
  id: 'S-1',
  type: 'shipment',
  attributes: { created_at: '2026-11-20T10:00:00+05:30', shipping_address: { ...deliveryOf(input) } },
})

const changed = (over: object): readonly string[] => differences(order(over), thereOf(order()), order())

test.each([
  ['billing_address', { billing_address: 'Flat 5B, Lake View, 2nd cross' }],
  ['billing_city', { billing_city: 'Mysuru' }],
  ['billing_state', { billing_state: 'Kerala' }],
  ['billing_pincode', { billing_pincode: '560001' }],
  ['billing_customer_name', { billing_customer_name: 'Usha Rao' }],
])('another %s counted as unchanged', (field, over) => {
  expect(changed(over)).toEqual([field])
})

test.each([
  [{}],
  [{ billing_address: ' FLAT 4B,Lake  View , 2nd Cross. ' }],
  [{ billing_customer_name: 'asha  rao,', billing_city: 'BENGALURU.', billing_state: 'KA' }],
])('the same address in another spelling (%j) is no difference', (over) => {
  expect(changed(over)).toEqual([])
})

test('a delivery address of its own is compared by its own street', () => {
  const shipping = {
    shipping_is_billing: false,
    shipping_customer_name: 'Ria Das',
    shipping_address: '7 Fancy Bazaar',
    shipping_city: 'Guwahati',
    shipping_pincode: '781001',
    shipping_state: 'Assam',
    shipping_country: 'India',
    shipping_phone: '9063996269',
  }
  const made = order(shipping)
  expect(differences(order({ ...shipping, billing_address: 'elsewhere' }), thereOf(made), made)).toEqual([])
  expect(differences(order({ ...shipping, shipping_address: '8 Fancy Bazaar' }), thereOf(made), made)).toEqual([
    'shipping_address',
  ])
})

test('a street that the target does not show is not compared', () => {
  expect(differences(order({ billing_address: 'elsewhere' }), thereOf(order()), undefined)).toEqual([])
})
