// The quoted charges of shipments: their rows, and what they make a parcel cost. This is the only place that reads
// them for lists, summaries and reports (docs/guides/cost.md).
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Charges } from '../../domain/parcels/charges.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { costSums } from '../../domain/parcels/summary.ts'
import { listsOf } from '../database/inlist.ts'
import { row, rows, type Work } from '../database/port.ts'
import { costText, truth } from './measures.ts'
import { fixedStatement } from './records.ts'

/** Charges of a shipment, before they are saved. `quoted_at` is ms UTC. */
export interface NewCharges extends Charges {
  readonly shipment_id: string
  /** What made the price: the order's own courier, or `shipx local price`. */
  readonly quoted_by: 'order' | 'card'
  readonly quoted_at: number
}

const columns = [
  'shipment_id',
  'carrier_id',
  'card',
  'valid_from',
  'day',
  'zone',
  'zone_by',
  'weight',
  'slab',
  'freight',
  'surcharges',
  'cod',
  'cod_kept',
  'rto',
  'platform_fee',
  'gst',
  'quoted_by',
  'quoted_at',
] as const satisfies readonly (keyof NewCharges)[]

const insertCharges = fixedStatement(
  `insert into charges (account_id, parts, ${columns.join(', ')}) values (?, ?${', ?'.repeat(columns.length)})`,
)

/** Saves the charges of shipments that have none. */
export function* addCharges(account: number, charges: readonly NewCharges[]): Work<void> {
  const [first, ...more] = charges.map((one) => [
    account,
    JSON.stringify(one.parts),
    ...columns.map((column) => one[column]),
  ])
  if (first !== undefined) yield* rows({ ...insertCharges(first), more })
}

/** Saves the charges of shipments in place of those that they have. */
export function* replaceCharges(account: number, charges: readonly NewCharges[]): Work<void> {
  for (const list of listsOf(charges.map((one) => one.shipment_id)))
    yield* rows(sql`delete from charges where account_id = ${account} and shipment_id in (${list})`)
  yield* addCharges(account, charges)
}

/** Whether the account has a parcel with a price. */
export function* anyPriced(account: number): Work<boolean> {
  return (yield* row(sql`select 1 as one from charges where account_id = ${account} limit 1`)) !== undefined
}

/** The charges `c` of a shipment `r`, if it has some. */
export const joinCharges = (account: number): Sql =>
  sql` left join charges c on c.account_id = ${account} and c.shipment_id = r.id`

const cancelled = sql`r.status = 'cancelled'`

/** What a shipment `r` with charges `c` costs. */
const cost = raw(costText('r', 'c'))

/** The numbers of a shipment `r` with its charges `c`, in the order of `costSums`: cancelled ones count nowhere. */
export const costMeasures = (): readonly Sql[] => {
  const counts = sql`c.freight is not null and coalesce(not (${cancelled}), true)`
  const where = (value: Sql): Sql => sql`case when ${counts} then ${value} else 0 end`
  const measures: Record<(typeof costSums)[number], Sql> = {
    priced: truth(counts),
    freight: where(sql`c.freight`),
    surcharges: where(sql`c.surcharges`),
    invented: truth(sql`${counts} and c.card = ${sampleCard.name}`),
    cost: where(cost),
    priced_value: where(sql`coalesce(r.total_price, 0)`),
    unpriced: truth(sql`c.freight is null and coalesce(not (${cancelled}), true)
      and (r.carrier_id is not null or r.carrier_name is not null)`),
  }
  return costSums.map((name) => measures[name])
}

/** What a shipment costs: paise before GST. */
export interface ShipmentCost extends Record<string, unknown> {
  /** The rate card of the price. */
  readonly card: string
  /** The forward freight without surcharges. */
  readonly freight: number
  /** The surcharges on the way out. */
  readonly surcharges: number
  readonly cod_fee: number
  /** What it costs more if it returns. */
  readonly rto_freight: number
  /** What it costs as it went so far. */
  readonly cost: number
}

/** The costs of those of the shipments that have a price, by id. */
export function* costsOf(account: number, ids: readonly string[]): Work<ReadonlyMap<string, ShipmentCost>> {
  const found = new Map<string, ShipmentCost>()
  for (const list of listsOf(ids)) {
    const costs = yield* rows<ShipmentCost & { readonly id: string }>(
      sql`select r.id, c.card, c.freight, c.surcharges, c.cod as cod_fee, c.rto as rto_freight, ${cost} as cost
        from charges c join shipments r on r.account_id = ${account} and r.id = c.shipment_id
        where c.account_id = ${account} and c.shipment_id in (${list})`,
    )
    for (const { id, ...own } of costs) found.set(id, own)
  }
  return found
}
