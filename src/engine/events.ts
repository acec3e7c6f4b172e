// Saves the events of parcels, and derives records from them.
import sql from 'sql-template-tag'
import {
  fold,
  byTime,
  type AnyEvent,
  type FoldResult,
  type TrackingEvent,
  type Notice,
} from '../domain/parcels/journeys.ts'
import type { ParcelState } from '../domain/parcels/parcelstate.ts'
import type { Return } from '../domain/parcels/returns.ts'
import type { Shipment } from '../domain/parcels/shipments.ts'
import { returnAt, returnState, shipmentAt, shipmentState } from '../domain/parcels/state.ts'
import { rows, type Dialect, type RecordKind, type Work } from './database/port.ts'
import type { Host } from './runtime.ts'
import { listsOf } from './database/inlist.ts'
import { changeRecords, fixedStatement, saveRecords, type Old, type RecordChange } from './records/records.ts'

/** The outcome of a scan. */
export type ScanOutcome =
  | {
      readonly outcome: 'applied'
      readonly record: string
      readonly status: string
      /** Scans that were kept before with an effect, and have none after this late one. */
      readonly displaced?: readonly Pick<TrackingEvent, 'event' | 'at'>[]
    }
  /** The scan was saved before, or another one has told the same. */
  | { readonly outcome: 'known'; readonly record: string }
  /**
   * The scan is saved but changes nothing: it cannot follow the events before it, after which the parcel `was`.
   * `possible` could.
   */
  | {
      readonly outcome: 'ignored'
      readonly record: string
      readonly status: string
      readonly was: string
      readonly possible: readonly AnyEvent[]
    }
  | { readonly outcome: 'refused'; readonly field: RefusedField; readonly message: string }

/** What a refused scan is refused for. */
export type RefusedField = 'tracking_number' | 'event' | 'at' | 'reason' | 'event_id'

/** What a parcel did: customers hear about `steps`, the merchant's systems about `changes`. */
export interface ParcelChange {
  readonly kind: RecordKind
  /** The record after all of its events. */
  readonly record: Shipment | Return
  readonly steps: readonly Notice[]
  /** Every event that counts. */
  readonly changes: readonly ParcelMove[]
}

/** An event that counts, and the detailed status after it. */
export interface ParcelMove {
  readonly event: TrackingEvent
  readonly granular: string | null
  /** When it was kept, ms UTC, where it counted before; else Infinity: the clocks of two computers may differ. */
  readonly since: number
}

/** Makes the messages about parcels, in the transaction that moves them. */
export type MessageMaker = (moved: readonly ParcelChange[]) => Work<unknown>

export interface Parcel {
  readonly kind: RecordKind
  readonly id: string
  readonly record: Shipment | Return
  /** The same as it is kept, where this transaction has read and locked it. */
  readonly kept: Old | undefined
  readonly scans: TrackingEvent[]
}

interface JourneyRow extends Record<string, unknown> {
  readonly record_id: string
  readonly generation: number
  readonly base: string
  readonly digest: string
  readonly last_at: number
  readonly last_id: string
}

/** A saved event, and the record that it is of. */
export interface SavedEvent {
  readonly record_id: string
  readonly event: AnyEvent
  readonly at: number
}

/** Those of these events that are saved already, by their ids. */
export function* eventsThere(account: number, ids: readonly string[]): Work<Map<string, SavedEvent>> {
  const known = new Map<string, SavedEvent>()
  for (const part of listsOf(ids)) {
    const found = yield* rows<{ id: string; record_id: string; event: AnyEvent; at: number }>(
      sql`select id, record_id, event, at from events where account_id = ${account} and id in (${part})`,
    )
    for (const { id, ...saved } of found) known.set(id, saved)
  }
  return known
}

export const stateOf = ({ kind, record }: Parcel): ParcelState =>
  kind === 'shipment' ? shipmentState(record as Shipment) : returnState(record as Return)

const recordAt = ({ kind, record }: Parcel, standing: ParcelState): Shipment | Return =>
  kind === 'shipment' ? shipmentAt(record as Shipment, standing) : returnAt(record as Return, standing)

const insertEvent = fixedStatement(
  'insert into events (account_id, id, record_id, generation, event, at, reason, location, description, ignored, ' +
    'received_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
)

const saveJourney = fixedStatement(
  'insert into journeys (account_id, record_id, generation, base, digest, last_at, last_id) ' +
    'values (?, ?, ?, ?, ?, ?, ?) on conflict (account_id, record_id) do update set ' +
    'generation = excluded.generation, base = excluded.base, digest = excluded.digest, ' +
    'last_at = excluded.last_at, last_id = excluded.last_id',
)

export function* moveParcels(
  dialect: Dialect,
  account: number,
  host: Host,
  parcels: readonly Parcel[],
  tell: MessageMaker,
): Work<ReadonlyMap<string, ScanOutcome>> {
  const results = new Map<string, ScanOutcome>()
  const journeys = yield* journeysOf(
    account,
    parcels.map(({ id }) => id),
  )
  const told: ParcelChange[] = []
  const saves: Moved[] = []
  const lines: unknown[][] = []
  for (const parcel of parcels) {
    const before = stateOf(parcel)
    const from = JSON.stringify(before)
    const journey = journeys.get(parcel.id)
    // The record was changed in another way since, or never scanned: events continue from its current state.
    const ours = journey !== undefined && journey.digest === host.digest(from) ? journey : undefined
    const generation = ours?.generation ?? (journey?.generation ?? 0) + 1
    const fresh = parcel.scans.toSorted(byTime)
    const follows = ours === undefined || byTime({ at: ours.last_at, id: ours.last_id }, fresh[0]!) < 0
    const older = follows ? [] : yield* eventsOf(account, parcel.id, ours.generation)
    const folded = fold(follows ? before : (JSON.parse(ours.base) as ParcelState), [...older, ...fresh])
    const to = JSON.stringify(folded.standing)
    const { kind } = parcel
    const record = from === to ? parcel.record : recordAt(parcel, folded.standing)
    if (from !== to) saves.push({ parcel, record })
    const { repeats } = folded
    // A new scan may come before the kept one that tells the same.
    const retold = new Set(older.flatMap(({ id }) => repeats.get(id) ?? []))
    const since = new Map(older.flatMap(({ id, ignored, received_at: at }) => (ignored ? [] : [[id, at]])))
    const changes = folded.reached
      .filter(({ event: { id } }) => !retold.has(id))
      .map((one) => ({ ...one, since: since.get(one.event.id) ?? Infinity }))
    told.push({ kind, record, steps: folded.tells, changes })
    for (const event of older) {
      const ignored = folded.ignored.has(event.id) || repeats.has(event.id)
      if (ignored !== event.ignored)
        yield* rows(
          sql`update events set ignored = ${Number(ignored)} where account_id = ${account} and id = ${event.id}`,
        )
    }
    const displaced = displacedBy(fresh, older, folded)
    for (const scan of fresh) {
      results.set(scan.id, outcomeOf(parcel.id, scan.id, folded, retold, displaced.get(scan.id)))
      lines.push([
        account,
        scan.id,
        parcel.id,
        generation,
        scan.event,
        scan.at,
        scan.reason,
        scan.location,
        scan.description,
        Number(folded.ignored.has(scan.id) || repeats.has(scan.id)),
        host.now(),
      ])
    }
    const last = [...fresh, ...(ours === undefined ? [] : [{ at: ours.last_at, id: ours.last_id }])]
      .toSorted(byTime)
      .at(-1)!
    const base = ours?.base ?? from
    const values = [account, parcel.id, generation, base, host.digest(to), last.at, last.id]
    yield* rows({ ...saveJourney(values), place: ['journeys', 1] })
  }
  yield* saveMoved(dialect, account, saves)
  const [first, ...more] = lines
  if (first !== undefined) yield* rows({ ...insertEvent(first), more, place: ['events', 1] })
  yield* tell(told)
  return results
}

type Displaced = readonly Pick<TrackingEvent, 'event' | 'at'>[]

/** What a new scan came to; `retold` are those that tell what a kept one has told. */
function outcomeOf(
  record: string,
  id: string,
  folded: FoldResult,
  retold: ReadonlySet<string>,
  displaced: Displaced | undefined,
): ScanOutcome {
  const impossible = folded.ignored.get(id)
  const status = folded.standing.granular ?? ''
  if (impossible !== undefined)
    return { outcome: 'ignored', record, status, was: impossible.was ?? '', possible: impossible.possible }
  if (folded.repeats.has(id) || retold.has(id)) return { outcome: 'known', record }
  return { outcome: 'applied', record, status, ...(displaced === undefined ? {} : { displaced }) }
}

/** Kept events that had an effect and have none now, by the id of the new scan that comes before them. */
function displacedBy(
  fresh: readonly TrackingEvent[],
  older: readonly Kept[],
  { ignored, repeats }: FoldResult,
): ReadonlyMap<string, Displaced> {
  const displaced = new Map<string, { event: AnyEvent; at: number }[]>()
  const counting = fresh.filter(({ id }) => !ignored.has(id) && !repeats.has(id))
  for (const kept of older) {
    if (kept.ignored || !ignored.has(kept.id)) continue
    const { id } = counting.findLast((scan) => byTime(scan, kept) < 0)!
    const { event, at } = kept
    displaced.set(id, [...(displaced.get(id) ?? []), { event, at }])
  }
  return displaced
}

/** A parcel, and its record after its events. */
interface Moved {
  readonly parcel: Parcel
  readonly record: Shipment | Return
}

function* saveMoved(dialect: Dialect, account: number, moved: readonly Moved[]): Work<void> {
  for (const kind of ['shipment', 'return'] as const) {
    const own = moved.filter(({ parcel }) => parcel.kind === kind)
    const changes = own.flatMap(({ parcel, record }): RecordChange[] =>
      parcel.kept === undefined ? [] : [{ old: parcel.kept, before: parcel.record, record }],
    )
    yield* changeRecords(dialect, account, kind, changes)
    const others = own.filter(({ parcel }) => parcel.kept === undefined).map(({ record }) => record)
    if (others.length > 0) yield* saveRecords(dialect, account, kind, others)
  }
}

function* journeysOf(account: number, ids: readonly string[]): Work<ReadonlyMap<string, JourneyRow>> {
  const found = new Map<string, JourneyRow>()
  for (const part of listsOf(ids)) {
    const some = yield* rows<JourneyRow>(
      sql`select record_id, generation, base, digest, last_at, last_id from journeys
        where account_id = ${account} and record_id in (${part})`,
    )
    for (const one of some) found.set(one.record_id, one)
  }
  return found
}

interface Kept extends TrackingEvent {
  readonly ignored: boolean
  /** When it came, ms UTC. */
  readonly received_at: number
}

interface EventRow extends Omit<TrackingEvent, 'event'>, Record<string, unknown> {
  readonly event: AnyEvent
  readonly ignored: number
  readonly received_at: number
}

/** The events of a parcel since it was last changed in another way, ignored ones included. */
function* eventsOf(account: number, record: string, generation: number): Work<readonly Kept[]> {
  const found = yield* rows<EventRow>(
    sql`select id, event, at, reason, location, description, ignored, received_at from events
      where account_id = ${account} and record_id = ${record} and generation = ${generation} order by at, id`,
  )
  return found.map((event) => ({ ...event, ignored: event.ignored === 1 }))
}
