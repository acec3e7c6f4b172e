// What a courier's scan does to a parcel: two tables of steps (from, event, to), and the fold of events over a
// record's state.
import { isoOf } from '../time.ts'
import { attemptsAfter, isLatestFailure, sameResult } from './attempts.ts'
import type { MilestoneEntry, ParcelState, Scan } from './parcelstate.ts'
import type { GranularStatus, ReturnGranularStatus, returnMilestones, shipmentMilestones } from './statuses.ts'

/** What may happen to a forward shipment. */
export const forwardEvents = [
  'pickup_scheduled',
  'not_picked',
  'picked_up',
  'in_transit',
  'out_for_delivery',
  'attempt_failed',
  'reattempt',
  'delivered',
  'rto_initiated',
  'rto_in_transit',
  'rto_delivered',
  'lost',
  'cancelled',
] as const
export type ForwardEvent = (typeof forwardEvents)[number]

/** What may happen to a return. */
export const returnEvents = [
  'return_pickup_scheduled',
  'return_not_picked',
  'return_picked_up',
  'return_in_transit',
  'return_attempt_failed',
  'return_qc_failed',
  'return_delivered',
  'return_lost',
  'return_cancelled',
] as const
export type ReturnEvent = (typeof returnEvents)[number]

/** The steps of a journey that the customer gets a message about. `attempt_failed` has one message for each attempt. */
export const customerSteps = [
  'order_confirmed',
  'shipped',
  'out_for_delivery',
  'attempt_failed',
  'delivered',
  'coming_back',
  'return_pickup_scheduled',
  'return_received',
  'refund',
] as const
export type CustomerStep = (typeof customerSteps)[number]

/** One row of a journey: from any of these statuses the event leads to that one, and sets the rest. */
export interface Step<Status extends string, Milestone extends string> {
  readonly from: readonly Status[]
  readonly to: Status
  /** Milestones that it reaches. One that was reached before keeps its time, except `out_for_delivery`. */
  readonly milestones?: readonly Milestone[]
  /**
   * The courier is at the door: `begins` an attempt (one for each day), or `ends` one. An end without a start counts as
   * an attempt, because many couriers send only the result.
   */
  readonly attempt?: 'begins' | 'ends'
  /** Which reason the event sets. The latest NDR reason stays, and so does the first RTO reason. */
  readonly reason?: 'ndr' | 'rto'
  readonly qc?: 'passed' | 'failed'
  readonly tells?: readonly CustomerStep[]
}

type Journey<Event extends string, Status extends string, Milestone extends string> = {
  readonly [E in Event]: readonly Step<Status, Milestone>[]
}

/* ---- Forward ---- */

type Milestone = (typeof shipmentMilestones)[number]

const waiting = ['processing', 'ready_for_pickup', 'pickup_scheduled', 'not_picked'] as const
/** On its way, or at a door that nobody opened. */
const moving = ['in_transit', 'out_for_delivery', 'ndr_raised', 'need_attention', 'reattempt_delivery'] as const
const failed = ['ndr_raised', 'need_attention', 'reattempt_delivery'] as const
const turned = ['rto_initiated', 'rto_in_transit', 'rto_need_attention'] as const

/**
 * Forward shipments. Couriers leave scans out: any scan that shows a parcel moving counts as its pickup where that is
 * missing, and a lost parcel can be found again, also one that was lost before any scan of its pickup.
 */
// prettier-ignore
export const forwardJourney: Journey<ForwardEvent, GranularStatus, Milestone> = {
  pickup_scheduled: [{ from: ['pending', ...waiting], to: 'pickup_scheduled' }],
  not_picked:       [{ from: waiting, to: 'not_picked' }],
  picked_up:        [{ from: ['pending', ...waiting], to: 'in_transit', milestones: ['picked_up'], tells: ['shipped'] }],
  in_transit: [
    { from: ['pending', ...waiting], to: 'in_transit', milestones: ['picked_up', 'in_transit'], tells: ['shipped'] },
    { from: moving,                  to: 'in_transit', milestones: ['in_transit'] },
    { from: ['lost'],                to: 'in_transit', milestones: ['picked_up', 'in_transit'] },
  ],
  out_for_delivery: [
    { from: waiting,  to: 'out_for_delivery', milestones: ['picked_up', 'in_transit', 'out_for_delivery'], attempt: 'begins', tells: ['shipped', 'out_for_delivery'] },
    { from: moving,   to: 'out_for_delivery', milestones: ['in_transit', 'out_for_delivery'], attempt: 'begins', tells: ['out_for_delivery'] },
    { from: ['lost'], to: 'out_for_delivery', milestones: ['picked_up', 'in_transit', 'out_for_delivery'], attempt: 'begins', tells: ['out_for_delivery'] },
  ],
  attempt_failed: [
    { from: waiting, to: 'ndr_raised', milestones: ['picked_up', 'in_transit'], attempt: 'ends', reason: 'ndr', tells: ['shipped', 'attempt_failed'] },
    { from: moving,  to: 'ndr_raised', milestones: ['in_transit'], attempt: 'ends', reason: 'ndr', tells: ['attempt_failed'] },
  ],
  reattempt: [{ from: failed, to: 'reattempt_delivery' }],
  delivered: [
    { from: waiting,  to: 'delivered', milestones: ['picked_up', 'in_transit', 'delivered'], attempt: 'ends', tells: ['shipped', 'delivered'] },
    { from: moving,   to: 'delivered', milestones: ['in_transit', 'delivered'], attempt: 'ends', tells: ['delivered'] },
    { from: ['lost'], to: 'delivered', milestones: ['picked_up', 'in_transit', 'delivered'], attempt: 'ends', tells: ['delivered'] },
  ],
  rto_initiated: [
    { from: waiting,  to: 'rto_initiated', milestones: ['picked_up', 'rto_initiated'], reason: 'rto', tells: ['shipped', 'coming_back'] },
    { from: moving,   to: 'rto_initiated', milestones: ['rto_initiated'], reason: 'rto', tells: ['coming_back'] },
    { from: ['lost'], to: 'rto_initiated', milestones: ['picked_up', 'rto_initiated'], reason: 'rto', tells: ['coming_back'] },
  ],
  rto_in_transit: [
    { from: waiting,                 to: 'rto_in_transit', milestones: ['picked_up', 'rto_initiated'], reason: 'rto', tells: ['shipped', 'coming_back'] },
    { from: [...turned, 'rto_lost'], to: 'rto_in_transit' },
    { from: moving,                  to: 'rto_in_transit', milestones: ['rto_initiated'], reason: 'rto', tells: ['coming_back'] },
    { from: ['lost'],                to: 'rto_in_transit', milestones: ['picked_up', 'rto_initiated'], reason: 'rto', tells: ['coming_back'] },
  ],
  rto_delivered: [
    { from: waiting,                 to: 'rto_delivered', milestones: ['picked_up', 'rto_initiated', 'rto_delivered'], reason: 'rto', tells: ['shipped', 'coming_back'] },
    { from: [...turned, 'rto_lost'], to: 'rto_delivered', milestones: ['rto_delivered'] },
    { from: moving,                  to: 'rto_delivered', milestones: ['rto_initiated', 'rto_delivered'], reason: 'rto', tells: ['coming_back'] },
    { from: ['lost'],                to: 'rto_delivered', milestones: ['picked_up', 'rto_initiated', 'rto_delivered'], reason: 'rto', tells: ['coming_back'] },
  ],
  lost: [
    { from: [...waiting, ...moving], to: 'lost' },
    { from: turned,                  to: 'rto_lost' },
  ],
  cancelled: [{ from: ['pending', ...waiting], to: 'cancelled' }],
}

/* ---- Returns ---- */

const atCustomer = ['return_requested', 'return_pickup_scheduled', 'return_not_picked'] as const
const onTheWay = ['return_in_transit', 'return_ndr_raised', 'return_need_attention'] as const

type ReturnMilestone = (typeof returnMilestones)[number]

/** Returns. The courier checks quality at the customer's door: a return that was picked up has passed. */
// prettier-ignore
export const returnJourney: Journey<ReturnEvent, ReturnGranularStatus, ReturnMilestone> = {
  return_pickup_scheduled: [{ from: atCustomer, to: 'return_pickup_scheduled', milestones: ['return_pickup_scheduled'], tells: ['return_pickup_scheduled'] }],
  return_not_picked:       [{ from: atCustomer, to: 'return_not_picked' }],
  return_picked_up:        [{ from: atCustomer, to: 'return_in_transit', qc: 'passed' }],
  return_in_transit: [
    { from: atCustomer,                 to: 'return_in_transit', qc: 'passed' },
    { from: [...onTheWay, 'return_lost'], to: 'return_in_transit' },
  ],
  return_attempt_failed: [{ from: onTheWay, to: 'return_ndr_raised' }],
  return_qc_failed:      [{ from: atCustomer, to: 'return_qc_failed', qc: 'failed' }],
  return_delivered: [
    { from: atCustomer,                 to: 'return_delivered', milestones: ['return_delivered'], qc: 'passed', tells: ['return_received'] },
    { from: [...onTheWay, 'return_lost'], to: 'return_delivered', milestones: ['return_delivered'], tells: ['return_received'] },
  ],
  return_lost:      [{ from: [...atCustomer, ...onTheWay], to: 'return_lost' }],
  return_cancelled: [{ from: atCustomer, to: 'return_cancelled' }],
}

/* ---- The fold ---- */

export type AnyEvent = ForwardEvent | ReturnEvent

/** One event of a parcel; `at` is ms UTC. Two with the same id are the same event. */
export interface TrackingEvent {
  readonly id: string
  readonly event: AnyEvent
  readonly at: number
  readonly reason: string | null
  readonly location: string | null
  readonly description: string | null
}

/**
 * The result of an event: the state after it and the messages it calls for; or the events that were possible instead.
 * `same` is the id of the scan that has told the same before.
 */
export type EventResult =
  | { readonly standing: ParcelState; readonly tells: readonly string[]; readonly same?: string | undefined }
  | { readonly possible: readonly AnyEvent[] }

const steps: Readonly<Record<AnyEvent, readonly Step<string, string>[]>> = { ...forwardJourney, ...returnJourney }

/** Events of one journey that can follow a status. */
export const possibleFrom = (events: readonly AnyEvent[], granular: string | null): readonly AnyEvent[] =>
  events.filter((event) => steps[event].some(({ from }) => granular !== null && from.includes(granular)))

/** Applies one event. The possible events are those of the parcel's own journey. */
export function applyEvent(before: ParcelState, happening: TrackingEvent): EventResult {
  const { event, at, reason } = happening
  const same = sameResult(before, happening)
  if (same !== undefined) return { standing: withMore(before, same, happening), tells: [], same: same.id ?? '' }
  const step = steps[event].find(({ from }) => before.granular !== null && from.includes(before.granular))
  if (step === undefined) {
    const own: readonly AnyEvent[] = event.startsWith('return_') ? returnEvents : forwardEvents
    return { possible: possibleFrom(own, before.granular) }
  }
  const { attempt } = step
  const attempts = attempt === undefined ? before.attempts : attemptsAfter(before, at, attempt === 'ends')
  const ndr = step.reason === 'ndr' ? (reason ?? 'other') : before.ndr_reason
  const standing: ParcelState = {
    granular: step.to,
    attempts,
    ndr_reason: ndr,
    rto_reason: step.reason === 'rto' ? (before.rto_reason ?? reason ?? ndr ?? 'other') : before.rto_reason,
    qc: step.qc !== undefined && before.qc === 'pending' ? step.qc : before.qc,
    milestones: (step.milestones ?? []).reduce((list, name) => withMilestone(list, name, at), before.milestones),
    scans: [...before.scans, scanOf(happening, step.to)],
  }
  return {
    standing,
    tells: (step.tells ?? []).map((told) => (told === 'attempt_failed' ? `${told}:${attempts}` : told)),
  }
}

/** The state after a scan was told again: what the first telling left out. The latest attempt keeps its reason. */
function withMore(before: ParcelState, same: Scan, { event, reason, location }: TrackingEvent): ParcelState {
  const known = before.ndr_reason !== null && before.ndr_reason !== 'other'
  const tells = event === 'attempt_failed' && reason !== null && reason !== 'other'
  return {
    ...before,
    ndr_reason: tells && !known && isLatestFailure(before.scans, same) ? reason : before.ndr_reason,
    scans: before.scans.map((one) => (one === same ? { ...one, last_location: one.last_location ?? location } : one)),
  }
}

function withMilestone(list: readonly MilestoneEntry[], milestone: string, at: number): readonly MilestoneEntry[] {
  const now = { milestone, milestone_at: isoOf(at) }
  if (!list.some((one) => one.milestone === milestone)) return [...list, now]
  return milestone === 'out_for_delivery' ? [...list.filter((one) => one.milestone !== milestone), now] : list
}

/** An event as a scan of the record; a result at the door shows the status that it leads to. */
const scanOf = ({ id, event, at, location, description }: TrackingEvent, granular: string): Scan => ({
  id,
  status: /attempt_failed|reattempt|lost/.test(event) ? granular : event,
  last_location: location,
  event_date_time: isoOf(at),
  description: description ?? phrases[event],
})

/** The text of a scan without words of the courier. */
export const phrases: Readonly<Record<AnyEvent, string>> = {
  pickup_scheduled: 'Pickup scheduled',
  not_picked: 'Pickup not done',
  picked_up: 'Picked up',
  in_transit: 'On its way',
  out_for_delivery: 'Out for delivery',
  attempt_failed: 'Delivery attempted, not delivered',
  reattempt: 'Delivery will be attempted again',
  delivered: 'Delivered',
  rto_initiated: 'Return to origin initiated',
  rto_in_transit: 'On its way back to the origin',
  rto_delivered: 'Back at the origin',
  lost: 'Lost',
  cancelled: 'Cancelled',
  return_pickup_scheduled: 'Pickup scheduled',
  return_not_picked: 'Pickup not done',
  return_picked_up: 'Picked up from the customer',
  return_in_transit: 'On its way to the warehouse',
  return_attempt_failed: 'Delivery to the warehouse attempted',
  return_qc_failed: 'Quality check failed at the door',
  return_delivered: 'Received at the warehouse',
  return_lost: 'Lost',
  return_cancelled: 'Cancelled',
}

/** The order in which events are applied: by time, then by id. */
export const byTime = (a: Pick<TrackingEvent, 'at' | 'id'>, b: Pick<TrackingEvent, 'at' | 'id'>): number =>
  a.at - b.at || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)

/** A step that a customer gets a message about, `attempt_failed` with the number of the attempt; `at` is ms UTC. */
export interface Notice {
  readonly step: string
  readonly at: number
  readonly reason: string | null
}

/** An event that was not possible: the detailed status at its time, and the events that were. */
export interface Impossible {
  readonly was: string | null
  readonly possible: readonly AnyEvent[]
}

/**
 * The result of a list of events: the state, the messages it calls for, and the ids of events that were not possible.
 */
export interface FoldResult {
  readonly standing: ParcelState
  readonly tells: readonly Notice[]
  /** The detailed status that each applied event led to. */
  readonly reached: readonly { readonly event: TrackingEvent; readonly granular: string | null }[]
  readonly ignored: ReadonlyMap<string, Impossible>
  /** The ids of events that tell what another one has told, and that one's id. */
  readonly repeats: ReadonlyMap<string, string>
}

/** Applies events, whose ids are all different, in their order. */
export function fold(from: ParcelState, happenings: readonly TrackingEvent[]): FoldResult {
  let standing = from
  const tells: Notice[] = []
  const reached: { event: TrackingEvent; granular: string | null }[] = []
  const ignored = new Map<string, Impossible>()
  const repeats = new Map<string, string>()
  for (const happening of happenings.toSorted(byTime)) {
    const taken = applyEvent(standing, happening)
    if ('possible' in taken) ignored.set(happening.id, { was: standing.granular, possible: taken.possible })
    else if (taken.same !== undefined) {
      standing = taken.standing
      repeats.set(happening.id, taken.same)
    } else {
      standing = taken.standing
      reached.push({ event: happening, granular: standing.granular })
      for (const step of taken.tells) tells.push({ step, at: happening.at, reason: happening.reason })
    }
  }
  return { standing, tells, reached, ignored, repeats }
}
