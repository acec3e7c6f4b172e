// The groups of a report: all shipments and returns that match, added up by each key in one reading of either
// (docs/guides/report.md).
import sql, { raw } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import {
  billedSums,
  costSums,
  returnSums,
  shipmentSums,
  type BilledSums,
  type CostSums,
  type Group,
  type ReturnSums,
  type ShipmentSums,
} from '../../domain/parcels/summary.ts'
import { dayMs } from '../../domain/time.ts'
import type { Work } from '../database/port.ts'
import { keepsAny } from '../money/documents.ts'
import type { Scope } from './plan.ts'
import { anyPriced } from './charges.ts'
import { Derived } from './derived.ts'
import { isCod, spanOf } from './measures.ts'
import { addLines, endingsIn, type Grouping as OutcomeGrouping } from './outcomes.ts'
import { addedTogether, billedIn, costsIn, returnKeys, shipmentKeys, type Key } from './summary.ts'
import { sumByEach } from './tallies.ts'

/**
 * The sums of a summary, how many of the shipments are COD, what they cost (all 0 where nothing has a price), and what
 * was billed for them (all 0 where no invoice is kept).
 */
export type ReportSums = ShipmentSums & CostSums & BilledSums & { readonly cod_count: number }

/** Shipments by each key of a report. `took` is the number of whole days from pick-up to delivery. */
export type ShipmentGroups = Readonly<
  Record<'status' | 'day' | 'zone' | 'carrier' | 'city' | 'payment' | 'took', readonly Group<ReportSums>[]>
>

/** Returns by each key of a report. */
export type ReturnGroups = Readonly<Record<'reason' | 'refund_status', readonly Group<ReturnSums>[]>>

const onTheRoad = spanOf('picked_up_at', 'delivered_at')
const took: Key = {
  value: new Derived(
    sql`case when r.delivered_at >= r.picked_up_at then (${onTheRoad}) / ${raw(String(dayMs))} end`,
    onTheRoad,
    (ms) => (ms === null || Number(ms) < 0 ? null : Math.trunc(Number(ms) / dayMs)),
  ),
}

/** Adding up zeros takes a fifth of the time of the other sums. */
const zeros = Object.fromEntries([...costSums, ...billedSums].map((name) => [name, 0])) as unknown as CostSums &
  BilledSums

/** The groups of shipments that match; those of `outcomes`, which have no keys of many values, are filled as well. */
export function* reportShipments(
  scope: Scope,
  input: Query,
  outcomes: readonly OutcomeGrouping[] = [],
): Work<ShipmentGroups> {
  const keys = shipmentKeys(('date_field' in input ? input.date_field : undefined) ?? 'created_at')
  const { status, day, zone, carrier, city, payment } = keys
  const by = Object.entries({ status, day, zone, carrier, city, payment, took })
  const none = { names: [], list: [] }
  const costs = (yield* anyPriced(scope.account)) ? costsIn(scope) : none
  const billed = (yield* keepsAny(scope.account)) ? billedIn(scope) : none
  const added = addedTogether({ names: ['cod_count'], list: [isCod] }, addedTogether(costs, billed))
  const endings = outcomes.map(endingsIn)
  const { groups, beside } = yield* sumByEach(scope, 'shipment', input, by, shipmentSums, added, endings)
  for (const [i, grouping] of outcomes.entries()) addLines(grouping, beside[i]!)
  const found = groups.map((own) => own.map(({ keys, sums }) => ({ keys, sums: { ...zeros, ...sums } })))
  return Object.fromEntries(by.map(([name], i) => [name, found[i]!])) as unknown as ShipmentGroups
}

/** The groups of returns that match. */
export function* reportReturns(scope: Scope, input: Query): Work<ReturnGroups> {
  const { reason, refund_status } = returnKeys
  const by = Object.entries({ reason, refund_status })
  const { groups } = yield* sumByEach(scope, 'return', input, by, returnSums, { names: [], list: [] })
  return Object.fromEntries(by.map(([name], i) => [name, groups[i]!])) as unknown as ReturnGroups
}
