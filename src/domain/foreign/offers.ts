// A courier's offer and a quote's zone in our own form, from the forms that deployments were seen to send.
import { paiseOf } from '../money.ts'
import { amountIn, isFields, momentIn, textIn, truthIn, type Fields } from './values.ts'
import { istDate, readDay } from '../time.ts'
import { readZone } from '../read/zone.ts'

/** The charges that an offer may carry (spec 2.3). */
export const chargeNames = [
  'forward_freight_charges',
  'cod_charges',
  'rto_charges',
  'total_forward_charges',
  'return_freight_charges',
  'qc_charges',
  'total_return_charges',
] as const
export type ChargeName = (typeof chargeNames)[number]

/** A courier's offer for a table: words as sent, dates `YYYY-MM-DD` in IST, amounts in rupees; undefined is unknown. */
export interface Offer {
  readonly carrier_id: string | undefined
  readonly carrier_name: string | undefined
  readonly carrier_code: string | undefined
  /** The service's own word: `standard`, `express`, `road`, `air`. */
  readonly service_level: string | undefined
  readonly is_fast: boolean | undefined
  readonly is_prime: boolean | undefined
  /** Whether the courier takes the parcel at all. */
  readonly offered: boolean
  readonly pickup: string | undefined
  readonly delivery: string | undefined
  readonly charges: { readonly [N in ChargeName]: number | undefined }
  readonly platform_fee: number | undefined
  /** The courier's price and the service's fee, paise; undefined where either cannot be read. */
  readonly price: { readonly total: number; readonly fee: number } | undefined
}

/** One element of `serviceable_couriers` in our own form; anything that cannot be read is undefined. */
export function readOffer(raw: unknown): Offer {
  const offer = fieldsOf(raw)
  const expected = fieldsOf(offer['expected_delivery'])
  const charges = fieldsOf(offer['charges'])
  return {
    carrier_id: textOf(offer['carrier_id']),
    carrier_name: textOf(offer['carrier_name']),
    carrier_code: textOf(offer['carrier_code']),
    service_level: textOf(offer['service_level']),
    is_fast: truthIn(offer['is_fast']),
    is_prime: truthIn(offer['is_prime']),
    offered:
      truthIn(offer['status']) !== false && !notOffered.has((textOf(offer['status']) ?? '').trim().toLowerCase()),
    pickup: dateOf(expected['pickup']),
    delivery: dateOf(expected['delivery']),
    charges: Object.fromEntries(chargeNames.map((name) => [name, amountIn(charges[name])])) as Offer['charges'],
    platform_fee: amountIn(offer['platform_fee']),
    price: priceIn(charges, offer['platform_fee']),
  }
}

/** The price: the total, and the fee where there is one. */
function priceIn(charges: Fields, fee: unknown): Offer['price'] {
  const total = paiseIn(said(charges['total_forward_charges']) ?? charges['total_return_charges'])
  const added = said(fee) === undefined ? 0 : paiseIn(fee)
  return total === undefined || added === undefined ? undefined : { total, fee: added }
}

/** An amount of at least 0, in paise. */
function paiseIn(value: unknown): number | undefined {
  const rupees = amountIn(value)
  return rupees === undefined || rupees < 0 ? undefined : paiseOf(rupees)
}

const said = (value: unknown): unknown =>
  value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value

/**
 * The zone of a quote (`shipment_details`) in our own form (`C` is `zone_c`), or as it was sent where it is another.
 */
export function readQuoteZone(details: unknown): string | undefined {
  const zone = textOf(fieldsOf(details)['zone'])
  return zone === undefined ? undefined : (readZone(zone) ?? zone)
}

const notOffered: ReadonlySet<string> = new Set(['inactive', 'disabled', 'unavailable', 'not_serviceable'])

const fieldsOf = (value: unknown): Fields => (isFields(value) ? value : {})

function textOf(value: unknown): string | undefined {
  const text = textIn(value)
  return text === undefined || text.trim() === '' ? undefined : text
}

/** A date in IST from a date, a time with or without an offset, or an object that holds one. */
function dateOf(value: unknown): string | undefined {
  const at = momentIn(value)
  if (at !== undefined) return istDate(at)
  const day = /^(\d{4}-\d{2}-\d{2})[T ]/.exec(
    textOf(isFields(value) ? (value['datetime'] ?? value['date']) : value)?.trim() ?? '',
  )?.[1]
  return day === undefined || readDay(day) === undefined ? undefined : day
}
