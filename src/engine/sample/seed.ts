// Invented stores, shipments and returns that look like a merchant's own; must not know storage, commands or the clock.
import { diceOf, draw, oneOf, sharesTable, tableOf, type Dice, type Table } from '../../domain/random.ts'
import { standardDivisor, volumetricWeight } from '../../domain/rates/measures.ts'
import { paiseOf, rupeesOf } from '../../domain/money.ts'
import { everyPincode, placeOf, type Locality } from '../../domain/pincodes.ts'
import type { Area, Service } from '../../domain/rates/ratecard.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { attempts, failures } from '../../domain/parcels/simulation.ts'
import {
  returnBuckets,
  shipmentBuckets,
  type GranularStatus,
  type ReturnGranularStatus,
} from '../../domain/parcels/statuses.ts'
import { suggestStoreName } from '../../domain/stores.ts'
import { dayMs, istDate, istOffset, isoOf, isWorkingDay, readTimeOfDay } from '../../domain/time.ts'
import { isSpecial, metroOf, zoneOf, zones, type Zone } from '../../domain/rates/zones.ts'
import {
  brandWords,
  carrierHabits,
  looseChannels,
  metroShares,
  names,
  phrases,
  products,
  regionOf,
  returnReasons,
  storeChannels,
  warehouseSites,
  type Names,
  type Product,
} from './vocabulary.ts'

/** What to invent: how many of each, over how many days up to `now` (ms UTC); equal plans give equal data. */
export interface SeedPlan {
  readonly shipments: number
  readonly returns: number
  readonly stores: number
  readonly days: number
  readonly seed: number
  readonly now: number
}

/** A store to create; `created_at` is ms UTC, before every shipment of the plan. */
export interface SeedStore {
  readonly id: string
  readonly store_name: string
  readonly brand_name: string | null
  readonly created_at: number
}

/** A warehouse that the plan's shipments leave from, at a pincode in a metro. */
interface SeedWarehouse {
  readonly id: string
  readonly pincode: string
}

const minute = 60_000
const hour = 3_600_000

/* ---- Chance ---- */

const streams = { plan: 1, store: 2, shipment: 3, return: 4, time: 5 } as const

const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))
const hexOf = (word: number): string =>
  hexPairs[word >>> 24]! + hexPairs[(word >>> 16) & 255]! + hexPairs[(word >>> 8) & 255]! + hexPairs[word & 255]!

function uuid(dice: Dice): string {
  const high = hexOf(dice.bits())
  const versioned = hexOf(((dice.bits() & 0xffff0fff) | 0x4000) >>> 0)
  const variant = hexOf(((dice.bits() & 0x3fffffff) | 0x80000000) >>> 0)
  const low = hexOf(dice.bits())
  return `${high}-${versioned.slice(0, 4)}-${versioned.slice(4)}-${variant.slice(0, 4)}-${variant.slice(4)}${low}`
}

/** Ten digits that differ for every index below 10^10, because the factor has no divisor in common with 10. */
function tenDigits(index: number, seed: number): string {
  // In two halves: the whole product would leave the integers that a number can hold.
  const product = ((index * 61_803) % 100_000) * 100_000 + index * 39_887
  return String((product + (seed >>> 0) * 2) % 10_000_000_000).padStart(10, '0')
}

/* ---- The IST calendar in whole days ---- */

const dayOf = (ms: number): number => Math.floor((ms + istOffset) / dayMs)
const atMinute = (day: number, minutes: number): number => day * dayMs - istOffset + minutes * minute
const minuteOf = (ms: number): number => Math.floor((ms + istOffset - dayOf(ms) * dayMs) / minute)

const dates = new Map<number, string>()
const clock = Array.from({ length: 1440 }, (_, at) => isoOf(at * minute).slice(11, 17))
const secondsPart = Array.from({ length: 60 }, (_, at) => isoOf(at * 1000).slice(17))

/** The text of isoOf; put together from parts, because making dates is otherwise half of the work. */
function stamp(ms: number): string {
  if (ms % 1000 !== 0) return isoOf(ms)
  const day = Math.floor(ms / dayMs)
  let date = dates.get(day)
  if (date === undefined) dates.set(day, (date = isoOf(ms).slice(0, 11)))
  const second = ms / 1000 - day * 86_400
  return date + clock[Math.floor(second / 60)]! + secondsPart[second % 60]!
}

/** Which days from `first` on a carrier works; days outside are working days. */
interface Calendar {
  readonly first: number
  readonly open: Uint8Array
}

const isOpen = (calendar: Calendar, day: number): boolean => calendar.open[day - calendar.first] !== 0

function workingDay(calendar: Calendar, from: number, days: number): number {
  let day = from
  for (let left = days; left > 0;) if (isOpen(calendar, ++day)) left--
  return day
}

function openFrom(calendar: Calendar, from: number): number {
  return isOpen(calendar, from) ? from : workingDay(calendar, from, 1)
}

/* ---- What is the same for every plan ---- */

/** Every place, and the indices of places by the kind that parcels are shared out by. */
interface Atlas {
  readonly places: readonly Locality[]
  readonly metros: Table<readonly number[]>
  readonly towns: readonly number[]
  readonly villages: readonly number[]
  readonly special: readonly number[]
}

let loaded: Atlas | undefined

function atlas(): Atlas {
  return (loaded ??= loadAtlas())
}

function loadAtlas(): Atlas {
  const places: Locality[] = []
  const metros = new Map<string, number[]>(Object.keys(metroShares).map((metro) => [metro, []]))
  const [towns, villages, special]: [number[], number[], number[]] = [[], [], []]
  for (const pincode of everyPincode()) {
    const place = placeOf(pincode)!
    const at = places.push(place) - 1
    const metro = metros.get(metroOf(pincode) ?? '')
    if (metro !== undefined) metro.push(at)
    else if (isSpecial(place)) special.push(at)
    // Codes that end in 001 to 009 are mostly head offices, where the people are.
    else if (pincode.startsWith('00', 3)) towns.push(at)
    else villages.push(at)
  }
  return { places, metros: tableOf([...metros.values()], Object.values(metroShares)), towns, villages, special }
}

function placesIn(state: string): readonly number[] {
  const { places, towns, villages } = atlas()
  return [...towns, ...villages].filter((at) => places[at]!.state === state)
}

interface Courier {
  readonly service: Service
  readonly carrier: { readonly id: string; readonly name: string }
  readonly share: number
  readonly prefix: string
  readonly cutoff: number
}

const couriers: readonly Courier[] = sampleCard.services.map((service, index) => ({
  service,
  carrier: { id: service.carrier_id, name: service.carrier_name },
  share: carrierHabits[service.carrier_code]?.share ?? 10,
  prefix: carrierHabits[service.carrier_code]?.prefix ?? String(30 + index),
  cutoff: readTimeOfDay(service.pickup_cutoff)!,
}))

interface Good {
  readonly product: Product
  readonly paise: number
  readonly volume: number
}

const goods: readonly Good[] = products.map((product) => ({
  product,
  paise: paiseOf(product.price)!,
  volume: product.size[0] * product.size[1] * product.size[2],
}))
// Popularity falls with the rank, and the ranks are scattered over the categories.
const rankOf = (index: number): number => (index * 23) % goods.length
const popular = (chosen: readonly Good[]): Table<Good> =>
  tableOf(
    chosen,
    chosen.map((good) => 1 / (rankOf(goods.indexOf(good)) + 3)),
  )
const anyGood = popular(goods)
const categories = [...new Set(products.map(({ category }) => category))]
const goodsOf = categories.map((category) => popular(goods.filter(({ product }) => product.category === category)))

const storeChannel = sharesTable(storeChannels)
const looseChannel = sharesTable(looseChannels)
const returnReason = sharesTable(returnReasons)
const lineCount = tableOf([1, 2, 3, 4], [68, 20, 8, 4])
const quantities = tableOf([1, 2, 3, 4], [84, 11, 3, 2])
/** Days that a parcel comes after the promised day; negative is early. */
const delays = tableOf([-1, 0, 1, 2, 3, 4, 5], [5, 69, 16, 6, 2, 1, 1])
const failureTexts = new Map(
  [...new Set(Object.values(failures).flatMap(({ values }) => values))].map((reason) => {
    return [reason, `Delivery failed: ${reason.replaceAll('_', ' ')}`]
  }),
)

/* ---- What is the same for every record of a plan ---- */

interface Warehouse {
  readonly id: string
  readonly place: Locality
}

interface Shop {
  readonly store_name: string
  readonly prefix: string
  readonly goods: Table<Good>
}

/** How orders are spread over the hours of the plan, as a running total. */
interface Timeline {
  readonly start: number
  readonly sums: Float64Array
}

interface World {
  readonly plan: SeedPlan
  readonly dice: Dice
  readonly shops: readonly Shop[]
  readonly warehouses: readonly Warehouse[]
  /** The places outside metros in the states of the warehouses. */
  readonly nearby: readonly (readonly number[])[]
  /** Zone of warehouse and place, plus one; 0 is not known yet. */
  readonly zones: Uint8Array
  readonly timeline: Timeline
  readonly calendars: ReadonlyMap<Service, Calendar>
}

const count = (wanted: number): number => Math.max(0, Math.floor(wanted))
const span = (plan: SeedPlan): number => Math.max(plan.days * dayMs, hour)

function worldOf(plan: SeedPlan): World {
  const dice = diceOf(plan.seed)
  const warehouses = seedWarehouses(plan).map(({ id, pincode }) => ({ id, place: placeOf(pincode)! }))
  return {
    plan,
    dice,
    shops: seedStores(plan).map(({ store_name }, index) => ({
      store_name,
      prefix: store_name.slice(0, 3).toUpperCase(),
      goods: goodsOf[index % goodsOf.length]!,
    })),
    warehouses,
    nearby: warehouses.map(({ place }) => placesIn(place.state)).filter((list) => list.length > 0),
    zones: new Uint8Array(warehouses.length * atlas().places.length),
    timeline: timelineOf(plan, dice),
    calendars: calendarsOf(plan),
  }
}

// prettier-ignore
const hourWeights = [10, 6, 4, 3, 3, 5, 10, 20, 36, 54, 68, 76, 74, 66, 60, 60, 62, 64, 68, 76, 84, 82, 60, 28]
const weekdayWeights = [0.86, 1.14, 1.06, 1.02, 1, 1.03, 0.94]

function timelineOf(plan: SeedPlan, dice: Dice): Timeline {
  const start = plan.now - span(plan)
  const hours = Math.ceil(span(plan) / hour)
  dice.aim(streams.time, 0)
  const sales = new Map<number, number>()
  for (let left = plan.days < 5 ? 0 : Math.max(1, Math.round(plan.days / 25)); left > 0; left--) {
    const day = dayOf(start) + 1 + dice.below(plan.days - 2)
    sales.set(day, 2.5).set(day + 1, 1.6)
  }
  const sums = new Float64Array(hours + 1)
  for (let i = 0; i < hours; i++) {
    const middle = start + (i + 0.5) * hour
    const day = dayOf(middle)
    const part = Math.min(1, (plan.now - start - i * hour) / hour)
    const rhythm = weekdayWeights[(((day + 4) % 7) + 7) % 7]! * hourWeights[Math.floor(minuteOf(middle) / 60)]!
    sums[i + 1] = sums[i]! + part * rhythm * (sales.get(day) ?? 1) * (0.9 + (0.2 * i) / hours)
  }
  return { start, sums }
}

/** The hour whose running total reaches a value. */
function hourReaching(sums: Float64Array, value: number): number {
  let low = 0
  let high = sums.length - 2
  while (low < high) {
    const middle = (low + high) >>> 1
    if (sums[middle + 1]! < value) low = middle + 1
    else high = middle
  }
  return low
}

/** When the n-th of all orders comes in, whole seconds in ms UTC: ascending in n and never after `now`. */
function orderTime(world: World, index: number): number {
  const { timeline, plan, dice } = world
  const { sums, start } = timeline
  const value = ((index + dice.unit()) / count(plan.shipments)) * sums.at(-1)!
  const at = hourReaching(sums, value)
  const ms = start + (at + (value - sums[at]!) / (sums[at + 1]! - sums[at]!)) * hour
  return Math.min(Math.floor(ms / 1000) * 1000, plan.now)
}

/** How many of the plan's shipments were created at or before an instant (ms UTC), about. */
function createdUntil(world: World, ms: number): number {
  const { sums, start } = world.timeline
  const hours = Math.floor((ms - start) / hour)
  if (hours < 0) return 0
  return Math.floor((sums[Math.min(hours, sums.length - 1)]! / sums.at(-1)!) * count(world.plan.shipments))
}

function calendarsOf(plan: SeedPlan): ReadonlyMap<Service, Calendar> {
  const first = dayOf(plan.now - span(plan)) - 75
  const length = dayOf(plan.now) + 75 - first
  const holidays = new Set(sampleCard.holidays)
  const known = new Map<string, Calendar>()
  const calendars = new Map<Service, Calendar>()
  for (const { service } of couriers) {
    const key = service.working_days.join()
    let calendar = known.get(key)
    if (calendar === undefined) {
      const working = { days: new Set(service.working_days), holidays }
      const open = Uint8Array.from({ length }, (_, i) => Number(isWorkingDay(istDate(atMinute(first + i, 0)), working)))
      known.set(key, (calendar = { first, open }))
    }
    calendars.set(service, calendar)
  }
  return calendars
}

/** The stores of a plan: unique slugs, some without a brand, some with a brand in Devanagari. */
export function seedStores(plan: SeedPlan): readonly SeedStore[] {
  const dice = diceOf(plan.seed)
  dice.aim(streams.plan, 1)
  const { first, second } = brandWords
  const pairs = first.length * second.length
  const offset = dice.below(pairs)
  return Array.from({ length: count(plan.stores) }, (_, index) => {
    dice.aim(streams.store, index)
    // 437 has no divisor in common with the number of pairs, so every pair comes before one comes again.
    const pair = (offset + index * 437) % pairs
    const [head, tail] = [first[pair % first.length]!, second[Math.floor(pair / first.length)]!]
    const again = Math.floor(index / pairs)
    const kind = dice.unit()
    return {
      id: uuid(dice),
      store_name: suggestStoreName(`${head[0]} ${tail[0]}${again === 0 ? '' : ` ${again + 1}`}`),
      brand_name: kind < 0.1 ? null : kind < 0.18 ? `${head[1]} ${tail[1]}` : `${head[0]} ${tail[0]}`,
      created_at: Math.floor((plan.now - span(plan) - dice.between(10, 400) * dayMs) / 1000) * 1000,
    }
  })
}

/** The three to five warehouses of a plan, each in another metro. */
export function seedWarehouses(plan: SeedPlan): readonly SeedWarehouse[] {
  const dice = diceOf(plan.seed)
  dice.aim(streams.plan, 2)
  const sites = [...warehouseSites]
  return Array.from({ length: 3 + dice.below(3) }, () => {
    const [code, pincodes] = sites.splice(dice.below(sites.length), 1)[0]!
    const at = dice.below(pincodes.length)
    return { id: `WH${code}${at + 1}`, pincode: pincodes[at]! }
  })
}

/* ---- Parcels ---- */

interface Line {
  readonly id: string
  readonly good: Good
  readonly quantity: number
  /** One piece, after a discount. */
  readonly paise: number
}

interface Box {
  readonly grams: number
  readonly sides: readonly [number, number, number]
}

/** A shipment and what a return of it needs to know. */
interface Parcel {
  readonly record: Shipment
  readonly deliveredAt: number | undefined
  readonly lines: readonly Line[]
  readonly courier: Courier | undefined
  readonly warehouse: Warehouse
  readonly place: Locality
  readonly zone: Zone
  readonly order: {
    readonly id: string
    readonly display_id: string
    readonly channel: string
    readonly store_name: string | null
  }
}

/** The box of some lines, packed flat where that fits; it is a little larger than what is in it. */
function boxOf(lines: readonly { readonly good: Good; readonly quantity: number }[]): Box {
  let [grams, volume] = [50, 0]
  let [largest, pieces] = [lines[0]!.good, 0]
  for (const { good, quantity } of lines) {
    grams += good.product.grams * quantity
    volume += good.volume * quantity
    pieces += quantity
    if (good.volume > largest.volume) largest = good
  }
  const [length, width, height] = largest.product.size
  if (pieces === 1) return { grams, sides: [length, width, height] }
  const tall = Math.max(height, Math.ceil((volume * 1.1) / (length * width)))
  if (tall <= length) return { grams, sides: [length, width, tall] }
  const side = Math.ceil(Math.cbrt(volume * 1.1))
  return { grams, sides: [Math.max(side, length), side, side] }
}

/** The weight that a service charges before slabs, grams; without a service, by the standard divisor. */
function chargedWeight({ grams, sides }: Box, service: Service | undefined): number {
  const volumetric = volumetricWeight(sides[0], sides[1], sides[2], service?.divisor ?? standardDivisor)
  return Math.max(grams, volumetric, service?.min_weight ?? 0)
}

function covers(area: Area | undefined, place: Locality, zone: Zone): boolean {
  if (area === undefined) return true
  const starts = (prefix: string): boolean => place.pincode.startsWith(prefix)
  return (
    !(area.not_pincodes?.some(starts) ?? false) &&
    (area.pincodes?.some(starts) ?? true) &&
    !(area.not_states?.includes(place.state) ?? false) &&
    (area.states?.includes(place.state) ?? true) &&
    (area.zones?.includes(zone) ?? true)
  )
}

interface Trade {
  readonly from: Locality
  readonly to: Locality
  readonly zone: Zone
  readonly box: Box
  readonly journey: 'forward' | 'return'
  /** Paise to collect; 0 is none. */
  readonly cod: number
  readonly qc: boolean
}

function carries({ service }: Courier, { from, to, zone, box, journey, cod, qc }: Trade): boolean {
  const { serviceability } = service
  if (service[journey][zone] === undefined || (qc && !service.qc.available)) return false
  if (cod > 0) {
    const most = service.cod.max_value
    if (!service.cod.available || (most !== null && cod > most * 100)) return false
    if (!covers(serviceability.cod, to, zone)) return false
  }
  if (!covers(serviceability.pickup, from, zone) || !covers(serviceability.delivery, to, zone)) return false
  if (service.max_side !== null && Math.max(...box.sides) > service.max_side) return false
  const weight = chargedWeight(box, service)
  // Nobody sends a letter with a carrier of heavy goods, though the card would let them.
  return weight <= service.max_weight && service.min_weight <= 2 * chargedWeight(box, undefined)
}

function courierFor(dice: Dice, trade: Trade): Courier | undefined {
  const able: Courier[] = []
  let total = 0
  for (const courier of couriers) {
    if (!carries(courier, trade)) continue
    able.push(courier)
    total += courier.share
  }
  let left = dice.unit() * total
  return able.find(({ share }) => (left -= share) < 0) ?? able[0]
}

function destination({ dice, nearby }: World): number {
  const { metros, towns, villages, special } = atlas()
  const kind = dice.unit()
  // The lower codes of a metro are its core.
  const pick = (pool: readonly number[], skew: number): number => pool[Math.floor(dice.unit() ** skew * pool.length)]!
  if (kind < 0.55) return pick(draw(dice, metros), 1.4)
  // Away from the metros, brands are known best in the state that they send from.
  if (kind < 0.9 && nearby.length > 0 && dice.chance(0.3)) return pick(oneOf(dice, nearby), 1)
  if (kind < 0.9) return pick(dice.chance(0.5) ? towns : villages, 1)
  return pick(special, 1)
}

function zoneBetween(world: World, warehouse: number, place: number): number {
  const at = warehouse * atlas().places.length + place
  const known = world.zones[at]!
  if (known !== 0) return known - 1
  const { zone } = zoneOf(world.warehouses[warehouse]!.place, atlas().places[place]!, sampleCard.zones)
  const index = zones.indexOf(zone)
  world.zones[at] = index + 1
  return index
}

/** Goods mostly leave from the nearer of two warehouses that have them. */
function origin(world: World, place: number): number {
  const { dice, warehouses } = world
  const [one, other] = [dice.below(warehouses.length), dice.below(warehouses.length)]
  if (dice.chance(0.3)) return one
  return zoneBetween(world, one, place) <= zoneBetween(world, other, place) ? one : other
}

function personIn(dice: Dice, state: string): string {
  const people = namesFor(dice, regionOf(state), state)
  return `${oneOf(dice, people.first)} ${oneOf(dice, people.last)}`
}

function namesFor(dice: Dice, region: string, state: string): Names {
  const kind = dice.unit()
  if (state === 'Tamil Nadu' && kind < 0.2) return names['tamil']!
  if ((region === 'north' || state === 'Maharashtra') && kind < 0.07) return names['devanagari']!
  if (kind < 0.72) return names[region]!
  if (kind < 0.9) return names['north']!
  return names[oneOf(dice, ['punjab', 'west', 'south', 'east'])]!
}

function linesOf(dice: Dice, shop: Shop | undefined): readonly Line[] {
  const first = 10_000_000 + dice.below(80_000_000)
  const wanted = draw(dice, lineCount)
  const bulk = dice.chance(0.02)
  const lines: Line[] = []
  for (let i = 0; i < wanted; i++) {
    const good = draw(dice, shop !== undefined && dice.chance(0.75) ? shop.goods : anyGood)
    if (lines.some((line) => line.good === good)) continue
    const quantity = bulk && good.product.grams < 700 ? 6 + dice.below(19) : draw(dice, quantities)
    const off = dice.chance(0.3) ? 5 * (1 + dice.below(5)) : 0
    const paise = off === 0 ? good.paise : Math.round((good.paise * (100 - off)) / 100)
    lines.push({ id: `ITM${first + i}`, good, quantity, paise })
  }
  return lines
}

const worth = (lines: readonly Line[]): number => lines.reduce((sum, { paise, quantity }) => sum + paise * quantity, 0)

interface OrderIds {
  readonly display_id: string
  readonly external_id: string
}

/** Order numbers as each channel writes them; the serial number makes them unique. */
function orderIds(dice: Dice, channel: string, serial: number, shop: Shop | undefined): OrderIds {
  const digits = (length: number): string => String(dice.below(10 ** length)).padStart(length, '0')
  const same = (id: string): OrderIds => ({ display_id: id, external_id: id })
  switch (channel) {
    case 'shopify':
      return { display_id: `#${1000 + serial}`, external_id: `5${digits(5)}${String(serial).padStart(7, '0')}` }
    case 'woocommerce':
      return same(String(20_000 + serial))
    case 'amazon':
      return same(`40${2 + dice.below(7)}-${digits(7)}-${String(serial).padStart(7, '0')}`)
    case 'flipkart':
      return same(`OD4${digits(8)}${String(serial).padStart(9, '0')}`)
    default:
      return same(`${shop?.prefix ?? 'MO'}-${100_000 + serial}`)
  }
}

function tagsOf(dice: Dice, lines: readonly Line[], fast: boolean, exchange: boolean, influencer: boolean): string[] {
  const tags: string[] = []
  if (exchange) tags.push('exchange')
  if (influencer) tags.push('influencer')
  const carefully = (care: Product['care']): boolean => lines.some(({ good }) => good.product.care === care)
  if (carefully('dangerous')) tags.push('dangerous_goods')
  if (carefully('fragile')) tags.push('fragile')
  if (lines.some(({ quantity }) => quantity >= 6)) tags.push('bulk')
  const more = dice.unit()
  if (more < 0.035) tags.push('gift')
  else if (more < 0.11) tags.push('repeat-customer')
  else if (fast && more < 0.16) tags.push('priority')
  return tags
}

/* ---- The journey of a shipment ---- */

type Fate = 'delivered' | 'returned' | 'lost' | 'cancelled' | 'rejected' | 'external'

/** What will become of a parcel, and the status that it stays in for long. */
interface Lot {
  readonly fate: Fate
  readonly attempts: number
  readonly hold: GranularStatus | undefined
}

const earlyHolds = tableOf<GranularStatus>(['pending', 'processing', 'not_picked', 'ready_for_pickup'], [3, 4, 4, 1])
const lateHolds = tableOf<GranularStatus>(
  ['ndr_raised', 'need_attention', 'reattempt_delivery', 'out_for_delivery', 'rto_initiated', 'rto_need_attention'],
  [3, 5, 4, 3, 3, 5],
)

function lotOf(dice: Dice, age: number, cod: boolean): Lot {
  const kind = dice.unit()
  // Trouble that nobody has dealt with yet is recent: what is older has been settled.
  const slow = dice.unit()
  const hold =
    age < 5 * dayMs && slow < 0.1
      ? draw(dice, earlyHolds)
      : age > 4 * dayMs && age < 28 * dayMs && slow < 0.06
        ? draw(dice, lateHolds)
        : undefined
  if (hold?.startsWith('rto_')) return { fate: 'returned', attempts: draw(dice, attempts.returned), hold }
  if (hold !== undefined) return { fate: 'delivered', attempts: 2, hold }
  if (kind < 0.03) return { fate: 'cancelled', attempts: 0, hold }
  if (kind < 0.037) return { fate: 'external', attempts: 0, hold }
  if (kind < 0.044) return { fate: 'rejected', attempts: 0, hold }
  if (kind < 0.049) return { fate: 'lost', attempts: 0, hold }
  if (dice.chance(cod ? 0.19 : 0.07)) return { fate: 'returned', attempts: draw(dice, attempts.returned), hold }
  return { fate: 'delivered', attempts: draw(dice, attempts.delivered), hold }
}

// Aliases, not interfaces: only they fit the open objects of a record.
type Milestone = { readonly milestone: string; readonly milestone_at: string }
type Scan = {
  readonly id: string
  readonly status: string
  readonly last_location: string
  readonly event_date_time: string
  readonly description: string
}

/** How far a parcel has come. */
interface Trip {
  readonly now: number
  readonly hold: GranularStatus | undefined
  readonly firstScan: number
  granular: GranularStatus
  assigned: boolean
  attempts: number
  ndr: string | null
  rto: string | null
  deliveredAt: number | undefined
  milestones: Milestone[]
  scans: Scan[]
}

/** Enters a status at an instant; false when that lies in the future or the parcel stays there. */
function enter(trip: Trip, at: number, granular: GranularStatus, milestone?: string): boolean {
  if (at > trip.now) return false
  trip.granular = granular
  if (milestone !== undefined) trip.milestones.push({ milestone, milestone_at: stamp(at) })
  return granular !== trip.hold
}

function scan(trip: Trip, at: number, status: string, place: Locality, description: string): void {
  if (at > trip.now) return
  const id = String(trip.firstScan + trip.scans.length)
  trip.scans.push({ id, status, last_location: place.city, event_date_time: stamp(at), description })
}

const seconds = (ms: number): number => Math.floor(ms / 1000) * 1000

/** Takes a parcel as far as `now`; every step is later than the one before it. */
function travel(world: World, trip: Trip, created: number, lot: Lot, route: Trade, courier: Courier | undefined): void {
  const { dice } = world
  const after = (at: number, low: number, high: number): number => seconds(at + dice.between(low, high))
  const on = (day: number, low: number, high: number): number => seconds(atMinute(day, dice.between(low, high)))
  const { hold } = trip
  if (hold === 'pending') return
  if (lot.fate === 'external') return void enter(trip, after(created, 2 * hour, 30 * hour), 'externally_fulfilled')
  if (lot.fate === 'rejected' || courier === undefined) {
    return void enter(trip, after(created, minute, 90 * minute), 'rejected')
  }

  let at = after(created, 2000, 50_000)
  if (hold === 'processing' || dice.chance(0.15)) {
    if (!enter(trip, after(created, 4 * minute, 20 * minute), 'processing')) return
    at = after(created, 25 * minute, 16 * hour)
  }
  if (lot.fate === 'cancelled' && dice.chance(0.45)) {
    return void enter(trip, after(at, 10 * minute, 9 * hour), 'cancelled')
  }
  if (at > trip.now) return
  trip.assigned = true
  if (!enter(trip, at, 'ready_for_pickup', 'ready_for_pickup')) return

  const { service } = courier
  const calendar = world.calendars.get(service)!
  const today = dayOf(at)
  let day = isOpen(calendar, today) && minuteOf(at) < courier.cutoff ? today : workingDay(calendar, today, 1)
  if (dice.chance(0.65) && !enter(trip, after(at, 3 * minute, 40 * minute), 'pickup_scheduled')) return
  if (lot.fate === 'cancelled') return void enter(trip, after(at, 42 * minute, 65 * minute), 'cancelled')
  let picked = Math.max(after(at, 70 * minute, 100 * minute), on(day, 780, 1140))
  if (hold === 'not_picked' || dice.chance(0.035)) {
    const missed = Math.max(picked, on(day, 1215, 1290))
    scan(trip, missed, 'not_picked', route.from, oneOf(dice, phrases.not_picked))
    if (!enter(trip, missed, 'not_picked')) return
    day = workingDay(calendar, day, 1)
    if (!enter(trip, on(day, 550, 600), 'pickup_scheduled')) return
    picked = on(day, 780, 1140)
  }
  scan(trip, picked, 'picked_up', route.from, phrases.picked_up[0])
  if (!enter(trip, picked, 'in_transit', 'picked_up')) return

  const transit = service.transit_days.forward[route.zone] ?? 5
  const promised = workingDay(calendar, day, transit)
  let outDay = openFrom(calendar, Math.max(promised + draw(dice, delays), transit === 0 ? day : day + 1))
  const sameDay = outDay === day
  const left = sameDay ? after(picked, 10 * minute, 25 * minute) : after(picked, 90 * minute, 8 * hour)
  scan(trip, left, 'in_transit', route.from, oneOf(dice, phrases.left))
  if (!enter(trip, left, 'in_transit', 'in_transit')) return
  if (lot.fate === 'lost') {
    const gone = after(left, 8 * dayMs, 15 * dayMs)
    scan(trip, gone, 'lost', route.from, oneOf(dice, phrases.lost))
    return void enter(trip, gone, 'lost')
  }
  let out = sameDay ? after(left, 20 * minute, 40 * minute) : on(outDay, 450, 640)
  if (!sameDay) {
    scan(
      trip,
      after(left, (out - left) * 0.6, (out - left) * 0.95),
      'in_transit',
      route.to,
      oneOf(dice, phrases.arrived),
    )
  }

  let last = out
  for (let attempt = 1; attempt <= lot.attempts; attempt++) {
    if (out > trip.now) return
    if (attempt === 1 && !dice.chance(0.15)) {
      // Most couriers' feeds keep the way to the last hub only until the parcel is there.
      trip.scans = []
    }
    trip.milestones = trip.milestones.filter(({ milestone }) => milestone !== 'out_for_delivery')
    trip.attempts = attempt
    scan(trip, out, 'out_for_delivery', route.to, oneOf(dice, phrases.out_for_delivery))
    if (!enter(trip, out, 'out_for_delivery', 'out_for_delivery')) return
    const result = sameDay && attempt === 1 ? after(out, 30 * minute, 140 * minute) : after(out, hour, 9.5 * hour)
    if (lot.fate === 'delivered' && attempt === lot.attempts) {
      if (result > trip.now) return
      scan(trip, result, 'delivered', route.to, oneOf(dice, phrases.delivered))
      trip.deliveredAt = result
      return void enter(trip, result, 'delivered', 'delivered')
    }
    const reason = draw(dice, route.cod > 0 ? failures.cod : failures.prepaid)
    if (result > trip.now) return
    trip.ndr = reason
    scan(trip, result, 'ndr_raised', route.to, failureTexts.get(reason)!)
    if (!enter(trip, result, 'ndr_raised')) return
    last = result
    if (hold === 'need_attention' || dice.chance(0.25)) {
      last = after(last, 13 * hour, 26 * hour)
      if (!enter(trip, last, 'need_attention')) return
    }
    if (attempt < lot.attempts) {
      last = after(last, 0.5 * hour, 9 * hour)
      if (!enter(trip, last, 'reattempt_delivery')) return
      outDay = workingDay(calendar, dayOf(last), dice.chance(0.15) ? 2 : 1)
      out = on(outDay, 450, 640)
    }
  }

  const turned = after(last, 4 * hour, 28 * hour)
  if (turned > trip.now) return
  trip.rto = trip.ndr ?? draw(dice, failures.unattempted)
  scan(trip, turned, 'rto_initiated', route.to, phrases.rto_initiated[0])
  if (!enter(trip, turned, 'rto_initiated', 'rto_initiated')) return
  const end = dice.unit()
  if (end < 0.03 && hold === undefined) return void enter(trip, after(turned, 4 * hour, 40 * hour), 'rto_cancelled')
  let back = after(turned, 8 * hour, 34 * hour)
  scan(trip, back, 'rto_in_transit', route.to, phrases.rto_in_transit[0])
  if (!enter(trip, back, 'rto_in_transit')) return
  if (end > 0.97 && hold === undefined) {
    const gone = after(back, 9 * dayMs, 15 * dayMs)
    scan(trip, gone, 'rto_lost', route.to, phrases.rto_lost[0])
    return void enter(trip, gone, 'rto_lost')
  }
  if (hold === 'rto_need_attention' || dice.chance(0.1)) {
    if (!enter(trip, after(back, 20 * hour, 60 * hour), 'rto_need_attention')) return
    back = after(back, 70 * hour, 100 * hour)
    if (!enter(trip, back, 'rto_in_transit')) return
  }
  const home = on(workingDay(calendar, dayOf(back), transit + 1 + dice.below(3)), 660, 1140)
  scan(trip, home, 'rto_delivered', route.from, phrases.rto_delivered[0])
  enter(trip, home, 'rto_delivered', 'rto_delivered')
}

/** The n-th parcel of a plan; one beyond its end, created at the given instant (ms UTC), has surely been delivered. */
function parcelAt(world: World, index: number, earlier?: number): Parcel {
  const { dice, plan, shops, warehouses } = world
  dice.aim(streams.shipment, index)
  const id = uuid(dice)
  const created = earlier ?? orderTime(world, index)
  const spot = destination(world)
  const place = atlas().places[spot]!
  const site = origin(world, spot)
  const warehouse = warehouses[site]!
  const zone = zones[zoneBetween(world, site, spot)]!

  const shop =
    shops.length === 0 || dice.chance(0.12) ? undefined : shops[Math.floor(dice.unit() ** 1.8 * shops.length)]!
  const channel = draw(dice, shop === undefined ? looseChannel : storeChannel)
  const lines = linesOf(dice, shop)
  const total = worth(lines)
  const exchange = dice.chance(0.015)
  const influencer = dice.chance(0.012)
  const wanted = dice.chance(total < 150_000 ? 0.69 : total < 400_000 ? 0.58 : 0.38) && !exchange && !influencer
  const box = boxOf(lines)
  const trade: Trade = {
    from: warehouse.place,
    to: place,
    zone,
    box,
    journey: 'forward',
    cod: wanted ? total : 0,
    qc: false,
  }
  let courier = courierFor(dice, trade)
  const cod = wanted && courier !== undefined
  const route = cod ? trade : { ...trade, cod: 0 }
  if (wanted && !cod) courier = courierFor(dice, route)

  const lot: Lot =
    earlier === undefined ? lotOf(dice, plan.now - created, cod) : { fate: 'delivered', attempts: 1, hold: undefined }
  const trip: Trip = {
    now: plan.now,
    hold: lot.hold,
    firstScan: 1_000_000 + dice.below(8_000_000),
    granular: 'pending',
    assigned: false,
    attempts: 0,
    ndr: null,
    rto: null,
    deliveredAt: undefined,
    milestones: [],
    scans: [],
  }
  travel(world, trip, created, lot, route, courier)

  const assigned = trip.assigned ? courier : undefined
  const { display_id, external_id } = orderIds(dice, channel, index + 1, shop)
  const number = tenDigits(index, plan.seed)
  const order = {
    id: `ORD${number}`,
    order_date: stamp(seconds(created - 2 * minute - dice.unit() ** 4 * 20 * hour)),
    channel,
    display_id,
    external_id,
    store_name: shop?.store_name ?? null,
  }
  const status = shipmentBuckets[trip.granular]
  const record: Shipment = {
    id,
    type: 'shipment',
    attributes: {
      tracking_number: assigned === undefined ? null : assigned.prefix + number,
      status,
      sub_status: trip.granular === status ? null : trip.granular,
      created_at: stamp(created),
      warehouse_id: warehouse.id,
      total_price: rupeesOf(total),
      cod_amount: cod ? rupeesOf(total) : 0,
      is_cod: cod,
      zone,
      applied_weight: { value: chargedWeight(box, assigned?.service), metric_unit: 'g' },
      attempt_count: trip.attempts,
      carrier: assigned?.carrier ?? null,
      order,
      items: lines.map((line) => ({
        id: line.id,
        quantity: line.quantity,
        price: rupeesOf(line.paise),
        name: line.good.product.name,
        sku: line.good.product.sku,
      })),
      shipping_address: {
        name: personIn(dice, place.state),
        phone: String(6_000_000_000 + dice.below(4_000_000_000)),
        city: place.city,
        state: place.state,
        zip: place.pincode,
      },
      shipment_milestones: trip.milestones,
      tracking_details: trip.scans,
      granular_status: trip.granular,
      tags: tagsOf(dice, lines, courier?.service.is_fast ?? false, exchange, influencer),
      ndr_reason: trip.ndr,
      rto_reason: trip.rto,
    },
  }
  return { record, deliveredAt: trip.deliveredAt, lines, courier: assigned, warehouse, place, zone, order }
}

/** The shipments of a plan, one at a time, `created_at` ascending; each depends on its index alone, so memory stays flat. */
export function* seedShipments(plan: SeedPlan): Generator<Shipment> {
  const world = worldOf(plan)
  const total = count(plan.shipments)
  for (let index = 0; index < total; index++) yield parcelAt(world, index).record
}

/* ---- Returns ---- */

const returnHolds = tableOf<ReturnGranularStatus>(
  ['return_requested', 'return_not_picked', 'return_ndr_raised', 'return_need_attention'],
  [1, 3, 4, 4],
)

/** How far a return has come. */
interface Journey {
  readonly now: number
  readonly hold: ReturnGranularStatus | undefined
  granular: ReturnGranularStatus
  scheduled: boolean
  qc: 'pending' | 'passed' | 'failed' | 'not_applicable'
  refund: 'pending' | 'initiated' | 'processed' | 'failed'
  readonly milestones: Milestone[]
}

function reach(journey: Journey, at: number, granular: ReturnGranularStatus, milestone?: string): boolean {
  if (at > journey.now) return false
  journey.granular = granular
  if (milestone !== undefined) journey.milestones.push({ milestone, milestone_at: stamp(at) })
  return granular !== journey.hold
}

/** Takes a return as far as `now`; every step is later than the one before it. */
function bringBack(world: World, journey: Journey, asked: number, zone: Zone, courier: Courier | undefined): void {
  const { dice } = world
  const after = (at: number, low: number, high: number): number => seconds(at + dice.between(low, high))
  const on = (day: number, low: number, high: number): number => seconds(atMinute(day, dice.between(low, high)))
  const { hold } = journey
  if (hold === 'return_requested') return
  const kind = hold === undefined ? dice.unit() : 1
  if (kind < 0.045 || courier === undefined) {
    return void reach(journey, after(asked, 2 * hour, 40 * hour), 'return_rejected')
  }
  if (kind < 0.075) return void reach(journey, after(asked, hour, 20 * hour), 'return_cancelled')

  const at = after(asked, hour, 28 * hour)
  if (at > journey.now) return
  journey.scheduled = true
  if (!reach(journey, at, 'return_pickup_scheduled', 'return_pickup_scheduled')) return
  if (kind < 0.1) return void reach(journey, after(at, hour, 9 * hour), 'return_cancelled')
  const calendar = world.calendars.get(courier.service)!
  let day = workingDay(calendar, dayOf(at), dice.chance(0.3) ? 2 : 1)
  if (hold === 'return_not_picked' || dice.chance(0.12)) {
    if (!reach(journey, on(day, 1140, 1230), 'return_not_picked')) return
    day = workingDay(calendar, day, 1)
  }
  const picked = on(day, 640, 1110)
  if (picked > journey.now) return
  if (journey.qc === 'pending') {
    journey.qc = hold === undefined && dice.chance(0.08) ? 'failed' : 'passed'
    if (journey.qc === 'failed') return void reach(journey, picked, 'return_qc_failed')
  }
  if (!reach(journey, picked, 'return_in_transit')) return
  if (kind < 0.12) return void reach(journey, after(picked, 9 * dayMs, 15 * dayMs), 'return_lost')
  const transit = courier.service.transit_days.return[zone] ?? 5
  day = workingDay(calendar, Math.max(day + transit, day + 1), Math.max(0, draw(dice, delays)))
  let home = on(openFrom(calendar, day), 660, 1080)
  if (hold === 'return_ndr_raised' || hold === 'return_need_attention' || dice.chance(0.05)) {
    if (!reach(journey, home, 'return_ndr_raised')) return
    if (hold === 'return_need_attention' || dice.chance(0.4)) {
      home = after(home, 14 * hour, 26 * hour)
      if (!reach(journey, home, 'return_need_attention')) return
    }
    home = on(workingDay(calendar, dayOf(home), 1), 660, 1080)
  }
  if (!reach(journey, home, 'return_delivered', 'return_delivered')) return
  const started = after(home, 3 * hour, 50 * hour)
  if (started > journey.now) return
  journey.refund = 'initiated'
  if (after(started, dayMs, 5 * dayMs) <= journey.now) journey.refund = dice.chance(0.03) ? 'failed' : 'processed'
}

/** What of a parcel comes back: the first time one line or all of them, later the next line each time. */
function linesBack(dice: Dice, lines: readonly Line[], round: number): readonly Line[] {
  if (round === 0 && dice.chance(0.3)) return lines
  const line = lines[round % lines.length]!
  return [line.quantity > 1 && dice.chance(0.6) ? { ...line, quantity: 1 + dice.below(line.quantity) } : line]
}

function returnOf(world: World, index: number, parcel: Parcel, round: number): Return {
  const { dice, plan } = world
  const { now } = plan
  const { warehouse, place, zone, order } = parcel
  dice.aim(streams.return, index)
  const id = uuid(dice)
  const delivered = parcel.deliveredAt!
  const asked = seconds(delivered + dayMs + dice.unit() ** 1.5 * Math.min(9 * dayMs, now - delivered - dayMs))
  const lines = linesBack(dice, parcel.lines, round)
  const reason = draw(dice, returnReason)
  const box = boxOf(lines)
  const trade: Trade = { from: place, to: warehouse.place, zone, box, journey: 'return', cod: 0, qc: dice.chance(0.6) }
  // The courier that brought a parcel mostly takes it back, where it takes returns at all.
  const own = parcel.courier !== undefined && carries(parcel.courier, trade) ? parcel.courier : undefined
  let courier = own ?? courierFor(dice, trade)
  const qc = trade.qc && courier !== undefined
  if (trade.qc && !qc) courier = courierFor(dice, { ...trade, qc: false })

  const recent = now - asked < 20 * dayMs && dice.chance(0.12)
  const journey: Journey = {
    now,
    hold: recent ? draw(dice, returnHolds) : undefined,
    granular: 'return_requested',
    scheduled: false,
    qc: qc ? 'pending' : 'not_applicable',
    refund: 'pending',
    milestones: [],
  }
  bringBack(world, journey, asked, zone, courier)

  const assigned = journey.scheduled ? courier : undefined
  const status = returnBuckets[journey.granular].shown
  const address = parcel.record.attributes.shipping_address
  return {
    id,
    type: 'return',
    attributes: {
      return_reason: reason,
      request_date: stamp(asked),
      display_id: `RT-${100_001 + index}`,
      qc_status: journey.qc,
      qc_required: qc,
      status,
      warehouse_id: warehouse.id,
      shipping_address: address,
      total_price: rupeesOf(worth(lines)),
      is_exchange: dice.chance(reason === 'wrong_size' ? 0.3 : 0.1),
      refund_status: journey.refund,
      created_at: stamp(asked),
      return_items: lines.map((line, at) => ({
        id: line.id,
        quantity: line.quantity,
        price: rupeesOf(line.paise),
        name: line.good.product.name,
        sku: line.good.product.sku,
        return_reason: at === 0 ? reason : draw(dice, returnReason),
      })),
      weight: { value: chargedWeight(box, assigned?.service), metric_unit: 'g' },
      shipment: {
        id: parcel.record.id,
        tracking_number: assigned === undefined ? null : assigned.prefix + tenDigits(5_000_000_000 + index, plan.seed),
        status,
        carrier: assigned?.carrier ?? null,
        shipment_milestones: journey.milestones,
      },
      order: { id: order.id, display_id: order.display_id, channel: order.channel, store_name: order.store_name },
      granular_status: journey.granular,
      zone,
      is_dangerous_goods: lines.some(({ good }) => good.product.care === 'dangerous'),
    },
  }
}

/**
 * The returns of a plan, one at a time, roughly in the order of their shipments: of its own delivered shipments, several
 * of one where there are few, and of parcels from before the plan where there is none.
 */
export function* seedReturns(plan: SeedPlan): Generator<Return> {
  const world = worldOf(plan)
  const { dice } = world
  const total = count(plan.returns)
  const settled = plan.now - dayMs
  // What was created later than this cannot have been delivered for a day.
  let eligible = createdUntil(world, settled - 6 * hour)
  const stride = Math.max(1, eligible / total - 0.4)
  let [at, round, found] = [0, 0, 0]
  for (let index = 0; index < total; index++) {
    let parcel: Parcel | undefined
    for (let tries = 0; parcel === undefined && eligible > 0; tries++) {
      if (at >= eligible) [at, round] = [0, round + 1]
      const candidate = parcelAt(world, at++)
      if (candidate.deliveredAt !== undefined && candidate.deliveredAt <= settled) {
        parcel = candidate
        found = Math.max(found, at)
      } else if (tries === 200) {
        // Beyond the last one found nothing has been delivered yet.
        eligible = found
        tries = 0
      }
    }
    if (parcel === undefined) {
      dice.aim(streams.time, index + 1)
      const created = seconds(plan.now - 30 * dayMs - dice.unit() * span(plan))
      parcel = parcelAt(world, count(plan.shipments) + index, created)
    }
    yield returnOf(world, index, parcel, round)
    at += Math.floor((stride - 1) * 2 * dice.unit() + dice.unit())
  }
}
