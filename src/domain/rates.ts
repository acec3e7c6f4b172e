// Quotes: the request and answer of the rates endpoint (spec 2.2, 2.3, 4.7) and the pure function between them.
import * as z from 'zod/mini'
import type { Fault } from './errors.ts'
import { maxSide, maxWeight, roundWeight, standardDivisor, volumetricWeight } from './measures.ts'
import { maxPaise, paiseOf, percentOf, rupeesOf, rupeesText } from './money.ts'
import { placeOf, type Place } from './pincodes.ts'
import {
  bandFor,
  freightOf,
  hundredths,
  slabsOf,
  stepsOf,
  type Area,
  type RateCard,
  type Service,
  type Tariff,
} from './ratecard.ts'
import { addWorkingDays, istDate, istMinuteOfDay, isWorkingDay, readTimeOfDay, type WorkingDays } from './time.ts'
import { about, flag, lazily, numeric, oneOf, pincode, positive } from './values.ts'
import { zoneOf, type Zone, type ZoneDecision } from './zones.ts'

const paymentMethod = oneOf(['cod', 'prepaid'], 'payment method')
const shipmentValue = positive(rupeesOf(maxPaise), 'rupees')

/** The request of the rates endpoint (spec 2.2): weight in grams, sides in centimetres, value in rupees. */
// prettier-ignore
export const RateRequest = lazily(() => z.strictObject({
  journey_type:        about(oneOf(['forward', 'return'], 'journey'), 'forward or return'),
  origin_pincode:      about(pincode(), 'Pickup pincode, 6 digits'),
  destination_pincode: about(pincode(), 'Delivery pincode, 6 digits'),
  dead_weight:         about(positive(maxWeight, 'g'), 'Dead weight, grams'),
  length:              about(positive(maxSide, 'cm'), 'Centimetres'),
  width:               about(positive(maxSide, 'cm'), 'Centimetres'),
  height:              about(positive(maxSide, 'cm'), 'Centimetres'),
  // Only the type of these two: whether their value matters is for the journey and the payment to say (rateRules).
  payment_method:      z.optional(z.string({ error: 'must be one of: cod, prepaid' })).check(z.meta({ description: 'cod or prepaid; forward only', enum: ['cod', 'prepaid'] })),
  shipment_value:      about(z.optional(numeric(z.number({ error: 'must be a number' }))), 'Value of the parcel, rupees; with cod'),
  qc_applicable:       about(z.optional(flag), 'Quality check on a return (default true)'),
}))
export type RateRequest = z.output<ReturnType<typeof RateRequest>>

/**
 * The rules between the fields of a rate request, as faults (spec 4.7 rule 2). What belongs to the other journey or to the
 * other payment may hold any value of its type, because clients reuse one body for both (docs/decisions.md, Rates).
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

const expected = z.looseObject({ pickup: z.string(), delivery: z.string() })

/** The answer of the rates endpoint (spec 2.3): rupees before GST, grams, IST dates. */
export const RateAnswer = z.lazy(() =>
  z.looseObject({
    status: z.literal('SUCCESS'),
    result: z.looseObject({
      serviceable_couriers: z.array(
        z.looseObject({
          carrier_id: z.string(),
          carrier_name: z.string(),
          carrier_code: z.string(),
          service_level: z.string(),
          is_fast: z.optional(z.boolean()),
          is_prime: z.optional(z.boolean()),
          status: z.string(),
          expected_delivery: expected,
          charges: z.record(z.string(), z.number()),
          platform_fee: z.optional(z.number()),
        }),
      ),
      shipment_details: z.looseObject({
        journey_type: z.string(),
        origin_pincode: z.string(),
        destination_pincode: z.string(),
        payment_method: z.optional(z.string()),
        dead_weight: z.number(),
        volumetric_weight: z.number(),
        applicable_weight: z.number(),
        zone: z.string(),
      }),
    }),
  }),
)
export type RateAnswer = z.output<typeof RateAnswer>

/** One courier's price for the parcel and how it came about: integer paise, grams, IST dates. */
export interface Offer {
  readonly service: Service
  /** Volumetric weight by this service's divisor, and the weight charged before slabs (docs/rates.md, rule 1). */
  readonly volumetric: number
  readonly weight: number
  /** The end of the slab that is paid for, grams. */
  readonly slab: number
  readonly steps: number
  readonly freight: number
  readonly cod: number
  readonly qc: number
  readonly rto: number
  readonly total: number
  readonly fee: number
  readonly pickup: string
  readonly delivery: string
}

/** A service that makes no offer, and why, in one sentence. */
export interface Refusal {
  readonly service: Service
  readonly reason: string
}

/** Everything a quote found out, offers in order of what is paid, then delivery date, then `carrier_id`. */
export interface Quote {
  readonly request: RateRequest
  readonly card: RateCard
  readonly from: Place
  readonly to: Place
  readonly zone: ZoneDecision
  readonly volumetric: number
  readonly applicable: number
  readonly offers: readonly Offer[]
  readonly refusals: readonly Refusal[]
}

/** Prices a parcel on a card at an instant (ms UTC), purely. Both pincodes must exist (`RateRequest` has seen to it). */
export function quote(request: RateRequest, card: RateCard, now: number): Quote {
  const from = placeOf(request.origin_pincode)
  const to = placeOf(request.destination_pincode)
  if (from === undefined || to === undefined) throw new RangeError('a quote needs pincodes that exist')
  const zone = zoneOf(from, to, card.zones)
  const { length, width, height } = request
  const dead = roundWeight(request.dead_weight)
  const volumetric = volumetricWeight(length, width, height, standardDivisor)
  const parcel: Parcel = {
    request,
    from,
    to,
    zone: zone.zone,
    dead,
    longest: Math.max(length, width, height),
    today: istDate(now),
    minute: istMinuteOfDay(now),
  }
  const offers: Offer[] = []
  const refusals: Refusal[] = []
  const closed = validityFault(card, parcel.today)
  for (const service of card.services) {
    const result = closed ?? offerOf(service, parcel, card)
    if (typeof result === 'string') refusals.push({ service, reason: result })
    else offers.push(result)
  }
  offers.sort(byPrice)
  return { request, card, from, to, zone, volumetric, applicable: Math.max(dead, volumetric), offers, refusals }
}

interface Parcel {
  readonly request: RateRequest
  readonly from: Place
  readonly to: Place
  readonly zone: Zone
  readonly dead: number
  readonly longest: number
  readonly today: string
  readonly minute: number
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order of offers: what is paid, then delivery date, then `carrier_id` (docs/decisions.md, Rates). */
export function byPrice(a: Offer, b: Offer): number {
  return (
    a.total + a.fee - (b.total + b.fee) ||
    byText(a.delivery, b.delivery) ||
    byText(a.service.carrier_id, b.service.carrier_id)
  )
}

function validityFault(card: RateCard, today: string): string | undefined {
  if (card.valid_from !== null && today < card.valid_from)
    return `the card ${card.name} is valid from ${card.valid_from}`
  if (card.valid_to !== null && today > card.valid_to) return `the card ${card.name} was valid until ${card.valid_to}`
  return undefined
}

/** The offer of one service, or the reason why it makes none. */
function offerOf(service: Service, parcel: Parcel, card: RateCard): Offer | string {
  const { request, zone } = parcel
  const forward = request.journey_type === 'forward'
  const cod = forward && request.payment_method === 'cod'
  const qc = !forward && request.qc_applicable !== false
  const bands = (forward ? service.forward : service.return)[zone]
  if (!forward && Object.keys(service.return).length === 0) return 'takes no returns'
  if (bands === undefined) return `does not serve ${zone}${forward ? '' : ' for returns'}`
  const { pickup, delivery } = service.serviceability
  const place =
    areaFault(pickup, parcel.from, zone, 'pickup from') ??
    areaFault(delivery, parcel.to, zone, 'delivery to') ??
    (cod
      ? service.cod.available
        ? areaFault(service.serviceability.cod, parcel.to, zone, 'COD to')
        : 'no COD'
      : undefined)
  if (place !== undefined) return place
  const value = cod ? paiseOf(request.shipment_value!)! : 0
  if (cod && service.cod.max_value !== null && value > paiseOf(service.cod.max_value)!) {
    return `COD above ₹${rupeesText(paiseOf(service.cod.max_value)!)}`
  }
  if (qc && !service.qc.available) return 'no quality check on returns'
  if (service.max_side !== null && parcel.longest > service.max_side) return `a side over ${service.max_side} cm`
  const volumetric = volumetricWeight(request.length, request.width, request.height, service.divisor)
  const weight = Math.max(parcel.dead, volumetric, service.min_weight)
  if (weight > service.max_weight) return `over ${kilograms(service.max_weight)}`
  const units = hundredths(weight)
  const band = bandFor(slabsOf(bands), units)
  if (band === undefined) return `no price above ${kilograms(slabsOf(bands).at(-1)!.upTo / 100)} in ${zone}`
  const rtoPrice = forward ? rtoOf(service, zone, units, freightOf(band, units)) : 0
  if (rtoPrice === undefined) return `no RTO price for this weight in ${zone}`
  const working = workingDaysOf(service, card)
  const transit = service.transit_days[request.journey_type][zone]
  if (transit === undefined) return `no transit days for ${zone}`
  const pickupDate = pickupOf(service, parcel, working)
  const freight = freightOf(band, units)
  const codFee = cod ? codOf(service, value) : 0
  const qcFee = qc ? paiseOf(service.qc.price)! : 0
  const steps = stepsOf(band, units)
  return {
    service,
    volumetric,
    weight,
    slab: (band.first + steps * band.step) / 100,
    steps,
    freight,
    cod: codFee,
    qc: qcFee,
    rto: rtoPrice,
    total: freight + codFee + qcFee,
    fee: forward ? paiseOf(service.platform_fee)! : 0,
    pickup: pickupDate,
    delivery: addWorkingDays(pickupDate, transit, working),
  }
}

const kilograms = (grams: number): string => `${grams / 1000} kg`

function areaFault(area: Area | undefined, place: Place, zone: Zone, what: string): string | undefined {
  if (area === undefined) return undefined
  const fault = `no ${what} ${place.pincode}`
  const starts = (prefix: string): boolean => place.pincode.startsWith(prefix)
  if (area.not_pincodes?.some(starts)) return fault
  if (area.pincodes !== undefined && !area.pincodes.some(starts)) return fault
  if (area.not_states?.includes(place.state)) return `${fault} (${place.state})`
  if (area.states !== undefined && !area.states.includes(place.state)) return `${fault} (${place.state})`
  if (area.zones !== undefined && !area.zones.includes(zone)) return `${fault} (${zone})`
  return undefined
}

function rtoOf(service: Service, zone: Zone, units: number, freight: number): number | undefined {
  if ('percent' in service.rto) return percentOf(freight, service.rto.percent)
  const bands: Tariff = service.rto.bands
  const band = bands[zone] === undefined ? undefined : bandFor(slabsOf(bands[zone]), units)
  return band === undefined ? undefined : freightOf(band, units)
}

function codOf(service: Service, value: number): number {
  const fixed = paiseOf(service.cod.fixed)!
  const share = percentOf(value, service.cod.percent)
  return service.cod.rule === 'sum' ? fixed + share : Math.max(fixed, share)
}

const workingDays = new WeakMap<Service, { readonly card: RateCard; readonly working: WorkingDays }>()

function workingDaysOf(service: Service, card: RateCard): WorkingDays {
  const known = workingDays.get(service)
  if (known?.card === card) return known.working
  const working = { days: new Set(service.working_days), holidays: new Set(card.holidays) }
  workingDays.set(service, { card, working })
  return working
}

function pickupOf(service: Service, parcel: Parcel, working: WorkingDays): string {
  const inTime = isWorkingDay(parcel.today, working) && parcel.minute < readTimeOfDay(service.pickup_cutoff)!
  return inTime ? parcel.today : addWorkingDays(parcel.today, 1, working)
}

/** What is known of a quote beside its answer (spec 2.3 has no place for it): the card, its GST, and who refused. */
export interface QuoteFacts {
  readonly card: string
  readonly gst_percent: number
  /** How many couriers do not take the parcel. */
  readonly refused: number
}

/** The facts of a quote. */
export function quoteFacts({ card, refusals }: Quote): QuoteFacts {
  return { card: card.name, gst_percent: card.gst_percent, refused: refusals.length }
}

/** The quote as the rates endpoint answers it (spec 2.3): the keys of the other journey are absent. */
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
