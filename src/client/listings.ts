// The listings of a deployment: the question as it is sent, pages, walks, and filters that a deployment may not know.
import {
  contract,
  type Output,
  type Query,
  type ShippingService,
  type Walk,
  type WalkingService,
} from '../domain/contract.ts'
import { ShipxError } from '../domain/errors.ts'
import { defaultPerPage } from '../domain/page.ts'
import { addedFilters, isBound, listings, type Listing, type ListingName } from '../domain/parcels/listings.ts'
import { isoOf, readDay } from '../domain/time.ts'
import { readPage, type ReadPage } from './answers.ts'
import type { Deployment } from './deployment.ts'
import { matchingPage, matchingWalk, type OnDropped } from './matching.ts'
import type { RemoteOptions } from './options.ts'
import { walkerOf, type LaterPage } from './walk.ts'

/** The filter for order ids, and its name at deployments that announce nothing. */
const [orderFilter, orderFilterElsewhere] = ['order_display_id', 'order_display_id[]'] as const

/** The listings and their walks. */
export function listingCalls(
  deployment: Deployment,
  { now, strict = false }: Pick<RemoteOptions, 'now' | 'strict'>,
): Pick<ShippingService, ListingName> & Pick<WalkingService, 'walkShipments' | 'walkReturns'> {
  const listing =
    (name: ListingName) =>
    async (input: Query): Promise<Output<ListingName>> => {
      const found = await wholePage(deployment, name, input)
      const orders = ordersIn(input)
      const { records, meta } =
        orders === undefined ? found : matchingPage(found, orders, reportDropped(deployment, strict))
      return { records, meta }
    }
  const walk = (name: ListingName) => {
    const walkAll = walkerOf({
      kind: name === 'listShipments' ? 'shipments' : 'returns',
      page: (input, onward, early) => page(deployment, name, input, onward, early),
      byCursor: async () => (await deployment.learn()).has('search_after'),
      now,
      warn: (text) => deployment.warn(text),
      origin: deployment.origin,
    })
    return async (input: Query): Promise<Walk> => {
      const orders = ordersIn(input)
      const found = await walkAll(input)
      return orders === undefined ? found : matchingWalk(found, orders, reportDropped(deployment, strict))
    }
  }
  return {
    listShipments: listing('listShipments'),
    listReturns: listing('listReturns'),
    walkShipments: walk('listShipments'),
    walkReturns: walk('listReturns'),
  }
}

const ordersIn = (input: Query): readonly string[] | undefined =>
  orderFilter in input && input[orderFilter]?.length !== 0 ? input[orderFilter] : undefined

/** One page; `onward` and `early` are those of a walk. */
async function page(
  deployment: Deployment,
  name: ListingName,
  input: Query,
  onward?: LaterPage,
  early?: (bytes: Buffer) => void,
): Promise<ReadPage> {
  const { [orderFilter]: orders, ...rest } = questionOf(name, input)
  if (onward === undefined) await checkSupport(deployment, name, rest)
  // Our own service knows both names; of others it is known that they accept only the second, if any.
  const filter = deployment.capabilities?.has('extra_filters') === true ? orderFilter : orderFilterElsewhere
  const body = orders === undefined ? rest : { ...rest, [filter]: orders }
  const request = { path: contract[name].path, json: JSON.stringify(body), signal: onward?.signal, early }
  return deployment.value({ row: contract[name], request, read: (got) => readPage(got, input) })
}

/** Throws `not_supported` where the service would silently answer with everything, or with the first page again. */
async function checkSupport(
  deployment: Deployment,
  name: ListingName,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const fields = ['search_after', ...addedFilters(listings[name])].filter((field) => body[field] !== undefined)
  if (fields.length === 0) return
  const can = await deployment.learn()
  const details = fields
    .filter((field) => !can.has(field === 'search_after' ? 'search_after' : 'extra_filters'))
    .map((field) => ({ field, message: `is not known to ${deployment.origin}, which would answer with everything` }))
  if (details[0] === undefined) return
  throw new ShipxError('not_supported', `${details[0].field} ${details[0].message}`, { details })
}

/** A page of the wanted length, from a deployment that ends pages early: our own service limits the bytes of a page. */
async function wholePage(deployment: Deployment, name: ListingName, input: Query): Promise<ReadPage> {
  const wanted = input.per_page ?? defaultPerPage
  const first = await page(deployment, name, input)
  let [found, asked] = [first, wanted]
  const records = [...first.records]
  for (
    let after = cursorOf(deployment, found, asked);
    after !== undefined;
    after = cursorOf(deployment, found, asked)
  ) {
    asked = wanted - records.length
    const next = { page: undefined, per_page: asked, search_after: [...after], next_search_after: undefined }
    found = await page(deployment, name, { ...input, ...next } as Query)
    records.push(...found.records)
  }
  return found === first
    ? first
    : { ...found, records, meta: { ...found.meta, current_page: first.meta.current_page, per_page: wanted } }
}

/** Where a page continues that ended early, as its `per_page` says. */
function cursorOf(
  deployment: Deployment,
  { records, meta }: ReadPage,
  asked: number,
): readonly [string, string] | undefined {
  const [value, id] = meta.next_search_after
  const full = records.length > 0 && records.length === meta.per_page
  const early = full && meta.per_page < asked && deployment.capabilities?.has('search_after') === true
  return early && value !== undefined && id !== undefined ? [value, id] : undefined
}

/**
 * Warns once that the deployment does not filter by orders; throws `filter_ignored` instead where `strict` asks for
 * that.
 */
function reportDropped(deployment: Deployment, strict: boolean): OnDropped {
  let warned = false
  return (count) => {
    const records = `${count} ${count === 1 ? 'record' : 'records'}`
    const message = `${deployment.origin} does not know the filter order_display_id and sent ${records} of other orders`
    if (strict) throw new ShipxError('filter_ignored', message, { hint: 'use search instead' })
    if (!warned) deployment.warn(`${message}; shipx leaves them out`)
    warned = true
  }
}

/**
 * A listing's question as it is sent: without filters that filter nothing, with one name for the cursor, and with bare
 * dates as the instants that they mean in IST, because other deployments may read them in another way.
 */
function questionOf(name: ListingName, input: Query): Readonly<Record<string, unknown>> {
  const { next_search_after, search_after = next_search_after, ...rest } = input
  const filters: Listing['filters'] = listings[name].filters
  const body: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(rest)) {
    const blank = (field === 'search' && String(value).trim() === '') || (Array.isArray(value) && value.length === 0)
    if (value === undefined || blank) continue
    const filter = filters[field]
    const day = filter !== undefined && isBound(filter) && typeof value === 'string' ? readDay(value) : undefined
    body[field] = day === undefined ? value : isoOf(day[filter?.comparison === 'at_least' ? 0 : 1])
  }
  return search_after === undefined ? body : { ...body, search_after }
}
