// A deployment as the target of an order import: sends each order by itself and creates it only once
// (docs/guides/sheets.md, Orders).
import type { RemoteService } from '../../../client/service.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { readOrderAnswer } from '../../../domain/foreign/orderanswer.ts'
import { readRecord } from '../../../domain/foreign/records.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import { maxPerPage } from '../../../domain/page.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import { parseInput } from '../../../domain/parse.ts'
import type { Context } from '../../command/context.ts'
import type { targetOf } from '../../config/target.ts'
import { forEachOf } from '../../listings/inorder.ts'
import type { Source } from '../../source/source.ts'
import { count } from '../../../domain/count.ts'
import { safe } from '../../terminal/safe.ts'
import type { Failure, Label, Opening, Outcome, Wanted } from '../importer.ts'
import type { Lookup, Making, OrderTarget } from './calledoff.ts'
import { compareOrder, type Shown } from './comparison.ts'
import { standing, type Standing } from './standing.ts'
import { there } from '../../source/place.ts'

type Remote = Extract<Awaited<ReturnType<typeof targetOf>>, { kind: 'remote' }>

/** Ids in one request, so that their records fit on its page. */
const idsAtOnce = 50

/** Requests under way at once. */
const atOnce = 4

/** How many reasons of conflicts are kept. */
const mostConflicts = 10_000

/** What an order import knows about its deployment, and what it has found there. */
interface RemoteOrders {
  readonly client: RemoteService
  /** A hash of the deployment's address and the key. */
  readonly identity: string
  readonly digest: (text: string) => string
  readonly assign: boolean
  readonly shown: Shown
  readonly stands: Standing
  /** Why orders at the deployment differ from those in the file, by id. */
  readonly conflicts: Map<string, Failure>
  /** Orders that no courier took, with the deployment's reason. */
  readonly bare: Map<string, string | undefined>
}

const can = (client: RemoteService, capability: 'idempotency' | 'extra_filters'): boolean =>
  client.capabilities()?.has(capability) === true

/** Sends orders to a deployment. Throws what its first answer throws: an unknown key, for example. */
export async function remoteTarget(
  { context }: Opening,
  { assign, shown }: Making,
  source: Source,
  remote: Remote,
): Promise<OrderTarget> {
  const { digest } = context.io.host
  const client = source.remote!
  const identity = digest(`orders\n${remote.base_url}\n${remote.key}`)
  // A cheap read that checks the key and learns the capabilities.
  if (client.capabilities() === undefined)
    await client.listStores({}).catch(async (error: unknown) => {
      await source.close()
      throw error
    })
  const stands = standing(there(remote), shown)
  const told = { assign, shown, stands }
  const orders: RemoteOrders = { client, identity, digest, ...told, conflicts: new Map(), bare: new Map() }
  let warned = false
  return {
    where: there(remote),
    lookup: { place: there(remote), find: can(client, 'extra_filters') ? findWith(client) : undefined },
    label: (wanted) => labelOrders(orders, wanted),
    differences: stands.differences,
    notes: stands.cancelled,
    way: {
      kind: 'singles',
      identity,
      conflict: ({ name }) =>
        orders.conflicts.get(name) ?? { code: 'duplicate_order', message: 'this order is there already, and differs' },
      abandon: source.close,
      send: ({ value }) => sendOrder(orders, value),
    },
    close: async () => {
      if (!warned) await warnBare(context, orders.bare)
      warned = true
      await source.close()
    },
    lacking: () => orders.bare.size,
  }
}

/** What shipx would do with each order; keeps the reasons of conflicts. */
async function labelOrders(
  { client, conflicts, shown, stands }: RemoteOrders,
  wanted: readonly Wanted<OrderCreate>[],
): Promise<readonly Label[]> {
  // An order that an earlier run of the same file saved needs no request. Where the service has no filter for ids, each
  // order is looked up just before it is sent.
  const open = can(client, 'extra_filters') ? wanted.filter(({ before }) => before !== 'saved') : []
  const known = await ordersById(
    client,
    open.map(({ name }) => name),
  )
  return wanted.map(({ value, name, before }) => {
    if (before === 'saved') return 'unchanged'
    const shipment = known.get(name)
    const there = shipment === undefined ? undefined : { shipment }
    const found = there === undefined ? 'unchanged' : compareOrder(value, there, shown)
    if (found !== 'unchanged' && conflicts.size < mostConflicts) conflicts.set(value.order_id, found)
    return stands.label(value, there)
  })
}

/** Creates an order once. Throws the deployment's error, unless it only reports that the same order exists. */
async function sendOrder(orders: RemoteOrders, value: OrderCreate): Promise<Outcome | Failure> {
  const { client, identity, digest, assign, shown, bare } = orders
  // Without an idempotency key, an earlier run may have created it (docs/reference/http.md, The client).
  if (!can(client, 'idempotency')) {
    const there = await orderById(client, value.order_id)
    if (there !== undefined) return compareOrder(value, { shipment: there }, shown)
  }
  const endpoint = assign ? 'orchestrateForwardOrder' : 'createForwardOrder'
  const idempotency_key = `shipx-import-${digest(`${identity}\n${endpoint}\n${JSON.stringify(value)}`)}`
  let replayed = false
  try {
    const sent = await client[endpoint](value, { idempotency_key, onReplay: () => (replayed = true) })
    const answer = readOrderAnswer(sent)
    if (assign && answer.awb === undefined) bare.set(value.order_id, answer.reason)
    return replayed ? 'unchanged' : 'created'
  } catch (error) {
    if (!(error instanceof ShipxError) || error.code !== 'duplicate_order') throw error
    // An earlier run of this import, or another user, may have created it.
    const there = await orderById(client, value.order_id)
    if (there === undefined) throw error
    return compareOrder(value, { shipment: there }, shown)
  }
}

/** Lists the orders that no courier took, with the deployment's reasons. */
async function warnBare(context: Context, bare: RemoteOrders['bare']): Promise<void> {
  if (bare.size === 0) return
  const reasons = [...new Set(bare.values())].filter((reason) => reason !== undefined).slice(0, 3)
  const why = reasons.length === 0 ? '' : ` (${reasons.map((reason) => safe(reason)).join('; ')})`
  const whom = bare.size === 1 ? 'it' : 'them'
  await context.warn(`recorded, but no courier took ${whom}: ${namesText([...bare.keys()])}${why}`)
}

const namesText = (ids: readonly string[]): string =>
  `${ids
    .slice(0, 10)
    .map((id) => safe(id, 'id'))
    .join(', ')}${ids.length > 10 ? ` and ${count(ids.length - 10)} more` : ''}`

const orderNames = ({ attributes: { order } }: Shipment): readonly (string | null | undefined)[] => [
  order?.external_id,
  order?.display_id,
]

/** The orders of these ids, where the service has a filter for them. */
async function ordersById(client: RemoteService, ids: readonly string[]): Promise<ReadonlyMap<string, Shipment>> {
  const found = new Map<string, Shipment>()
  const parts = Array.from({ length: Math.ceil(ids.length / idsAtOnce) }, (_, n) =>
    ids.slice(n * idsAtOnce, (n + 1) * idsAtOnce),
  )
  const one = async (part: readonly string[]): Promise<void> => {
    const { batches } = await client.walkShipments(
      parseInput('listShipments', { order_display_id: part, per_page: maxPerPage }),
    )
    for await (const { records } of batches)
      for (const record of records) {
        const shipment = readRecord('shipments', record)
        for (const name of orderNames(shipment)) if (name != null && !found.has(name)) found.set(name, shipment)
      }
  }
  await forEachOf(parts, one, atOnce)
  return found
}

/** Finds called-off orders where the service has a filter for ids. */
const findWith =
  (client: RemoteService): NonNullable<Lookup['find']> =>
  async (ids) =>
    new Map([...(await ordersById(client, ids))].map(([id, shipment]) => [id, { shipment }]))

/** The order of an id, from a request that any deployment can answer. */
async function orderById(client: RemoteService, order_id: string): Promise<Shipment | undefined> {
  const { batches } = await client.walkShipments(
    parseInput('listShipments', { search: order_id, per_page: maxPerPage }),
  )
  for await (const { records } of batches) {
    const found = records
      .map((record) => readRecord('shipments', record))
      .find((one) => orderNames(one).includes(order_id))
    if (found !== undefined) return found
  }
  return undefined
}
