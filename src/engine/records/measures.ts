// What summaries and reports add up, as SQL over the columns of a record `r`.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { RecordKind } from '../database/port.ts'

/** 1 or 0. */
export const truth = (condition: Sql): Sql => sql`case when ${condition} then 1 else 0 end`
/** ms between two columns where both are there, in order. */
const between = (from: string, to: string, otherwise: Sql, value: Sql): Sql =>
  sql`case when r.${raw(to)} >= r.${raw(from)} then ${value} else ${otherwise} end`

const onTheWay = sql`r.status in (${raw(
  "'in_transit', 'out_for_delivery', 'ndr_raised', 'delivered', 'rto_initiated', 'rto_in_transit', 'rto_delivered'",
)})`
const laterThanPickup = ['picked_up', 'in_transit', 'out_for_delivery', 'delivered', 'rto_initiated', 'rto_delivered']
const afterPickup = sql`coalesce(${raw(laterThanPickup.map((name) => `r.${name}_at`).join(', '))}) is not null`
/** Whether a shipment is on its way back, back, or lost on it; the argument is the name of its row. */
export const backText = (r: string): string =>
  `${r}.status in ('rto_initiated', 'rto_in_transit', 'rto_delivered') or ${r}.granular_status = 'rto_lost'`
/** The status `lost` of a return whose row has none: a lost one that an earlier version saved. */
export const lostReturn = "case when r.granular_status = 'return_lost' then 'lost' end"
/** A shipment on its way back, back, or lost on it. */
export const sentBack = raw(backText('r'))

/**
 * What a shipment with charges costs as it went so far, paise: nothing when it was cancelled, and the way back as soon
 * as it is on it. The arguments are the names of the two rows.
 */
export const costText = (r: string, c: string): string =>
  `case when ${r}.status = 'cancelled' then 0 ` +
  `when ${backText(r)} then ${c}.freight + ${c}.surcharges + ${c}.cod_kept + ${c}.rto + ${c}.platform_fee ` +
  `else ${c}.freight + ${c}.surcharges + ${c}.cod + ${c}.platform_fee end`

/** Whether a shipment left the merchant. Most have a time of pickup, and to look at it costs the least. */
export const pickedUp = sql`${afterPickup} or ${onTheWay} or r.granular_status = 'rto_lost'`

/** The numbers of a record that are added up, in the order of `shipmentSums` and `returnSums` after the count. */
export const measures: Readonly<Record<RecordKind, readonly Sql[]>> = {
  shipment: [
    sql`coalesce(r.total_price, 0)`,
    sql`case when r.is_cod = 1 then coalesce(r.cod_amount, 0) else 0 end`,
    truth(pickedUp),
    truth(sql`r.status = 'delivered'`),
    truth(sentBack),
    between('picked_up_at', 'delivered_at', sql`0`, sql`1`),
    between('picked_up_at', 'delivered_at', sql`0`, sql`r.delivered_at - r.picked_up_at`),
  ],
  return: [
    sql`r.total_price`,
    truth(sql`r.status = 'return_received'`),
    truth(sql`r.status = 'cancelled'`),
    truth(sql`r.refund_status = 'processed'`),
    between('request_date', 'return_delivered_at', sql`0`, sql`1`),
    between('request_date', 'return_delivered_at', sql`0`, sql`r.return_delivered_at - r.request_date`),
  ],
}
