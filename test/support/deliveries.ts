// Messages for tests of delivery: parcels that courier's scans move, a clock that is moved, and workers as commands make them.
import { randomUUID } from 'node:crypto'
import { posterOf, type Poster } from '../../src/delivery/post.ts'
import { systemResolve, type Resolve } from '../../src/delivery/publicaddress.ts'
import type { Render } from '../../src/delivery/attempt.ts'
import { channelsOf, type SettingOverrides } from '../../src/delivery/channels.ts'
import { deliver, type DeliveryCounts, type Job } from '../../src/delivery/worker.ts'
import type { ForwardEvent } from '../../src/domain/parcels/journeys.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { listMessages, type MessageFilter, type ShownMessage } from '../../src/engine/messages/queue.ts'
import { messageMaker } from '../../src/engine/messages/outbox.ts'
import { track } from '../../src/engine/tracking.ts'
import type { Host } from '../../src/engine/runtime.ts'
import { testHost, testNow, type TestEngine } from './engine.ts'

/** A secret that gateways of tests know. */
export const secret = 'whsec_c2hpcHgtdGVzdHMtc2hpcHgtdGVzdHMtc2hpcHg='

/** A host whose clock can be moved. */
export function movedHost(): { readonly host: Host; now: number } {
  const moved = { now: testNow, host: { ...testHost(), uuid: randomUUID, now: (): number => moved.now } }
  return moved
}

/** A parcel that waits for its courier. */
export const parcel = (id: string, more: Partial<Shipment['attributes']> = {}): Shipment => ({
  id,
  type: 'shipment',
  attributes: {
    tracking_number: `AWB${id}`,
    status: 'ready_for_pickup',
    granular_status: 'ready_for_pickup',
    created_at: new Date(testNow - 100 * 3_600_000).toISOString(),
    attempt_count: 0,
    shipment_milestones: [],
    tracking_details: [],
    order: { display_id: `ORDER-${id}`, store_name: 'acme' },
    shipping_address: { name: 'Asha', phone: '98765 43210', city: 'Pune', zip: '411001' },
    items: [{ id: '1', quantity: 1, price: 1, name: 'Romper', sku: 'CR-1' }],
    ...more,
  },
})

/** Lets events happen to parcels, one transaction for each event. */
export async function happens(
  engine: TestEngine,
  ids: readonly string[],
  ...events: readonly ForwardEvent[]
): Promise<void> {
  // prettier-ignore
  const { database, account, host } = engine
  for (const event of events) {
    const scans = ids.map((id) => ({
      tracking: `AWB${id}`,
      id: randomUUID(),
      event,
      at: host.now(),
      reason: null,
      location: null,
      description: null,
    }))
    await database.write(() => track(database.dialect, account, host, scans, messageMaker(account, host)))
  }
}

/** Saves parcels that are picked up at once: a message for each. */
export async function shipped(
  engine: TestEngine,
  count: number,
  more: Partial<Shipment['attributes']> = {},
): Promise<readonly string[]> {
  // prettier-ignore
  const ids = Array.from({ length: count }, (_, n) => `p${n}`)
  await engine.save(
    'shipment',
    ids.map((id) => parcel(id, more)),
  )
  await happens(engine, ids, 'picked_up')
  return ids
}

/** All messages of an engine, the oldest first. */
export const messagesIn = async (
  { database, account }: TestEngine,
  filter: MessageFilter = {},
): Promise<readonly ShownMessage[]> =>
  (await database.read(() => listMessages(account, filter, 100_000), 'single')).toReversed()

/** A text that shows what was rendered. */
export const render: Render = async (facts, brand, { store_name }, logo) => ({
  language: 'en',
  subject: `${facts.order ?? ''} is ${facts.step}`,
  text: `${brand?.brand_name ?? store_name ?? ''}: ${facts.order ?? ''} ${facts.step}`,
  parts: { encoding: 'GSM-7', count: 1 },
  html: `<p>${facts.step}</p>${brand?.logo == null || logo === 'none' ? '' : '<img src="cid:logo@shipx">'}`,
  dlt: null,
})

/** What a run of a worker may be told otherwise. */
export interface Telling {
  readonly over?: SettingOverrides
  readonly allowPrivate?: boolean
  readonly resolve?: Resolve
  readonly job?: Partial<Job>
  readonly faults?: string[]
}

/** Runs a worker over an engine's messages until nothing is due. */
export async function work(
  engine: TestEngine,
  { over = {}, allowPrivate = true, resolve = systemResolve, job = {}, faults = [] }: Telling,
): Promise<DeliveryCounts> {
  // prettier-ignore
  const { database, account, host } = engine
  const poster: Poster = posterOf({ resolve, allowPrivate, connections: 16, ca: undefined })
  const ways = channelsOf(
    {
      database,
      poster,
      resolve,
      allowPrivate,
      connections: 4,
      ca: undefined,
      clock: () => Date.now(),
      ticks: () => performance.now(),
      render: async () => render,
      over: { secret, ...over },
      fault: (message) => faults.push(message),
    },
    account,
  )
  try {
    return await deliver({
      database,
      account,
      host,
      ways: ways.now,
      concurrency: 16,
      limit: Infinity,
      watch: false,
      quiet: true,
      stop: new AbortController().signal,
      ticks: () => performance.now(),
      random: () => 0.5,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      warn: async () => undefined,
      ...job,
    })
  } finally {
    ways.close()
    await poster.close()
  }
}
