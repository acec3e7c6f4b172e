// The text of each endpoint in the API description: a tag, a description, and example requests and answers. A test
// sends the requests to a service and compares its answers.
import type { Name } from '../domain/contract.ts'
import type { answerSchemas } from './answers.ts'
import { orderExample, quoteExample, returned, shipment, store, storeId, type Example } from './examples.ts'
import { onOneLine } from './prose.ts'

/** What the API description adds to the contract of an endpoint. */
export interface Described {
  readonly tag: string
  /** The name of the schema of its answer. */
  readonly answer: keyof typeof answerSchemas
  readonly description: string
  /** The examples, each under a short name. */
  readonly examples: Readonly<Record<string, Example>>
}

const orderProse = `
  Weights are **kilograms**, sides are centimetres, amounts are rupees. \`order_id\` is unique in the account. If it
  exists already, the answer is 422. Its message gives the tracking number of the first order, if it has one. With
  \`COD\`, \`cod_collectible\` is required and must be above 0. With \`PREPAID\`, leave it out or send 0. The API
  answers 422 for a \`cod_collectible\` above \`sub_total\`, for an \`order_date\` before 2000 or more than a day
  ahead, for a country other than India, and for an e-mail address without \`@\`. \`shipping_is_billing: false\`
  requires the \`shipping_…\` fields of the delivery address. The API also answers 422 unless \`store_name\` is a
  connected store of the account and \`warehouse_id\` is a warehouse whose pincode shipx knows. The answer and the
  record repeat \`rto_warehouse_id\`, \`channel_id\` and \`vendor_details\`, under \`attributes.order\`.`

const listingProse = `
  Every parameter is optional. A record must match every filter, and at least one value of each. Ranges include both
  ends. The API answers 400 for a range whose start is after its end, and for a \`page\` other than 1 together with
  \`search_after\`.`

const cursorOf = ({ id, attributes }: typeof shipment | typeof returned): readonly string[] => [
  String(Date.parse(attributes.created_at)),
  id,
]

const pageOf = (record: typeof shipment | typeof returned, per_page = 20) => ({
  data: [record],
  meta: { current_page: 1, per_page, total: 1, next_search_after: cursorOf(record) },
})

/** The text of every endpoint. */
export const endpoints: { readonly [N in Name]: Described } = {
  listStores: {
    tag: 'stores',
    answer: 'StoreList',
    description: "Lists the account's connected stores, sorted by name.",
    examples: { stores: { summary: 'One connected store', answer: { data: [store] } } },
  },
  getStore: {
    tag: 'stores',
    answer: 'StoreAnswer',
    description: 'Returns one store, connected or not.',
    examples: { store: { summary: 'A store by its id', path: { id: storeId }, answer: { data: store } } },
  },
  createStore: {
    tag: 'stores',
    answer: 'StoreAnswer',
    description: onOneLine(`
      Creates a connected store with the channel \`manual_order\`. The API answers 422 for a name that the account has
      already. Send JSON, or \`multipart/form-data\` with a logo.`),
    examples: {
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
  },
  updateStore: {
    tag: 'stores',
    answer: 'StoreAnswer',
    description: onOneLine(`
      Changes only the fields that you send. A new name also changes the store name in all shipments and returns of the
      store. \`brand_name: ""\` or null clears the brand. In JSON, \`logo: null\` removes the logo. To set a new logo,
      send \`multipart/form-data\`.`),
    examples: {
      brand: {
        summary: 'Another brand, and no logo',
        path: { id: storeId },
        request: { brand_name: 'Acme Kids & Co', logo: null },
        answer: { data: { ...store, brand_name: 'Acme Kids & Co', logo_url: null } },
      },
      rename: {
        summary: 'Another name, also in the records of the store',
        path: { id: storeId },
        request: { store_name: 'acme-juniors' },
        answer: { data: { ...store, store_name: 'acme-juniors' } },
      },
    },
  },
  createForwardOrder: {
    tag: 'orders',
    answer: 'OrderRecorded',
    description: onOneLine(`
      Records the order and a \`pending\` shipment without a tracking number. A \`carrier_id\` must be on the rate card;
      the service keeps it for the assignment. ${orderProse}`),
    examples: {
      recorded: orderExample('ACME-1001', false, 'Recorded, no courier yet'),
    },
  },
  orchestrateForwardOrder: {
    tag: 'orders',
    answer: 'OrderAssigned',
    description: onOneLine(`
      Records the order and assigns the courier that \`carrier_id\` names, or the first offer of a quote, with a
      tracking number. The lane begins at the pincode of the warehouse; if no courier takes the parcel, the answer is
      422. ${orderProse}`),
    examples: {
      assigned: orderExample('ACME-1002', true, 'Cash on delivery, with the cheapest courier'),
    },
  },
  getRates: {
    tag: 'rates',
    answer: 'Rates',
    description: onOneLine(`
      Quotes every courier that takes the parcel. Weights are **grams**, sides centimetres, amounts rupees. A forward
      journey requires \`payment_method\`, and with \`cod\` also a \`shipment_value\` above 0. You can send one body for
      both journeys. The service checks only the type of the parameters of the other journey (and of
      \`shipment_value\` with \`prepaid\`), and leaves their keys out of the answer. If no courier takes the parcel, the
      answer is a success with an empty list.`),
    examples: {
      forward: quoteExample('forward', 'Warehouse to customer, cash on delivery'),
      return: quoteExample('return', 'Customer to warehouse, with a quality check'),
    },
  },
  listShipments: {
    tag: 'listings',
    answer: 'ShipmentPage',
    description: onOneLine(`${listingProse}
      \`start_time\` and \`end_time\` apply to the date that \`date_field\` names (\`created_at\` by default); a record
      without that date never matches. Sorted by \`created_at\`, then \`id\`.`),
    examples: {
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
        answer: pageOf(shipment, 50),
      },
      next: {
        summary: 'The page after a record',
        request: { search_after: cursorOf(shipment) },
        answer: { data: [], meta: { current_page: 1, per_page: 20, total: 1, next_search_after: [] } },
      },
    },
  },
  listReturns: {
    tag: 'listings',
    answer: 'ReturnPage',
    description: onOneLine(`${listingProse}
      Sorted by \`sort_by\` (\`created_at\` by default), then \`id\`. A return without a \`request_date\` is sorted
      by its \`created_at\` in its place. A received return has the status \`delivered\` in the answer. To find it,
      filter by \`return_received\`.`),
    examples: {
      filtered: {
        summary: 'Received in October, refund done',
        request: {
          status: 'return_received',
          refund_status: 'processed',
          return_delivered_at__gte: '2025-10-01',
          return_delivered_at__lte: '2025-10-31',
        },
        answer: pageOf(returned),
      },
    },
  },
}
