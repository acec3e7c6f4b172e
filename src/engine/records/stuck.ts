// Finds open shipments that have had no news for a long time, by their columns. shipx reads the texts of those alone,
// in batches.
import sql, { join, type Sql } from 'sql-template-tag'
import type { Input } from '../../domain/contract.ts'
import { readParcel } from '../../domain/foreign/records.ts'
import { openStatuses } from '../../domain/parcels/statuses.ts'
import { stuckOf, type News, type Stuck } from '../../domain/parcels/worklists.ts'
import { rows, type Database, type Row, type Work } from '../database/port.ts'
import { matches } from './listing.ts'
import type { Scope } from './plan.ts'

/** The news of a shipment. */
type Quiet = News & { readonly seq: number }

/** No news after `before`, ms UTC. A pending order without a tracking number has no courier, so it is not stuck. */
const withoutNews = (before: number): Sql =>
  sql`(r.status <> 'pending' or r.tracking_number is not null) and coalesce(r.last_scan_at, r.created_at) <= ${before}`

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
  return yield* rows<Quiet & Row>(
    sql`select r.seq, r.last_scan_at, r.created_at ${from} ${where} and ${withoutNews(before)}`,
  )
}

/** The texts and the news of those that are still so: a scan may have come since they were found. */
export function* quietTexts(
  { account }: Scope,
  status: (typeof openStatuses)[number],
  before: number,
  seqs: readonly number[],
): Work<readonly (News & { readonly doc: string })[]> {
  // The database would else read the columns of the whole account.
  return yield* rows<News & Row & { readonly doc: string }>(
    sql`select d.doc, r.last_scan_at, r.created_at from shipment_docs d cross join shipments r
      where d.account_id = ${account} and d.seq in (${join(seqs)}) and r.account_id = ${account} and r.seq = d.seq
      and r.status = ${status} and ${withoutNews(before)}`,
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
      const seqs = quiet.slice(at, at + chunkSize).map(({ seq }) => seq)
      const records = await read(() => quietTexts(scope, status, before, seqs), 'single')
      const stuck = records.flatMap(({ doc, ...news }) => stuckOf(readParcel(doc), news, before, now) ?? [])
      yield { recordsRead: records.length, stuck }
    }
  }
}
