// The price of a parcel with each service of a card, or why the service does not take it: the rules of
// docs/guides/rates.md. What they need from the card is worked out once.
import { chargedWeight, slabWeight } from './chargedweight.ts'
import { codFeeOf, type CodFee } from './codfee.ts'
import { laneOf, type Lane } from './lanes.ts'
import { paiseOf, rupeesText } from '../money.ts'
import type { Locality } from '../pincodes.ts'
import { bandFor, freightOf, hundredths, stepsOf, type RateCard, type Service } from './ratecard.ts'
import { reachFault, reachOf, type Reach } from './reach.ts'
import { readySurcharges, surchargesOn, surchargeSum, type Component, type ReadySurcharges } from './surcharges.ts'
import { addWorkingDays, isWorkingDay, readTimeOfDay, type WorkingDays } from '../time.ts'
import { readZone } from '../read/zone.ts'
import type { Zone } from './zones.ts'
import { drawnZone, readyZones, type DrawnZone, type ReadyZones } from './zonetables.ts'

/** What prices depend on in a parcel: grams, centimetres, paise. */
export interface Parcel {
  readonly journey: 'forward' | 'return'
  readonly from: Locality
  readonly to: Locality
  /** The zone by the card's own rules; undefined when India Post does not know a pincode. */
  readonly zone: Zone | undefined
  /** A zone that takes its place for every service, in any spelling. */
  readonly given?: string | undefined
  /** Dead weight rounded to two decimals. */
  readonly dead: number
  readonly length: number
  readonly width: number
  readonly height: number
  readonly longest: number
  /** The customer's pincode. */
  readonly customer: string
  readonly cod: boolean
  /** The value that is collected; 0 without COD. */
  readonly value: number
  /** What it is worth; undefined when that is not known. */
  readonly worth: number | undefined
  /** Whether it has a quality check. */
  readonly qc: boolean
  /** Whether it came back undelivered: the total is then that of both ways. */
  readonly back?: boolean
}

/** A day of the IST calendar, `YYYY-MM-DD`, and its minute. */
export interface Moment {
  readonly today: string
  readonly minute: number
}

/** What offers from any service are compared by and shown with: integer paise, grams, an IST date ('' is unknown). */
export interface ComparableOffer {
  readonly service: Pick<Service, 'carrier_id' | 'carrier_name' | 'carrier_code'> & { readonly service_level: string }
  /** The weight charged before slabs (docs/guides/rates.md, rule 1). */
  readonly weight: number
  readonly total: number
  readonly fee: number
  /** What the courier charges more if a forward parcel comes back; undefined where the service does not say. */
  readonly rto?: number | undefined
  readonly delivery: string
}

/** One courier's price for the parcel, and its parts: integer paise, grams, IST dates. */
export interface Offer extends ComparableOffer {
  readonly service: Service
  /** The service's own zone of the lane. */
  readonly zone: DrawnZone
  /** Volumetric weight by this service's divisor. */
  readonly volumetric: number
  /** The end of the slab that is paid for, grams. */
  readonly slab: number
  readonly steps: number
  readonly freight: number
  readonly cod: number
  readonly qc: number
  /** The surcharges in the total; `surchargesOf` names them. */
  readonly surcharges: number
  /** What a parcel that comes back costs more, with its surcharges; in the total of one that did. */
  readonly rto: number
  /** The surcharges in it; `rtoSurchargesOf` names them. */
  readonly rtoSurcharges: number
  readonly pickup: string
  readonly parcel: Parcel
  /** The IST day that it is priced for. */
  readonly day: string
}

/** A service with everything that does not depend on a parcel worked out. */
export interface ReadyService {
  readonly service: Service
  readonly pickup: Reach | undefined
  readonly delivery: Reach | undefined
  readonly codTo: Reach | undefined
  readonly codFee: CodFee
  /** The highest value that is collected, paise. */
  readonly codMost: number
  readonly qc: number
  readonly fee: number
  readonly surcharges: ReadySurcharges | undefined
  /** The zones that the courier draws, if it does. */
  readonly zones: ReadyZones | undefined
  readonly cutoff: number
  readonly working: WorkingDays
  /** Each made when a parcel first needs it. */
  readonly lanes: { readonly [J in Parcel['journey']]: Map<string, Lane | string> }
  /** The dates of the days that were priced. */
  readonly calendars: Map<string, Calendar>
}

interface Calendar {
  readonly works: boolean
  /** The next working day, once it was needed. */
  next: string | undefined
  /** Delivery by the days in transit from a pickup on this day, and on the next working day. */
  readonly deliveries: readonly [Map<number, string>, Map<number, string>]
}

const readyCards = new WeakMap<RateCard, readonly ReadyService[]>()

/** The services of a card, worked out once. */
export function readyServices(card: RateCard): readonly ReadyService[] {
  let ready = readyCards.get(card)
  if (ready === undefined) {
    const holidays = new Set(card.holidays)
    ready = card.services.map((service) => readyService(service, holidays, tableOf(card, service)))
    readyCards.set(card, ready)
  }
  return ready
}

function tableOf({ zone_tables: tables = [] }: RateCard, { zone_table: named }: Service): ReadyZones | undefined {
  const table = named === undefined ? undefined : tables.find(({ name }) => name === named)
  return table && readyZones(table)
}

function readyService(service: Service, holidays: ReadonlySet<string>, zones: ReadyZones | undefined): ReadyService {
  const { serviceability, cod } = service
  return {
    service,
    pickup: reachOf(serviceability.pickup),
    delivery: reachOf(serviceability.delivery),
    codTo: reachOf(serviceability.cod),
    codFee: codFeeOf(service),
    codMost: cod.max_value === null ? Infinity : paiseOf(cod.max_value)!,
    qc: paiseOf(service.qc.price)!,
    fee: paiseOf(service.platform_fee)!,
    surcharges: readySurcharges(service),
    zones,
    cutoff: readTimeOfDay(service.pickup_cutoff)!,
    working: { days: new Set(service.working_days), holidays },
    lanes: { forward: new Map(), return: new Map() },
    calendars: new Map(),
  }
}

/** The offer of one service, or the reason why it makes none. */
export function offerOf(ready: ReadyService, parcel: Parcel, moment: Moment): Offer | string {
  const { service } = ready
  const { journey, cod, value, qc } = parcel
  const forward = journey === 'forward'
  const zone = zoneFor(ready, parcel)
  if (typeof zone === 'string') return zone
  const lane = knownLane(ready, journey, zone)
  if (typeof lane === 'string') return lane
  const refused = refusalOf(ready, parcel, zone.as)
  if (refused !== undefined) return refused
  const { volumetric, weight } = chargedWeight(service, parcel)
  if (weight > service.max_weight) return `over ${kilograms(service.max_weight)}`
  const units = hundredths(slabWeight(service, weight))
  const band = bandFor(lane.slabs, units)
  if (band === undefined) return `no price above ${kilograms(lane.slabs.at(-1)!.upTo / 100)} in ${zone.name}`
  const freight = freightOf(band, units)
  const steps = stepsOf(band, units)
  const due = cod ? ready.codFee(value, zone.name) : 0
  if (typeof due === 'string') return due
  const codFee = parcel.back === true && service.cod.on_rto !== 'charged' ? 0 : due
  const rtoFreight = forward ? lane.rto(units, freight) : 0
  if (rtoFreight === undefined) return `no RTO price for this weight in ${zone.name}`
  if (lane.transit === undefined) return `no transit days for ${zone.name}`
  const { pickup, delivery } = datesOf(ready, moment, lane.transit)
  const offer: Making<Offer> = {
    service,
    zone,
    volumetric,
    weight,
    slab: (band.first + steps * band.step) / 100,
    steps,
    freight,
    cod: codFee,
    qc: qc ? ready.qc : 0,
    surcharges: 0,
    rto: rtoFreight,
    rtoSurcharges: 0,
    total: 0,
    fee: forward ? ready.fee : 0,
    pickup,
    delivery,
    parcel,
    day: moment.today,
  }
  if (ready.surcharges !== undefined) {
    const fault = addSurcharges(ready.surcharges, offer)
    if (fault !== undefined) return fault
  }
  offer.total = freight + codFee + offer.qc + offer.surcharges + (parcel.back === true ? offer.rto : 0)
  return offer
}

type Making<T> = { -readonly [K in keyof T]: T[K] }

/** Adds the surcharges of both legs to an offer, or says why one of them has no amount. */
function addSurcharges(ready: ReadySurcharges, offer: Making<Offer>): string | undefined {
  const forward = offer.parcel.journey === 'forward'
  const surcharges = surchargeSum(forward ? ready.forward : ready.return, offer, offer.freight, offer.cod)
  if (typeof surcharges === 'string') return surcharges
  offer.surcharges = surcharges
  if (!forward) return undefined
  const back = surchargeSum(ready.rto, offer, offer.rto, 0)
  if (typeof back === 'string') return back
  offer.rtoSurcharges = back
  offer.rto += back
  return undefined
}

/** The surcharges in the total of an offer by name. */
export function surchargesOf(offer: Offer): readonly Component[] {
  const ready = readySurcharges(offer.service)
  return ready === undefined ? [] : surchargesOn(ready[offer.parcel.journey], offer, offer.freight, offer.cod)
}

/** The surcharges by name in what a parcel costs more when it comes back. */
export function rtoSurchargesOf(offer: Offer): readonly Component[] {
  const ready = offer.parcel.journey === 'forward' ? readySurcharges(offer.service) : undefined
  return ready === undefined ? [] : surchargesOn(ready.rto, offer, offer.rto - offer.rtoSurcharges, 0)
}

/** The service's zone of a parcel, or why it has none. */
function zoneFor({ zones }: ReadyService, { journey, from, to, zone, given }: Parcel): DrawnZone | string {
  if (given !== undefined) return givenZone(zones, given)
  if (zones === undefined) {
    if (zone !== undefined) return fiveZones[zone]
    return `no zone between ${from.pincode} and ${to.pincode}`
  }
  const [merchant, customer] = journey === 'forward' ? [from.pincode, to.pincode] : [to.pincode, from.pincode]
  const drawn = drawnZone(zones, merchant, customer)
  return drawn ?? `the zones "${zones.table.name}" lack ${merchant} to ${customer}`
}

/** The zone of a name: of the courier's own table by its name there, else one of the five. */
function givenZone(zones: ReadyZones | undefined, given: string): DrawnZone | string {
  if (zones === undefined) {
    const zone = readZone(given)
    return zone === undefined ? `"${given.slice(0, 20)}" is not a zone` : fiveZones[zone]
  }
  const own = Object.entries(zones.table.zones).find(([name]) => name.toLowerCase() === given.trim().toLowerCase())
  return own === undefined
    ? `"${given.slice(0, 20)}" is not a zone of "${zones.table.name}"`
    : { name: own[0], as: own[1] }
}

/** The five zones under their own names. */
export const fiveZones: Readonly<Record<Zone, DrawnZone>> = {
  zone_a: { name: 'zone_a', as: 'zone_a' },
  zone_b: { name: 'zone_b', as: 'zone_b' },
  zone_c: { name: 'zone_c', as: 'zone_c' },
  zone_d: { name: 'zone_d', as: 'zone_d' },
  zone_e: { name: 'zone_e', as: 'zone_e' },
}

/** Why the service does not take the parcel at its places, for its payment, its check or its sides. */
function refusalOf(ready: ReadyService, parcel: Parcel, zone: Zone): string | undefined {
  const { service } = ready
  const { cod, value, qc, longest } = parcel
  const place =
    reachFault(ready.pickup, parcel.from, zone, 'pickup from') ??
    reachFault(ready.delivery, parcel.to, zone, 'delivery to') ??
    (cod ? (service.cod.available ? reachFault(ready.codTo, parcel.to, zone, 'COD to') : 'no COD') : undefined)
  if (place !== undefined) return place
  if (cod && value > ready.codMost) return `COD above ₹${rupeesText(ready.codMost)}`
  if (qc && !service.qc.available) return 'no quality check on returns'
  if (service.max_side !== null && longest > service.max_side) return `a side over ${service.max_side} cm`
  return undefined
}

/** The days of pickup and delivery in IST. */
function datesOf(
  ready: ReadyService,
  { today, minute }: Moment,
  transit: number,
): { readonly pickup: string; readonly delivery: string } {
  const calendar = calendarOf(ready, today)
  const late = !calendar.works || minute >= ready.cutoff
  const pickup = late ? nextWorkingDay(ready, today) : today
  return { pickup, delivery: deliveryOf(ready, calendar.deliveries[late ? 1 : 0], pickup, transit) }
}

const nextWorkingDay = (ready: ReadyService, day: string): string =>
  (calendarOf(ready, day).next ??= addWorkingDays(day, 1, ready.working))

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order of offers: price, then delivery date, then `carrier_id` (docs/inside/decisions.md, Rates). */
export function byPrice(a: ComparableOffer, b: ComparableOffer): number {
  return (
    a.total + a.fee - (b.total + b.fee) ||
    byText(a.delivery, b.delivery) ||
    byText(a.service.carrier_id, b.service.carrier_id)
  )
}

/** The prices of a service in a zone, or why it has none there. */
export function knownLane(
  { service, lanes }: ReadyService,
  journey: Parcel['journey'],
  zone: DrawnZone,
): Lane | string {
  let lane = lanes[journey].get(zone.name)
  if (lane === undefined) {
    lane = laneOf(service, journey, zone)
    lanes[journey].set(zone.name, lane)
  }
  return lane
}

const kilograms = (grams: number): string => `${grams / 1000} kg`

function calendarOf(ready: ReadyService, today: string): Calendar {
  let calendar = ready.calendars.get(today)
  if (calendar === undefined) {
    calendar = { works: isWorkingDay(today, ready.working), next: undefined, deliveries: [new Map(), new Map()] }
    // A service that runs for years needs no days of the past.
    if (ready.calendars.size >= mostCalendars) ready.calendars.clear()
    ready.calendars.set(today, calendar)
  }
  return calendar
}

const mostCalendars = 400

function deliveryOf(ready: ReadyService, known: Map<number, string>, pickup: string, transit: number): string {
  let date = known.get(transit)
  if (date === undefined) {
    date = pickup
    for (let left = transit; left > 0; left--) date = nextWorkingDay(ready, date)
    known.set(transit, date)
  }
  return date
}

/** What is paid for an offer, paise. */
export const amountPaid = ({ total, fee }: ComparableOffer): number => total + fee
