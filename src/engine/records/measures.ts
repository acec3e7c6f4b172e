// What summaries and reports read from a record and add up, as SQL over a record `r` and its attributes `a`.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Dialect, RecordKind } from '../database/port.ts'

/** A part of a record's attributes, by its path. */
export const inside = (...path: readonly string[]): Sql =>
  sql`a${raw(path.map((name, i) => ` ${i === path.length - 1 ? '->>' : '->'} '${name}'`).join(''))}`

/**
 * Rupees in JSON as paise. The factor's last digit corrects lost decimals, so that halves round up
 * (src/domain/money.ts).
 */
export const paise = (rupees: Sql): Sql => {
  const number = sql`cast(${rupees} as double precision)`
  return sql`case when ${number} between -1e13 and 1e13 then round(${number} * 100.000000000001) else 0 end`
}
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
const backText = (r: string): string =>
  `${r}.status in ('rto_initiated', 'rto_in_transit', 'rto_delivered') or ${r}.granular_status = 'rto_lost'`
/** A shipment on its way back, back, or lost on it. */
const sentBack = raw(backText('r'))

/**
 * What a shipment with charges costs as it went so far, paise: nothing when it was cancelled, and the way back as soon
 * as it is on it. The arguments are the names of the two rows.
 */
export const costText = (r: string, c: string): string =>
  `case when ${r}.status = 'cancelled' then 0 ` +
  `when ${backText(r)} then ${c}.freight + ${c}.surcharges + ${c}.cod_kept + ${c}.rto + ${c}.platform_fee ` +
  `else ${c}.freight + ${c}.surcharges + ${c}.cod + ${c}.platform_fee end`

/** The numbers of a record that are added up, in the order of `shipmentSums` and `returnSums` after the count. */
export const measures = ({ amount }: Dialect): Readonly<Record<RecordKind, readonly Sql[]>> => ({
  shipment: [
    paise(amount('total_price')),
    sql`case when r.is_cod = 1 then ${paise(amount('cod_amount'))} else 0 end`,
    truth(sql`${onTheWay} or ${afterPickup} or r.granular_status = 'rto_lost'`),
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
})

/** 1 for a record with an amount that is there and is neither a number nor a text that says one. */
export const unreadAmount = ({ amount }: Dialect): Readonly<Record<RecordKind, Sql>> => {
  const unread = (name: string): Sql => {
    const sent = inside(name)
    return sql`${sent} is not null and trim(${sent}) not in ('', '[]') and ${amount(name)} is null`
  }
  return {
    shipment: truth(sql`${unread('total_price')} or r.is_cod = 1 and ${unread('cod_amount')}`),
    return: truth(unread('total_price')),
  }
}
