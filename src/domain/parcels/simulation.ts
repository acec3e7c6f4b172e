// How simulated parcels move: chances and lengths of journeys in India, and a parcel's next events from them, along the
// tables of journeys.ts (docs/reference/tracking.md, Simulation).
import { draw, sharesTable, tableOf, type Dice } from '../random.ts'
import { applyEvent, type AnyEvent, type TrackingEvent } from './journeys.ts'
import type { ParcelState } from './parcelstate.ts'
import { dayMs, istOffset } from '../time.ts'
import { mostAttempts } from './worklists.ts'

/**
 * Why deliveries fail: those of paid parcels, of parcels to be paid for, and why parcels go back without an attempt.
 */
// prettier-ignore
export const failures = {
  prepaid: sharesTable({
    customer_not_available: 26, customer_unreachable: 18, premises_closed: 14, address_incomplete: 14, future_delivery_requested: 12,
    customer_refused: 5, self_pickup: 4, fake_attempt: 3, out_of_delivery_area: 2, shipment_damaged: 1, other: 2,
  }),
  cod: sharesTable({
    customer_not_available: 22, customer_refused: 20, customer_unreachable: 17, payment_not_ready: 13, future_delivery_requested: 8,
    premises_closed: 7, address_incomplete: 7, fake_attempt: 2, self_pickup: 2, out_of_delivery_area: 1, shipment_damaged: 1, other: 2,
  }),
  unattempted: sharesTable({ out_of_delivery_area: 34, address_incomplete: 24, customer_refused: 18, shipment_damaged: 14, other: 10 }),
}

/** Attempts of parcels that are delivered in the end, and of those that go back. */
export const attempts = {
  delivered: tableOf([1, 2, 3], [84, 12, 4]),
  returned: tableOf([0, 1, 2, 3], [9, 16, 21, 54]),
}

/** The shares of parcels that come back, get lost, and so on. */
export const chances = {
  rto: { cod: 0.24, prepaid: 0.05 },
  lost: 0.004,
  notPicked: { forward: 0.05, return: 0.12 },
  qcFailed: 0.08,
  warehouseClosed: 0.05,
} as const

/**
 * When a step comes: hours after the one before (from, to), or at the next round of the day, in minutes of the IST day.
 * All come within a day, so that a run of one day moves every parcel.
 */
type Wait = { readonly hours: readonly [number, number] } | { readonly round: readonly [number, number] }

const waits = {
  booking: { hours: [0.1, 1] },
  pickup: { hours: [4, 22] },
  leaving: { hours: [2, 8] },
  hub: { hours: [18, 23] },
  door: { hours: [1, 9] },
  answer: { hours: [0.5, 9] },
  turning: { hours: [4, 23] },
  morning: { round: [450, 640] },
  daytime: { round: [640, 1110] },
} as const satisfies Readonly<Record<string, Wait>>

/** A parcel as its simulated courier has it. */
export interface Trip {
  readonly kind: 'shipment' | 'return'
  readonly standing: ParcelState
  readonly cod: boolean
  /** Days from hub to hub that the way takes. */
  readonly transit: number
  /** Where it starts and where it goes to, where that is known. */
  readonly from: string | null
  readonly to: string | null
  /** Its last known event, and the latest time that a new one may have, ms UTC. */
  readonly since: number
  readonly now: number
  /** Days of its life that pass; the time until `now` where that is shorter. */
  readonly days: number
  /** Its own random numbers: the same each time. */
  readonly dice: Dice
  readonly id: (event: AnyEvent, at: number) => string
}

/** What happens next. */
interface Next {
  readonly event: AnyEvent
  readonly wait: Wait
  /** Which end of the way it happens at. */
  readonly place: 'from' | 'to'
  readonly reason?: string
}

const streams = { lot: 1, step: 2 } as const

/** The events of a simulated parcel, and its state after them. */
interface Simulated {
  readonly happenings: readonly TrackingEvent[]
  readonly standing: ParcelState
}

/** The next events of a parcel, each possible after the one before, and the state they lead to. */
export function simulate(trip: Trip): Simulated {
  const { dice, since, now, days } = trip
  const happenings: TrackingEvent[] = []
  let standing = trip.standing
  // A day of the parcel is shorter where less time than its days has passed.
  const pace = Math.min(1, (now - since) / (days * dayMs))
  const next = trip.kind === 'shipment' ? shipmentCourier(trip) : returnCourier(trip)
  let passed = 0
  for (;;) {
    dice.aim(streams.step, standing.scans.length)
    const step = next(standing)
    if (step === undefined) break
    passed = timeOf(dice, step.wait, since + passed) - since
    const earliest = (happenings.at(-1)?.at ?? since) + 1
    const at = Math.max(earliest, since + Math.floor(passed * pace))
    if (passed > days * dayMs || at > now) break
    const { event, place, reason = null } = step
    const happening = { id: trip.id(event, at), event, at, reason, location: trip[place], description: null }
    const taken = applyEvent(standing, happening)
    if ('possible' in taken) break
    standing = taken.standing
    happenings.push(happening)
  }
  return { happenings, standing }
}

/** When a step comes that follows one at `before`, ms UTC: later than that, and within a day. */
function timeOf(dice: Dice, wait: Wait, before: number): number {
  if ('hours' in wait) return before + Math.floor(dice.between(...wait.hours) * 3_600_000)
  const midnight = Math.floor((before + istOffset) / dayMs) * dayMs - istOffset
  const today = midnight + Math.floor(dice.between(...wait.round) * 60_000)
  return today > before ? today : today + dayMs
}

/** How many scans of a parcel have a status. */
const timesSeen = ({ scans }: ParcelState, status: string): number =>
  scans.filter((scan) => scan.status === status).length

/** What the courier of a forward shipment does next; undefined at an end, or in a status that is not ours. */
function shipmentCourier({ dice, cod, transit }: Trip): (standing: ParcelState) => Next | undefined {
  dice.aim(streams.lot, 0)
  const missed = dice.chance(chances.notPicked.forward) ? 1 : 0
  const lost = dice.chance(chances.lost)
  const back = dice.chance(cod ? chances.rto.cod : chances.rto.prepaid)
  const wanted = draw(dice, back ? attempts.returned : attempts.delivered)
  const hubs = Math.max(1, transit)
  const turn: Next = { event: 'rto_initiated', wait: waits.turning, place: 'to' }
  const more = (done: number): boolean => done < (back ? wanted : mostAttempts)
  return (standing) => {
    const { granular, attempts: done, ndr_reason: failed } = standing
    switch (granular) {
      case 'pending':
      case 'processing':
      case 'ready_for_pickup':
        return { event: 'pickup_scheduled', wait: waits.booking, place: 'from' }
      case 'pickup_scheduled':
      case 'not_picked':
        return timesSeen(standing, 'not_picked') < missed
          ? { event: 'not_picked', wait: waits.pickup, place: 'from' }
          : { event: 'picked_up', wait: waits.pickup, place: 'from' }
      case 'in_transit': {
        const passed = timesSeen(standing, 'in_transit')
        if (done === 0 && passed < hubs)
          return {
            event: 'in_transit',
            wait: passed === 0 ? waits.leaving : waits.hub,
            place: passed === 0 ? 'from' : 'to',
          }
        if (done === 0 && lost) return { event: 'lost', wait: waits.turning, place: 'from' }
        if (more(done)) return { event: 'out_for_delivery', wait: waits.morning, place: 'to' }
        return failed === null ? { ...turn, reason: draw(dice, failures.unattempted) } : turn
      }
      case 'out_for_delivery':
        return !back && done >= wanted
          ? { event: 'delivered', wait: waits.door, place: 'to' }
          : {
              event: 'attempt_failed',
              wait: waits.door,
              place: 'to',
              reason: draw(dice, cod ? failures.cod : failures.prepaid),
            }
      case 'ndr_raised':
      case 'need_attention':
        return more(done) ? { event: 'reattempt', wait: waits.answer, place: 'to' } : turn
      case 'reattempt_delivery':
        return more(done) ? { event: 'out_for_delivery', wait: waits.morning, place: 'to' } : turn
      case 'rto_initiated':
        return { event: 'rto_in_transit', wait: waits.hub, place: 'to' }
      case 'rto_in_transit':
      case 'rto_need_attention':
        return timesSeen(standing, 'rto_in_transit') < hubs
          ? { event: 'rto_in_transit', wait: waits.hub, place: 'from' }
          : { event: 'rto_delivered', wait: waits.daytime, place: 'from' }
      default:
        return undefined
    }
  }
}

/** The same for a return, on its way from the customer to the warehouse. */
function returnCourier({ dice, transit }: Trip): (standing: ParcelState) => Next | undefined {
  dice.aim(streams.lot, 0)
  let missed = 0
  while (missed < mostAttempts && dice.chance(chances.notPicked.return)) missed++
  const lost = dice.chance(chances.lost)
  const refused = dice.chance(chances.qcFailed)
  const closed = dice.chance(chances.warehouseClosed) ? 1 : 0
  const hubs = Math.max(1, transit)
  return (standing) => {
    switch (standing.granular) {
      case 'return_requested':
        return { event: 'return_pickup_scheduled', wait: waits.booking, place: 'from' }
      case 'return_pickup_scheduled':
      case 'return_not_picked': {
        const tried = timesSeen(standing, 'return_not_picked')
        const event =
          tried < missed
            ? 'return_not_picked'
            : tried >= mostAttempts
              ? 'return_cancelled'
              : refused && standing.qc === 'pending'
                ? 'return_qc_failed'
                : 'return_picked_up'
        return { event, wait: waits.daytime, place: 'from' }
      }
      case 'return_in_transit': {
        const passed = timesSeen(standing, 'return_in_transit')
        if (passed < hubs)
          return {
            event: 'return_in_transit',
            wait: passed === 0 ? waits.leaving : waits.hub,
            place: passed === 0 ? 'from' : 'to',
          }
        if (lost) return { event: 'return_lost', wait: waits.turning, place: 'from' }
        const event = timesSeen(standing, 'return_ndr_raised') < closed ? 'return_attempt_failed' : 'return_delivered'
        return { event, wait: waits.daytime, place: 'to' }
      }
      case 'return_ndr_raised':
      case 'return_need_attention':
        return { event: 'return_delivered', wait: waits.daytime, place: 'to' }
      default:
        return undefined
    }
  }
}
