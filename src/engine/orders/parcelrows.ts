// What the price of a saved parcel needs from its row `r` (docs/guides/cost.md).
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import { readRecord } from '../../domain/foreign/records.ts'
import { limitTo, manyRows, row, type Work } from '../database/port.ts'
import { firstSeq, lastSeq } from '../database/sqliteseq.ts'
import { recordsAt } from '../records/listing.ts'
import { planOf, whereClause, type Scope } from '../records/plan.ts'
import type { ParcelRow } from './recordprice.ts'

/** A parcel with what finds its record again. */
export interface SavedParcel extends ParcelRow, Record<string, unknown> {
  readonly id: string
  readonly seq: number
  readonly tracking_number: string | null
  /** 0 where the record says more of its amounts than whole paise. */
  readonly whole_paise: number | null
}

const own = 'id carrier_id carrier_name warehouse_id zone is_cod applied_weight pincode tracking_number seq whole_paise'
/** The columns of a row `r` that a `SavedParcel` has under their own names. */
export const ownColumns: readonly string[] = own.split(' ')
const columns = raw(ownColumns.map((name) => `r.${name}`).join(', '))

/** Whether the account has orders of its own, which know more of their parcels. */
export function* keepsOrders(account: number): Work<boolean> {
  return (yield* row(sql`select id from orders where account_id = ${account} limit 1`)) !== undefined
}

/** The columns of a `SavedParcel`; an account without orders need not be asked for the one of each. */
export const parcelColumns = (account: number, orders = true): Sql =>
  sql`${columns}, r.total_price / 100.0 as worth, r.cod_amount / 100.0 as collected,
    coalesce(r.picked_up_at, r.ready_for_pickup_at, nullif(r.created_at, 0)) as day_at, ${
      orders
        ? sql`(select o.doc from orders o where o.account_id = ${account} and o.shipment_id = r.id limit 1)`
        : raw('null')
    } as order_doc`

/** The parcels with amounts out of their records where paise do not say all: one beyond all sense is not none. */
export function* withAmounts<P extends SavedParcel>(scope: Scope, parcels: readonly P[]): Work<readonly P[]> {
  const odd = parcels.filter(({ whole_paise }) => whole_paise === 0)
  if (odd.length === 0) return parcels
  const texts = yield* recordsAt(
    scope,
    'shipment',
    odd.map(({ seq }) => seq),
  )
  const said = new Map(
    texts.map(({ doc }) => readRecord('shipments', doc)).map(({ id, attributes }) => [id, attributes]),
  )
  return parcels.map((parcel) => {
    const { total_price: worth = null, cod_amount: collected = null } = said.get(parcel.id) ?? {}
    return said.has(parcel.id) ? { ...parcel, worth, collected } : parcel
  })
}

/** A walk through the parcels of an account in the order of their numbers. */
export interface Walk {
  readonly scope: Scope
  readonly input: Query
  /** What a parcel `r` must be, beside the filters. */
  readonly only: Sql
  /** More columns, and what they join. */
  readonly columns?: Sql
  readonly joined?: Sql
  /** Whether the account has orders of its own, where the whole walk is one transaction. */
  readonly orders?: boolean
}

/** The next parcels of a walk after one with a number. */
export function* parcelsAfter<P extends SavedParcel>(walk: Walk, after: number, most: number): Work<readonly P[]> {
  const { scope, input, only, columns = empty, joined = empty, orders } = walk
  const { account, dialect } = scope
  const plan = planOf({ ...scope, mostBytes: undefined }, 'shipment', input)
  const inOrder = dialect.planning !== undefined
  const range = inOrder
    ? sql`r.seq between ${Math.max(after + 1, firstSeq(account))} and ${lastSeq(account)}`
    : sql`r.seq > ${after}`
  const found = yield* manyRows<P>(
    sql`select ${parcelColumns(account, orders)}${columns}
      from shipments r ${inOrder ? raw('not indexed') : empty}${joined}
      where ${range} and ${whereClause(plan, undefined, undefined, 'ask')} and ${only}
      order by r.seq ${limitTo(most)}`,
  )
  return yield* withAmounts(scope, found)
}
