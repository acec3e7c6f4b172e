// Scans of couriers: shipx keeps every event, and folds a record from its events by their times, whatever order they
// came in (docs/reference/tracking.md).
import sql, { empty, type Sql } from 'sql-template-tag'
import {
  forwardEvents,
  returnEvents,
  applyEvent,
  type AnyEvent,
  type TrackingEvent,
} from '../domain/parcels/journeys.ts'
import { ShipxError } from '../domain/errors.ts'
import { groupedBy } from '../domain/groupedby.ts'
import { sameResult } from '../domain/parcels/attempts.ts'
import type { Return } from '../domain/parcels/returns.ts'
import type { Shipment } from '../domain/parcels/shipments.ts'
import { istDate, istMinute, readInstant } from '../domain/time.ts'
import { inPlaces } from './database/places.ts'
import { rows, type Dialect, type RecordKind, type Work } from './database/port.ts'
import type { Host } from './runtime.ts'
import { listsOf } from './database/inlist.ts'
import { withDocs } from './records/entry.ts'
import { oldColumns, type Old } from './records/records.ts'
import {
  eventsThere,
  stateOf,
  moveParcels,
  type ScanOutcome,
  type MessageMaker,
  type Parcel,
  type SavedEvent,
} from './events.ts'

/** A scan as it comes in, with the tracking number of its parcel. */
export interface Scan extends TrackingEvent {
  readonly tracking: string
  /** Why its event may be another one, if it is of a shipment: back to the seller is where returns go. */
  readonly doubt?: string | undefined
  /** Its id is the courier's own, not made from its content. */
  readonly named?: boolean | undefined
  /** Its time is a day without a time. */
  readonly day?: boolean | undefined
}

/** How far a courier's clock may be ahead, ms. */
const ahead = 5 * 60_000

/** The event of a return for an event of a forward journey: couriers use one name for both. */
const asReturn = (event: AnyEvent): AnyEvent | undefined =>
  (returnEvents as readonly string[]).includes(event)
    ? event
    : event === 'out_for_delivery'
      ? 'return_in_transit'
      : returnEvents.find((own) => own === `return_${event}`)

/**
 * Saves scans in one transaction; returns their outcomes in the same order. `tell` gets what the parcels did, some at a
 * time; it is made anew for each transaction. That includes what earlier events now do because a late one has come
 * between them. Of two scans with one id, the one whose parcel comes first in a long list counts.
 */
export function* track(
  dialect: Dialect,
  account: number,
  host: Host,
  scans: readonly Scan[],
  tell: MessageMaker,
): Work<readonly ScanOutcome[]> {
  return yield* inPlaces(trackAll(dialect, account, host, scans, tell))
}

function* trackAll(
  dialect: Dialect,
  account: number,
  host: Host,
  scans: readonly Scan[],
  tell: MessageMaker,
): Work<readonly ScanOutcome[]> {
  const outcomes: ScanOutcome[] = []
  const news = new Map<string, SavedEvent>()
  const [parts, locking] = [byParcels(scans), dialect.locking('rows')]
  if (parts.length > 1) yield* lockParcels(account, scans, locking)
  for (const numbers of parts) {
    const some = numbers.map((n) => scans[n]!)
    const { parcels, judged } = yield* judgeAll(account, some, locking, host.now(), news)
    for (const [i, one] of judged.entries())
      if ('outcome' in one) outcomes[numbers[i]!] = one
      else parcels.get(some[i]!.tracking)![0]!.scans.push(one)
    const moved = [...parcels.values()].flatMap((list) => list).filter((parcel) => parcel.scans.length > 0)
    const results = yield* moveParcels(dialect, account, host, moved, tell)
    for (const [i, { id }] of some.entries()) outcomes[numbers[i]!] ??= results.get(id)!
  }
  return outcomes
}

/** How many scans are judged and folded together. Few records at a time cost V8 the least garbage. */
const fewScans = 250

/** The numbers of all scans, some at a time; those of a parcel are together. */
function byParcels(scans: readonly Scan[]): readonly (readonly number[])[] {
  if (scans.length <= fewScans) return [[...scans.keys()]]
  const parts: number[][] = []
  for (const own of groupedBy(scans.keys(), (n) => scans[n]!.tracking).values())
    if (parts.length === 0 || parts.at(-1)!.length + own.length > fewScans) parts.push([...own])
    else parts.at(-1)!.push(...own)
  return parts
}

/**
 * The scans that saving would refuse, or that are known, in the same order; undefined for the others. Changes nothing.
 */
export function* settledScans(
  account: number,
  host: Host,
  scans: readonly Scan[],
): Work<readonly (Refused | Known | undefined)[]> {
  const { parcels, judged } = yield* judgeAll(account, scans, empty, host.now(), new Map())
  return judged.map((one, n) => {
    if ('outcome' in one) return one
    const parcel = parcels.get(scans[n]!.tracking)![0]!
    return sameResult(stateOf(parcel), one) === undefined ? undefined : { outcome: 'known', record: parcel.id }
  })
}

/** Applies an event to a record, as a command does. Throws `wrong_state` if the event cannot follow. */
export function* applyToRecord(
  dialect: Dialect,
  account: number,
  host: Host,
  kind: RecordKind,
  record: Shipment | Return,
  event: AnyEvent,
  tell: MessageMaker,
): Work<Shipment | Return> {
  const happening: TrackingEvent = {
    id: host.uuid(),
    event,
    at: host.now(),
    reason: null,
    location: null,
    description: null,
  }
  const before = stateOf({ kind, id: record.id, record, kept: undefined, scans: [] })
  const taken = applyEvent(before, happening)
  if ('possible' in taken) {
    const next = taken.possible.length === 0 ? ', which is final' : `; possible: ${taken.possible.join(', ')}`
    throw new ShipxError('wrong_state', `${event} cannot follow ${before.granular ?? 'this status'}${next}`)
  }
  let after = record
  const parcel: Parcel = { kind, id: record.id, record, kept: undefined, scans: [happening] }
  yield* moveParcels(dialect, account, host, [parcel], function* (moved) {
    after = moved[0]!.record
    yield* tell(moved)
  })
  return after
}

/** Why a scan is refused. */
type Refused = Extract<ScanOutcome, { outcome: 'refused' }>
type Known = Extract<ScanOutcome, { outcome: 'known' }>

/**
 * The parcels of scans, and for each scan in the same order its event, or what it came to already. `news` are the
 * events of the same work that no table has yet; new ones are added.
 */
function* judgeAll(
  account: number,
  scans: readonly Scan[],
  locking: Sql,
  now: number,
  news: Map<string, SavedEvent>,
): Work<{
  readonly parcels: ReadonlyMap<string, Parcel[]>
  readonly judged: readonly (TrackingEvent | Refused | Known)[]
}> {
  const parcels = yield* parcelsOf(account, scans, locking)
  const known = yield* eventsThere(
    account,
    scans.map(({ id }) => id),
  )
  const clashes = new Map<number, SavedEvent>()
  const judged = scans.map((scan, n): TrackingEvent | Refused | Known => {
    const found = parcels.get(scan.tracking) ?? []
    const one = judge(scan, found, now)
    if ('outcome' in one) return one
    const record = found[0]!.id
    const kept = news.get(scan.id) ?? known.get(scan.id)
    if (kept === undefined) {
      news.set(scan.id, { record_id: record, event: one.event, at: one.at })
      return one
    }
    if (scan.named === true && !tellsSame(kept, one, record, scan.day === true)) clashes.set(n, kept)
    return { outcome: 'known', record }
  })
  const awbs = yield* awbsOf(
    account,
    [...clashes.values()].map(({ record_id }) => record_id),
  )
  const clashing = (one: (typeof judged)[number], n: number) => {
    const kept = clashes.get(n)
    return kept === undefined ? one : otherScan(scans[n]!, kept, awbs.get(kept.record_id))
  }
  return { parcels, judged: judged.map(clashing) }
}

/** Whether an event is the saved one of the same id; the time of a day without a time depends on when it came. */
const tellsSame = (kept: SavedEvent, { event, at }: TrackingEvent, record: string, day: boolean): boolean =>
  kept.record_id === record && kept.event === event && (day ? istDate(kept.at) === istDate(at) : kept.at === at)

/** The refusal of a scan whose id another one has. */
function otherScan({ id, tracking }: Scan, { event, at }: SavedEvent, awb: string | null | undefined): Refused {
  const whose = awb === tracking ? 'of this parcel' : `of ${awb ?? 'another parcel'}`
  const kept = `the event id ${id} is another scan's already (${event} ${whose}, ${istMinute(at)})`
  return { outcome: 'refused', field: 'event_id', message: `${kept}: give each scan an id of its own, or none` }
}

/** The tracking numbers of records, by their ids. */
function* awbsOf(account: number, records: readonly string[]): Work<ReadonlyMap<string, string | null>> {
  const awbs = new Map<string, string | null>()
  for (const part of listsOf([...new Set(records)]))
    for (const table of [sql`shipments`, sql`returns`]) {
      const found = yield* rows<{ id: string; tracking_number: string | null }>(
        sql`select id, tracking_number from ${table} where account_id = ${account} and id in (${part})`,
      )
      for (const { id, tracking_number } of found) awbs.set(id, tracking_number)
    }
  return awbs
}

/** The scan as an event of its parcel, or why it is refused. */
function judge(scan: Scan, found: readonly Parcel[], now: number): TrackingEvent | Refused {
  const refuse = (field: Refused['field'], message: string): Refused => ({ outcome: 'refused', field, message })
  const [parcel] = found
  if (parcel === undefined) return refuse('tracking_number', `no parcel has the tracking number ${scan.tracking}`)
  if (found.length > 1)
    return refuse('tracking_number', `${found.length} parcels have the tracking number ${scan.tracking}`)
  const { tracking: _, doubt, named: _named, day: _day, ...happening } = scan
  const event = parcel.kind === 'return' ? asReturn(scan.event) : scan.event
  if (event === undefined || (parcel.kind === 'shipment' && !(forwardEvents as readonly string[]).includes(event)))
    return refuse(
      'event',
      `${scan.event} is not an event of a ${parcel.kind}, and ${scan.tracking} is a ${parcel.kind}`,
    )
  if (parcel.kind === 'shipment' && doubt !== undefined) return refuse('reason', doubt)
  if (scan.at > now + ahead) return refuse('at', `${istMinute(scan.at)} IST is in the future`)
  const begun = begunAt(parcel)
  if (scan.at < begun)
    return refuse(
      'at',
      `${istMinute(scan.at)} IST is before the ${parcel.kind === 'return' ? 'return' : 'order'} of ${istMinute(begun)}`,
    )
  return { ...happening, event }
}

/** When a parcel's history starts, ms UTC: its order may have been taken elsewhere before it came here. */
function begunAt({ kind, record }: Parcel): number {
  const { attributes } = record
  const asked =
    kind === 'return'
      ? (attributes as Return['attributes']).request_date
      : (attributes as Shipment['attributes']).order?.order_date
  const times = [attributes.created_at, asked].map((at) => readInstant(at ?? '')).filter((at) => at !== undefined)
  return Math.min(...times)
}

const trackingsOf = (scans: readonly Scan[]): readonly string[] => [...new Set(scans.map(({ tracking }) => tracking))]

/** Keeps others from changing the parcels until the transaction ends: all before the first one is judged. */
function* lockParcels(account: number, scans: readonly Scan[], locking: Sql): Work<void> {
  if (locking === empty) return
  for (const part of listsOf(trackingsOf(scans)))
    for (const table of [sql`shipments`, sql`returns`])
      yield* rows(
        sql`select r.seq from ${table} r where r.account_id = ${account} and r.tracking_number in (${part})${locking}`,
      )
}

function* parcelsOf(account: number, scans: readonly Scan[], locking: Sql): Work<ReadonlyMap<string, Parcel[]>> {
  const parcels = new Map<string, Parcel[]>()
  for (const part of listsOf(trackingsOf(scans))) {
    for (const kind of ['shipment', 'return'] as const) {
      const found = yield* rows<Old & { readonly tracking_number: string }>(
        sql`select ${oldColumns[kind]}, r.tracking_number, d.doc from ${withDocs(kind)}
          where r.account_id = ${account} and r.tracking_number in (${part})${locking}`,
      )
      for (const kept of found) {
        const { id, tracking_number, doc } = kept
        const parcel: Parcel = { kind, id, record: JSON.parse(doc) as Shipment | Return, kept, scans: [] }
        const others = parcels.get(tracking_number)
        if (others === undefined) parcels.set(tracking_number, [parcel])
        else others.push(parcel)
      }
    }
  }
  return parcels
}
