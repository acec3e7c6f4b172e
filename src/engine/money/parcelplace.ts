// Where parcels are found: an account, and what of it knows their weights and their pickups.
import type { Dialect, Work } from '../database/port.ts'
import { hasManifests } from '../orders/handover.ts'
import { keepsOrders } from '../orders/parcelrows.ts'
import { keepsSkus } from './skusizes.ts'

/** Where parcels are looked for. */
export interface ParcelPlace {
  readonly dialect: Pick<Dialect, 'planning'>
  readonly account: number
  /** The pincodes of warehouses by their id. */
  readonly warehouses: ReadonlyMap<string, string>
  /** Whether the account has orders of its own, which know what a parcel weighs. */
  readonly orders: boolean
  /** Whether the account keeps the weights of SKUs. */
  readonly skus: boolean
  /** Whether the account prints manifests, which may say that a courier did not take a parcel. */
  readonly manifests: boolean
}

/** The place of parcels where nothing is saved yet. */
export const noParcels: ParcelPlace = {
  dialect: { planning: undefined },
  account: 0,
  warehouses: new Map(),
  orders: false,
  skus: false,
  manifests: false,
}

/** What finds parcels of an account; looks once whether it has orders of its own, and weights of SKUs. */
export function* parcelPlace(
  dialect: Dialect,
  account: number,
  warehouses: ReadonlyMap<string, string>,
): Work<ParcelPlace> {
  return {
    dialect,
    account,
    warehouses,
    orders: yield* keepsOrders(account),
    skus: yield* keepsSkus(account),
    manifests: yield* hasManifests(account),
  }
}
