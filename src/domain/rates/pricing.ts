// The price of a parcel with each service of a card, or why the service does not take it: the rules of
// docs/guides/rates.md. What they need from the card is worked out once.
import { volumetricWeight } from './measures.ts'
import { paiseOf, percentage, rupeesText } from '../money.ts'
import type { Locality } from '../pincodes.ts'
import {
  bandFor,
  freightOf,
  hundredths,
  slabsOf,
  stepsOf,
  type Area,
  type RateCard,
  type Service,
  type Slabs,
} from './ratecard.ts'
import { addWorkingDays, isWorkingDay, readTimeOfDay, type WorkingDays } from '../time.ts'
import type { Zone } from './zones.ts'

/** What prices depend on in a parcel: grams, centimetres, paise. */
export interface Parcel {
  readonly journey: 'forward' | 'return'
  readonly from: Locality
  readonly to: Locality
  readonly zone: Zone
  /** Dead weight rounded to two decimals. */
  readonly dead: number
  readonly length: number
  readonly width: number
  readonly height: number
  readonly longest: number
  readonly cod: boolean
  /** The value that is collected; 0 without COD. */
  readonly value: number
  /** Whether it has a quality check. */
  readonly qc: boolean
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
  readonly delivery: string
}

/** One courier's price for the parcel, and its parts: integer paise, grams, IST dates. */
export interface Offer extends ComparableOffer {
  readonly service: Service
  /** Volumetric weight by this service's divisor. */
  readonly volumetric: number
  /** The end of the slab that is paid for, grams. */
  readonly slab: number
  readonly steps: number
  readonly freight: number
  readonly cod: number
  readonly qc: number
  readonly rto: number
  readonly pickup: string
}

/** A service with everything that does not depend on a parcel worked out. */
export interface ReadyService {
  readonly service: Service
  readonly pickup: Reach | undefined
  readonly delivery: Reach | undefined
  readonly codTo: Reach | undefined
  readonly codFixed: number
  readonly codShare: (paise: number) => number
  /** The highest value that is collected, paise. */
  readonly codMost: number
  readonly qc: number
  readonly fee: number
  readonly cutoff: number
  readonly working: WorkingDays
  /** Each made when a parcel first needs it. */
  readonly lanes: { readonly [J in Parcel['journey']]: Partial<Record<Zone, Lane>> }
  /** The dates of the last day that was priced. */
  calendar: Calendar
}

/** An area with its pincode prefixes as numbers: 11 and 110 differ, since no pincode starts with 0. */
interface Reach {
  readonly area: Area
  readonly pincodes: ReadonlySet<number> | undefined
  readonly notPincodes: ReadonlySet<number> | undefined
}

/** The prices and days of a service in a zone. */
interface Lane {
  readonly slabs: readonly Slabs[]
  /** A parcel that comes back costs a share of the freight, or has bands of its own; undefined without either. */
  readonly rto: ((freight: number) => number) | readonly Slabs[] | undefined
  readonly transit: number | undefined
}

interface Calendar {
  readonly today: string
  readonly works: boolean
  /** The next working day, once it was needed. */
  next: string | undefined
  /** Delivery by the pickup (today, or the next working day) and the days in transit. */
  readonly deliveries: readonly [Map<number, string>, Map<number, string>]
}

const readyCards = new WeakMap<RateCard, readonly ReadyService[]>()

/** The services of a card, worked out once. */
export function readyServices(card: RateCard): readonly ReadyService[] {
  let ready = readyCards.get(card)
  if (ready === undefined) {
    const holidays = new Set(card.holidays)
    ready = card.services.map((service) => readyService(service, holidays))
    readyCards.set(card, ready)
  }
  return ready
}

function readyService(service: Service, holidays: ReadonlySet<string>): ReadyService {
  const { serviceability, cod } = service
  return {
    service,
    pickup: reachOf(serviceability.pickup),
    delivery: reachOf(serviceability.delivery),
    codTo: reachOf(serviceability.cod),
    codFixed: paiseOf(cod.fixed)!,
    codShare: percentage(cod.percent),
    codMost: cod.max_value === null ? Infinity : paiseOf(cod.max_value)!,
    qc: paiseOf(service.qc.price)!,
    fee: paiseOf(service.platform_fee)!,
    cutoff: readTimeOfDay(service.pickup_cutoff)!,
    working: { days: new Set(service.working_days), holidays },
    lanes: { forward: {}, return: {} },
    calendar: { today: '', works: false, next: undefined, deliveries: [new Map(), new Map()] },
  }
}

function reachOf(area: Area | undefined): Reach | undefined {
  if (area === undefined) return undefined
  const numbers = (prefixes: readonly string[] | undefined) => prefixes && new Set(prefixes.map(Number))
  return { area, pincodes: numbers(area.pincodes), notPincodes: numbers(area.not_pincodes) }
}

/** The offer of one service, or the reason why it makes none. */
export function offerOf(ready: ReadyService, parcel: Parcel, moment: Moment): Offer | string {
  const { service } = ready
  const { zone, journey, cod, value, qc } = parcel
  const forward = journey === 'forward'
  const lane = laneOf(ready, journey, zone)
  if (typeof lane === 'string') return lane
  const place =
    reachFault(ready.pickup, parcel.from, zone, 'pickup from') ??
    reachFault(ready.delivery, parcel.to, zone, 'delivery to') ??
    (cod ? (service.cod.available ? reachFault(ready.codTo, parcel.to, zone, 'COD to') : 'no COD') : undefined)
  if (place !== undefined) return place
  if (cod && value > ready.codMost) return `COD above ₹${rupeesText(ready.codMost)}`
  if (qc && !service.qc.available) return 'no quality check on returns'
  if (service.max_side !== null && parcel.longest > service.max_side) return `a side over ${service.max_side} cm`
  const volumetric = volumetricWeight(parcel.length, parcel.width, parcel.height, service.divisor)
  const weight = Math.max(parcel.dead, volumetric, service.min_weight)
  if (weight > service.max_weight) return `over ${kilograms(service.max_weight)}`
  const units = hundredths(weight)
  const band = bandFor(lane.slabs, units)
  if (band === undefined) return `no price above ${kilograms(lane.slabs.at(-1)!.upTo / 100)} in ${zone}`
  const freight = freightOf(band, units)
  const rto = forward ? rtoOf(lane, units, freight) : 0
  if (rto === undefined) return `no RTO price for this weight in ${zone}`
  if (lane.transit === undefined) return `no transit days for ${zone}`
  const codFee = cod ? codOf(ready, value) : 0
  const qcFee = qc ? ready.qc : 0
  const steps = stepsOf(band, units)
  const calendar = calendarOf(ready, moment.today)
  const late = !calendar.works || moment.minute >= ready.cutoff
  const pickup = late ? (calendar.next ??= addWorkingDays(calendar.today, 1, ready.working)) : calendar.today
  return {
    service,
    volumetric,
    weight,
    slab: (band.first + steps * band.step) / 100,
    steps,
    freight,
    cod: codFee,
    qc: qcFee,
    rto,
    total: freight + codFee + qcFee,
    fee: forward ? ready.fee : 0,
    pickup,
    delivery: deliveryOf(calendar.deliveries[late ? 1 : 0], pickup, lane.transit, ready.working),
  }
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** The order of offers: price, then delivery date, then `carrier_id` (docs/inside/decisions.md, Rates). */
export function byPrice(a: ComparableOffer, b: ComparableOffer): number {
  return (
    a.total + a.fee - (b.total + b.fee) ||
    byText(a.delivery, b.delivery) ||
    byText(a.service.carrier_id, b.service.carrier_id)
  )
}

const kilograms = (grams: number): string => `${grams / 1000} kg`

/** The lane of a service in a zone, or why it has none. */
function laneOf(ready: ReadyService, journey: Parcel['journey'], zone: Zone): Lane | string {
  const { service, lanes } = ready
  const known = lanes[journey][zone]
  if (known !== undefined) return known
  const forward = journey === 'forward'
  const bands = service[journey][zone]
  if (!forward && Object.keys(service.return).length === 0) return 'takes no returns'
  if (bands === undefined) return `does not serve ${zone}${forward ? '' : ' for returns'}`
  const { rto } = service
  const back = 'percent' in rto ? undefined : rto.bands[zone]
  const lane: Lane = {
    slabs: slabsOf(bands),
    rto: 'percent' in rto ? percentage(rto.percent) : back && slabsOf(back),
    transit: service.transit_days[journey][zone],
  }
  lanes[journey][zone] = lane
  return lane
}

/** Why a place is outside an area; undefined when it is inside. */
function reachFault(reach: Reach | undefined, place: Locality, zone: Zone, what: string): string | undefined {
  if (reach === undefined) return undefined
  const { area, pincodes, notPincodes } = reach
  const { pincode, state } = place
  if (notPincodes !== undefined && covers(notPincodes, pincode)) return `no ${what} ${pincode}`
  if (pincodes !== undefined && !covers(pincodes, pincode)) return `no ${what} ${pincode}`
  if (area.not_states?.includes(state)) return `no ${what} ${pincode} (${state})`
  if (area.states !== undefined && !area.states.includes(state)) return `no ${what} ${pincode} (${state})`
  if (area.zones !== undefined && !area.zones.includes(zone)) return `no ${what} ${pincode} (${zone})`
  return undefined
}

function covers(prefixes: ReadonlySet<number>, pincode: string): boolean {
  for (let prefix = Number(pincode); prefix >= 1; prefix = Math.trunc(prefix / 10))
    if (prefixes.has(prefix)) return true
  return false
}

function rtoOf({ rto }: Lane, units: number, freight: number): number | undefined {
  if (typeof rto === 'function') return rto(freight)
  const band = rto && bandFor(rto, units)
  return band && freightOf(band, units)
}

function codOf({ service, codFixed, codShare }: ReadyService, value: number): number {
  const share = codShare(value)
  return service.cod.rule === 'sum' ? codFixed + share : Math.max(codFixed, share)
}

function calendarOf(ready: ReadyService, today: string): Calendar {
  if (ready.calendar.today !== today) {
    const works = isWorkingDay(today, ready.working)
    ready.calendar = { today, works, next: undefined, deliveries: [new Map(), new Map()] }
  }
  return ready.calendar
}

function deliveryOf(known: Map<number, string>, pickup: string, transit: number, working: WorkingDays): string {
  let date = known.get(transit)
  if (date === undefined) {
    date = addWorkingDays(pickup, transit, working)
    known.set(transit, date)
  }
  return date
}

/** What is paid for an offer, paise. */
export const amountPaid = ({ total, fee }: ComparableOffer): number => total + fee
