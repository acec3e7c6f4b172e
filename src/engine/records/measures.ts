// What summaries and reports add up, as SQL over the columns of a record `r`.
import sql, { raw, type Sql } from 'sql-template-tag'
import type { RecordKind } from '../database/port.ts'
import { Derived } from './derived.ts'

/** 1 or 0. */
export const truth = (condition: Sql): Sql => sql`case when ${condition} then 1 else 0 end`
/** 1 where a column has this value. */
const isOne = (name: string, value: string | number): Sql => {
  const [column, text] = [sql`r.${raw(name)}`, typeof value === 'number' ? String(value) : `'${value}'`]
  return new Derived(truth(sql`${column} = ${raw(text)}`), column, (of) => (of === value ? 1 : 0))
}

/** The ms from one time to another one. */
export const spanOf = (from: string, to: string): Sql => sql`r.${raw(to)} - r.${raw(from)}`

/** How many there are, and their ms together, of two times that both are there, in order. */
const between = (from: string, to: string): readonly [Sql, Sql] => {
  const [span, inOrder] = [spanOf(from, to), sql`r.${raw(to)} >= r.${raw(from)}`]
  return [
    new Derived(truth(inOrder), span, (ms) => (ms !== null && Number(ms) >= 0 ? 1 : 0)),
    new Derived(sql`case when ${inOrder} then ${span} else 0 end`, span, (ms) => Math.max(Number(ms), 0)),
  ]
}

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

/** How a shipment ended as one number: the sum of what is true of it. */
export const [isPickedUp, isDelivered, isBack, isFirst, isUncounted, isFailed] = [1, 2, 4, 8, 16, 32]

/** A failed attempt: a reason, an attempt before the last one, or an attempt of one that waits or is sent back. */
const failed = sql`r.ndr_reason is not null or r.attempt_count > 1 or r.status = 'ndr_raised'
  or (r.attempt_count > 0 and r.status <> 'delivered' and (${sentBack}))`

/** The number of `isPickedUp`, `isDelivered` and so on. One that is delivered and lost on its way back is both. */
export const ending = sql`${truth(pickedUp)} + ${truth(failed)} * 32 + case when r.status = 'delivered'
    then 2 + case coalesce(r.attempt_count, 0) when 1 then 8 when 0 then 16 else 0 end
      + case when r.granular_status = 'rto_lost' then 4 else 0 end
    when ${sentBack} then 4 else 0 end`

const endedSo = (condition: Sql, bit: number): Sql =>
  new Derived(truth(condition), ending, (code) => ((Number(code) & bit) === 0 ? 0 : 1))

/** Whether a shipment is paid on delivery. */
export const isCod = isOne('is_cod', 1)

/** The numbers of a record that are added up, in the order of `shipmentSums` and `returnSums` after the count. */
export const measures: Readonly<Record<RecordKind, readonly Sql[]>> = {
  shipment: [
    sql`coalesce(r.total_price, 0)`,
    sql`case when r.is_cod = 1 then coalesce(r.cod_amount, 0) else 0 end`,
    endedSo(pickedUp, isPickedUp),
    isOne('status', 'delivered'),
    endedSo(sql`${sentBack}`, isBack),
    ...between('picked_up_at', 'delivered_at'),
  ],
  return: [
    sql`r.total_price`,
    isOne('status', 'return_received'),
    isOne('status', 'cancelled'),
    isOne('refund_status', 'processed'),
    ...between('request_date', 'return_delivered_at'),
  ],
}
