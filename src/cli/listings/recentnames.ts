// Names in the newest records of a deployment, which has no list of its couriers, warehouses, channels, SKUs, tags or
// cities.
import { ShipxError } from '../../domain/errors.ts'
import type { ListingName } from '../../domain/parcels/listings.ts'
import { maxPerPage } from '../../domain/page.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { cityKey } from '../../domain/read/places.ts'
import type { NameKind } from '../../engine/records/absentnames.ts'
import type { Source } from '../source/source.ts'
import type { Kind } from './listing.ts'

type Sent = Shipment['attributes']
type Back = Return['attributes']

/** What records of either kind say. */
interface Attributes {
  readonly order?: Sent['order'] | Back['order']
  readonly carrier?: Sent['carrier']
  readonly shipment?: Back['shipment']
  readonly warehouse_id?: Sent['warehouse_id']
  readonly items?: Sent['items']
  readonly return_items?: Back['return_items']
  readonly tags?: Sent['tags']
  readonly shipping_address?: Sent['shipping_address']
}

/** A name that something there has, and its other name. */
export type There = readonly [name: string, about?: string]

type Name = readonly [name: string | null | undefined, about?: string | null | undefined]

/** Where a record of either kind holds each name. */
const homes: Readonly<Record<NameKind, (attributes: Attributes) => readonly Name[]>> = {
  store: ({ order }) => [[order?.store_name]],
  courier: ({ carrier, shipment }) => [carrier, shipment?.carrier].map((one) => [one?.id, one?.name] as const),
  warehouse: ({ warehouse_id }) => [[warehouse_id]],
  channel: ({ order }) => [[order?.channel]],
  sku: ({ items, return_items }) => [...(items ?? []), ...(return_items ?? [])].map(({ sku }) => [sku] as const),
  tag: ({ tags }) => (tags ?? []).map((tag) => [tag] as const),
  city: ({ shipping_address }) => [[cityKey(shipping_address?.city ?? '')]],
}

/** A courier that records name, by its id and name. */
export type NamedCourier = { readonly carrier_id: string; readonly carrier_name: string }

/** The couriers that records from a service name. */
export function couriersIn(records: readonly string[]): readonly NamedCourier[] {
  const found = new Map<string, NamedCourier>()
  for (const text of records) {
    const { attributes } = JSON.parse(text) as { readonly attributes?: Attributes | null }
    for (const [id, name] of homes.courier(attributes ?? {}))
      if (typeof id === 'string' && typeof name === 'string' && name !== '')
        found.set(id, { carrier_id: id, carrier_name: name })
  }
  return [...found.values()]
}

/** The names of each kind in a page of the newest records of a listing, each once. Throws what the listing throws. */
export async function recentNames<R>(
  kind: Kind<R>,
  { service }: Source,
): Promise<Readonly<Record<NameKind, readonly There[]>>> {
  const { records } = await service[kind.endpoint]({ per_page: maxPerPage })
  const read = records.map((text) => (kind.read(text) as { readonly attributes: Attributes }).attributes)
  const namesOf = (what: NameKind): readonly There[] => {
    const found = new Map<string, There>()
    for (const [name, about] of read.flatMap(homes[what]))
      if (typeof name === 'string' && name !== '')
        found.set(name, typeof about === 'string' && about !== '' ? [name, about] : [name])
    return [...found.values()].toSorted(([a], [b]) => (a < b ? -1 : 1))
  }
  return {
    store: namesOf('store'),
    courier: namesOf('courier'),
    warehouse: namesOf('warehouse'),
    channel: namesOf('channel'),
    sku: namesOf('sku'),
    tag: namesOf('tag'),
    city: namesOf('city'),
  }
}

/**
 * How many records of a listing a deployment counts under a name; undefined where it does not say. A deployment that
 * ignores the filter counts all of them.
 */
export async function recordsNaming(
  { remote }: Source,
  listing: ListingName,
  field: string,
  name: string,
): Promise<number | undefined> {
  try {
    return await remote!.total(listing, {}, { [field]: [name] })
  } catch (error) {
    if (error instanceof ShipxError && error.kind !== 'interrupted') return undefined
    throw error
  }
}
