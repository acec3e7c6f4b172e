// The groups of a report: all shipments and returns that match, added up by each key in one reading of either
// (docs/guides/report.md).
import sql, { raw } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import {
  returnSums,
  shipmentSums,
  type Group,
  type ReturnSums,
  type ShipmentSums,
} from '../../domain/parcels/summary.ts'
import { dayMs } from '../../domain/time.ts'
import type { Work } from '../database/port.ts'
import type { Scope } from './plan.ts'
import { returnKeys, shipmentKeys, sumByEach, truth, type Key } from './summary.ts'

/** The sums of a summary, and how many of the shipments are COD. */
export type ReportSums = ShipmentSums & { readonly cod_count: number }

/** Shipments by each key of a report. `took` is the number of whole days from pick-up to delivery. */
export type ShipmentGroups = Readonly<
  Record<'status' | 'day' | 'zone' | 'carrier' | 'city' | 'payment' | 'took', readonly Group<ReportSums>[]>
>

/** Returns by each key of a report. */
export type ReturnGroups = Readonly<Record<'reason' | 'refund_status', readonly Group<ReturnSums>[]>>

const onTheRoad = sql`r.delivered_at - r.picked_up_at`
const took: Key = {
  value: sql`case when r.delivered_at >= r.picked_up_at then (${onTheRoad}) / ${raw(String(dayMs))} end`,
}

/** The groups of shipments that match. */
export function* reportShipments(scope: Scope, input: Query): Work<ShipmentGroups> {
  const keys = shipmentKeys(('date_field' in input ? input.date_field : undefined) ?? 'created_at')
  const { status, day, zone, carrier, city, payment } = keys
  const by = Object.entries({ status, day, zone, carrier, city, payment, took })
  const cod = truth(sql`r.is_cod = 1`)
  const found = yield* sumByEach(scope, 'shipment', input, by, [cod], [...shipmentSums, 'cod_count'] as const)
  return Object.fromEntries(by.map(([name], i) => [name, found[i]!])) as unknown as ShipmentGroups
}

/** The groups of returns that match. */
export function* reportReturns(scope: Scope, input: Query): Work<ReturnGroups> {
  const { reason, refund_status } = returnKeys
  const by = Object.entries({ reason, refund_status })
  const found = yield* sumByEach(scope, 'return', input, by, [], returnSums)
  return Object.fromEntries(by.map(([name], i) => [name, found[i]!])) as unknown as ReturnGroups
}
