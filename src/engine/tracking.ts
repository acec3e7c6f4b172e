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
import type { Return } from '../domain/parcels/returns.ts'
import type { Shipment } from '../domain/parcels/shipments.ts'
import { istMinute, readInstant } from '../domain/time.ts'
import { rows, type Dialect, type RecordKind, type Work } from './database/port.ts'
import type { Host } from './runtime.ts'
import { listsOf } from './database/inlist.ts'
import { withDocs } from './records/entry.ts'
import type { Old } from './records/records.ts'
import { eventsThere, stateOf, moveParcels, type ScanOutcome, type MessageMaker, type Parcel } from './events.ts'

/** A scan as it comes in, with the tracking number of its parcel. */
export interface Scan extends TrackingEvent {
  readonly tracking: string
  /** Why its event may be another one, if it is of a shipment: back to the seller is where returns go. */
  readonly doubt?: string | undefined
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
 * Saves scans in one transaction; returns their outcomes in the same order. `tell` gets what the parcels did. That
 * includes what earlier events now do because a late one has come between them.
 */
export function* track(
  dialect: Dialect,
  account: number,
  host: Host,
  scans: readonly Scan[],
  tell: MessageMaker,
): Work<readonly ScanOutcome[]> {
  const parcels = yield* parcelsOf(account, scans, dialect.locking('rows'))
  const known = yield* eventsThere(
    account,
    scans.map(({ id }) => id),
  )
  const outcomes: (ScanOutcome | undefined)[] = []
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

/** The scans' refusals in the same order, undefined where there is none; changes nothing. */
export function* refusedScans(
  account: number,
  host: Host,
  scans: readonly Scan[],
): Work<readonly (Refused | undefined)[]> {
  const parcels = yield* parcelsOf(account, scans, empty)
  const now = host.now()
  return scans.map((scan) => {
    const judged = judge(scan, parcels.get(scan.tracking) ?? [], now)
    return 'outcome' in judged ? judged : undefined
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

/** The scan as an event of its parcel, or why it is refused. */
function judge(scan: Scan, found: readonly Parcel[], now: number): TrackingEvent | Refused {
  const refuse = (field: Refused['field'], message: string): Refused => ({ outcome: 'refused', field, message })
  const [parcel] = found
  if (parcel === undefined) return refuse('tracking_number', `no parcel has the tracking number ${scan.tracking}`)
  if (found.length > 1)
    return refuse('tracking_number', `${found.length} parcels have the tracking number ${scan.tracking}`)
  const { tracking: _, doubt, ...happening } = scan
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

function* parcelsOf(account: number, scans: readonly Scan[], locking: Sql): Work<ReadonlyMap<string, Parcel[]>> {
  const wanted = [...new Set(scans.map(({ tracking }) => tracking))]
  const parcels = new Map<string, Parcel[]>()
  for (const part of listsOf(wanted)) {
    for (const kind of ['shipment', 'return'] as const) {
      const found = yield* rows<Old & { readonly tracking_number: string }>(
        sql`select r.id, r.seq, r.created_at, r.tracking_number, d.doc from ${withDocs(kind)}
          where r.account_id = ${account} and r.tracking_number in (${part})${locking}`,
      )
      for (const { id, seq, created_at, tracking_number, doc } of found) {
        const kept: Old = { id, seq, created_at, doc }
        const parcel: Parcel = { kind, id, record: JSON.parse(doc) as Shipment | Return, kept, scans: [] }
        const others = parcels.get(tracking_number)
        if (others === undefined) parcels.set(tracking_number, [parcel])
        else others.push(parcel)
      }
    }
  }
  return parcels
}
