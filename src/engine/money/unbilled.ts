// The parcels that no document bills yet, and the SKUs of those that one bills.
import sql, { empty, type Sql } from 'sql-template-tag'
import { listOf, listsOf } from '../database/inlist.ts'
import { byIndex, limitTo, row, rows, type Dialect, type Work } from '../database/port.ts'
import { childrenIn, withDocs } from '../records/entry.ts'

/** A parcel that no document bills. */
export interface UnbilledRow extends Record<string, unknown> {
  readonly awb: string
}

/** No document that counts bills the shipment `r`: a credit bills nothing, nor does a courier that did not carry it. */
const notBilled = (dialect: Dialect, account: number): Sql => sql`not exists (select 1
  from document_lines l${byIndex(dialect, 'document_lines_awb')} join documents d
    on d.account_id = ${account} and d.id = l.document_id
  where l.account_id = ${account} and l.awb = r.tracking_number and d.complete = 1 and d.superseded_at is null
    and l.category <> 'other_courier' and l.billed >= 0)`

/** The AWBs of shipments that were picked up between two instants (ms UTC) and that no document bills, by AWB. */
export function* unbilledOf(
  dialect: Dialect,
  account: number,
  since: number,
  until: number,
  after: string,
  most: number,
): Work<readonly string[]> {
  const found = yield* rows<UnbilledRow>(
    sql`select r.tracking_number as awb from shipments r
      where r.account_id = ${account} and r.tracking_number > ${after}
        and r.picked_up_at >= ${since} and r.picked_up_at <= ${until}
        and ${notBilled(dialect, account)}
      order by r.tracking_number ${limitTo(most)}`,
  )
  return found.map(({ awb }) => awb)
}

/** Shipments with an AWB that were picked up between two instants (ms UTC), with these couriers. */
const pickedUp = (account: number, since: number, until: number, couriers: readonly string[]): Sql => {
  const by = couriers.length === 0 ? empty : sql` and r.carrier_name in (${listOf(couriers)})`
  return sql`shipments r where r.account_id = ${account} and r.picked_up_at >= ${since} and r.picked_up_at <= ${until}
    and r.tracking_number is not null${by}`
}

/** How many shipments were picked up between two instants (ms UTC) with these couriers, counted up to `most`. */
export function* pickedUpBetween(
  account: number,
  since: number,
  until: number,
  couriers: readonly string[],
  most: number,
): Work<number> {
  const found = yield* row<{ n: number }>(
    sql`select count(*) as n
      from (select 1 as one from ${pickedUp(account, since, until, couriers)} ${limitTo(most)}) p`,
  )
  return Number(found?.n ?? 0)
}

/** The AWBs of those that no document bills, `most` at most. */
export function* unbilledBetween(
  dialect: Dialect,
  account: number,
  since: number,
  until: number,
  couriers: readonly string[],
  most: number,
): Work<readonly string[]> {
  const found = yield* rows<UnbilledRow>(
    sql`select r.tracking_number as awb from ${pickedUp(account, since, until, couriers)}
        and ${notBilled(dialect, account)}
      order by r.picked_up_at, r.tracking_number ${limitTo(most)}`,
  )
  return [...new Set(found.map(({ awb }) => awb))]
}

/** The SKUs of the shipments of AWBs; those without items are left out. */
export function* skusOfAwbs(account: number, awbs: readonly string[]): Work<ReadonlyMap<string, readonly string[]>> {
  const found = new Map<string, readonly string[]>()
  for (const list of listsOf(awbs)) {
    const all = yield* rows<{ awb: string; doc: string }>(
      sql`select r.tracking_number as awb, d.doc from ${withDocs('shipment')}
        where r.account_id = ${account} and r.tracking_number in (${list}) order by r.seq`,
    )
    for (const { awb, doc } of all) {
      const { shipment_skus: skus = [] } = childrenIn('shipment', doc)
      if (skus.length > 0) found.set(awb, skus)
    }
  }
  return found
}
