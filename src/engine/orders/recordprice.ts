// The price of a parcel that has a courier already, by the card's version of its day, or why it has none
// (docs/guides/cost.md).
import { chargesBy, type Charges, type ZoneBy } from '../../domain/parcels/charges.ts'
import { deliveryOf, type OrderCreate } from '../../domain/orders.ts'
import { paiseOf } from '../../domain/money.ts'
import { placeOf, type Locality } from '../../domain/pincodes.ts'
import { versionOn, type Versions } from '../../domain/rates/cardversions.ts'
import { roundWeight } from '../../domain/rates/measures.ts'
import {
  offerOf,
  readyServices,
  type Moment,
  type Offer,
  type Parcel,
  type ReadyService,
} from '../../domain/rates/pricing.ts'
import type { RateCard } from '../../domain/rates/ratecard.ts'
import { zoneOf } from '../../domain/rates/zones.ts'
import { readZone } from '../../domain/read/zone.ts'
import { istDate, istDayNumber } from '../../domain/time.ts'
import { grams } from './record.ts'

/** Why a parcel with a courier has no price. */
export const unpricedReasons = {
  no_card_for_day: 'the card has no prices for its day',
  courier_not_on_card: 'its courier is not on the card',
  no_day: 'its record has no date',
  no_weight: 'its record has no weight',
  no_payment: 'its record does not say how it is paid, or how much is collected',
  no_zone: 'its warehouse or its pincode is not known, and its record has no zone',
  not_offered: 'the courier does not take it by the card',
} as const
export type UnpricedReason = keyof typeof unpricedReasons

/** A parcel as its row has it: ms UTC, milligrams, rupees. */
export interface ParcelRow {
  readonly carrier_id: string | null
  readonly carrier_name: string | null
  readonly warehouse_id: string | null
  readonly zone: string | null
  readonly is_cod: number | null
  readonly applied_weight: number | null
  readonly pincode: string | null
  /** When it was picked up, else made ready, else created. */
  readonly day_at: number | null
  readonly worth: number | null
  readonly collected: number | null
  /** The order that it was made from, JSON. */
  readonly order_doc: string | null
}

/** Why a parcel has no price, in one sentence where there is more to say than the reason. */
export interface Unpriced {
  readonly reason: UnpricedReason
  readonly why?: string
}

/** A price, or why there is none. */
export type RecordPrice = { readonly charges: Charges; readonly total: number } | Unpriced

/** A parcel by the card's version of its day, before a service is chosen. */
export interface PricedParcel {
  readonly card: RateCard
  /** `YYYY-MM-DD` in IST. */
  readonly day: string
  readonly services: readonly ReadyService[]
  /** The service of the courier that carried it; undefined where the card has none. */
  readonly own: ReadyService | undefined
  /** The pincode of its warehouse, where that is known. */
  readonly from: string | undefined
  /** The offer of a service, as the parcel went out or as it came back, or why it makes none. */
  readonly offer: (service: ReadyService, back: boolean) => RecordOffer | Unpriced
}

/** An offer for a saved parcel, and where its zone is from. */
export interface RecordOffer {
  readonly offer: Offer
  readonly zone_by: ZoneBy
}

/** What a version of the card needs on a day. */
interface PricedDay {
  readonly card: RateCard
  readonly moment: Moment
  readonly services: CardServices
}

/** The services of a version by what records call their couriers. */
interface CardServices {
  readonly all: readonly ReadyService[]
  readonly byId: ReadonlyMap<string, ReadyService>
  readonly byName: ReadonlyMap<string, ReadyService>
  /** The same for a parcel whose origin is not known. */
  readonly anywhere: Map<ReadyService, ReadyService>
}

/** What prices records on the versions of a card, with the pincodes of the account's warehouses. */
export function recordPricer(
  versions: Versions,
  warehouses: ReadonlyMap<string, string>,
): (row: ParcelRow) => RecordPrice {
  const parcelOf = recordOffers(versions, warehouses)
  return (row) => {
    const parcel = parcelOf(row, 'own')
    if ('reason' in parcel) return parcel
    const { card, day, own } = parcel
    const found = parcel.offer(own!, false)
    if ('reason' in found) return found
    const { offer, zone_by } = found
    return { charges: chargesBy(offer, card, day, zone_by), total: offer.total + offer.fee }
  }
}

/** What a returned parcel costs by a card: both ways and the COD fee that is kept, paise. */
export interface ReturnedCost {
  readonly paise: number
  /** The name of the card. */
  readonly card: string
}

/** What prices returned parcels by their own courier; undefined for a parcel without a price. */
export function returnedPricer(
  versions: Versions,
  warehouses: ReadonlyMap<string, string>,
): (row: ParcelRow) => ReturnedCost | undefined {
  const parcelOf = recordOffers(versions, warehouses)
  return (row) => {
    const parcel = parcelOf(row, 'own')
    if ('reason' in parcel) return undefined
    const found = parcel.offer(parcel.own!, true)
    return 'reason' in found ? undefined : { paise: found.offer.total, card: parcel.card.name }
  }
}

/**
 * What offers any service of a card for records, by the version of their day. With `own`, a parcel whose courier is not
 * on the card is refused.
 */
export function recordOffers(
  versions: Versions,
  warehouses: ReadonlyMap<string, string>,
): (row: ParcelRow, wanted: 'own' | 'any') => PricedParcel | Unpriced {
  const days = new Map<number, PricedDay | string>()
  const known = new Map<RateCard, CardServices>()
  const dayOf = (ms: number): PricedDay | string => {
    const number = istDayNumber(ms)
    let day = days.get(number)
    if (day === undefined) {
      const today = istDate(ms)
      const card = versionOn(versions, today)
      if (card !== undefined && !known.has(card)) known.set(card, servicesOf(card))
      day =
        card === undefined
          ? `${versions[0].name} has no prices for ${today}`
          : { card, moment: { today, minute: 0 }, services: known.get(card)! }
      days.set(number, day)
    }
    return day
  }
  return (row, wanted) => {
    if (row.day_at === null) return { reason: 'no_day' }
    const day = dayOf(row.day_at)
    if (typeof day === 'string') return { reason: 'no_card_for_day', why: day }
    const { byId, byName } = day.services
    const { carrier_id: id, carrier_name: name } = row
    const own = byId.get(id ?? '') ?? byName.get((name ?? '').toLowerCase())
    if (own === undefined && wanted === 'own') return notOnCard(row, day.card)
    return parcelOn(day, own, row, row.warehouse_id === null ? undefined : warehouses.get(row.warehouse_id))
  }
}

/** Why a card has no price for the courier of a parcel. */
export const notOnCard = ({ carrier_id: id, carrier_name: name }: ParcelRow, card: RateCard): Unpriced => ({
  reason: 'courier_not_on_card',
  why: `${name ?? id ?? '-'} is not on ${card.name}`,
})

function servicesOf(card: RateCard): CardServices {
  const all = readyServices(card)
  return {
    all,
    byId: new Map(all.map((one) => [one.service.carrier_id, one])),
    byName: new Map(all.map((one) => [one.service.carrier_name.toLowerCase(), one])),
    anywhere: new Map(),
  }
}

function parcelOn(
  day: PricedDay,
  own: ReadyService | undefined,
  row: ParcelRow,
  from: string | undefined,
): PricedParcel | Unpriced {
  const order = row.order_doc === null ? undefined : (JSON.parse(row.order_doc) as OrderCreate)
  const body = order === undefined ? bodyOf(row) : bodyOfOrder(order)
  if (typeof body === 'string') return { reason: body }
  const { card, moment, services } = day
  const pincode = order === undefined ? row.pincode : deliveryOf(order).zip
  // Services without zones of their own share the parcel, and so do those of one table.
  let last: { readonly zones: ReadyService['zones']; readonly back: boolean; readonly zone_by: ZoneBy } | undefined
  let parcel: Parcel | undefined
  const offer = (service: ReadyService, back: boolean): RecordOffer | Unpriced => {
    if (last === undefined || last.zones !== service.zones || last.back !== back) {
      const lane = laneOf(card, service, row.zone, from, pincode)
      if (lane === undefined) return { reason: 'no_zone' }
      last = { zones: service.zones, back, zone_by: lane.zone_by }
      parcel = parcelIn(lane, body, back)
    }
    const made = offerOf(from === undefined ? unplaced(services, service) : service, parcel!, moment)
    if (typeof made === 'string') return { reason: 'not_offered', why: `${service.service.carrier_name}: ${made}` }
    return { offer: made, zone_by: last.zone_by }
  }
  return { card, day: moment.today, services: services.all, own, from, offer }
}

/** A parcel on its way out, or back. It is made of names one by one: a spread of objects takes ten times as long. */
const parcelIn = ({ from, to, zone, given }: RecordLane, body: Body, back: boolean): Parcel => ({
  journey: 'forward',
  qc: false,
  customer: to.pincode,
  dead: body.dead,
  length: body.length,
  width: body.width,
  height: body.height,
  longest: body.longest,
  cod: body.cod,
  value: body.value,
  worth: body.worth,
  from,
  to,
  zone,
  given,
  back,
})

type Body = Pick<Parcel, 'dead' | 'length' | 'width' | 'height' | 'longest' | 'cod' | 'value' | 'worth'>

/** The parcel of a record: its charged weight counts as its dead weight, and it has no sides. */
function bodyOf({ applied_weight: weight, is_cod, worth, collected }: ParcelRow): Body | UnpricedReason {
  if (weight === null || weight <= 0) return 'no_weight'
  if (is_cod === null) return 'no_payment'
  const value = worth === null ? undefined : paiseOf(worth)
  // A COD parcel with nothing to collect contradicts itself.
  const cash = collected === null ? value : paiseOf(collected)
  if (is_cod === 1 && (cash === undefined || cash <= 0)) return 'no_payment'
  return {
    dead: roundWeight(weight / 1000),
    length: 0,
    width: 0,
    height: 0,
    longest: 0,
    cod: is_cod === 1,
    value: is_cod === 1 ? cash! : 0,
    worth: value,
  }
}

/** The parcel of an order, as it was quoted. */
function bodyOfOrder(order: OrderCreate): Body {
  const { length, breadth: width, height } = order
  const cod = order.payment_method === 'COD'
  const value = cod ? paiseOf(order.cod_collectible!)! : undefined
  const longest = Math.max(length, width, height)
  return { dead: roundWeight(grams(order)), length, width, height, longest, cod, value: value ?? 0, worth: value }
}

type RecordLane = Required<Pick<Parcel, 'from' | 'to' | 'zone' | 'given'>> & { readonly zone_by: ZoneBy }

/** The ends of a parcel and its zone: by the card where both ends are known to it, else the record's own. */
function laneOf(
  card: RateCard,
  { zones }: ReadyService,
  own: string | null,
  origin: string | undefined,
  pincode: string | null,
): RecordLane | undefined {
  const known = origin === undefined ? undefined : placeOf(origin)
  const ends = pincode === null ? undefined : placeOf(pincode)
  if (known !== undefined && ends !== undefined)
    return { from: known, to: ends, zone: zoneOf(known, ends, card.zones).zone, given: undefined, zone_by: 'card' }
  const [from, to] = [known ?? nowhere(origin ?? ''), ends ?? nowhere(pincode ?? '')]
  // A courier's own table may know a pincode that India Post does not list.
  if (zones !== undefined && origin !== undefined && pincode !== null)
    return { from, to, zone: undefined, given: undefined, zone_by: 'card' }
  return own === null ? undefined : { from, to, zone: undefined, given: ownName(zones, own), zone_by: 'record' }
}

/** A record's zone under the courier's own name, where only one of its zones counts as that of the record. */
function ownName(zones: ReadyService['zones'], zone: string): string {
  const five = readZone(zone)
  if (zones === undefined || five === undefined || Object.hasOwn(zones.table.zones, zone)) return zone
  const [name = zone, ...others] = Object.keys(zones.table.zones).filter((one) => zones.table.zones[one] === five)
  return others.length === 0 ? name : zone
}

const nowhere = (pincode: string): Locality => ({ pincode, city: '', district: '', state: '' })

/** The service without the places where it picks up: the parcel's own is not known, and it was picked up. */
function unplaced({ anywhere }: CardServices, service: ReadyService): ReadyService {
  let found = anywhere.get(service)
  if (found === undefined) anywhere.set(service, (found = { ...service, pickup: undefined }))
  return found
}
