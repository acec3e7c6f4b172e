// Prices the parcels that have a courier and no charges, a batch of a listing at a time (docs/guides/cost.md).
import sql, { type Sql } from 'sql-template-tag'
import type { Query } from '../../domain/contract.ts'
import type { Versions } from '../../domain/rates/cardversions.ts'
import { cardVersions, versionsInUse } from '../accounts/ratecards.ts'
import { listWarehouses } from '../accounts/settings.ts'
import { rows, type Work } from '../database/port.ts'
import { addCharges, replaceCharges, type NewCharges } from '../records/charges.ts'
import { accessPathOf, pageRows, withEach } from '../records/fetch.ts'
import { planOf, type Plan, type Scope } from '../records/plan.ts'
import { surveyOf } from '../records/survey.ts'
import { parcelColumns, withAmounts, type SavedParcel } from './parcelrows.ts'
import { recordPricer, type UnpricedReason } from './recordprice.ts'

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

interface Line extends SavedParcel {
  readonly at: number
  readonly has: number
}

/** What the prices of a page of parcels need. */
const parcelsOf = (plan: Plan, page: Sql): Sql =>
  sql`select ${parcelColumns(plan.account)}, p.at,
      case when exists (select 1 from charges c where c.account_id = ${plan.account} and c.shipment_id = r.id)
        then 1 else 0 end as has
    ${withEach(plan, page, 'records', 'r')}`

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
  const page = pageRows(plan, accessPathOf(plan, survey, total, limit), 0, limit)
  const found = yield* withAmounts(scope, yield* rows<Line>(parcelsOf(plan, page)))
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
