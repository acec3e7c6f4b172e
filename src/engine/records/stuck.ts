// Finds open shipments that have had no news for a long time, by their columns. shipx reads the texts of those alone,
// in batches.
import sql from 'sql-template-tag'
import type { Input } from '../../domain/contract.ts'
import { readRecord } from '../../domain/foreign/records.ts'
import { openStatuses } from '../../domain/parcels/statuses.ts'
import { stuckOf, type Stuck } from '../../domain/parcels/worklists.ts'
import { rows, type Database, type Work } from '../database/port.ts'
import { matches, recordsAt } from './listing.ts'
import type { Scope } from './plan.ts'

/** The `seq` of each open shipment of a status that is not newer than `before` (ms UTC), and has no scan after it. */
export function* quietShipments(
  scope: Scope,
  input: Input<'listShipments'>,
  status: (typeof openStatuses)[number],
  before: number,
): Work<readonly number[]> {
  const { from, where } = yield* matches(scope, 'shipment', { ...input, status })
  // A pending order without a tracking number has no courier yet, so it is not stuck.
  const assigned = sql`(r.status <> 'pending' or r.tracking_number is not null)`
  const found = yield* rows<{ seq: number }>(
    sql`select r.seq ${from} ${where} and r.created_at <= ${before} and ${assigned}
      and coalesce(r.last_scan_at, 0) <= ${before}`,
  )
  return found.map(({ seq }) => seq)
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
    const seqs = await read(() => quietShipments(scope, input, status, before))
    for (let at = 0; at < seqs.length; at += chunkSize) {
      const records = await read(() => recordsAt(scope, 'shipment', seqs.slice(at, at + chunkSize)), 'single')
      const stuck = records.flatMap((record) => stuckOf(readRecord('shipments', record), before, now) ?? [])
      yield { recordsRead: records.length, stuck }
    }
  }
}
