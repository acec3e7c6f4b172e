// Open shipments that were not heard of for long: what the columns can tell is asked of the database, the scans are looked
// at record by record, some at a time; knows no driver and no command.
import sql, { join, raw } from 'sql-template-tag'
import type { Input } from '../../domain/contract.ts'
import { readRecord } from '../../domain/foreign/records.ts'
import { shipmentMilestones } from '../../domain/parcels/statuses.ts'
import { openStatuses, stuckOf, type Stuck } from '../../domain/parcels/worklists.ts'
import { rows, type Database, type Work } from '../database/port.ts'
import { matches, recordsAt, type Place } from './listing.ts'

/** Open shipments of a status that have no milestone at or after `before` (ms UTC), by their numbers. */
export function* quietShipments(
  place: Place,
  input: Input<'listShipments'>,
  status: (typeof openStatuses)[number],
  before: number,
): Work<readonly number[]> {
  const from = yield* matches(place, 'shipment', { ...input, status })
  const quiet = shipmentMilestones.map((name) => sql`(r.${raw(name)}_at is null or r.${raw(name)}_at <= ${before})`)
  // A parcel that no courier has been told of waits for nobody.
  const assigned = sql`(r.status <> 'pending' or r.tracking_number is not null)`
  const found = yield* rows<{ seq: number }>(
    sql`select r.seq ${from} and r.created_at <= ${before} and ${assigned} and ${join(quiet, ' and ')}`,
  )
  return found.map(({ seq }) => seq)
}

/** Records that are looked at between two looks at the rest of the world. */
const chunk = 500

/** The stuck shipments of a listing's question, some at a time, with how many records have been looked at for them. */
export async function* stuckShipments(
  { read }: Database,
  place: Place,
  input: Input<'listShipments'>,
  { before, now }: { readonly before: number; readonly now: number },
): AsyncGenerator<{ readonly looked: number; readonly stuck: readonly Stuck[] }, void> {
  for (const status of openStatuses.filter((one) => input.status === undefined || input.status === one)) {
    const seqs = await read(() => quietShipments(place, input, status, before))
    for (let at = 0; at < seqs.length; at += chunk) {
      const records = await read(() => recordsAt(place, 'shipment', seqs.slice(at, at + chunk)), 'single')
      const stuck = records.flatMap((record) => stuckOf(readRecord('shipments', record), before, now) ?? [])
      yield { looked: records.length, stuck }
    }
  }
}
