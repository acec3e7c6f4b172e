// Finds open shipments that have had no news for a long time, by their columns. shipx reads the texts of those alone,
// in batches.
import sql from 'sql-template-tag'
import type { Input } from '../../domain/contract.ts'
import { readParcel } from '../../domain/foreign/records.ts'
import { openStatuses } from '../../domain/parcels/statuses.ts'
import { stuckOf, type News, type Stuck } from '../../domain/parcels/worklists.ts'
import { rows, type Database, type Row, type Work } from '../database/port.ts'
import { matches, recordsAt } from './listing.ts'
import type { Scope } from './plan.ts'

/** The news of a shipment. */
type Quiet = News & { readonly seq: number }

/**
 * Each open shipment of a status whose last scan is not after `before` (ms UTC); without one, when it was made counts.
 * Its scans were read when it was written: reading them again would take as long as all else.
 */
export function* quietShipments(
  scope: Scope,
  input: Input<'listShipments'>,
  status: (typeof openStatuses)[number],
  before: number,
): Work<readonly Quiet[]> {
  const { from, where } = yield* matches(scope, 'shipment', { ...input, status })
  // A pending order without a tracking number has no courier yet, so it is not stuck.
  const assigned = sql`(r.status <> 'pending' or r.tracking_number is not null)`
  return yield* rows<Quiet & Row>(
    sql`select r.seq, r.last_scan_at, r.created_at ${from} ${where} and ${assigned}
      and coalesce(r.last_scan_at, r.created_at) <= ${before}`,
  )
}

/** How many records one query reads. */
const chunkSize = 500

/**
 * The stuck shipments among those that match `input`, in batches. Each batch also says how many records shipx read for
 * it.
 */
export async function* stuckShipments(
  { read }: Database,
  scope: Scope,
  input: Input<'listShipments'>,
  { before, now }: { readonly before: number; readonly now: number },
): AsyncGenerator<{ readonly recordsRead: number; readonly stuck: readonly Stuck[] }, void> {
  for (const status of openStatuses.filter((one) => input.status === undefined || input.status === one)) {
    const quiet = await read(() => quietShipments(scope, input, status, before))
    for (let at = 0; at < quiet.length; at += chunkSize) {
      const news = new Map(quiet.slice(at, at + chunkSize).map((one) => [one.seq, one]))
      const records = await read(() => recordsAt(scope, 'shipment', [...news.keys()]), 'single')
      const stuck = records.flatMap(({ seq, doc }) => stuckOf(readParcel(doc), news.get(seq)!, before, now) ?? [])
      yield { recordsRead: records.length, stuck }
    }
  }
}
