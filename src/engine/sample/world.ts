// What all records of a plan share: its stores and warehouses, how orders spread over time, and the carriers' working
// days.
import { diceOf, type Dice, type Table } from '../../domain/random.ts'
import { placeOf, type Locality } from '../../domain/pincodes.ts'
import type { Service } from '../../domain/rates/ratecard.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { istDate, istDayNumber, isWorkingDay } from '../../domain/time.ts'
import { streams } from './chance.ts'
import { hour, atMinute, minuteOf, type Calendar } from './calendar.ts'
import { atlas, placesIn } from './atlas.ts'
import { couriers, popularByCategory, type CatalogueItem } from './catalogue.ts'
import { count, span, seedStores, seedWarehouses, type SeedPlan } from './plan.ts'

export interface Warehouse {
  readonly id: string
  readonly place: Locality
}

export interface Shop {
  readonly store_name: string
  readonly prefix: string
  readonly goods: Table<CatalogueItem>
}

/** How orders spread over the hours of the plan, as a running total. */
interface Timeline {
  readonly start: number
  readonly sums: Float64Array
}

export interface World {
  readonly plan: SeedPlan
  readonly dice: Dice
  readonly shops: readonly Shop[]
  readonly warehouses: readonly Warehouse[]
  /** The places outside metros in the states of the warehouses. */
  readonly nearby: readonly (readonly number[])[]
  /** The zone of a warehouse and a place, plus one; 0 means not known yet. */
  readonly zones: Uint8Array
  readonly timeline: Timeline
  readonly calendars: ReadonlyMap<Service, Calendar>
}

export function worldOf(plan: SeedPlan): World {
  const dice = diceOf(plan.seed)
  const warehouses = seedWarehouses(plan).map(({ id, pincode }) => ({ id, place: placeOf(pincode)! }))
  return {
    plan,
    dice,
    shops: seedStores(plan).map(({ store_name }, index) => ({
      store_name,
      prefix: store_name.slice(0, 3).toUpperCase(),
      goods: popularByCategory[index % popularByCategory.length]!,
    })),
    warehouses,
    nearby: warehouses.map(({ place }) => placesIn(place.state)).filter((list) => list.length > 0),
    zones: new Uint8Array(warehouses.length * atlas().places.length),
    timeline: timelineOf(plan, dice),
    calendars: calendarsOf(plan),
  }
}

const hourWeights = [10, 6, 4, 3, 3, 5, 10, 20, 36, 54, 68, 76, 74, 66, 60, 60, 62, 64, 68, 76, 84, 82, 60, 28]

const weekdayWeights = [0.86, 1.14, 1.06, 1.02, 1, 1.03, 0.94]

function timelineOf(plan: SeedPlan, dice: Dice): Timeline {
  const start = plan.now - span(plan)
  const hours = Math.ceil(span(plan) / hour)
  dice.aim(streams.time, 0)
  const sales = new Map<number, number>()
  for (let left = plan.days < 5 ? 0 : Math.max(1, Math.round(plan.days / 25)); left > 0; left--) {
    const day = istDayNumber(start) + 1 + dice.below(plan.days - 2)
    sales.set(day, 2.5).set(day + 1, 1.6)
  }
  const sums = new Float64Array(hours + 1)
  for (let i = 0; i < hours; i++) {
    const middle = start + (i + 0.5) * hour
    const day = istDayNumber(middle)
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

/**
 * When the n-th of all orders comes in, whole seconds in ms UTC: never earlier than the one before it, and never after
 * `now`.
 */
export function orderTime(world: World, index: number): number {
  const { timeline, plan, dice } = world
  const { sums, start } = timeline
  const value = ((index + dice.unit()) / count(plan.shipments)) * sums.at(-1)!
  const at = hourReaching(sums, value)
  const ms = start + (at + (value - sums[at]!) / (sums[at + 1]! - sums[at]!)) * hour
  return Math.min(Math.floor(ms / 1000) * 1000, plan.now)
}

/** Roughly how many of the plan's shipments were created at or before an instant (ms UTC). */
export function createdUntil(world: World, ms: number): number {
  const { sums, start } = world.timeline
  const hours = Math.floor((ms - start) / hour)
  if (hours < 0) return 0
  return Math.floor((sums[Math.min(hours, sums.length - 1)]! / sums.at(-1)!) * count(world.plan.shipments))
}

function calendarsOf(plan: SeedPlan): ReadonlyMap<Service, Calendar> {
  const first = istDayNumber(plan.now - span(plan)) - 75
  const length = istDayNumber(plan.now) + 75 - first
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
