// The normal form of a courier's offer and of a quote's zone, out of what deployments were seen to send; judges no price.
import { istDate, readDay, readInstant } from '../domain/time.ts'
import { readZone } from '../domain/zones.ts'

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

/** A courier's offer for a table: words as sent, dates `YYYY-MM-DD` in IST, amounts in rupees; undefined is not said. */
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
}

/** The normal form of one element of `serviceable_couriers`; anything that cannot be read is undefined. */
export function readOffer(raw: unknown): Offer {
  const offer = fieldsOf(raw)
  const expected = fieldsOf(offer['expected_delivery'])
  const charges = fieldsOf(offer['charges'])
  return {
    carrier_id: textOf(offer['carrier_id']),
    carrier_name: textOf(offer['carrier_name']),
    carrier_code: textOf(offer['carrier_code']),
    service_level: textOf(offer['service_level']),
    is_fast: truthOf(offer['is_fast']),
    is_prime: truthOf(offer['is_prime']),
    offered: !notOffered.has(String(offer['status'] ?? 'active').toLowerCase()),
    pickup: dateOf(expected['pickup']),
    delivery: dateOf(expected['delivery']),
    charges: Object.fromEntries(chargeNames.map((name) => [name, amountOf(charges[name])])) as Offer['charges'],
    platform_fee: amountOf(offer['platform_fee']),
  }
}

/** The zone of a quote (`shipment_details`) as our own word where it is one (`C` is `zone_c`), else as it was sent. */
export function readQuoteZone(details: unknown): string | undefined {
  const zone = textOf(fieldsOf(details)['zone'])
  return zone === undefined ? undefined : (readZone(zone) ?? zone)
}

const notOffered: ReadonlySet<string> = new Set(['false', '0', 'inactive', 'disabled', 'unavailable', 'not_serviceable']) // prettier-ignore

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : typeof value === 'number' ? String(value) : undefined

function truthOf(value: unknown): boolean | undefined {
  if (value === true || value === 1 || value === '1' || value === 'true') return true
  return value === false || value === 0 || value === '0' || value === 'false' ? false : undefined
}

function amountOf(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  return typeof value === 'string' && /^-?\d{1,13}(?:\.\d{1,12})?$/.test(value.trim()) ? Number(value) : undefined
}

/** A date in IST out of a date, a time with or without an offset, or an object that holds one. */
function dateOf(value: unknown): string | undefined {
  if (typeof value === 'object' && value !== null) {
    const { datetime, date } = value as { readonly datetime?: unknown; readonly date?: unknown }
    return typeof datetime === 'string' ? dateOf(datetime) : typeof date === 'string' ? dateOf(date) : undefined
  }
  if (typeof value !== 'string') return undefined
  const at = readInstant(value.trim())
  if (at !== undefined) return istDate(at)
  const day = /^(\d{4}-\d{2}-\d{2})(?:$|[T ])/.exec(value.trim())?.[1]
  return day === undefined || readDay(day) === undefined ? undefined : day
}
