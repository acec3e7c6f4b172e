// Example requests and answers of every endpoint for the API description (test/openapi.test.ts sends them and compares the
// answers); knows no route and no schema.
import type { Name } from '../domain/contract.ts'
import { ShipxError, invalid } from '../domain/errors.ts'
import { basePath } from '../domain/contract.ts'
import { errorAnswer, type ErrorBody } from '../domain/wire.ts'

type Json = Readonly<Record<string, unknown>>

/** A request that works and what it is answered with. */
export interface Example {
  readonly summary: string
  /** The JSON body; none for GET. */
  readonly request?: Json
  /** Path parameters. */
  readonly path?: Readonly<Record<string, string>>
  readonly answer: Json
}

const storeId = '2f1d6f0e-6b1c-4d6e-9d8e-0c9b7c1f3a52'

const store = {
  id: storeId,
  store_name: 'acme-kids',
  brand_name: 'Acme Kids',
  channel: 'manual_order',
  status: 'connected',
  logo_url: `${basePath}/client-stores/${storeId}/logo`,
  created_at: '2025-11-21T11:03:07.250Z',
  updated_at: '2025-11-21T11:03:07.250Z',
}

const order = {
  order_id: 'ACME-1001',
  order_date: '2025-11-21 16:30',
  billing_customer_name: 'Asha',
  billing_last_name: 'Rao',
  billing_address: '12 MG Road',
  billing_city: 'Bengaluru',
  billing_pincode: '560001',
  billing_state: 'Karnataka',
  billing_country: 'India',
  billing_phone: '9876543221',
  order_items: [{ name: 'Cotton romper', sku: 'CR-02', units: 2, selling_price: 749.5 }],
  payment_method: 'COD',
  cod_collectible: 1499,
  sub_total: 1499,
  length: 20,
  breadth: 15,
  height: 10,
  weight: 0.5,
  warehouse_id: 'WHMUM1',
}

const shipment = {
  id: '99b8b3ac-fe81-49ea-b0f2-3057e0c8bbb4',
  type: 'shipment',
  attributes: {
    tracking_number: '84207395401595',
    status: 'in_transit',
    sub_status: null,
    created_at: '2025-11-12T12:17:55.000Z',
    warehouse_id: 'WHHYD2',
    total_price: 285,
    cod_amount: 285,
    is_cod: true,
    zone: 'zone_c',
    applied_weight: { value: 295, metric_unit: 'g' },
    attempt_count: 0,
    carrier: { id: 'CAR8SWIFTA1R9', name: 'SwiftAir' },
    order: {
      id: 'ORD7395401595',
      order_date: '2025-11-12T12:15:54.000Z',
      channel: 'manual_order',
      display_id: 'TUL-100164',
      external_id: 'TUL-100164',
      store_name: 'tulsi-traders',
    },
    items: [{ id: 'ITM89164269', quantity: 1, price: 285, name: 'Amla Hair Oil 200 ml', sku: 'OIL-AML-200' }],
    shipping_address: {
      name: 'Ramya Krishnan',
      phone: '8571805660',
      city: 'Chennai',
      state: 'Tamil Nadu',
      zip: '600001',
    },
    shipment_milestones: [
      { milestone: 'ready_for_pickup', milestone_at: '2025-11-12T12:18:05.000Z' },
      { milestone: 'picked_up', milestone_at: '2025-11-13T11:08:23.000Z' },
      { milestone: 'in_transit', milestone_at: '2025-11-13T15:13:37.000Z' },
    ],
    tracking_details: [
      {
        id: '1944387',
        status: 'picked_up',
        last_location: 'Hyderabad',
        event_date_time: '2025-11-13T11:08:23.000Z',
        description: 'Picked up',
      },
    ],
    granular_status: 'in_transit',
    tags: ['gift'],
    ndr_reason: null,
    rto_reason: null,
  },
}

const returned = {
  id: '59ab3c14-271f-4335-92ec-56fffe3dac50',
  type: 'return',
  attributes: {
    return_reason: 'wrong_item',
    request_date: '2025-10-07T09:25:05.000Z',
    display_id: 'RT-100002',
    qc_status: 'passed',
    qc_required: true,
    status: 'delivered',
    warehouse_id: 'WHHYD2',
    shipping_address: { name: 'Hetal Shah', phone: '9144930869', city: 'Mumbai', state: 'Maharashtra', zip: '400098' },
    total_price: 270.75,
    is_exchange: false,
    refund_status: 'processed',
    created_at: '2025-10-07T09:25:05.000Z',
    return_items: [
      {
        id: 'ITM43360600',
        quantity: 1,
        price: 270.75,
        name: 'Amla Hair Oil 200 ml',
        sku: 'OIL-AML-200',
        return_reason: 'wrong_item',
      },
    ],
    weight: { value: 295, metric_unit: 'g' },
    shipment: {
      id: '3d1ccc39-2683-4938-b65e-55d834c8a258',
      tracking_number: '34811180339901',
      status: 'delivered',
      carrier: { id: 'CAR3DECCAN4P7', name: 'Deccan Parcel' },
      shipment_milestones: [
        { milestone: 'return_pickup_scheduled', milestone_at: '2025-10-08T09:12:15.000Z' },
        { milestone: 'return_delivered', milestone_at: '2025-10-16T08:00:05.000Z' },
      ],
    },
    order: { id: 'ORD2360679788', display_id: 'LOT-100003', channel: 'manual_order', store_name: 'lotus-label' },
    granular_status: 'return_delivered',
    zone: 'zone_c',
    is_dangerous_goods: false,
  },
}

/** Examples of every endpoint, by a short name. */
export const examples: { readonly [N in Name]: Readonly<Record<string, Example>> } = {
  listStores: { stores: { summary: 'One connected store', answer: { data: [store] } } },
  getStore: { store: { summary: 'A store by its id', path: { id: storeId }, answer: { data: store } } },
  createStore: {
    brand: {
      summary: 'A store with a brand',
      request: { store_name: 'acme-toys', brand_name: 'Acme Toys' },
      answer: { data: { ...store, store_name: 'acme-toys', brand_name: 'Acme Toys', logo_url: null } },
    },
    bare: {
      summary: 'Only a name',
      request: { store_name: 'acme-home' },
      answer: { data: { ...store, store_name: 'acme-home', brand_name: null, logo_url: null } },
    },
  },
  updateStore: {
    brand: {
      summary: 'Another brand, and no logo',
      path: { id: storeId },
      request: { brand_name: 'Acme Kids & Co', logo: null },
      answer: { data: { ...store, brand_name: 'Acme Kids & Co', logo_url: null } },
    },
    rename: {
      summary: 'Another name, also in every linked record',
      path: { id: storeId },
      request: { store_name: 'acme-juniors' },
      answer: { data: { ...store, store_name: 'acme-juniors' } },
    },
  },
  createForwardOrder: {
    recorded: {
      summary: 'Recorded, no courier yet',
      request: order,
      answer: {
        status: 1,
        payload: {
          order_created: 1,
          awb_generated: 0,
          pickup_generated: 0,
          order_id: 'ORD2A7Q0ZK41M',
          shipment_id: '5f0e7a9c-0b51-4b7e-8f0a-9a3b6c2d1e04',
          awb_code: null,
          courier_company_id: null,
          courier_name: null,
          applied_weight: 0.6,
          cod: 1,
          label_url: null,
          charges: null,
        },
      },
    },
  },
  orchestrateForwardOrder: {
    assigned: {
      summary: 'Cash on delivery, with the cheapest courier',
      request: { ...order, order_id: 'ACME-1002' },
      answer: {
        status: 1,
        payload: {
          order_created: 1,
          awb_generated: 1,
          pickup_generated: 1,
          order_id: 'ORD7B1M3XW90C',
          shipment_id: 'c6a3f6d2-0d56-4c39-9a10-5a4f0e7b2c11',
          awb_code: '70031894552617',
          courier_company_id: 'CAR4PEEPAL8T1',
          courier_name: 'Peepal Post',
          applied_weight: 0.5,
          cod: 1,
          label_url: null,
          charges: {
            frwd_charges: { shipping_charges: '41.00', cod_charges: '45.00' },
            rto_charges: { rto_charges: '41.00' },
          },
        },
      },
    },
  },
  getRates: {
    forward: {
      summary: 'Warehouse to customer, cash on delivery',
      request: {
        journey_type: 'forward',
        origin_pincode: '400001',
        destination_pincode: '560001',
        dead_weight: 500,
        length: 20,
        width: 15,
        height: 10,
        payment_method: 'cod',
        shipment_value: 1499,
      },
      answer: {
        status: 'SUCCESS',
        result: {
          serviceable_couriers: [
            {
              carrier_id: 'CAR4PEEPAL8T1',
              carrier_name: 'Peepal Post',
              carrier_code: 'peepal_post',
              service_level: 'standard',
              is_fast: false,
              is_prime: false,
              status: 'active',
              expected_delivery: { pickup: '2025-11-22', delivery: '2025-11-28' },
              charges: {
                forward_freight_charges: 41,
                cod_charges: 45,
                rto_charges: 41,
                total_forward_charges: 86,
              },
              platform_fee: 3,
            },
          ],
          shipment_details: {
            journey_type: 'forward',
            origin_pincode: '400001',
            destination_pincode: '560001',
            payment_method: 'cod',
            dead_weight: 500,
            volumetric_weight: 600,
            applicable_weight: 600,
            zone: 'zone_c',
          },
        },
      },
    },
    return: {
      summary: 'Customer to warehouse, with a quality check',
      request: {
        journey_type: 'return',
        origin_pincode: '560001',
        destination_pincode: '400001',
        dead_weight: 500,
        length: 20,
        width: 15,
        height: 10,
        qc_applicable: true,
      },
      answer: {
        status: 'SUCCESS',
        result: {
          serviceable_couriers: [
            {
              carrier_id: 'CAR5BLUELN2S6',
              carrier_name: 'BlueLine Surface',
              carrier_code: 'blueline_surface',
              service_level: 'standard',
              status: 'active',
              expected_delivery: { pickup: '2025-11-22', delivery: '2025-11-28' },
              charges: { return_freight_charges: 98.5, qc_charges: 10, total_return_charges: 108.5 },
            },
          ],
          shipment_details: {
            journey_type: 'return',
            origin_pincode: '560001',
            destination_pincode: '400001',
            dead_weight: 500,
            volumetric_weight: 600,
            applicable_weight: 600,
            zone: 'zone_c',
          },
        },
      },
    },
  },
  listShipments: {
    filtered: {
      summary: 'COD parcels on the way in two zones, of one week',
      request: {
        status: 'in_transit',
        zone: ['zone_c', 'zone_d'],
        is_cod: true,
        start_time: 1_762_713_000,
        end_time: 1_763_317_799,
        per_page: 50,
      },
      answer: {
        data: [shipment],
        meta: {
          current_page: 1,
          per_page: 50,
          total: 1,
          next_search_after: ['1762949875000', '99b8b3ac-fe81-49ea-b0f2-3057e0c8bbb4'],
        },
      },
    },
    next: {
      summary: 'The page after a record',
      request: { search_after: ['1762949875000', '99b8b3ac-fe81-49ea-b0f2-3057e0c8bbb4'] },
      answer: { data: [], meta: { current_page: 1, per_page: 20, total: 1, next_search_after: [] } },
    },
  },
  listReturns: {
    filtered: {
      summary: 'Received in October, refund done',
      request: {
        status: 'return_received',
        refund_status: 'processed',
        return_delivered_at__gte: '2025-10-01',
        return_delivered_at__lte: '2025-10-31',
      },
      answer: {
        data: [returned],
        meta: {
          current_page: 1,
          per_page: 20,
          total: 1,
          next_search_after: ['1759829105000', '59ab3c14-271f-4335-92ec-56fffe3dac50'],
        },
      },
    },
  },
}

const told = (code: ConstructorParameters<typeof ShipxError>[0], message: string): ShipxError =>
  new ShipxError(code, message)

/** One refusal for each status that the service answers with. */
export const refusals: Readonly<Record<string, ErrorBody>> = Object.fromEntries(
  [
    invalid([
      { field: 'page', message: 'must be 1 or more' },
      { field: 'carrier_ids', message: 'unknown parameter `carrier_ids`; did you mean `carrier_id`?' },
    ]),
    told('unauthorized', 'the key is missing or not valid'),
    told('read_only_key', 'this key may only read'),
    told('not_found', 'there is no such store'),
    told('method_not_allowed', 'DELETE is not possible here; GET and PUT are'),
    told('idempotency_running', 'the first request with this idempotency key is still running'),
    told('body_too_large', 'the request body is too large'),
    told('media_type', 'the body must be application/json, or multipart/form-data for a store'),
    told('store_name_taken', 'Store name has already been taken'),
    told('rate_limited', 'too many requests with this key'),
    told('internal', 'something went wrong inside the service (request 0b6f1f5e-5a0c-4f0e-8d6b-4f6a3f1f7c55)'),
    told('unavailable', 'the service is busy; try again'),
  ].map((error) => [String(error.status), errorAnswer(error).body]),
)
