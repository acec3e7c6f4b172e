// Examples for the API description: records, an order, and one refusal for each status.
import { basePath } from '../domain/contract.ts'
import { ShipxError, invalid } from '../domain/errors.ts'
import { errorAnswer, type ErrorBody } from '../domain/wire.ts'

export const storeId = '2f1d6f0e-6b1c-4d6e-9d8e-0c9b7c1f3a52'

export const store = {
  id: storeId,
  store_name: 'acme-kids',
  brand_name: 'Acme Kids',
  channel: 'manual_order',
  status: 'connected',
  logo_url: `${basePath}/client-stores/${storeId}/logo`,
  created_at: '2025-11-21T11:03:07.250Z',
  updated_at: '2025-11-21T11:03:07.250Z',
}

// prettier-ignore
export const order = {
  order_id: 'ACME-1001', order_date: '2025-11-21 16:30', billing_customer_name: 'Asha', billing_last_name: 'Rao',
  billing_address: '12 MG Road', billing_city: 'Bengaluru', billing_pincode: '560001', billing_state: 'Karnataka',
  billing_country: 'India', billing_phone: '9876543221',
  order_items: [{ name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 749.5 }], payment_method: 'COD',
  cod_collectible: 1499, sub_total: 1499, length: 20, breadth: 15, height: 10, weight: 0.5, warehouse_id: 'WHMUM1',
}

// prettier-ignore
export const shipment = {
  id: '99b8b3ac-fe81-49ea-b0f2-3057e0c8bbb4', type: 'shipment',
  attributes: {
    tracking_number: '84207395401595', status: 'in_transit', sub_status: null, created_at: '2025-11-12T12:17:55.000Z',
    warehouse_id: 'WHHYD2', total_price: 285, cod_amount: 285, is_cod: true, zone: 'zone_c',
    applied_weight: { value: 295, metric_unit: 'g' }, attempt_count: 0,
    carrier: { id: 'CAR8SWIFTA1R9', name: 'SwiftAir' },
    order: {
      id: 'ORD7395401595', order_date: '2025-11-12T12:15:54.000Z', channel: 'manual_order', display_id: 'TUL-100164',
      external_id: 'TUL-100164', store_name: 'tulsi-traders',
    },
    items: [{ id: 'ITM89164269', quantity: 1, price: 285, name: 'Amla Hair Oil 200 ml', sku: 'OIL-AML-200' }],
    shipping_address: {
      name: 'Ramya Krishnan', phone: '8571805660', city: 'Chennai', state: 'Tamil Nadu', zip: '600001',
    },
    shipment_milestones: [
      { milestone: 'ready_for_pickup', milestone_at: '2025-11-12T12:18:05.000Z' },
      { milestone: 'picked_up', milestone_at: '2025-11-13T11:08:23.000Z' },
      { milestone: 'in_transit', milestone_at: '2025-11-13T15:13:37.000Z' },
    ],
    tracking_details: [
      {
        id: '1944387', status: 'picked_up', last_location: 'Hyderabad', event_date_time: '2025-11-13T11:08:23.000Z',
        description: 'Picked up',
      },
    ],
    granular_status: 'in_transit', tags: ['gift'], ndr_reason: null, rto_reason: null,
  },
}

// prettier-ignore
export const returned = {
  id: '59ab3c14-271f-4335-92ec-56fffe3dac50', type: 'return',
  attributes: {
    return_reason: 'wrong_item', request_date: '2025-10-07T09:25:05.000Z', display_id: 'RT-100002', qc_status: 'passed',
    qc_required: true, status: 'delivered', warehouse_id: 'WHHYD2',
    shipping_address: { name: 'Hetal Shah', phone: '9144930869', city: 'Mumbai', state: 'Maharashtra', zip: '400098' },
    total_price: 270.75, is_exchange: false, refund_status: 'processed', created_at: '2025-10-07T09:25:05.000Z',
    return_items: [
      {
        id: 'ITM43360600', quantity: 1, price: 270.75, name: 'Amla Hair Oil 200 ml', sku: 'OIL-AML-200',
        return_reason: 'wrong_item',
      },
    ],
    weight: { value: 295, metric_unit: 'g' },
    shipment: {
      id: '3d1ccc39-2683-4938-b65e-55d834c8a258', tracking_number: '34811180339901', status: 'delivered',
      carrier: { id: 'CAR3DECCAN4P7', name: 'Deccan Parcel' },
      shipment_milestones: [
        { milestone: 'return_pickup_scheduled', milestone_at: '2025-10-08T09:12:15.000Z' },
        { milestone: 'return_delivered', milestone_at: '2025-10-16T08:00:05.000Z' },
      ],
    },
    order: { id: 'ORD2360679788', display_id: 'LOT-100003', channel: 'manual_order', store_name: 'lotus-label' },
    granular_status: 'return_delivered', zone: 'zone_c', is_dangerous_goods: false,
  },
}

const refusal = (code: ConstructorParameters<typeof ShipxError>[0], message: string): ShipxError =>
  new ShipxError(code, message)

/** One refusal for each status that the service answers with. */
export const refusals: Readonly<Record<string, ErrorBody>> = Object.fromEntries(
  [
    invalid([
      { field: 'page', message: 'must be 1 or more' },
      { field: 'carrier_ids', message: 'unknown parameter `carrier_ids`; did you mean `carrier_id`?' },
    ]),
    refusal('unauthorized', 'the key is missing or not valid'),
    refusal('read_only_key', 'this key may only read'),
    refusal('not_found', 'there is no such store'),
    refusal('method_not_allowed', 'DELETE is not possible here; GET and PUT are'),
    refusal('idempotency_running', 'the first request with this idempotency key is still running'),
    refusal('body_too_large', 'the request body is too large'),
    refusal('media_type', 'the body must be application/json, or multipart/form-data for a store'),
    refusal('store_name_taken', 'Store name has already been taken'),
    refusal('rate_limited', 'too many requests with this key'),
    refusal('internal', 'something went wrong inside the service (request 0b6f1f5e-5a0c-4f0e-8d6b-4f6a3f1f7c55)'),
    refusal('unavailable', 'the service is busy; try again'),
  ].map((error) => [String(error.status), errorAnswer(error).body]),
)
