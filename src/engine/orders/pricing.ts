// Prices the parcels that have a courier and no charges, a batch of a listing at a time (docs/guides/cost.md).
import sql, { raw, type Sql } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import type { Versions } from '../../domain/rates/cardversions.ts'
import { cardVersions, versionsInUse } from '../accounts/ratecards.ts'
import { listWarehouses } from '../accounts/settings.ts'
import { rows, type Work } from '../database/port.ts'
import { addCharges, replaceCharges, type NewCharges } from '../records/charges.ts'
import { accessPathOf, pageStatement } from '../records/fetch.ts'
import { inside } from '../records/measures.ts'
import { planOf, type Plan, type Scope } from '../records/plan.ts'
import { surveyOf } from '../records/survey.ts'
import { recordPricer, type ParcelRow, type UnpricedReason } from './recordprice.ts'

/** What prices the parcels of an account. */
export interface Pricing {
  readonly price: ReturnType<typeof recordPricer>
  /** The card's name. */
  readonly card: string
  /** Prices parcels again that have a price. */
  readonly again: boolean
  /** Saves nothing. */
  readonly dry: boolean
  /** ms UTC. */
  readonly now: number
}

/** The pricing of an account by a card, the one in use without a name. Throws `not_found`. */
export function* pricingBy(
  account: number,
  named: string | undefined,
  over: Pick<Pricing, 'again' | 'dry' | 'now'>,
): Work<Pricing> {
  const versions: Versions = named === undefined ? yield* versionsInUse(account) : yield* cardVersions(account, named)
  const warehouses = yield* listWarehouses(account)
  const pincodes = new Map(warehouses.map(({ id, pincode }) => [id, pincode]))
  return { ...over, card: versions[0].name, price: recordPricer(versions, pincodes) }
}

/** A parcel without a price, by its AWB or its id. */
interface RefusedParcel {
  readonly reason: UnpricedReason
  readonly why: string | undefined
  readonly name: string
}

/** What became of a batch of parcels. */
export interface PricedBatch {
  readonly seen: number
  readonly priced: number
  /** The prices together, paise before GST. */
  readonly total: number
  /** Parcels that had a price already. */
  readonly known: number
  /** Parcels without a courier. */
  readonly open: number
  readonly refused: readonly RefusedParcel[]
  /** The cursor of the next batch; undefined at the end. */
  readonly next: readonly string[] | undefined
}

interface Line extends ParcelRow, Record<string, unknown> {
  readonly id: string
  readonly at: number
  readonly has: number
  readonly tracking_number: string | null
}

const own = 'carrier_id, warehouse_id, zone, is_cod, applied_weight, pincode, tracking_number'

/** What a page of parcels needs for their prices. */
const pageColumns = ({ dialect, account }: Plan): Sql => sql`${raw(
  own
    .split(', ')
    .map((name) => `r.${name}`)
    .join(', '),
)}, coalesce(r.picked_up_at, r.ready_for_pickup_at, nullif(r.created_at, 0)) as day_at, ${dialect.attributes} as a,
  case when exists (select 1 from charges c where c.account_id = ${account} and c.shipment_id = r.id)
    then 1 else 0 end as has,
  (select o.doc from orders o where o.account_id = ${account} and o.shipment_id = r.id limit 1) as order_doc`

/**
 * Prices the next parcels of a listing, `limit` at most, and saves their charges. `total` is the number of all that
 * match, if it is known. Throws nothing for a parcel without a price: it is among the `refused`.
 */
export function* priceSome(
  scope: Scope,
  pricing: Pricing,
  input: Query,
  limit: number,
  total: number,
): Work<PricedBatch> {
  const plan = planOf({ ...scope, mostBytes: undefined }, 'shipment', input)
  const survey = yield* surveyOf(plan, limit)
  const page = pageStatement(plan, accessPathOf(plan, survey, total, limit), total, 0, limit, pageColumns(plan))
  const { amount } = scope.dialect
  const found = yield* rows<Line>(
    sql`select ${raw(own)}, id, at, day_at, has, order_doc, ${amount('total_price')} as worth,
      ${amount('cod_amount')} as collected, ${inside('carrier', 'name')} as carrier_name from (${page}) q`,
  )
  const charges: NewCharges[] = []
  const refused: RefusedParcel[] = []
  let [sum, known, open] = [0, 0, 0]
  for (const line of found) {
    if (line.carrier_id === null && line.carrier_name === null) open++
    else if (line.has === 1 && !pricing.again) known++
    else {
      const price = pricing.price(line)
      if ('reason' in price)
        refused.push({ reason: price.reason, why: price.why, name: line.tracking_number ?? line.id })
      else {
        charges.push({ ...price.charges, shipment_id: line.id, quoted_by: 'card', quoted_at: pricing.now })
        sum += price.total
      }
    }
  }
  if (!pricing.dry) yield* pricing.again ? replaceCharges(scope.account, charges) : addCharges(scope.account, charges)
  const last = found.length < limit ? undefined : found.at(-1)!
  return {
    seen: found.length,
    priced: charges.length,
    total: sum,
    known,
    open,
    refused,
    next: last === undefined ? undefined : [String(last.at), last.id],
  }
}
