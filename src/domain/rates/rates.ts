// Quotes: the request and answer of the rates endpoint (spec 2.2, 2.3, 4.7) and the pure function between them.
import * as z from 'zod/mini'
import { invalid, type Fault } from '../errors.ts'
import { maxSide, maxWeight, roundWeight, standardDivisor, volumetricWeight } from './measures.ts'
import { maxPaise, paiseOf, rupeesOf } from '../money.ts'
import { placeOf, type Locality } from '../pincodes.ts'
import { byPrice, offerOf, readyServices, surchargesOf, type Moment, type Offer, type Parcel } from './pricing.ts'
import type { RateCard, Service } from './ratecard.ts'
import { istDate, istMinuteOfDay } from '../time.ts'
import { about, flag, lazily, numeric, oneOf, pincode, positive } from '../values.ts'
import { foreign, number, rupees, sometimes, text, whole, word, yesNo } from '../recordfields.ts'
import { pincodeFault } from '../read/pincode.ts'
import { zoneOf, zones, type ZoneDecision } from './zones.ts'
import { drawnZone, readyZones } from './zonetables.ts'

const paymentMethod = oneOf(['cod', 'prepaid'], 'payment method')
const shipmentValue = positive(rupeesOf(maxPaise), 'rupees')

/** The request of the rates endpoint (spec 2.2): weight in grams, sides in centimetres, value in rupees. */
export const RateRequest = lazily(() =>
  z.strictObject({
    journey_type: about(oneOf(['forward', 'return'], 'journey'), 'forward or return'),
    origin_pincode: about(pincode(), 'Pickup pincode, 6 digits'),
    destination_pincode: about(pincode(), 'Delivery pincode, 6 digits'),
    dead_weight: about(positive(maxWeight, 'g'), 'Dead weight, grams'),
    length: about(positive(maxSide, 'cm'), 'Centimetres'),
    width: about(positive(maxSide, 'cm'), 'Centimetres'),
    height: about(positive(maxSide, 'cm'), 'Centimetres'),
    // Only the type is checked here: whether the value matters depends on the journey and the payment (rateRules).
    payment_method: z.optional(z.string({ error: 'must be one of: cod, prepaid' })).check(
      z.meta({
        description: 'cod or prepaid; forward only',
        enum: ['cod', 'prepaid'],
        form: { type: 'string', examples: ['cod', 'prepaid'] },
      }),
    ),
    shipment_value: about(
      z.optional(numeric(z.number({ error: 'must be a number' }))),
      'Value of the parcel, rupees; with cod',
    ),
    qc_applicable: about(z.optional(flag), 'Quality check on a return (default true)'),
  }),
)
export type RateRequest = z.output<ReturnType<typeof RateRequest>>

/**
 * The rules between the fields of a rate request, as faults (spec 4.7 rule 2). What belongs to the other journey or to
 * the other payment may hold any value of its type, because clients reuse one body for both (docs/inside/decisions.md,
 * Rates).
 */
export function rateRules(raw: Readonly<Record<string, unknown>>): readonly Fault[] {
  const { journey_type: journey, payment_method: method, shipment_value: value } = raw
  if (journey === 'return') return []
  const faults: Fault[] = []
  if (method !== undefined) faults.push(...faultIn('payment_method', paymentMethod.safeParse(method)))
  else if (journey === 'forward')
    faults.push({ field: 'payment_method', message: 'is required for a forward journey: cod or prepaid' })
  if (method !== 'cod') return faults
  if (value !== undefined) faults.push(...faultIn('shipment_value', shipmentValue.safeParse(value)))
  else if (journey === 'forward')
    faults.push({ field: 'shipment_value', message: 'is required when payment_method is cod' })
  return faults
}

const faultIn = (field: string, { error }: z.core.util.SafeParseResult<unknown>): readonly Fault[] =>
  error === undefined ? [] : [{ field, message: error.issues[0]!.message }]

const amountsByName = (description: string) => ({
  sent: { type: 'object', description, additionalProperties: { type: 'number', minimum: 0 } },
  accepted: z.record(z.string(), z.number()),
})

/** The fields of an offer; a return has no `is_fast`, `is_prime` and `platform_fee`. */
export const offerFields = () => ({
  carrier_id: text('Identifier of the courier service'),
  carrier_name: text('Name of the courier service'),
  carrier_code: text('Short name of the courier service'),
  service_level: word(['standard', 'express'], 'Service level'),
  is_fast: sometimes(yesNo('Whether the service is fast')),
  is_prime: sometimes(yesNo('Whether the service is prime')),
  status: { sent: { const: 'active' }, accepted: z.string() },
  expected_delivery: whole(
    {
      pickup: text('Day of pickup in IST', { format: 'date' }),
      delivery: text('Day of delivery in IST', { format: 'date' }),
    },
    { description: 'Dates YYYY-MM-DD' },
  ),
  charges: foreign(z.record(z.string(), z.number())),
  platform_fee: sometimes(rupees('Fee of the platform; not in the total')),
  surcharges: sometimes(amountsByName('Surcharges by name, rupees; in the total')),
  courier_zone: sometimes(text("Zone of the lane under the courier's own name")),
})

const beforeGst = 'Before GST, at most two decimals'

/** The charges that our own service sends, by journey. */
export const chargesOf = {
  forward: () =>
    whole(
      {
        forward_freight_charges: rupees('Freight'),
        cod_charges: rupees('Charge for cash on delivery; 0 for prepaid'),
        rto_charges: rupees('Due only if the parcel comes back; not in the total'),
        total_forward_charges: rupees('Freight, COD charge and surcharges'),
      },
      { description: beforeGst },
    ),
  return: () =>
    whole(
      {
        return_freight_charges: rupees('Freight'),
        qc_charges: rupees('Charge for the quality check; 0 without one'),
        total_return_charges: rupees('Freight, quality check and surcharges'),
      },
      { description: beforeGst },
    ),
}

/** The fields of the parcel in an answer; a return has no `payment_method`. */
export const parcelFields = () => ({
  journey_type: foreign(z.string()),
  origin_pincode: text('Pickup pincode', { pattern: '^[1-9][0-9]{5}$' }),
  destination_pincode: text('Delivery pincode', { pattern: '^[1-9][0-9]{5}$' }),
  payment_method: sometimes(word(['cod', 'prepaid'], 'How the customer pays')),
  dead_weight: number('Dead weight, grams', { exclusiveMinimum: 0 }),
  volumetric_weight: number('Length x width x height / 5, grams', { minimum: 0 }),
  applicable_weight: number('The greater of both, grams', { exclusiveMinimum: 0 }),
  zone: word(zones, 'Zone of the lane'),
})

/** The answer of the rates endpoint (spec 2.3): rupees before GST, grams, IST dates. */
export const RateAnswer = z.lazy(() =>
  z.looseObject({
    status: z.literal('SUCCESS'),
    result: z.looseObject({
      serviceable_couriers: z.array(whole(offerFields()).accepted),
      shipment_details: whole(parcelFields()).accepted,
    }),
  }),
)
export type RateAnswer = z.output<typeof RateAnswer>

/** A service that makes no offer, and why, in one sentence. */
export interface Refusal {
  readonly service: Service
  readonly reason: string
}

/** A quote: offers ordered by price, then delivery date, then `carrier_id`, and the services that make none. */
export interface Quote {
  readonly request: RateRequest
  readonly card: RateCard
  readonly from: Locality
  readonly to: Locality
  readonly zone: ZoneDecision
  readonly volumetric: number
  readonly applicable: number
  readonly offers: readonly Offer[]
  readonly refusals: readonly Refusal[]
}

/**
 * Prices a parcel on a card at an instant (ms UTC), purely. Throws `invalid_input` for a pincode that neither India
 * Post nor a zone table of the card names. `given` is a zone that takes the place of the one that the pincodes have.
 * With `back`, totals are those of a forward parcel that came back: both ways, and the COD fee where the card keeps it.
 */
export function quote(request: RateRequest, card: RateCard, now: number, given?: string, back = false): Quote {
  const { from, to, zone } = laneOf(request, card)
  const { journey_type: journey, length, width, height } = request
  const dead = roundWeight(request.dead_weight)
  const volumetric = volumetricWeight(length, width, height, standardDivisor)
  const cod = journey === 'forward' && request.payment_method === 'cod'
  const parcel: Parcel = {
    journey,
    from,
    to,
    zone: zone.rule === 'table' ? undefined : zone.zone,
    given,
    dead,
    length,
    width,
    height,
    longest: Math.max(length, width, height),
    customer: (journey === 'forward' ? to : from).pincode,
    cod,
    value: cod ? paiseOf(request.shipment_value!)! : 0,
    worth: worthOf(request),
    qc: journey === 'return' && request.qc_applicable !== false,
    back,
  }
  const moment = momentOf(now)
  const closed = validityFault(card, moment.today)
  const offers: Offer[] = []
  const refusals: Refusal[] = []
  for (const ready of readyServices(card)) {
    const result = closed ?? offerOf(ready, parcel, moment)
    if (typeof result === 'string') refusals.push({ service: ready.service, reason: result })
    else offers.push(result)
  }
  offers.sort(byPrice)
  return { request, card, from, to, zone, volumetric, applicable: Math.max(dead, volumetric), offers, refusals }
}

/** The ends of a parcel's way and the zone between them by the card's own rules, or by a zone table of the card. */
function laneOf(request: RateRequest, card: RateCard): Pick<Quote, 'from' | 'to' | 'zone'> {
  const { journey_type: journey, origin_pincode: origin, destination_pincode: destination } = request
  const [from, to] = [placeOf(origin), placeOf(destination)]
  if (from !== undefined && to !== undefined) return { from, to, zone: zoneOf(from, to, card.zones) }
  const [merchant, customer] = journey === 'forward' ? [origin, destination] : [destination, origin]
  const tables = card.zone_tables ?? []
  for (const table of tables) {
    const zone = drawnZone(readyZones(table), merchant, customer)
    if (zone === undefined) continue
    const missing = [from ? [] : origin, to ? [] : destination].flat().join(' and ')
    const why = `India Post does not list ${missing}; the zones "${table.name}" do`
    return {
      from: from ?? nowhere(origin),
      to: to ?? nowhere(destination),
      zone: { zone: zone.as, rule: 'table', why },
    }
  }
  const faults = [
    ...(from ? [] : [{ field: 'origin_pincode', message: pincodeFault(origin)! }]),
    ...(to ? [] : [{ field: 'destination_pincode', message: pincodeFault(destination)! }]),
  ]
  throw invalid(faults)
}

/** What a forward parcel is worth, paise; undefined where the request does not say. */
function worthOf({ journey_type: journey, shipment_value: value }: RateRequest): number | undefined {
  const paise = journey === 'forward' && value !== undefined && value > 0 ? paiseOf(value) : undefined
  return paise !== undefined && paise <= maxPaise ? paise : undefined
}

/** A place that only a zone table knows. */
const nowhere = (pincode: string): Locality => ({ pincode, city: '', district: '', state: '' })

const moments = new Map<number, Moment>()
const mostMoments = 400

/** An instant (ms UTC) in the IST calendar; many parcels are priced at the same ones. */
function momentOf(ms: number): Moment {
  let moment = moments.get(ms)
  if (moment === undefined) {
    moment = { today: istDate(ms), minute: istMinuteOfDay(ms) }
    if (moments.size >= mostMoments) moments.clear()
    moments.set(ms, moment)
  }
  return moment
}

function validityFault(card: RateCard, today: string): string | undefined {
  if (card.valid_from !== null && today < card.valid_from)
    return `the card ${card.name} is valid from ${card.valid_from}`
  if (card.valid_to !== null && today > card.valid_to) return `the card ${card.name} was valid until ${card.valid_to}`
  return undefined
}

/** What the answer of a quote has no field for (spec 2.3): the card, its GST, and numbers of couriers. */
export interface QuoteFacts {
  readonly card: string
  readonly gst_percent: number
  /** How many couriers do not take the parcel. */
  readonly refused: number
  /** How many couriers charge on another weight than `applicable_weight`; undefined where the service does not say. */
  readonly others?: number
}

/** The facts of a quote. */
export function quoteFacts({ card, refusals, offers, applicable }: Quote): QuoteFacts {
  const others = offers.filter(({ weight }) => weight !== applicable).length
  return { card: card.name, gst_percent: card.gst_percent, refused: refusals.length, others }
}

/** A quote as the answer of the rates endpoint (spec 2.3): the keys of the other journey are absent. */
export function rateAnswer(found: Quote): RateAnswer {
  const { request } = found
  const forward = request.journey_type === 'forward'
  return {
    status: 'SUCCESS',
    result: {
      serviceable_couriers: found.offers.map((offer) => ({
        carrier_id: offer.service.carrier_id,
        carrier_name: offer.service.carrier_name,
        carrier_code: offer.service.carrier_code,
        service_level: offer.service.service_level,
        ...(forward ? { is_fast: offer.service.is_fast, is_prime: offer.service.is_prime } : {}),
        status: 'active',
        expected_delivery: { pickup: offer.pickup, delivery: offer.delivery },
        charges: forward
          ? {
              forward_freight_charges: rupeesOf(offer.freight),
              cod_charges: rupeesOf(offer.cod),
              rto_charges: rupeesOf(offer.rto),
              total_forward_charges: rupeesOf(offer.total),
            }
          : {
              return_freight_charges: rupeesOf(offer.freight),
              qc_charges: rupeesOf(offer.qc),
              total_return_charges: rupeesOf(offer.total),
            },
        ...(forward ? { platform_fee: rupeesOf(offer.fee) } : {}),
        ...ownWords(offer),
      })),
      shipment_details: {
        journey_type: request.journey_type,
        origin_pincode: request.origin_pincode,
        destination_pincode: request.destination_pincode,
        ...(forward ? { payment_method: request.payment_method! } : {}),
        dead_weight: request.dead_weight,
        volumetric_weight: found.volumetric,
        applicable_weight: found.applicable,
        zone: found.zone.zone,
      },
    },
  }
}

/** What the specification has no field for: surcharges in rupees by name, and a zone under the courier's own name. */
export function ownWords(offer: Offer): Pick<Sent, 'surcharges' | 'courier_zone'> {
  const { zone } = offer
  const named = surchargesOf(offer).map(({ name, amount }) => [name, rupeesOf(amount)] as const)
  return {
    ...(named.length === 0 ? {} : { surcharges: Object.fromEntries(named) }),
    ...(zone.name === zone.as ? {} : { courier_zone: zone.name }),
  }
}

type Sent = RateAnswer['result']['serviceable_couriers'][number]

/** GST on courier services, percent, where the service does not name another. */
export const usualGst = 18
