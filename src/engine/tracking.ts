// Scans of couriers: every event is kept, and a record is the fold of its events in the order of their times, whatever order
// they came in (docs/tracking.md); knows no driver, no courier's words and no command.
import sql, { raw } from 'sql-template-tag'
import {
  fold,
  forwardEvents,
  byTime,
  returnEvents,
  applyEvent,
  type AnyEvent,
  type TrackingEvent,
  type ParcelState,
  type Notice,
} from '../domain/parcels/journeys.ts'
import { ShipxError } from '../domain/errors.ts'
import type { Return } from '../domain/parcels/returns.ts'
import type { Shipment } from '../domain/parcels/shipments.ts'
import { returnAt, returnState, shipmentAt, shipmentState } from '../domain/parcels/state.ts'
import { istMinute, readInstant } from '../domain/time.ts'
import { rows, type Dialect, type RecordKind, type Work } from './database/port.ts'
import type { Host } from './runtime.ts'
import { listsOf } from './database/inlist.ts'
import { fixed, saveEntries } from './records/records.ts'
import { entryOf, tablesOf } from './records/entry.ts'

/** A scan as it is told: of the parcel with a tracking number. */
export interface Scan extends TrackingEvent {
  readonly tracking: string
}

/** What became of a scan. */
export type Tracked =
  | { readonly outcome: 'applied'; readonly record: string; readonly status: string }
  /** It was there already. */
  | { readonly outcome: 'known'; readonly record: string }
  /** It is kept, and changes nothing: it cannot follow what was before it; these could. */
  | {
      readonly outcome: 'ignored'
      readonly record: string
      readonly status: string
      readonly possible: readonly AnyEvent[]
    }
  | { readonly outcome: 'refused'; readonly field: 'tracking_number' | 'event' | 'at'; readonly message: string }

/** What a parcel did, for those who are told: the customer of `steps`, the merchant's systems of `changes`. */
export interface Moved {
  readonly kind: RecordKind
  /** The record after all of its events. */
  readonly record: Shipment | Return
  readonly steps: readonly Notice[]
  /** Every event that counts and the detailed status that it led to. */
  readonly changes: readonly { readonly event: TrackingEvent; readonly granular: string | null }[]
}

/** Whoever tells of parcels, in the transaction that moves them. */
export type Teller = (moved: readonly Moved[]) => Work<unknown>

/** Clocks of couriers may be ahead by so much, ms. */
const ahead = 5 * 60_000

interface Parcel {
  readonly kind: RecordKind
  readonly id: string
  readonly record: Shipment | Return
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

/** A word of a forward journey in the words of a return's; couriers use one for both. */
const asReturn = (event: AnyEvent): AnyEvent | undefined =>
  (returnEvents as readonly string[]).includes(event)
    ? event
    : event === 'out_for_delivery'
      ? 'return_in_transit'
      : returnEvents.find((own) => own === `return_${event}`)

/**
 * Takes scans as one transaction and gives what became of each, in their order; `tell` is given what the parcels did, also
 * what earlier events did now that a late one has come between.
 */
export function* track(
  dialect: Dialect,
  account: number,
  host: Host,
  scans: readonly Scan[],
  tell: Teller,
): Work<readonly Tracked[]> {
  const parcels = yield* parcelsOf(
    dialect,
    account,
    scans.map(({ tracking }) => tracking),
  )
  const known = yield* eventsThere(
    account,
    scans.map(({ id }) => id),
  )
  const outcomes: (Tracked | undefined)[] = []
  const now = host.now()
  for (const scan of scans) {
    const found = parcels.get(scan.tracking) ?? []
    const judged = judge(scan, found, now)
    if ('outcome' in judged) outcomes.push(judged)
    else if (known.has(scan.id)) outcomes.push({ outcome: 'known', record: found[0]!.id })
    else {
      known.add(scan.id)
      found[0]!.scans.push(judged)
      outcomes.push(undefined)
    }
  }
  const moved = [...parcels.values()].flatMap((list) => list).filter((parcel) => parcel.scans.length > 0)
  const results = yield* moveParcels(dialect, account, host, moved, tell)
  return outcomes.map((outcome, n) => outcome ?? results.get(scans[n]!.id)!)
}

/**
 * Lets an event happen to a record that is at hand, as a command does. Throws `wrong_state` where it cannot follow.
 */
export function* happen(
  dialect: Dialect,
  account: number,
  host: Host,
  kind: RecordKind,
  record: Shipment | Return,
  event: AnyEvent,
  tell: Teller,
): Work<Shipment | Return> {
  const happening: TrackingEvent = {
    id: host.uuid(),
    event,
    at: host.now(),
    reason: null,
    location: null,
    description: null,
  }
  const before = standingOf({ kind, id: record.id, record, scans: [] })
  const taken = applyEvent(before, happening)
  if ('possible' in taken)
    throw new ShipxError(
      'wrong_state',
      `${event} cannot follow ${before.granular ?? 'this status'}${taken.possible.length === 0 ? ', which is an end' : `; possible: ${taken.possible.join(', ')}`}`,
    )
  let after = record
  yield* moveParcels(dialect, account, host, [{ kind, id: record.id, record, scans: [happening] }], function* (moved) {
    after = moved[0]!.record
    yield* tell(moved)
  })
  return after
}

/** The scan in the words of its parcel, or why it is refused. */
function judge(scan: Scan, found: readonly Parcel[], now: number): TrackingEvent | Tracked {
  const refuse = (field: 'tracking_number' | 'event' | 'at', message: string): Tracked => ({
    outcome: 'refused',
    field,
    message,
  })
  const [parcel] = found
  if (parcel === undefined) return refuse('tracking_number', `no parcel has the tracking number ${scan.tracking}`)
  if (found.length > 1)
    return refuse('tracking_number', `${found.length} parcels have the tracking number ${scan.tracking}`)
  const { tracking: _, ...happening } = scan
  const event = parcel.kind === 'return' ? asReturn(scan.event) : scan.event
  if (event === undefined || (parcel.kind === 'shipment' && !(forwardEvents as readonly string[]).includes(event)))
    return refuse('event', `${scan.event} is no event of a ${parcel.kind}; ${scan.tracking} is one`)
  if (scan.at > now + ahead) return refuse('at', `${istMinute(scan.at)} IST is in the future`)
  const begun = begunAt(parcel)
  if (scan.at < begun)
    return refuse(
      'at',
      `${istMinute(scan.at)} IST is before the ${parcel.kind === 'return' ? 'return' : 'order'} of ${istMinute(begun)}`,
    )
  return { ...happening, event }
}

/** When there began to be a parcel, ms UTC: the order may have been taken elsewhere before it came here. */
function begunAt({ kind, record }: Parcel): number {
  const { attributes } = record
  const asked =
    kind === 'return'
      ? (attributes as Return['attributes']).request_date
      : (attributes as Shipment['attributes']).order?.order_date
  const times = [attributes.created_at, asked].map((at) => readInstant(at ?? '')).filter((at) => at !== undefined)
  return Math.min(...times)
}

function* parcelsOf(
  dialect: Dialect,
  account: number,
  numbers: readonly string[],
): Work<ReadonlyMap<string, Parcel[]>> {
  const wanted = [...new Set(numbers)]
  const parcels = new Map<string, Parcel[]>()
  for (const part of listsOf(wanted)) {
    for (const kind of ['shipment', 'return'] as const) {
      const found = yield* rows<{ id: string; tracking_number: string; doc: string }>(
        sql`select id, tracking_number, doc from ${raw(tablesOf[kind].records)} where account_id = ${account} and tracking_number in (${part})${dialect.locking('update')}`,
      )
      for (const { id, tracking_number, doc } of found) {
        const parcel: Parcel = { kind, id, record: JSON.parse(doc) as Shipment | Return, scans: [] }
        const others = parcels.get(tracking_number)
        if (others === undefined) parcels.set(tracking_number, [parcel])
        else others.push(parcel)
      }
    }
  }
  return parcels
}

/** Which of these events are there already. */
export function* eventsThere(account: number, ids: readonly string[]): Work<Set<string>> {
  const known = new Set<string>()
  for (const part of listsOf(ids)) {
    const found = yield* rows<{ id: string }>(
      sql`select id from events where account_id = ${account} and id in (${part})`,
    )
    for (const { id } of found) known.add(id)
  }
  return known
}

const standingOf = ({ kind, record }: Parcel): ParcelState =>
  kind === 'shipment' ? shipmentState(record as Shipment) : returnState(record as Return)

const recordAt = ({ kind, record }: Parcel, standing: ParcelState): Shipment | Return =>
  kind === 'shipment' ? shipmentAt(record as Shipment, standing) : returnAt(record as Return, standing)

const insertEvent = fixed(
  'insert into events (account_id, id, record_id, generation, event, at, reason, location, description, ignored, received_at) values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
)
const saveJourney = fixed(
  'insert into journeys (account_id, record_id, generation, base, digest, last_at, last_id) values (?, ?, ?, ?, ?, ?, ?) on conflict (account_id, record_id) do update set generation = excluded.generation, base = excluded.base, digest = excluded.digest, last_at = excluded.last_at, last_id = excluded.last_id',
)

function* moveParcels(
  dialect: Dialect,
  account: number,
  host: Host,
  parcels: readonly Parcel[],
  tell: Teller,
): Work<ReadonlyMap<string, Tracked>> {
  const results = new Map<string, Tracked>()
  const journeys = yield* journeysOf(
    account,
    parcels.map(({ id }) => id),
  )
  const told: Moved[] = []
  const saves: { readonly kind: RecordKind; readonly record: Shipment | Return }[] = []
  const lines: unknown[][] = []
  for (const parcel of parcels) {
    const before = standingOf(parcel)
    const from = digestOf(host, before)
    const journey = journeys.get(parcel.id)
    // Changed in another way since, or never scanned: what the record says now is what events go on from.
    const ours = journey?.digest === from ? journey : undefined
    const generation = ours?.generation ?? (journey?.generation ?? 0) + 1
    const base = ours === undefined ? before : undefined
    const fresh = parcel.scans.toSorted(byTime)
    const follows = ours === undefined || byTime({ at: ours.last_at, id: ours.last_id }, fresh[0]!) < 0
    const older = follows ? [] : yield* eventsOf(account, parcel.id, ours.generation)
    const folded = fold(follows ? before : (JSON.parse(ours.base) as ParcelState), [...older, ...fresh])
    const to = digestOf(host, folded.standing)
    const { kind } = parcel
    const record = from === to ? parcel.record : recordAt(parcel, folded.standing)
    if (from !== to) saves.push({ kind, record })
    told.push({ kind, record, steps: folded.tells, changes: folded.reached })
    for (const event of older) {
      const ignored = folded.ignored.has(event.id)
      if (ignored !== event.ignored)
        yield* rows(
          sql`update events set ignored = ${Number(ignored)} where account_id = ${account} and id = ${event.id}`,
        )
    }
    for (const scan of fresh) {
      const possible = folded.ignored.get(scan.id)
      const status = folded.standing.granular ?? ''
      results.set(
        scan.id,
        possible === undefined
          ? { outcome: 'applied', record: parcel.id, status }
          : { outcome: 'ignored', record: parcel.id, status, possible },
      )
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
        possible === undefined ? 0 : 1,
        host.now(),
      ])
    }
    const last = [...fresh, ...(ours === undefined ? [] : [{ at: ours.last_at, id: ours.last_id }])]
      .toSorted(byTime)
      .at(-1)!
    const baseText = base === undefined ? ours!.base : JSON.stringify(base)
    yield* rows(saveJourney([account, parcel.id, generation, baseText, to, last.at, last.id]))
  }
  for (const kind of ['shipment', 'return'] as const) {
    const entries = saves.filter((save) => save.kind === kind).map(({ record }) => entryOf(kind, record))
    yield* saveEntries(dialect, account, kind, entries, (doc) => JSON.parse(doc) as Shipment | Return)
  }
  const [first, ...more] = lines
  if (first !== undefined) yield* rows({ ...insertEvent(first), more })
  yield* tell(told)
  return results
}

/** What a standing is recognised by. */
const digestOf = (host: Host, standing: ParcelState): string => host.digest(JSON.stringify(standing))

function* journeysOf(account: number, ids: readonly string[]): Work<ReadonlyMap<string, JourneyRow>> {
  const found = new Map<string, JourneyRow>()
  for (const part of listsOf(ids)) {
    const some = yield* rows<JourneyRow>(
      sql`select record_id, generation, base, digest, last_at, last_id from journeys where account_id = ${account} and record_id in (${part})`,
    )
    for (const one of some) found.set(one.record_id, one)
  }
  return found
}

interface Kept extends TrackingEvent {
  readonly ignored: boolean
}

/** The events of a parcel since it was last changed in another way, ignored ones too. */
function* eventsOf(account: number, record: string, generation: number): Work<readonly Kept[]> {
  const found = yield* rows<{ id: string; event: AnyEvent; at: number; reason: string | null; location: string | null; description: string | null; ignored: number }>(
    sql`select id, event, at, reason, location, description, ignored from events
      where account_id = ${account} and record_id = ${record} and generation = ${generation} order by at, id`,
  ) // prettier-ignore
  return found.map((event) => ({ ...event, ignored: event.ignored === 1 }))
}
