// The view of parcels that ended: delivered or returned to origin, and what the return cost (docs/guides/returns.md).
import { firstSeq, lastSeq } from '../database/sqliteseq.ts'
import { backText } from '../records/measures.ts'
import { creation, integer, paiseTwice, shown, text, time, type SqlView } from './viewcolumns.ts'

const back = `(${backText('s')}) and coalesce(s.status, '') <> 'delivered'`

/** What invoices that count billed for a parcel, where its way back is among it: the last parcel of an AWB has them. */
const billed = (schema: string): string =>
  `(select sum(l.billed - coalesce(l.gst_billed, 0)) from ${schema}.document_lines l ` +
  `indexed by document_lines_awb join ${schema}.documents d on d.account_id = l.account_id and d.id = l.document_id ` +
  `where l.account_id = s.account_id and l.awb = s.tracking_number and d.complete = 1 and d.superseded_at is null ` +
  `and s.seq = (select max(x.seq) from ${schema}.shipments x ` +
  `where x.account_id = s.account_id and x.tracking_number = s.tracking_number) ` +
  `having sum(case when l.journey = 'rto' or l.rto <> 0 then l.billed else 0 end) > 0)`

const quoted = (schema: string): string =>
  `(select c.freight + c.surcharges + c.rto + c.cod_kept from ${schema}.charges c ` +
  `where c.account_id = s.account_id and c.shipment_id = s.id)`

/** The view `rto`. */
export const outcomes: SqlView = {
  name: 'rto',
  means: 'A row for each shipment that ended: delivered, or sent back (shipx shipments rto)',
  columns: [
    text('shipment_id', 'Record id of the shipment', 'r.id'),
    text('awb', 'AWB', 'r.tracking_number'),
    text('outcome', 'delivered or rto', `case when r.back then 'rto' else 'delivered' end`),
    text('carrier_id', 'Id of the courier', 'r.carrier_id'),
    shown('courier', 'Name of the courier', 'r.carrier_name'),
    text('payment', 'cod or prepaid', `case r.is_cod when 1 then 'cod' when 0 then 'prepaid' end`),
    text('zone', 'zone_a to zone_e', 'r.zone'),
    shown('city', 'City of the customer', 'r.city_name'),
    shown('state', 'State of the customer', 'r.state_name'),
    text('pincode', 'Pincode of the customer', 'r.pincode'),
    text('store_name', 'Store', 'r.store_name'),
    integer('attempts', 'Delivery attempts', 'r.attempt_count'),
    integer(
      'first_attempt',
      '1 where the first attempt delivered it, else 0; null where the attempts are not known',
      `case when r.back then 0 when coalesce(r.attempt_count, 0) = 0 then null else r.attempt_count = 1 end`,
    ),
    integer(
      'ndr',
      '1 after a failed attempt, else 0',
      `r.ndr_reason is not null or coalesce(r.attempt_count, 0) > 1 or (coalesce(r.attempt_count, 0) > 0 and r.back)`,
    ),
    ...paiseTwice('value', 'Value of the order', 'r.total_price'),
    ...paiseTwice(
      'cost',
      'What a returned one cost, before GST: both ways and the COD fee that is kept; null without a price',
      'coalesce(r.billed, r.quoted)',
    ),
    text(
      'cost_by',
      'invoices or card: where the cost is from',
      `case when r.billed is not null then 'invoices' when r.quoted is not null then 'card' end`,
    ),
    ...creation('created_at', 'Created'),
    ...time('picked_up_at', 'Picked up', 'r.picked_up_at'),
  ],
  from: (schema, account, scanning) => {
    const range = `s.seq between ${firstSeq(Number(account))} and ${lastSeq(Number(account))}`
    const own = scanning ? `${range} and +s.account_id = ${account}` : `s.account_id = ${account}`
    const cost = (sum: string, as: string): string => `case when ${back} then ${sum} end as ${as}`
    return (
      `(select s.*, ${back} as back, ${cost(billed(schema), 'billed')}, ${cost(quoted(schema), 'quoted')} ` +
      `from ${schema}.shipments s where ${own} and (s.status = 'delivered' or (${back}))) r`
    )
  },
}
