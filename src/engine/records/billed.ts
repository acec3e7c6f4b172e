// What couriers billed for shipments, over all kept invoices, as columns of summaries and reports
// (docs/guides/money.md, In summaries and reports).
import sql, { raw, type Sql } from 'sql-template-tag'
import { billedSums } from '../../domain/parcels/summary.ts'
import { truth } from './measures.ts'

const beforeGst = 'l.billed - coalesce(l.gst_billed, 0)'
const dueBeforeGst = 'l.expected - coalesce(l.gst_expected, 0)'
// A credit lowers what is billed, never what the card says.
const due = `case when l.verdict <> 'credit' then ${dueBeforeGst} end`
const sums = raw(
  `sum(case when l.category <> 'other_courier' and l.billed >= 0 then 1 else 0 end) as lines, ` +
    `sum(${beforeGst}) as billed, sum(${due}) as expected, ` +
    `sum(case when l.verdict = 'over' then (${beforeGst}) - (${dueBeforeGst}) end) as over`,
)

/**
 * The lines `b` of a shipment `r` added up, if an invoice that counts bills it. Of several shipments with one AWB, the
 * one that was saved last has them. Without the cast, SQLite would look at all lines for each shipment.
 */
export const joinBilled = (account: number): Sql =>
  sql` left join (
    select cast((select max(s.seq) from shipments s
        where s.account_id = ${account} and s.tracking_number = l.awb) as bigint) as seq, ${sums}
    from document_lines l join documents d on d.account_id = ${account} and d.id = l.document_id
    where l.account_id = ${account} and d.complete = 1 and d.superseded_at is null
    group by l.awb) b on b.seq = r.seq`

/** The numbers of a shipment `r` with its lines `b`, in the order of `billedSums`. */
export const billedMeasures = (): readonly Sql[] => {
  const measures: Record<(typeof billedSums)[number], Sql> = {
    billed_parcels: truth(sql`b.lines > 0`),
    billed: sql`coalesce(b.billed, 0)`,
    expected: sql`coalesce(b.expected, 0)`,
    over: sql`coalesce(b.over, 0)`,
    not_billed: truth(sql`coalesce(b.lines, 0) = 0 and r.picked_up_at is not null and r.tracking_number is not null`),
  }
  return billedSums.map((name) => measures[name])
}
