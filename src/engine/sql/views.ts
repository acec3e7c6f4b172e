// The views that `shipx sql` reads: flat columns over an account's records, with documented names and meanings
// (docs/reference/sql.md). They stay the same when the tables change. Uses SQLite's dialect.

import { words, type Word } from '../../domain/parcels/words.ts'
import type { RecordKind } from '../database/port.ts'
import { amountSql } from '../database/sqlfunctions.ts'
import { firstSeq, lastSeq } from '../database/sqliteseq.ts'
import { tablesOf } from '../records/entry.ts'
import { costText, lostReturn } from '../records/measures.ts'
import { moneyViews } from './moneyviews.ts'
import { outcomes } from './outcomeview.ts'
import {
  attribute,
  creation,
  integer,
  money,
  moneyIn,
  paiseTwice,
  real,
  shown,
  text,
  textIn,
  time,
  timeOrCreation,
  type SqlColumn,
  type SqlView,
} from './viewcolumns.ts'

const customer: readonly SqlColumn[] = [
  textIn('customer_name', 'Name of the customer', attribute('shipping_address.name')),
  textIn('customer_phone', 'Phone of the customer, whole', attribute('shipping_address.phone')),
  shown('city', 'City of the customer', 'r.city_name'),
  shown('state', 'State of the customer', 'r.state_name'),
  text('pincode', 'Pincode of the customer', 'r.pincode'),
]

/** The names of an order. Listings filter shipments by its number: its column is as the index has it. */
const orderNames = (number: typeof text): readonly SqlColumn[] => [
  shown('order_id', "The service's id of the order", 'r.order_id'),
  number('order_display_id', 'The number that the customer knows', 'r.order_display_id'),
  shown('order_external_id', "The shop's own id of the order", 'r.order_external_id'),
]

const milestones = [
  ['ready_for_pickup', 'Ready for the courier'],
  ['picked_up', 'Picked up'],
  ['in_transit', 'On its way'],
  ['out_for_delivery', 'Last out for delivery'],
  ['delivered', 'Delivered'],
  ['rto_initiated', 'Sent back'],
  ['rto_delivered', 'Back at the origin'],
] as const

/** The columns, then the word for each that has a longer name (docs/reference/words.md). */
const withWords = (columns: readonly SqlColumn[]): readonly SqlColumn[] => [
  ...columns,
  ...Object.entries<Word>(words).flatMap(([word, { sql }]) => {
    const column = columns.find(({ name }) => name === sql)
    return column === undefined || sql === word ? [] : [{ ...column, name: word, means: `The same as ${sql}` }]
  }),
]

const payment = text('payment', 'cod or prepaid', `case r.is_cod when 1 then 'cod' when 0 then 'prepaid' end`)

/**
 * The rows `r` of an account with their documents as `r.doc`. A document is read only where a column that is asked for
 * needs it.
 */
const records =
  (kind: RecordKind) =>
  (schema: string, account: string, scanning: boolean): string => {
    const { records: table, docs } = tablesOf[kind]
    const doc = `(select d.doc from ${schema}.${docs} d where d.seq = c.seq)`
    const range = `c.seq between ${firstSeq(Number(account))} and ${lastSeq(Number(account))}`
    const own = scanning ? `${range} and +c.account_id = ${account}` : `c.account_id = ${account}`
    return `(select c.*, ${doc} as doc from ${schema}.${table} c where ${own}) r`
  }

const shipments: SqlView = {
  name: 'shipments',
  means: 'A row for each forward shipment',
  columns: withWords([
    text('id', 'Record id', 'r.id'),
    text('tracking_number', 'AWB', 'r.tracking_number'),
    text('status', 'Status, as --status', 'r.status'),
    text('granular_status', 'Detailed status, as --granular-status', 'r.granular_status'),
    ...creation('created_at', 'Created'),
    ...orderNames(text),
    ...time('order_date', 'Ordered', 'r.order_date'),
    text('store_name', 'Store', 'r.store_name'),
    text('channel', 'Sales channel', 'r.channel'),
    text('warehouse_id', 'Warehouse', 'r.warehouse_id'),
    text('carrier_id', 'Id of the courier', 'r.carrier_id'),
    shown('carrier_name', 'Name of the courier', 'r.carrier_name'),
    text('zone', 'zone_a to zone_e', 'r.zone'),
    integer('is_cod', '1 for cash on delivery, 0 for prepaid', 'r.is_cod'),
    payment,
    ...money('total_price', 'Value of the order'),
    ...money('cod_amount', 'Cash to be collected'),
    real('applied_weight_g', 'Charged weight, grams', 'r.applied_weight / 1000.0'),
    integer('attempt_count', 'Delivery attempts', 'r.attempt_count'),
    text('ndr_reason', 'Why the last attempt failed', 'r.ndr_reason'),
    text('rto_reason', 'Reason for the return to origin', 'r.rto_reason'),
    text('tags', 'Tags, a JSON list', `r.doc -> '$.attributes.tags'`),
    ...customer,
    ...milestones.flatMap(([name, means]) => time(`${name}_at`, means, `r.${name}_at`)),
    ...time('last_scan_at', 'Last scan by the courier', 'r.last_scan_at'),
    text('record', 'The whole record, JSON', 'r.doc'),
  ]),
  from: records('shipment'),
}

const itemColumns = (id: string, owner: string): readonly SqlColumn[] => [
  text(id, `Record id of the ${owner}`, 'r.id'),
  integer('line', 'From 1', 'e.key + 1'),
  textIn('item_id', 'Id of the item', `(e.value ->> '$.id')`),
  textIn('sku', 'SKU', `(e.value ->> '$.sku')`),
  textIn('name', 'Name of the item', `(e.value ->> '$.name')`),
  integer('quantity', 'Pieces', amountSql('e.value', `'$.quantity'`)),
  ...moneyIn('price', 'Price of one piece', 'e.value', '$.price'),
]

const each =
  (kind: RecordKind, list: string) =>
  (schema: string, account: string, scanning: boolean): string =>
    `${records(kind)(schema, account, scanning)}, json_each(r.doc, '$.attributes.${list}') e where e.type = 'object'`

const shipmentItems: SqlView = {
  name: 'shipment_items',
  means: 'A row for each item of a shipment',
  columns: [...itemColumns('shipment_id', 'shipment'), ...creation('created_at', 'The shipment was created')],
  from: each('shipment', 'items'),
}

const shipmentMilestones: SqlView = {
  name: 'shipment_milestones',
  means: 'A row for each milestone of a shipment',
  columns: [
    text('shipment_id', 'Record id of the shipment', 'r.id'),
    integer('line', 'From 1', 'e.key + 1'),
    textIn(
      'milestone',
      'ready_for_pickup, picked_up, in_transit, out_for_delivery, delivered, rto_initiated, rto_delivered',
      `(e.value ->> '$.milestone')`,
    ),
    ...time('milestone_at', 'When', `instant_ms(e.value ->> '$.milestone_at')`),
  ],
  from: each('shipment', 'shipment_milestones'),
}

const returns: SqlView = {
  name: 'returns',
  means: 'A row for each return',
  columns: withWords([
    text('id', 'Record id', 'r.id'),
    text('display_id', 'The number of the return', 'r.display_id'),
    { ...text('status', 'Status, as --status, or lost', 'r.status'), older: `coalesce(r.status, ${lostReturn})` },
    text('granular_status', 'Detailed status, as --granular-status', 'r.granular_status'),
    text('qc_status', 'Quality check', 'r.qc_status'),
    text('refund_status', 'Refund', 'r.refund_status'),
    shown('return_reason', 'Reason for the return', 'r.return_reason'),
    ...timeOrCreation('request_date', 'Requested; null where the return does not say'),
    ...creation('created_at', 'Created'),
    ...money('total_price', 'Value of the returned items'),
    integer('is_exchange', '1 for an exchange, else 0', 'r.is_exchange'),
    integer('is_dangerous_goods', '1 for dangerous goods', 'r.is_dangerous_goods'),
    text('zone', 'zone_a to zone_e', 'r.zone'),
    text('warehouse_id', 'Warehouse', 'r.warehouse_id'),
    text('channel', 'Sales channel', 'r.channel'),
    text('store_name', 'Store', 'r.store_name'),
    text('carrier_id', 'Id of the courier', 'r.carrier_id'),
    shown('carrier_name', 'Name of the courier', 'r.carrier_name'),
    text('shipment_id', 'Id of the return parcel', 'r.shipment_id'),
    text('tracking_number', 'AWB of the return parcel', 'r.tracking_number'),
    ...orderNames(shown),
    ...customer,
    ...time('return_pickup_scheduled_at', 'Pickup scheduled', 'r.return_pickup_scheduled_at'),
    ...time('return_delivered_at', 'Received', 'r.return_delivered_at'),
    text('record', 'The whole record, JSON', 'r.doc'),
  ]),
  from: records('return'),
}

const returnItems: SqlView = {
  name: 'return_items',
  means: 'A row for each item of a return',
  columns: [
    ...itemColumns('return_id', 'return'),
    textIn('return_reason', 'Reason for the return', `(e.value ->> '$.return_reason')`),
    ...creation('created_at', 'The return was created'),
  ],
  from: each('return', 'return_items'),
}

/** The time of a store as another deployment sent it, or that of our own. */
const sentOr = (name: string): string =>
  `case when r.doc is null then r.${name} else instant_ms(r.doc ->> '$.${name}') end`

const stores: SqlView = {
  name: 'stores',
  means: 'A row for each store',
  columns: [
    text('id', 'Record id', 'r.id'),
    text('store_name', 'Name of the store', 'r.store_name'),
    text('brand_name', 'Brand that customers see', 'r.brand_name'),
    text('channel', 'Sales channel', 'r.channel'),
    text('status', 'connected or disconnected', 'r.status'),
    integer('has_logo', '1 with a logo, 0 without', 'r.logo_type is not null'),
    ...time('created_at', 'Created', sentOr('created_at')),
    ...time('updated_at', 'Last changed', sentOr('updated_at')),
  ],
  from: (schema, account) => `${schema}.stores r where r.account_id = ${account}`,
}

/** Orders come from what their shipments contain: a mirror has no other source. */
const orders: SqlView = {
  name: 'orders',
  means: 'A row for each shipment of an order, with what the shipment says about it',
  columns: withWords([
    ...orderNames(text),
    ...time('order_date', 'Ordered', 'r.order_date'),
    text('store_name', 'Store', 'r.store_name'),
    text('channel', 'Sales channel', 'r.channel'),
    payment,
    ...money('total_price', 'Value of the order'),
    ...money('cod_amount', 'Cash to be collected'),
    text('tags', 'Tags, a JSON list', `r.doc -> '$.attributes.tags'`),
    text('shipment_id', 'Record id of the shipment', 'r.id'),
    text('tracking_number', 'AWB', 'r.tracking_number'),
    text('status', 'Status of the shipment', 'r.status'),
    ...customer,
    ...creation('created_at', 'The shipment was created'),
  ]),
  from: (schema, account, scanning) => `${records('shipment')(schema, account, scanning)} where r.has_order = 1`,
}

/** The number of the last answer about the same shipment. */
const lastNumber = (schema: string): string =>
  `(select max(o.n) from ${schema}.ndr_answers o where o.account_id = r.account_id and o.shipment_id = r.shipment_id)`

const ndrAnswers: SqlView = {
  name: 'ndr_answers',
  means: 'A row for each answer to a failed delivery (shipx shipments ndr answer)',
  columns: [
    text('shipment_id', 'Record id of the shipment', 'r.shipment_id'),
    integer('number', 'From 1 for each shipment; the last one counts', 'r.n'),
    integer('is_last', '1 for the last answer about the shipment, else 0', 'r.is_last'),
    text('tracking_number', 'AWB', 'r.tracking_number'),
    text('order_name', 'The number that the customer knows', 'r.order_name'),
    text('courier', 'Name of the courier', 'r.courier'),
    integer('attempts', 'Delivery attempts before the answer', 'r.attempts'),
    text('answer', 'reattempt, phone, address or rto', 'r.answer'),
    text('reattempt_on', 'The day to try again, in IST', 'r.reattempt_on'),
    text('phone', 'New phone of the customer, whole', 'r.phone'),
    text('address', 'New address', 'r.address'),
    text('pincode', 'Pincode of the new address', 'r.pincode'),
    text('note', 'Note for the courier', 'r.note'),
    text('decided_by', 'Who decided: the user of the computer, and the profile', 'r.decided_by'),
    ...time('decided_at', 'Decided', 'r.decided_at'),
    ...time('sent_at', 'Last written to a sheet for the courier', 'r.sent_at'),
  ],
  from: (schema, account) =>
    `(select r.*, r.n = ${lastNumber(schema)} as is_last from ${schema}.ndr_answers r ` +
    `where r.account_id = ${account}) r`,
}

const prints: SqlView = {
  name: 'prints',
  means: 'A row for each label, and each line of a manifest, that was printed (shipx orders label, orders manifest)',
  columns: [
    text('kind', 'label or manifest', 'r.kind'),
    text('shipment_id', 'Record id of the shipment', 'r.shipment_id'),
    text('awb', 'AWB', 'r.tracking_number'),
    text('manifest', 'Number of the manifest', 'r.manifest'),
    integer(
      'handed_over',
      '1 where the courier took the parcel, 0 where it did not; null before that is known',
      'r.handed_over',
    ),
    text('printed_by', 'Who printed: the user of the computer, and the profile', 'r.printed_by'),
    ...time('printed_at', 'Printed', 'r.printed_at'),
  ],
  from: (schema, account) => `(select r.* from ${schema}.prints r where r.account_id = ${account}) r`,
}

const charges: SqlView = {
  name: 'charges',
  means: 'A row for each shipment with a price: what it costs as quoted, before GST',
  columns: [
    text('shipment_id', 'Record id of the shipment', 'r.shipment_id'),
    text('awb', 'AWB', 'r.awb'),
    text('carrier_id', 'Id of the courier', 'r.carrier_id'),
    text('card', 'Rate card', 'r.card'),
    text('valid_from', "First day of the card's version; null for always", "nullif(r.valid_from, '')"),
    text('day', 'Day of the price, in IST', 'r.day'),
    text('zone', "The courier's own name of the zone", 'r.zone'),
    text('zone_by', 'card or record: where the zone is from', 'r.zone_by'),
    real('weight_g', 'Charged weight, grams', 'r.weight / 1000.0'),
    real('slab_g', 'The end of the slab that is paid for, grams', 'r.slab / 1000.0'),
    ...paiseTwice('freight', 'Forward freight', 'r.freight'),
    ...paiseTwice('surcharges', 'Surcharges on the way out', 'r.surcharges'),
    ...paiseTwice('cod_fee', 'COD fee', 'r.cod'),
    ...paiseTwice('cod_kept', 'What stays of the COD fee when the parcel returns', 'r.cod_kept'),
    ...paiseTwice('rto_freight', 'What it costs more when it returns', 'r.rto'),
    ...paiseTwice('platform_fee', 'Platform fee', 'r.platform_fee'),
    ...paiseTwice('cost', 'What it costs as it went so far; 0 when cancelled', 'r.cost'),
    real('gst_percent', 'GST that comes on top, percent', 'r.gst / 100.0'),
    text('parts', 'Surcharges by name, a JSON list of leg, name and paise', 'r.parts'),
    text('quoted_by', 'order, or card for shipx local price', 'r.quoted_by'),
    ...time('quoted_at', 'Priced', 'r.quoted_at'),
  ],
  from: (schema, account) =>
    `(select c.*, s.tracking_number as awb, ${costText('s', 'c')} as cost from ${schema}.charges c ` +
    `left join ${schema}.shipments s on s.account_id = c.account_id and s.id = c.shipment_id ` +
    `where c.account_id = ${account}) r`,
}

/** Every view, in the order of the documentation. */
export const sqlViews: readonly SqlView[] = [
  shipments,
  shipmentItems,
  shipmentMilestones,
  returns,
  returnItems,
  stores,
  orders,
  ndrAnswers,
  charges,
  outcomes,
  ...moneyViews,
  prints,
]

/**
 * The statement that creates a view. It contains the account's number, as a view cannot have bound values. `undated`
 * says that records may not say when they were created, `older` that there are rows of an earlier version, and
 * `scanning` that records are read in their order.
 */
export function viewText(
  { name, columns, from }: SqlView,
  schema: string,
  account: number,
  { undated = false, older = false, scanning = false }: Partial<Record<'undated' | 'older' | 'scanning', boolean>> = {},
): string {
  const sqlOf = (column: SqlColumn): string =>
    (undated ? column.undated : undefined) ?? (older ? column.older : undefined) ?? column.sql
  const list = columns.map((column) => `${sqlOf(column)} as "${column.name}"`).join(',\n  ')
  return `create temp view ${name} as select\n  ${list}\nfrom ${from(schema, String(Math.trunc(account)), scanning)}`
}
