// Orders as an import has them: the items of a sheet with what flags and profile add, and the two places where they go, the
// engine's database and a deployment (docs/bulk.md, Orders).
import type { RemoteService } from '../../../client/service.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { rupeesOf } from '../../../domain/money.ts'
import { readOrderAnswer } from '../../../domain/foreign/orderanswer.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import { maxPerPage } from '../../../domain/page.ts'
import { parseInput } from '../../../domain/parse.ts'
import { differences } from '../../../domain/orderdiff.ts'
import { readRecord } from '../../../domain/foreign/records.ts'
import type { Shipment } from '../../../domain/parcels/shipments.ts'
import { createOrders, foreseeOrders, ordersThere, type Placed } from '../../../engine/orders/orders.ts'
import type { Context } from '../../command/context.ts'
import { showMoney } from '../../output/display.ts'
import { accountHere, here, testEngine } from '../../source/thiscomputer.ts'
import { paid } from '../../../domain/rates/pricing.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { sourceOf } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'
import type { Target as Place } from '../../command/target.ts'
import type { Failure, Item, Kind, Label, Opening, Outcome, Target, Wanted } from '../importer.ts'
import { forEachOf } from '../../listings/inorder.ts'
import { sheetColumns } from './columns.ts'
import { orderReader, type OrderPlan, type OrderReader, type SheetOrder } from './sheet.ts'
import { orderRows } from './template.ts'
import { bulkPace } from '../../source/pace.ts'

/** How orders are created: with a courier or without. */
export interface OrderWay {
  readonly assign: boolean
}

/** The import of orders under a plan. */
export function orderKind(context: Context, plan: OrderPlan, way: OrderWay): Kind<OrderCreate> {
  const { orders, late } = orderReader(plan)
  return {
    noun: ['order', 'orders'],
    columns: sheetColumns,
    items: itemsOf(context, orders),
    claims: true,
    late: (line) => {
      const fault = late(line)
      return fault === undefined ? undefined : failureOf([fault], line)
    },
    open: async (opening) => {
      const target = await context.target()
      if (target.kind === 'embedded') return embedded(opening, way, await sourceOf(context, opening.use))
      return remote(opening, way, await sourceOf(context, opening.use, bulkPace(opening.max_rps, opening.stop)), target)
    },
    template: orderRows('api', context.io.host.now()),
  }
}

/* ---- Items ---- */

/** Orders that are handed on at once. */
const step = 100

/** Notes that are told one by one. */
const notesShown = 10

function itemsOf(context: Context, orders: OrderReader['orders']): Kind<OrderCreate>['items'] {
  return async function* (sheet, _, names) {
    const notes: string[] = []
    let count = 0
    let batch: Item<OrderCreate>[] = []
    for await (const order of orders(sheet, names)) {
      count += order.notes.length
      if (notes.length < notesShown) notes.push(...order.notes)
      batch.push(itemOf(order))
      if (batch.length < step) continue
      yield batch
      batch = []
    }
    if (batch.length > 0) yield batch
    if (count === 0) return
    const shown = notes.slice(0, notesShown)
    await context.warn(
      [
        ...shown,
        ...(count > shown.length ? [`and ${(count - shown.length).toLocaleString('en-IN')} more such lines`] : []),
      ].join('\n'),
    )
  }
}

function itemOf({ order_id, rows, input, faults }: SheetOrder): Item<OrderCreate> {
  const [first, ...more] = rows
  const item = { rows: [first!, ...more] as const, name: order_id, value: input }
  return { ...item, failure: input === undefined ? failureOf(faults, first!.line) : undefined }
}

/** The faults of an order that begins in a line, as one. */
function failureOf(faults: readonly Fault[], line: number): Failure {
  const sentence = ({ field, message, row }: Fault): string =>
    `${field === null ? '' : `${field} `}${message}${row === line || row == null ? '' : ` (line ${row})`}`
  const code = faults.some(({ field }) => field === null) ? 'invalid_file' : 'invalid_input'
  return { code, message: faults.map(sentence).join('; ') }
}

/* ---- What is there ---- */

/** How an order that is there compares with the one that is wanted: the same, or why it cannot be the same. */
function standing(input: OrderCreate, there: Shipment): 'unchanged' | Failure {
  const fields = differences(input, there)
  if (fields.length === 0) return 'unchanged'
  const tracking = there.attributes.tracking_number
  const number = tracking == null ? 'without a tracking number yet' : `tracking number ${tracking}`
  return {
    code: 'duplicate_order',
    message: `this order is there already (${number}), with another ${fields.join(', ')}`,
  }
}

const labelOf = (input: OrderCreate, there: Shipment | undefined): Label => {
  if (there === undefined) return 'create'
  return standing(input, there) === 'unchanged' ? 'unchanged' : 'conflict'
}

/* ---- The engine's database ---- */

function embedded({ context }: Opening, { assign }: OrderWay, { engine, close }: Source): Target<OrderCreate> {
  const { database, account } = engine!
  const { host } = context.io
  /** What the orders that would be created cost, paise. */
  let freight = 0
  let made = 0
  const result = (input: OrderCreate, placed: Placed): Outcome | Failure => {
    if ('there' in placed) return standing(input, placed.there)
    if ('refused' in placed) return refusal(input, placed.refused)
    made++
    return 'created'
  }
  return {
    name: accountHere(context),
    // What the engine would refuse is found before anything is asked.
    label: async (wanted) => {
      const there = await database.read(() =>
        ordersThere(
          account,
          wanted.map(({ name }) => name),
        ),
      )
      const fresh = wanted.filter(({ name }) => !there.has(name))
      const foreseen = await database.read(() =>
        foreseeOrders(
          database.dialect,
          account,
          host,
          fresh.map(({ value }) => value),
          assign,
        ),
      )
      const byName = new Map(fresh.map(({ name }, i) => [name, foreseen[i]!]))
      return wanted.map(({ value, name }) => {
        const one = byName.get(name)
        if (one === undefined) return labelOf(value, there.get(name))
        if ('refused' in one) return refusal(value, one.refused)
        freight += one.offer === undefined ? 0 : paid(one.offer)
        return 'create'
      })
    },
    forecast: () => (assign ? `about ${wholeRupees(freight, context.screen)} freight` : undefined),
    way: {
      kind: 'batches',
      save: async (wanted) => {
        const inputs = wanted.map(({ value }) => value)
        const placed = await database.write(() => createOrders(database.dialect, account, host, inputs, assign))
        return placed.map((one, i) => result(inputs[i]!, one))
      },
    },
    close: async () => {
      if (made > 0) await context.note(`Saved ${here(context)}${assign ? `; ${testEngine('the AWBs are')}` : ''}.`)
      made = 0
      await close()
    },
  }
}

/** Why the engine refuses an order, with what helps. */
function refusal({ warehouse_id: id }: OrderCreate, { code, message }: ShipxError): Failure {
  return {
    code,
    message: code === 'unknown_warehouse' ? `${message}; shipx local warehouse set ${quoted(id)} <pincode>` : message,
  }
}

const wholeRupees = (paise: number, screen: Context['screen']): string =>
  showMoney(Math.round(rupeesOf(paise)), screen).replace(/\.00$/, '')

/* ---- A deployment ---- */

type Remote = Extract<Place, { kind: 'remote' }>

/** Ids that are looked up in one question, so that their records fit on its page. */
const asked = 50

/** Questions under way at once. */
const atOnce = 4

/** Conflicts whose reasons are remembered. */
const mostConflicts = 10_000

async function remote(
  { context }: Opening,
  { assign }: OrderWay,
  source: Source,
  { base_url, key, profile }: Remote,
): Promise<Target<OrderCreate>> {
  const { digest } = context.io.host
  const client = source.remote!
  const identity = digest(`orders\n${base_url}\n${key}`)
  const endpoint = assign ? 'orchestrateForwardOrder' : 'createForwardOrder'
  // A cheap read: is the key right, and what can the service do?
  if (client.capabilities() === undefined)
    await client.listStores({}).catch(async (error: unknown) => {
      await source.close()
      throw error
    })
  const can = (capability: 'idempotency' | 'extra_filters'): boolean => client.capabilities()?.has(capability) === true
  const conflicts = new Map<string, Failure>()
  /** Orders that were recorded and that no courier took. */
  /** Orders that no courier took, with the deployment's reason. */
  const bare = new Map<string, string | undefined>()
  let told = false

  const note = (input: OrderCreate, there: Shipment | undefined): Label => {
    const found = there === undefined ? 'unchanged' : standing(input, there)
    if (found !== 'unchanged' && conflicts.size < mostConflicts) conflicts.set(input.order_id, found)
    return labelOf(input, there)
  }
  const conflict = ({ name }: Wanted<OrderCreate>): Failure =>
    conflicts.get(name) ?? { code: 'duplicate_order', message: 'this order is there already, and differs' }

  return {
    name: profile ?? new URL(base_url).host,
    label: async (wanted) => {
      // What was saved by an earlier run of the same file needs no question; what cannot be asked for by its id alone is
      // looked up when its turn comes.
      const open = can('extra_filters') ? wanted.filter(({ before }) => before !== 'saved') : []
      const there = await byIds(
        client,
        open.map(({ name }) => name),
      )
      return wanted.map(({ value, name, before }) => (before === 'saved' ? 'unchanged' : note(value, there.get(name))))
    },
    way: {
      kind: 'singles',
      identity,
      conflict,
      abandon: source.close,
      send: async ({ value }) => {
        // Where nothing makes sure that it is created once, an earlier run may have created it (docs/http.md, The client).
        if (!can('idempotency')) {
          const there = await lookedUp(client, value.order_id)
          if (there !== undefined) return standing(value, there)
        }
        let replayed = false
        try {
          const idempotency_key = `shipx-import-${digest(`${identity}\n${endpoint}\n${JSON.stringify(value)}`)}`
          const answer = readOrderAnswer(
            await client[endpoint](value, { idempotency_key, onReplay: () => (replayed = true) }),
          )
          if (assign && answer.awb === undefined) bare.set(value.order_id, answer.reason)
          return replayed ? 'unchanged' : 'created'
        } catch (error) {
          if (!(error instanceof ShipxError) || error.code !== 'duplicate_order') throw error
          // Perhaps an earlier run of this import, or somebody else at the same time.
          const there = await lookedUp(client, value.order_id)
          if (there === undefined) throw error
          return standing(value, there)
        }
      },
    },
    close: async () => {
      if (bare.size > 0 && !told) {
        told = true
        const reasons = [...new Set(bare.values())].filter((reason) => reason !== undefined).slice(0, 3)
        const why = reasons.length === 0 ? '' : ` (${reasons.map((reason) => safe(reason)).join('; ')})`
        await context.warn(
          `recorded, but no courier took ${bare.size === 1 ? 'it' : 'them'}: ${named([...bare.keys()])}${why}`,
        )
      }
      await source.close()
    },
    lacking: () => bare.size,
  }
}

const named = (ids: readonly string[]): string =>
  `${ids
    .slice(0, 10)
    .map((id) => safe(id, 'id'))
    .join(', ')}${ids.length > 10 ? ` and ${(ids.length - 10).toLocaleString('en-IN')} more` : ''}`

const namesOf = ({ attributes: { order } }: Shipment): readonly (string | null | undefined)[] => [
  order?.external_id,
  order?.display_id,
]

/** The orders of some ids, where the service has a filter for them. */
async function byIds(client: RemoteService, ids: readonly string[]): Promise<ReadonlyMap<string, Shipment>> {
  const found = new Map<string, Shipment>()
  const parts = Array.from({ length: Math.ceil(ids.length / asked) }, (_, n) => ids.slice(n * asked, (n + 1) * asked))
  const one = async (part: readonly string[]): Promise<void> => {
    const { batches } = await client.walkShipments(
      parseInput('listShipments', { order_display_id: part, per_page: maxPerPage }),
    )
    for await (const { records } of batches)
      for (const record of records) {
        const shipment = readRecord('shipments', record)
        for (const name of namesOf(shipment)) if (name != null && !found.has(name)) found.set(name, shipment)
      }
  }
  await forEachOf(parts, one, atOnce)
  return found
}

/** The order of an id, as any deployment can be asked for it. */
async function lookedUp(client: RemoteService, order_id: string): Promise<Shipment | undefined> {
  const { batches } = await client.walkShipments(
    parseInput('listShipments', { search: order_id, per_page: maxPerPage }),
  )
  for await (const { records } of batches) {
    const found = records
      .map((record) => readRecord('shipments', record))
      .find((one) => namesOf(one).includes(order_id))
    if (found !== undefined) return found
  }
  return undefined
}
