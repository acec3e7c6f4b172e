// The requests that many tests send: a parcel to be quoted and an order to be created, as the API takes them and as words of
// the command line. What a test is about, it writes itself.

type Json = Readonly<Record<string, unknown>>

const parcel = {
  origin_pincode: '400001',
  destination_pincode: '560001',
  dead_weight: 500,
  length: 20,
  width: 15,
  height: 10,
} as const

/** A parcel that every courier of the sample card quotes for: prepaid, 600 g by its volume, Mumbai to Bengaluru (zone_c). */
export const rateRequest = { journey_type: 'forward', ...parcel, payment_method: 'prepaid' } as const

/** The parcel of `rateRequest` as flags of `shipx rates`, all but its payment. */
export const parcelFlags = ['--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10'] as const

/** The same parcel as a return. */
export const returnRateRequest = { journey_type: 'return', ...parcel } as const

/** A prepaid order over ₹999 that is accepted where warehouse `WH1` has a pincode; the customer lives in Bengaluru. */
export const orderRequest = (over: Json = {}): Json => ({
  order_id: 'A-1',
  order_date: '2025-11-21 16:00',
  billing_customer_name: 'Asha Rao',
  billing_address: '12 MG Road',
  billing_city: 'Bengaluru',
  billing_pincode: '560001',
  billing_state: 'Karnataka',
  billing_country: 'India',
  billing_phone: '9876543221',
  order_items: [{ name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 499.5 }],
  payment_method: 'PREPAID',
  sub_total: 999,
  length: 20,
  breadth: 15,
  height: 10,
  weight: 0.5,
  warehouse_id: 'WH1',
  ...over,
})

const orderFlags = {
  '--item': 'CR-02:1:499:Romper',
  '--sub-total': '499',
  '--weight': '400g',
  '--size': '20x15x10',
  '--billing-customer-name': 'Asha',
  '--billing-phone': '9876543210',
  '--billing-address': 'MG Road',
  '--billing-city': 'Bengaluru',
  '--billing-state': 'Karnataka',
  '--billing-pincode': '560001',
} as const

/** The words of `shipx orders create` for a prepaid order; its warehouse and what else it needs are left to more words. */
export const createOrder = (order_id: string): readonly string[] => [
  'orders',
  'create',
  '--order-id',
  order_id,
  '--prepaid',
  ...Object.entries(orderFlags).flat(),
]

/** An answer to a failed delivery with every part that an answer can have. */
export const ndrAnswer = {
  id: 'x',
  shipment_id: 'x',
  tracking_number: '14344940012345',
  order_name: '#1500',
  courier: 'धन',
  attempts: 1,
  failed_at: 1,
  answer: 'reattempt',
  reattempt_on: '2026-10-01',
  phone: '9876543210',
  address: '14 MG Road',
  pincode: '560001',
  note: 'क',
  decided_by: 'asha',
  decided_at: 2,
} as const
