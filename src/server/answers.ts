// Answers as JSON Schema for the API description, as strict as our own engine answers. The records describe
// their fields themselves (src/domain/recordfields.ts); the contract's output schemas are their tolerant side.
import { keptFields, orderPayload } from '../domain/orders.ts'
import { returnRecord } from '../domain/parcels/returns.ts'
import { recordParts, shipmentRecord } from '../domain/parcels/shipments.ts'
import { chargesOf, offerFields, parcelFields } from '../domain/rates/rates.ts'
import { sentOnly, whole, type Field, type JsonSchema as Schema } from '../domain/recordfields.ts'
import { storeRecord } from '../domain/stores.ts'

type Fields = Readonly<Record<string, Field>>

/** What our own service sends of some fields: an object in which they are all there. */
const sent = (fields: Fields, description?: string, optional: readonly string[] = []): Schema =>
  whole(fields, { ...(description === undefined ? {} : { description }), optional }).sent!

const ref = (name: string): Field => sentOnly({ $ref: `#/components/schemas/${name}` })
const list = (items: Field | Schema, description: string, more: Schema = {}): Field =>
  sentOnly({ type: 'array', items: 'sent' in items ? items.sent : items, description, ...more })

/* ---- Rates ---- */

/** Fields of an offer that only some contracts have. */
const ofContracts = ['surcharges', 'courier_zone']

/** An object without the fields of the other journey: their keys must be absent. */
function without(fields: Fields, keys: readonly string[]): Schema {
  const rest = Object.entries(fields).filter(([key]) => !keys.includes(key))
  return {
    ...sent(Object.fromEntries(rest), undefined, ofContracts),
    not: { anyOf: keys.map((key) => ({ required: [key] })) },
  }
}

const parcelOf = (journey: 'forward' | 'return') => ({
  ...parcelFields(),
  journey_type: sentOnly({ const: journey }),
})

const quoteOf = (offer: string, parcel: Schema, order: string): Schema =>
  sent({
    status: sentOnly({ const: 'SUCCESS' }),
    result: whole({
      serviceable_couriers: list(
        ref(offer),
        `Offers by ${order}, then delivery date, then carrier_id; empty when no courier serves the lane`,
      ),
      shipment_details: sentOnly(parcel),
    }),
  })

/* ---- Orders ---- */

const nothing = sentOnly({ type: 'null' })
const not = sentOnly({ const: 0 })
const noCourier = {
  awb_generated: not,
  pickup_generated: not,
  awb_code: nothing,
  courier_company_id: nothing,
  courier_name: nothing,
  charges: nothing,
}
const orderOf = (fields: Fields, description: string): Schema =>
  sent({ status: sentOnly({ const: 1 }), payload: whole(fields, { optional: Object.keys(keptFields()) }) }, description)

/* ---- Listings ---- */

const meta: Fields = {
  current_page: sentOnly({ type: 'integer', description: 'Number of this page; 1 with a cursor', minimum: 1 }),
  per_page: sentOnly({
    type: 'integer',
    description: 'Most records on a page; how many there are where it ended early, at 4 MB',
    minimum: 1,
    maximum: 100,
  }),
  total: sentOnly({ type: 'integer', description: 'All matches, also with a cursor', minimum: 0 }),
  next_search_after: list(
    { type: 'string' },
    '[sort value, record id] of the last record, to be sent as search_after; empty on an empty page',
    { maxItems: 2, anyOf: [{ maxItems: 0 }, { minItems: 2 }] },
  ),
}

const pageOf = (record: string): Schema =>
  sent({ data: list(ref(record), 'Records of the page', { maxItems: 100 }), meta: ref('Meta') })

const { Address, Carrier, Weight } = recordParts()

/** Every schema of an answer, by its name in the document. */
export const answerSchemas = {
  Error: sent(
    {
      status: sentOnly({ const: 'ERROR' }),
      message: sentOnly({ type: 'string', description: 'The first of the errors' }),
      errors: list({ type: 'string' }, 'One sentence for each thing that is wrong, at most 50', {
        minItems: 1,
        maxItems: 50,
      }),
    },
    'The body of every answer that is not a success.',
  ),
  Store: storeRecord().sent!,
  StoreAnswer: sent({ data: ref('Store') }),
  StoreList: sent({ data: list(ref('Store'), 'Connected stores by name') }),
  ForwardOffer: sent({ ...offerFields(), charges: chargesOf.forward() }, undefined, ofContracts),
  ReturnOffer: without({ ...offerFields(), charges: chargesOf.return() }, ['is_fast', 'is_prime', 'platform_fee']),
  ForwardRates: quoteOf('ForwardOffer', sent(parcelOf('forward')), 'total and platform fee'),
  ReturnRates: quoteOf('ReturnOffer', without(parcelOf('return'), ['payment_method']), 'total'),
  Rates: {
    oneOf: [ref('ForwardRates').sent, ref('ReturnRates').sent],
    description: 'By the journey of the request.',
  },
  OrderRecorded: orderOf({ ...orderPayload(), ...noCourier }, 'An order that is recorded and has no courier yet.'),
  OrderAssigned: orderOf(orderPayload(), 'An order with a courier and a tracking number.'),
  Address: Address.sent!,
  Carrier: Carrier.sent!,
  Weight: Weight.sent!,
  Shipment: shipmentRecord().sent!,
  Return: returnRecord().sent!,
  Meta: sent(meta, 'Where a page lies among all matches.'),
  ShipmentPage: pageOf('Shipment'),
  ReturnPage: pageOf('Return'),
  Health: sent({ status: sentOnly({ const: 'ok' }) }),
} as const satisfies Readonly<Record<string, Schema>>
