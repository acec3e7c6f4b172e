// A shipment's journey from the order to the customer or back: statuses, scans and milestones up to now.
import { draw, oneOf, tableOf, type Dice } from '../../domain/random.ts'
import type { Locality } from '../../domain/pincodes.ts'
import { attempts, failures } from '../../domain/parcels/simulation.ts'
import type { GranularStatus } from '../../domain/parcels/statuses.ts'
import { dayMs, istDayNumber } from '../../domain/time.ts'
import { phrases } from './vocabulary.ts'
import {
  momentAfter,
  momentDuring,
  hour,
  isOpen,
  minute,
  minuteOf,
  openFrom,
  stamp,
  workingDay,
  type Calendar,
} from './calendar.ts'
import { delays, failureTexts, type Courier } from './catalogue.ts'
import type { World } from './world.ts'
import type { Consignment } from './routes.ts'

type Fate = 'delivered' | 'returned' | 'lost' | 'cancelled' | 'rejected' | 'external'

/** How a parcel's journey will end, and the status that it stays in for long. */
export interface JourneyEnd {
  readonly fate: Fate
  readonly attempts: number
  readonly hold: GranularStatus | undefined
}

const earlyHolds = tableOf<GranularStatus>(['pending', 'processing', 'not_picked', 'ready_for_pickup'], [3, 4, 4, 1])

const lateHolds = tableOf<GranularStatus>(
  ['ndr_raised', 'need_attention', 'reattempt_delivery', 'out_for_delivery', 'rto_initiated', 'rto_need_attention'],
  [3, 5, 4, 3, 3, 5],
)

/** Draws how the journey of a parcel of an age (ms) will end. */
export function drawJourneyEnd(dice: Dice, age: number, cod: boolean): JourneyEnd {
  const kind = dice.unit()
  // Only recent problems are still open: older ones have been settled.
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

// Type aliases, not interfaces: an interface does not fit the open objects of a record.
export type Milestone = { readonly milestone: string; readonly milestone_at: string }

type Scan = {
  readonly id: string
  readonly status: string
  readonly last_location: string
  readonly event_date_time: string
  readonly description: string
}

/** How far a parcel has come. */
export interface ParcelProgress {
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

/** Enters a status at an instant; returns false if that is in the future or the parcel stays in its status. */
function enter(trip: ParcelProgress, at: number, granular: GranularStatus, milestone?: string): boolean {
  if (at > trip.now) return false
  trip.granular = granular
  if (milestone !== undefined) trip.milestones.push({ milestone, milestone_at: stamp(at) })
  return granular !== trip.hold
}

/** Adds a courier's scan, unless it is in the future. */
function scan(trip: ParcelProgress, at: number, status: string, place: Locality, description: string): void {
  if (at > trip.now) return
  const id = String(trip.firstScan + trip.scans.length)
  trip.scans.push({ id, status, last_location: place.city, event_date_time: stamp(at), description })
}

/** A parcel on its way: how far it has come, and what decides its next step. */
interface Course {
  readonly dice: Dice
  readonly trip: ParcelProgress
  readonly lot: JourneyEnd
  readonly route: Consignment
  readonly courier: Courier
  readonly calendar: Calendar
  /** Days between both cities. */
  readonly transit: number
}

/** Moves a parcel up to `now`; every step is later than the one before it. */
export function travel(
  world: World,
  trip: ParcelProgress,
  created: number,
  lot: JourneyEnd,
  route: Consignment,
  courier: Courier | undefined,
): void {
  const { dice } = world
  if (trip.hold === 'pending') return
  if (lot.fate === 'external')
    return void enter(trip, momentAfter(dice, created, 2 * hour, 30 * hour), 'externally_fulfilled')
  if (lot.fate === 'rejected' || courier === undefined)
    return void enter(trip, momentAfter(dice, created, minute, 90 * minute), 'rejected')
  const { service } = courier
  const calendar = world.calendars.get(service)!
  const transit = service.transit_days.forward[route.zone] ?? 5
  const course: Course = { dice, trip, lot, route, courier, calendar, transit }
  const assigned = assign(course, created)
  const pickup = assigned === undefined ? undefined : pickUp(course, assigned)
  const arrival = pickup === undefined ? undefined : carry(course, pickup)
  const failed = arrival === undefined ? undefined : tryDelivery(course, arrival)
  if (failed !== undefined) takeBack(course, failed)
}

// Each stage returns the time when it ended, ms UTC, or undefined if the parcel goes no further.

/** From the order to a courier and a tracking number. */
function assign({ dice, trip, lot }: Course, created: number): number | undefined {
  let at = momentAfter(dice, created, 2000, 50_000)
  if (trip.hold === 'processing' || dice.chance(0.15)) {
    if (!enter(trip, momentAfter(dice, created, 4 * minute, 20 * minute), 'processing')) return undefined
    at = momentAfter(dice, created, 25 * minute, 16 * hour)
  }
  if (lot.fate === 'cancelled' && dice.chance(0.45)) {
    enter(trip, momentAfter(dice, at, 10 * minute, 9 * hour), 'cancelled')
    return undefined
  }
  if (at > trip.now) return undefined
  trip.assigned = true
  return enter(trip, at, 'ready_for_pickup', 'ready_for_pickup') ? at : undefined
}

interface Pickup {
  readonly day: number
  readonly at: number
}

/** To the courier's pickup, which may fail once. */
function pickUp({ dice, trip, lot, route, courier, calendar }: Course, assigned: number): Pickup | undefined {
  const today = istDayNumber(assigned)
  const inTime = isOpen(calendar, today) && minuteOf(assigned) < courier.cutoff
  let day = inTime ? today : workingDay(calendar, today, 1)
  if (dice.chance(0.65) && !enter(trip, momentAfter(dice, assigned, 3 * minute, 40 * minute), 'pickup_scheduled'))
    return undefined
  if (lot.fate === 'cancelled') {
    enter(trip, momentAfter(dice, assigned, 42 * minute, 65 * minute), 'cancelled')
    return undefined
  }
  let at = Math.max(momentAfter(dice, assigned, 70 * minute, 100 * minute), momentDuring(dice, day, 780, 1140))
  if (trip.hold === 'not_picked' || dice.chance(0.035)) {
    const missed = Math.max(at, momentDuring(dice, day, 1215, 1290))
    scan(trip, missed, 'not_picked', route.from, oneOf(dice, phrases.not_picked))
    if (!enter(trip, missed, 'not_picked')) return undefined
    day = workingDay(calendar, day, 1)
    if (!enter(trip, momentDuring(dice, day, 550, 600), 'pickup_scheduled')) return undefined
    at = momentDuring(dice, day, 780, 1140)
  }
  scan(trip, at, 'picked_up', route.from, phrases.picked_up[0])
  return enter(trip, at, 'in_transit', 'picked_up') ? { day, at } : undefined
}

interface Arrival {
  /** When the courier first goes out with it. */
  readonly out: number
  readonly sameDay: boolean
}

/** To the customer's city, unless the parcel is lost on the way. */
function carry({ dice, trip, lot, route, calendar, transit }: Course, { day, at }: Pickup): Arrival | undefined {
  const promised = workingDay(calendar, day, transit)
  const outDay = openFrom(calendar, Math.max(promised + draw(dice, delays), transit === 0 ? day : day + 1))
  const sameDay = outDay === day
  const left = sameDay ? momentAfter(dice, at, 10 * minute, 25 * minute) : momentAfter(dice, at, 90 * minute, 8 * hour)
  scan(trip, left, 'in_transit', route.from, oneOf(dice, phrases.left_hub))
  if (!enter(trip, left, 'in_transit', 'in_transit')) return undefined
  if (lot.fate === 'lost') {
    const gone = momentAfter(dice, left, 8 * dayMs, 15 * dayMs)
    scan(trip, gone, 'lost', route.from, oneOf(dice, phrases.lost))
    enter(trip, gone, 'lost')
    return undefined
  }
  const out = sameDay ? momentAfter(dice, left, 20 * minute, 40 * minute) : momentDuring(dice, outDay, 450, 640)
  if (!sameDay) {
    const arrived = momentAfter(dice, left, (out - left) * 0.6, (out - left) * 0.95)
    scan(trip, arrived, 'in_transit', route.to, oneOf(dice, phrases.reached_hub))
  }
  return { out, sameDay }
}

/** To the customer's door, as often as the lot says; returns when the last attempt failed. */
function tryDelivery({ dice, trip, lot, route, calendar }: Course, arrival: Arrival): number | undefined {
  let { out } = arrival
  let last = out
  for (let attempt = 1; attempt <= lot.attempts; attempt++) {
    if (out > trip.now) return undefined
    if (attempt === 1 && !dice.chance(0.15)) {
      // Most couriers' feeds keep the scans up to the last hub only until the parcel is there.
      trip.scans = []
    }
    trip.milestones = trip.milestones.filter(({ milestone }) => milestone !== 'out_for_delivery')
    trip.attempts = attempt
    scan(trip, out, 'out_for_delivery', route.to, oneOf(dice, phrases.out_for_delivery))
    if (!enter(trip, out, 'out_for_delivery', 'out_for_delivery')) return undefined
    const quick = arrival.sameDay && attempt === 1
    const result = quick ? momentAfter(dice, out, 30 * minute, 140 * minute) : momentAfter(dice, out, hour, 9.5 * hour)
    if (lot.fate === 'delivered' && attempt === lot.attempts) {
      if (result > trip.now) return undefined
      scan(trip, result, 'delivered', route.to, oneOf(dice, phrases.delivered))
      trip.deliveredAt = result
      enter(trip, result, 'delivered', 'delivered')
      return undefined
    }
    const reason = draw(dice, route.cod > 0 ? failures.cod : failures.prepaid)
    if (result > trip.now) return undefined
    trip.ndr = reason
    scan(trip, result, 'ndr_raised', route.to, failureTexts.get(reason)!)
    if (!enter(trip, result, 'ndr_raised')) return undefined
    last = result
    if (trip.hold === 'need_attention' || dice.chance(0.25)) {
      last = momentAfter(dice, last, 13 * hour, 26 * hour)
      if (!enter(trip, last, 'need_attention')) return undefined
    }
    if (attempt < lot.attempts) {
      last = momentAfter(dice, last, 0.5 * hour, 9 * hour)
      if (!enter(trip, last, 'reattempt_delivery')) return undefined
      out = momentDuring(dice, workingDay(calendar, istDayNumber(last), dice.chance(0.15) ? 2 : 1), 450, 640)
    }
  }
  return last
}

/** Back to the warehouse, unless the return is cancelled or the parcel is lost on the way. */
function takeBack({ dice, trip, route, calendar, transit }: Course, failed: number): void {
  const { hold } = trip
  const turned = momentAfter(dice, failed, 4 * hour, 28 * hour)
  if (turned > trip.now) return
  trip.rto = trip.ndr ?? draw(dice, failures.unattempted)
  scan(trip, turned, 'rto_initiated', route.to, phrases.rto_initiated[0])
  if (!enter(trip, turned, 'rto_initiated', 'rto_initiated')) return
  const end = dice.unit()
  if (end < 0.03 && hold === undefined)
    return void enter(trip, momentAfter(dice, turned, 4 * hour, 40 * hour), 'rto_cancelled')
  let back = momentAfter(dice, turned, 8 * hour, 34 * hour)
  scan(trip, back, 'rto_in_transit', route.to, phrases.rto_in_transit[0])
  if (!enter(trip, back, 'rto_in_transit')) return
  if (end > 0.97 && hold === undefined) {
    const gone = momentAfter(dice, back, 9 * dayMs, 15 * dayMs)
    scan(trip, gone, 'rto_lost', route.to, phrases.rto_lost[0])
    return void enter(trip, gone, 'rto_lost')
  }
  if (hold === 'rto_need_attention' || dice.chance(0.1)) {
    if (!enter(trip, momentAfter(dice, back, 20 * hour, 60 * hour), 'rto_need_attention')) return
    back = momentAfter(dice, back, 70 * hour, 100 * hour)
    if (!enter(trip, back, 'rto_in_transit')) return
  }
  const home = momentDuring(dice, workingDay(calendar, istDayNumber(back), transit + 1 + dice.below(3)), 660, 1140)
  scan(trip, home, 'rto_delivered', route.from, phrases.rto_delivered[0])
  enter(trip, home, 'rto_delivered', 'rto_delivered')
}
