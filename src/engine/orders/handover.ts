// What a courier did not take: parcels that the list of a pickup struck out (docs/guides/labels.md), and that did not
// move after that day either.
import sql from 'sql-template-tag'
import { readDay } from '../../domain/time.ts'
import { listsOf } from '../database/inlist.ts'
import { byIndex, row, rows, type Dialect, type Work } from '../database/port.ts'

/** A parcel that was not handed over, with the number of the manifest that struck it out. */
export interface NotTaken {
  readonly awb: string
  readonly shipment_id: string
  readonly manifest: string
}

interface PrintRow extends NotTaken, Record<string, unknown> {
  readonly handed_over: number
  /** The last milestone of the parcel, ms UTC. */
  readonly moved_at: number | null
  readonly delivered_at: number | null
}

/** Whether the account has printed any manifest. */
export function* hasManifests(account: number): Work<boolean> {
  const found = yield* row(sql`select id from prints where account_id = ${account} and manifest is not null limit 1`)
  return found !== undefined
}

/** The last instant of the day of a manifest, which its number begins with. */
const dayEnd = (manifest: string): number => {
  const [, year, month, day] = /^(\d{4})(\d\d)(\d\d)-/.exec(manifest) ?? []
  return readDay(`${year}-${month}-${day}`)?.[1] ?? 0
}

/**
 * The parcels of AWBs that no courier took: the last list of a pickup struck them out, and no scan is later than its
 * day.
 */
export function* notTaken(
  dialect: Pick<Dialect, 'planning'>,
  account: number,
  awbs: readonly string[],
): Work<readonly NotTaken[]> {
  const last = new Map<string, PrintRow>()
  for (const list of listsOf(awbs))
    for (const one of yield* rows<PrintRow>(
      sql`select p.tracking_number as awb, p.shipment_id, p.manifest, p.handed_over, s.delivered_at,
          coalesce(s.rto_delivered_at, s.rto_initiated_at, s.delivered_at, s.out_for_delivery_at, s.in_transit_at,
            s.picked_up_at) as moved_at
        from prints p${byIndex(dialect, 'prints_tracking_number')}
          left join shipments s on s.account_id = ${account} and s.id = p.shipment_id
        where p.account_id = ${account} and p.tracking_number in (${list}) and p.handed_over is not null
        order by p.printed_at, p.id`,
    ))
      last.set(one.shipment_id, one)
  return [...last.values()].filter(
    ({ handed_over: handed, manifest, moved_at: moved, delivered_at: delivered }) =>
      handed === 0 && delivered === null && (moved === null || moved <= dayEnd(manifest)),
  )
}
