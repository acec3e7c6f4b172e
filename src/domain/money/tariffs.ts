// What a service of a card charges on a day, at any zone and weight: worked out once for each version and zone, since
// an invoice asks for the same ones line after line. Weights are hundredths of a gram, amounts integer paise.
import { percentage } from '../money.ts'
import { everyPincode, placeOf, type Locality } from '../pincodes.ts'
import { chargedWeight, slabWeight } from '../rates/chargedweight.ts'
import { versionOn, type Versions } from '../rates/cardversions.ts'
import type { Lane } from '../rates/lanes.ts'
import { roundWeight } from '../rates/measures.ts'
import { fiveZones, knownLane, readyServices, type ReadyService } from '../rates/pricing.ts'
import { bandFor, freightOf, hundredths, stepsOf, type RateCard, type Service } from '../rates/ratecard.ts'
import { zoneOf } from '../rates/zones.ts'
import { drawnZone, type DrawnZone } from '../rates/zonetables.ts'
import { readZoneWords } from '../read/zone.ts'
import { istDate, istDayNumber } from '../time.ts'
import type { KnownParcel } from './parcel.ts'

/** A version of a card on a day. */
export interface Tariff {
  readonly card: RateCard
  readonly day: string
  readonly services: ReadonlyMap<string, ReadyService>
  /** The service of a card that has no other. */
  readonly only: ReadyService | undefined
  /** GST of an amount, half-up, the same below zero. */
  readonly gst: (paise: number) => number
  readonly gstPercent: number
}

/** Where a zone of ours is from. */
export type ZoneBy = 'card' | 'neighbours' | 'record'

/** A zone of a service with its prices out, and where it is from. */
export interface OurZone {
  readonly zone: DrawnZone
  readonly by: ZoneBy
}

/** The tariffs of the days of a card; a sentence for a day without prices. */
export function tariffsOf(versions: Versions): (ms: number) => Tariff | string {
  const days = new Map<number, Tariff | string>()
  const known = new Map<RateCard, Omit<Tariff, 'day'>>()
  const tariffOf = (ms: number): Tariff | string => {
    const day = istDate(ms)
    const card = versionOn(versions, day)
    if (card === undefined) return `${versions[0].name} has no prices for ${day}`
    let parts = known.get(card)
    if (parts === undefined) known.set(card, (parts = partsOf(card)))
    return { ...parts, day }
  }
  return (ms) => {
    const number = istDayNumber(ms)
    let tariff = days.get(number)
    if (tariff === undefined) days.set(number, (tariff = tariffOf(ms)))
    return tariff
  }
}

function partsOf(card: RateCard): Omit<Tariff, 'day'> {
  const share = percentage(card.gst_percent)
  const [first, ...others] = readyServices(card)
  return {
    card,
    services: new Map(
      readyServices(card).flatMap((ready) => {
        const { carrier_id: id, carrier_name: name } = ready.service
        return [[id, ready] as const, [name.toLowerCase(), ready] as const]
      }),
    ),
    only: others.length === 0 ? first : undefined,
    gst: (paise) => (paise < 0 ? -share(-paise) : share(paise)),
    gstPercent: card.gst_percent,
  }
}

/** The service of a courier by its id, else by its name; the only one of a card for a parcel that names none. */
export function serviceOf({ services }: Tariff, id: string | null, name: string | null): ReadyService | undefined {
  return (id === null ? undefined : services.get(id)) ?? (name === null ? undefined : services.get(name.toLowerCase()))
}

/** Lanes of a card's own zones and of each table that were looked up, by the merchant's pincode and the customer's. */
const lanesBefore = new WeakMap<object, Map<string, Map<number, OurZone | null>>>()
const mostMerchants = 20

const zonesFrom = new WeakMap<DrawnZone, Partial<Record<ZoneBy, OurZone>>>()

/** A zone and where it is from: one object for all lanes. */
function ourZoneBy(zone: DrawnZone, by: ZoneBy): OurZone {
  let known = zonesFrom.get(zone)
  if (known === undefined) zonesFrom.set(zone, (known = {}))
  return (known[by] ??= { zone, by })
}

/** Our zone of a parcel by the card, else by the neighbours of an unknown pincode, else by its record. */
export function ourZone({ card }: Tariff, ready: ReadyService, parcel: KnownParcel): OurZone | undefined {
  const { merchant, customer, zone } = parcel
  if (merchant !== null && customer !== null) {
    const owner = ready.zones ?? card.zones
    let merchants = lanesBefore.get(owner)
    if (merchants === undefined) lanesBefore.set(owner, (merchants = new Map()))
    let lanes = merchants.get(merchant)
    if (lanes === undefined) {
      if (merchants.size >= mostMerchants) merchants.clear()
      merchants.set(merchant, (lanes = new Map()))
    }
    const key = Number(customer)
    let found = lanes.get(key)
    if (found === undefined) lanes.set(key, (found = laneBy(card, ready, merchant, customer) ?? null))
    if (found !== null) return found
  }
  const own = zone === null ? undefined : zoneCalled(ready, zone)
  return own && ourZoneBy(own, 'record')
}

function laneBy(card: RateCard, { zones }: ReadyService, merchant: string, customer: string): OurZone | undefined {
  if (zones !== undefined) {
    const drawn = drawnZone(zones, merchant, customer)
    return drawn && ourZoneBy(drawn, 'card')
  }
  const [from, to] = [placeOf(merchant), placeOf(customer)]
  if (from !== undefined && to !== undefined) return ourZoneBy(fiveZones[zoneOf(from, to, card.zones).zone], 'card')
  // The pincodes that begin with the same three digits stand for one that India Post does not list.
  const [starts, ends] = [
    from === undefined ? neighbours(merchant) : [from],
    to === undefined ? neighbours(customer) : [to],
  ]
  const all = new Set(starts.flatMap((one) => ends.map((other) => zoneOf(one, other, card.zones).zone)))
  const [only, ...others] = all
  return only === undefined || others.length > 0 ? undefined : ourZoneBy(fiveZones[only], 'neighbours')
}

const neighbours = (pincode: string): readonly Locality[] =>
  /^[1-9]\d{5}$/.test(pincode)
    ? [...everyPincode()].filter((one) => one.startsWith(pincode.slice(0, 3))).map((one) => placeOf(one)!)
    : []

const zonesBefore = new WeakMap<ReadyService, Map<string, DrawnZone | null>>()

/** The zone that a courier or a record calls by a name; undefined where the service has none of that name. */
export function zoneCalled(ready: ReadyService, name: string): DrawnZone | undefined {
  let known = zonesBefore.get(ready)
  if (known === undefined) zonesBefore.set(ready, (known = new Map()))
  let zone = known.get(name)
  if (zone === undefined) {
    zone = zoneNamed(ready, name.trim()) ?? null
    if (known.size < 1000) known.set(name, zone)
  }
  return zone ?? undefined
}

function zoneNamed({ zones }: ReadyService, name: string): DrawnZone | undefined {
  const five = readZoneWords(name)
  if (zones === undefined) return five && fiveZones[five]
  const bare = name.toLowerCase().replace(/^z(?:one)?[ _-]?/, '')
  const own = Object.entries(zones.table.zones)
  const exact = own.find(([one]) => [name.toLowerCase(), bare].includes(one.toLowerCase()))
  const counted = own.filter(([, as]) => as === five)
  const [found] = exact === undefined ? (counted.length === 1 ? counted : []) : [exact]
  return found && { name: found[0], as: found[1] }
}

/** What a service takes in a zone for a weight; undefined where it has no price for it. */
export interface WeightPrice {
  readonly freight: number | undefined
  readonly back: number | undefined
  /** The end of the slab; the weight itself where no band has it. */
  readonly slab: number
}

/** The prices of a service in a zone. */
export interface ZonePrices {
  readonly at: (units: number) => WeightPrice
}

const pricesBefore = new WeakMap<ReadyService, Map<string, ZonePrices | string>>()

/** The prices of a service in a zone, or why it has none. */
export function pricesIn(ready: ReadyService, zone: DrawnZone): ZonePrices | string {
  let known = pricesBefore.get(ready)
  if (known === undefined) pricesBefore.set(ready, (known = new Map()))
  let prices = known.get(zone.name)
  if (prices === undefined) {
    const lane = knownLane(ready, 'forward', zone)
    known.set(zone.name, (prices = typeof lane === 'string' ? lane : zonePrices(lane)))
  }
  return prices
}

function zonePrices({ slabs, rto }: Lane): ZonePrices {
  const priceOf = (units: number): WeightPrice => {
    const band = bandFor(slabs, units)
    if (band === undefined) return { freight: undefined, back: undefined, slab: units }
    const freight = freightOf(band, units)
    return { freight, back: rto(units, freight), slab: band.first + stepsOf(band, units) * band.step }
  }
  // A line asks several times for one weight. To remember those of other lines takes longer than to work them out.
  let [last, price] = [0, priceOf(0)]
  return {
    at: (units) => {
      if (units !== last) [last, price] = [units, priceOf(units)]
      return price
    },
  }
}

/** The weight that our parcel is charged by, and that slabs are counted by. */
export function ourUnits(ready: ReadyService, parcel: KnownParcel): number {
  const { service } = ready
  const { length, width, height } = parcel
  const dead = roundWeight(parcel.dead!)
  if (length !== 0)
    return hundredths(slabWeight(service, chargedWeight(service, { dead, length, width, height }).weight))
  // Without sides the volume is nothing, and most parcels of a record have none.
  return slabUnits(service, dead)
}

/** A weight that a courier charges, as slabs count it. */
export const billedUnits = (ready: ReadyService, units: number): number => slabUnits(ready.service, units / 100)

const slabUnits = (service: Service, weight: number): number =>
  hundredths(slabWeight(service, Math.max(weight, service.min_weight)))
