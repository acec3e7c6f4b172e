// What the API description says of every endpoint next to its row in the contract: its prose, and example requests and
// answers (test/server/document.test.ts sends them and compares the answers).
import type { Name } from '../domain/contract.ts'
import type { answerSchemas } from './answers.ts'
import { orderExample, quoteExample, returned, shipment, store, storeId, type Example } from './examples.ts'
import { onOneLine } from './prose.ts'

/** What an endpoint has next to its row in the contract. */
export interface Described {
  readonly tag: string
  /** The schema of its answer. */
  readonly answer: keyof typeof answerSchemas
  readonly description: string
  /** By short names. */
  readonly examples: Readonly<Record<string, Example>>
}

const orderProse = `
  Weights are **kilograms**, sides centimetres, amounts rupees. \`order_id\` is unique in the account: a second one is
  422, and the sentence has the tracking number of the first. With \`COD\`, \`cod_collectible\` is required and above
  0; with \`PREPAID\` it is absent or 0. \`cod_collectible\` above \`sub_total\`, an \`order_date\` before 2000 or more
  than a day ahead, a country that is not India, and an e-mail address without \`@\` are 422. \`shipping_is_billing:
  false\` requires the \`shipping_…\` fields of the delivery address. \`store_name\` must be a connected store of the
  account and \`warehouse_id\` a warehouse whose pincode is known, else 422. \`rto_warehouse_id\`, \`channel_id\` and
  \`vendor_details\` come back in the answer and in the record, under \`attributes.order\`.`

const listingProse = `
  Every parameter is optional. Values of one filter are alternatives, filters must all hold, ranges include both ends.
  A range with its ends the wrong way round is 400, and so is a \`page\` other than 1 together with \`search_after\`.`

const cursorOf = ({ id, attributes }: typeof shipment | typeof returned): readonly string[] => [
  String(Date.parse(attributes.created_at)),
  id,
]

const pageOf = (record: typeof shipment | typeof returned, per_page = 20) => ({
  data: [record],
  meta: { current_page: 1, per_page, total: 1, next_search_after: cursorOf(record) },
})

/** What the page says of every endpoint. */
export const endpoints: { readonly [N in Name]: Described } = {
  listStores: {
    tag: 'stores',
    answer: 'StoreList',
    description: 'The connected stores of the account by name.',
    examples: { stores: { summary: 'One connected store', answer: { data: [store] } } },
  },
  getStore: {
    tag: 'stores',
    answer: 'StoreAnswer',
    description: 'One store, connected or not.',
    examples: { store: { summary: 'A store by its id', path: { id: storeId }, answer: { data: store } } },
  },
  createStore: {
    tag: 'stores',
    answer: 'StoreAnswer',
    description: onOneLine(`
      Makes a connected store with the channel \`manual_order\`. A name that the account has already is 422. JSON, or
      \`multipart/form-data\` with a logo.`),
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
      Changes the fields that are sent. A new name is written into every linked shipment and return. \`brand_name: ""\`
      or null clears the brand, JSON \`logo: null\` removes the logo, \`multipart/form-data\` brings a new one.`),
    examples: {
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
  },
  createForwardOrder: {
    tag: 'orders',
    answer: 'OrderRecorded',
    description: onOneLine(`
      Records the order and a \`pending\` shipment without a tracking number. A \`carrier_id\` must be on the rate card
      and is kept for the assignment. ${orderProse}`),
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
      journey requires \`payment_method\`, and with \`cod\` also a \`shipment_value\` above 0. Parameters of the other
      journey (and \`shipment_value\` with \`prepaid\`) are checked for their type and otherwise ignored, so that one
      body serves both; their keys are absent from the answer. If no courier takes the parcel, the answer is a success
      with an empty list.`),
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
      without that date never matches. Ordered by \`created_at\`, then \`id\`.`),
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
      Ordered by \`sort_by\` (\`created_at\` by default), then \`id\`. A received return shows \`delivered\` and is
      filtered as \`return_received\`.`),
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
