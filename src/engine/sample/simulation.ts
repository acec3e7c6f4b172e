// Parcels that move by themselves: reads open records in parts, makes scans of an invented courier for them, and
// applies those like real ones (docs/reference/tracking.md, Simulation). All its chance comes from the seed.
import sql, { empty, join, raw } from 'sql-template-tag'
import { diceOf } from '../../domain/random.ts'
import { forwardEvents, possibleFrom, returnEvents } from '../../domain/parcels/journeys.ts'
import type { ParcelState } from '../../domain/parcels/parcelstate.ts'
import { placeOf } from '../../domain/pincodes.ts'
import type { RateCard, Service } from '../../domain/rates/ratecard.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { simulate } from '../../domain/parcels/simulation.ts'
import { returnState, shipmentState } from '../../domain/parcels/state.ts'
import { keysOf } from '../../domain/keysof.ts'
import { returnBuckets, settledReturns, settledShipments, shipmentBuckets } from '../../domain/parcels/statuses.ts'
import { readInstant } from '../../domain/time.ts'
import type { Zone } from '../../domain/rates/zones.ts'
import { limitTo, rows, type Dialect, type RecordKind, type Work } from '../database/port.ts'
import type { Host } from '../runtime.ts'
import { istDate } from '../../domain/time.ts'
import { listOf } from '../database/inlist.ts'
import { messageMaker, type InitialStatus } from '../messages/outbox.ts'
import { tablesOf } from '../records/entry.ts'
import { cardInUse } from '../accounts/ratecards.ts'
import { listWarehouses } from '../accounts/settings.ts'
import { track, type Scan } from '../tracking.ts'

/** How parcels move: this many days of their lives, up to `now` (ms UTC). Equal values produce equal events. */
export interface SimulationPlan {
  readonly seed: number
  readonly days: number
  readonly now: number
}

/** What a courier is derived from: the rate card in use, and the cities of warehouses by id. */
export interface Scene {
  readonly card: RateCard
  readonly cities: ReadonlyMap<string, string>
}

/**
 * Which open parcels to move: the next of a kind after a place in their order, or those with these tracking numbers.
 */
export type ParcelSelection =
  { readonly kind: RecordKind; readonly after: Cursor | undefined } | { readonly numbers: readonly string[] }

/** A place in the order of a kind's records: by `created_at` (ms UTC), then by id. */
export type Cursor = readonly [created_at: number, id: string]

/** What happened to the parcels, as counts. */
export interface MoveCounts {
  /** Parcels with at least one event. */
  readonly shipments: number
  readonly returns: number
  readonly events: number
  readonly delivered: number
  /** Shipments that are back at the seller. */
  readonly rto: number
  /** Returns that are at the warehouse. */
  readonly returned: number
  /** Returns that were finally not picked up: the check at the door failed, or the customer was not there. */
  readonly not_returned: number
  readonly lost: number
  /** Parcels without a tracking number: no scan can find them. */
  readonly waiting: number
  /** Parcels that share their tracking number with another. */
  readonly shared: number
  /** Parcels whose last event is so recent that there is no time for another yet. */
  readonly too_new: number
  /** Messages to customers that this made and that will be sent. */
  readonly messages: number
}

/** The moves of some parcels, and where the next part starts; undefined if there are no more. */
export interface SimulatedPart {
  readonly moves: MoveCounts
  readonly seen: number
  readonly next: Cursor | undefined
}

/** Parcels in one transaction. */
export const simulatedAtOnce = 200

/** Reads what couriers are derived from. */
export function* sceneOf(account: number, now: number): Work<Scene> {
  const cities = new Map<string, string>()
  for (const { id, pincode } of yield* listWarehouses(account)) {
    const city = placeOf(pincode)?.city
    if (city !== undefined) cities.set(id, city)
  }
  return { card: yield* cardInUse(account, istDate(now)), cities }
}

/** Moves parcels in one transaction; makes the same messages as a courier's scans. */
export function* moveSome(
  dialect: Dialect,
  account: number,
  host: Host,
  course: SimulationPlan,
  scene: Scene,
  wanted: ParcelSelection,
  telling: InitialStatus,
): Work<SimulatedPart> {
  const planned = yield* planSome(dialect, account, host, course, scene, wanted, true)
  let messages = 0
  const tell = messageMaker(account, host, telling)
  yield* track(dialect, account, host, planned.scans, function* (moved) {
    messages += yield* tell(moved)
  })
  return { ...planned, moves: { ...planned.moves, messages } }
}

/** What would happen to parcels; `locking` holds them unchanged until the transaction ends. */
export function* planSome(
  dialect: Dialect,
  account: number,
  host: Host,
  course: SimulationPlan,
  scene: Scene,
  wanted: ParcelSelection,
  locking = false,
): Work<SimulatedPart & { readonly scans: readonly Scan[] }> {
  const found = yield* openParcels(dialect, account, wanted, locking)
  const known = found.filter((one): one is Found & { tracking_number: string } => one.tracking_number !== null)
  const counts = yield* parcelsWith(
    account,
    known.map(({ tracking_number }) => tracking_number),
  )
  const movable = known.filter(({ tracking_number }) => counts.get(tracking_number) === 1)
  const heard = yield* lastHeard(
    account,
    movable.map(({ id }) => id),
  )
  const moves = { ...noMoveCounts, waiting: found.length - known.length, shared: known.length - movable.length }
  const scans: Scan[] = []
  for (const parcel of movable) {
    const { happenings, standing } = simulate(tripOf(host, course, scene, parcel, heard.get(parcel.id)))
    if (happenings.length === 0) {
      moves.too_new++
      continue
    }
    moves[parcel.kind === 'shipment' ? 'shipments' : 'returns']++
    moves.events += happenings.length
    const end = standing.granular === null ? undefined : ends[standing.granular]
    if (end !== undefined) moves[end]++
    for (const happening of happenings) scans.push({ tracking: parcel.tracking_number, ...happening })
  }
  const last = found.at(-1)
  const next =
    'kind' in wanted && found.length === simulatedAtOnce ? ([last!.created_at, last!.id] as const) : undefined
  return { moves, seen: found.length, next, scans }
}

/** The counts before any parcel. */
export const noMoveCounts: MoveCounts = {
  shipments: 0,
  returns: 0,
  events: 0,
  delivered: 0,
  rto: 0,
  returned: 0,
  not_returned: 0,
  lost: 0,
  waiting: 0,
  shared: 0,
  too_new: 0,
  messages: 0,
}

const ends: Readonly<Record<string, 'delivered' | 'rto' | 'returned' | 'not_returned' | 'lost'>> = {
  delivered: 'delivered',
  rto_delivered: 'rto',
  lost: 'lost',
  return_delivered: 'returned',
  return_qc_failed: 'not_returned',
  return_cancelled: 'not_returned',
  return_lost: 'lost',
}

/** Detailed statuses of parcels that can still have events. */
const open: Readonly<Record<RecordKind, readonly string[]>> = {
  shipment: keysOf(shipmentBuckets).filter(
    (name) =>
      possibleFrom(forwardEvents, name).length > 0 && !(settledShipments.granular as readonly string[]).includes(name),
  ),
  return: keysOf(returnBuckets).filter(
    (name) =>
      possibleFrom(returnEvents, name).length > 0 && !(settledReturns.granular as readonly string[]).includes(name),
  ),
}

interface Found {
  readonly kind: RecordKind
  readonly id: string
  readonly created_at: number
  readonly tracking_number: string | null
  readonly doc: string
}

function* openParcels(
  dialect: Dialect,
  account: number,
  wanted: ParcelSelection,
  locking: boolean,
): Work<readonly Found[]> {
  const found: Found[] = []
  for (const kind of ['shipment', 'return'] as const) {
    if ('kind' in wanted && wanted.kind !== kind) continue
    const { records, docs } = tablesOf[kind]
    // Walk the index of dates, not of statuses: statuses change as parcels move.
    const index = `${records}_${'kind' in wanted ? 'wide' : 'tracking_number'}`
    const hint = dialect.planning?.hint(index) ?? empty
    const which =
      'numbers' in wanted
        ? sql`and r.tracking_number in (${listOf(wanted.numbers)})`
        : wanted.after === undefined
          ? empty
          : sql`and (r.created_at, r.id) > (${wanted.after[0]}, ${wanted.after[1]})`
    const some = yield* rows<Omit<Found, 'kind'> & Record<string, unknown>>(
      sql`select r.id, r.created_at, r.tracking_number, d.doc from ${raw(records)} r${hint}
        join ${raw(docs)} d on d.account_id = r.account_id and d.seq = r.seq
        where r.account_id = ${account} ${which} and r.granular_status in (${join(open[kind])})
        order by r.created_at, r.id ${limitTo(simulatedAtOnce)}${locking ? dialect.locking('rows') : empty}`,
    )
    for (const one of some) found.push({ ...one, kind })
  }
  return found
}

/** How many parcels have each tracking number; without the numbers that no parcel has. */
export function* parcelsWith(account: number, numbers: readonly string[]): Work<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>()
  if (numbers.length === 0) return counts
  const part = listOf(numbers)
  const found = yield* rows<{ tracking_number: string }>(
    sql`select tracking_number from shipments where account_id = ${account} and tracking_number in (${part})
      union all select tracking_number from returns where account_id = ${account} and tracking_number in (${part})`,
  )
  for (const { tracking_number: number } of found) counts.set(number, (counts.get(number) ?? 0) + 1)
  return counts
}

/** When the last event of each record was, ms UTC. Ignored events count too: invented ones must come after them. */
function* lastHeard(account: number, records: readonly string[]): Work<ReadonlyMap<string, number>> {
  if (records.length === 0) return new Map()
  const found = yield* rows<{ record_id: string; last_at: number }>(
    sql`select record_id, last_at from journeys where account_id = ${account} and record_id in (${listOf(records)})`,
  )
  return new Map(found.map(({ record_id, last_at }) => [record_id, last_at]))
}

/** A parcel as its courier moves it. */
function tripOf(host: Host, { seed, days, now }: SimulationPlan, { card, cities }: Scene, parcel: Found, heard = 0) {
  const { kind, id, doc } = parcel
  const record = JSON.parse(doc) as Shipment | Return
  const forward = kind === 'shipment' ? (record as Shipment).attributes : undefined
  const { attributes } = record
  const standing = forward === undefined ? returnState(record as Return) : shipmentState(record as Shipment)
  const carrier = (forward?.carrier ?? (record as Return).attributes.shipment?.carrier)?.id
  const warehouse = cities.get(attributes.warehouse_id ?? '') ?? null
  const customer = attributes.shipping_address?.city ?? null
  const [from, to] = forward === undefined ? [customer, warehouse] : [warehouse, customer]
  return {
    kind,
    standing,
    cod: forward?.is_cod === true,
    transit: transitOf(card, carrier, forward === undefined ? 'return' : 'forward', attributes.zone),
    from,
    to,
    since: Math.max(parcel.created_at, heard, ...timesOf(standing)),
    now,
    days,
    dice: diceOf(Number.parseInt(host.digest(`${seed}\n${id}`).slice(0, 13), 16)),
    id: (event: string, at: number) => host.digest([seed, id, event, at].join('\n')).slice(0, 32),
  }
}

/** The times of all events that a record contains, ms UTC. */
const timesOf = ({ milestones, scans }: ParcelState): readonly number[] =>
  [...milestones.map((one) => one.milestone_at), ...scans.map((scan) => scan.event_date_time)].flatMap(
    (at) => readInstant(at ?? '') ?? [],
  )

/** The days that a carrier needs according to the card, else according to the sample card's first. */
function transitOf(
  card: RateCard,
  carrier: string | null | undefined,
  journey: 'forward' | 'return',
  zone: string | null | undefined,
): number {
  const days = (service: Service | undefined): number | undefined =>
    service?.transit_days[journey][(zone ?? 'zone_d') as Zone]
  return days(card.services.find((service) => service.carrier_id === carrier)) ?? days(sampleCard.services[0]) ?? 5
}
