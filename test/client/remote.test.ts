// Defends the HTTP client against deployments that are not ours, connections that break at the worst moment, answers that
// are none, and whoever would like to have the key. The rows of the scorecard run here as small samples.
import { afterEach, describe, expect, test } from 'vitest'
import type { Walk } from '../../src/domain/contract.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { signIn } from '../../src/client/signin.ts'
import type { RemoteOptions } from '../../src/client/options.ts'
import { failure } from '../support/failure.ts'
import { startCutter } from '../support/cuttingproxy.ts'
import { png } from '../support/pictures.ts'
import { askerOf } from '../scorecard/asking.ts'
import { clientOf } from '../scorecard/clients.ts'
import type { Finding } from '../scorecard/row.ts'
import { r12 } from '../scorecard/r12.ts'
import { r13 } from '../scorecard/r13.ts'
import { r15 } from '../scorecard/r15.ts'
import { r8 } from '../scorecard/r8.ts'
import { orderOf } from '../scorecard/serving.ts'
import { startStandIn, type StandIn, type StandInOptions } from '../support/foreigndeployment.ts'
import { rateRequest } from '../support/requests.ts'

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
})

async function standIn(options?: StandInOptions): Promise<StandIn> {
  const remote = await startStandIn(options)
  open.push(remote.close)
  return remote
}

/** A client of a stand-in that does not wait between tries, and what it said. */
function clientFor(remote: { readonly url: string; readonly key: string }, over: Partial<RemoteOptions> = {}) {
  const warnings: string[] = []
  const client = clientOf({
    base_url: remote.url,
    key: remote.key,
    sleep: async () => undefined,
    warn: (text) => void warnings.push(text),
    ...over,
  })
  open.push(client.close)
  return { client, warnings }
}

const quote = parseInput('getRates', { ...rateRequest, payment_method: 'cod', shipment_value: 1499 })
const order = (order_id: string, over?: Readonly<Record<string, unknown>>) =>
  parseInput('orchestrateForwardOrder', orderOf(order_id, over))

async function walked({ batches }: Walk): Promise<readonly string[]> {
  const ids: string[] = []
  for await (const { records } of batches)
    for (const record of records) ids.push((JSON.parse(record) as { id: string }).id)
  return ids
}

describe('another deployment', () => {
  test('signing in finds out that the key goes alone', async () => {
    const remote = await standIn({ authorization: 'bare' })
    const options = { base_url: remote.url, key: remote.key, now: Date.now, random: Math.random, uuid: () => 'u' }
    expect((await signIn(options)).scheme).toBe('bare')
    expect(remote.requests.map(({ headers }) => headers['authorization'])).toEqual([`Bearer ${remote.key}`, remote.key])
    const { client } = clientFor(remote, { scheme: 'bare' })
    expect((await client.listStores({})).data).toHaveLength(2)
    const { client: wrong } = clientFor(remote, { scheme: 'bearer' })
    expect((await failure(wrong.listStores({}))).code).toBe('unauthorized')
  })

  test('an account without access is told in the words of the deployment, once', async () => {
    const remote = await standIn({ authorization: 'closed' })
    const error = await failure(clientFor(remote).client.listStores({}))
    expect([error.code, error.message]).toEqual(['forbidden', 'API access is not enabled for your account'])
    expect(remote.requests).toHaveLength(1)
  })

  test.each(['data', 'bare'] as const)('stores as %s: list, get, create with a logo, update', async (stores) => {
    const remote = await standIn({ stores })
    const { client } = clientFor(remote)
    const { data } = await client.listStores({})
    expect(data.map(({ store_name, brand_name }) => [store_name, brand_name])).toEqual([
      ['kids-and-co', 'Kids & Co'],
      ['Bare-Soap', null],
    ])
    expect((await client.getStore({ id: data[0]!.id })).data).toEqual(data[0])
    const bytes = png(16, 16, 40_000)
    const made = await client.createStore({
      store_name: 'acme',
      brand_name: 'Acme & Söhne',
      logo: { bytes, name: 'l.png' },
    })
    expect(made.data).toMatchObject({ store_name: 'acme', brand_name: 'Acme & Söhne', status: 'connected' })
    const kept = remote.stores().find(({ store_name }) => store_name === 'acme')!
    expect([kept.brand_name, kept.logo?.equals(bytes)]).toEqual(['Acme & Söhne', true])
    await client.updateStore({ id: made.data.id, brand_name: null })
    expect(remote.stores().find(({ store_name }) => store_name === 'acme')!.brand_name).toBeNull()
    expect((await failure(client.createStore({ store_name: 'acme' }))).code).toBe('store_name_taken')
    expect((await failure(client.getStore({ id: '1' }))).code).toBe('not_found')
  })

  test('a quote comes as the deployment sent it', async () => {
    const remote = await standIn()
    const answer = await clientFor(remote).client.getRates(quote)
    expect(answer).toEqual(JSON.parse(remote.answers.at(-1)!))
    const [not, air] = answer.result.serviceable_couriers as unknown as Record<string, unknown>[]
    expect([air!['charges'], air!['platform_fee'], not!['status']]).toEqual([
      {
        forward_freight_charges: '88.80',
        cod_charges: '31.30',
        rto_charges: '88.80',
        total_forward_charges: '120.10',
        surge: null,
      },
      '5.00',
      false,
    ])
    expect(answer.result.shipment_details).toEqual({
      zone: 'C',
      dead_weight: 500,
      volumetric_weight: 600,
      applicable_weight: 600,
    })
  })

  test.each(['with 200', 'with status'] as const)('a refused quote and a refused order, %s', async (refusals) => {
    const { client } = clientFor(await standIn({ refusals }))
    const error = await failure(client.getRates({ ...quote, destination_pincode: '797013' }))
    expect([error.code, error.message]).toEqual(['rejected', 'Invalid pincode'])
    await client.createForwardOrder(order('A-1'))
    const again = await failure(client.createForwardOrder(order('A-1')))
    expect([again.code, again.message]).toEqual(['duplicate_order', 'Order with order id A-1 already exists'])
    expect((await failure(client.createForwardOrder(order('A-2', { store_name: 'nobody' })))).code).toBe(
      'unknown_store',
    )
  })

  test('an order that no courier takes exists, and is told as it is', async () => {
    const remote = await standIn({ courier: 'none' })
    const { client } = clientFor(remote)
    const { payload } = await client.orchestrateForwardOrder(order('A-1'))
    expect([payload.order_created, payload.awb_generated]).toEqual([1, 0])
    expect([...remote.created]).toEqual([['A-1', 1]])
    expect((await client.listShipments({ search: 'A-1' })).records).toHaveLength(1)
  })

  test('a page keeps every digit, and page numbers that are text are numbers', async () => {
    const remote = await standIn()
    const { records, meta } = await clientFor(remote).client.listShipments({ page: 2, per_page: 10 })
    expect(meta).toMatchObject({ current_page: 2, per_page: 10, total: 57, next_search_after: [] })
    expect(records).toHaveLength(10)
    for (const record of records) {
      expect(record).toContain('"partner_reference":90071992547409931234')
      expect(remote.answers.at(-1)).toContain(record)
    }
    const returns = await clientFor(remote).client.listReturns({})
    expect(returns.meta.total).toBe(23)
  })

  test('a filter that it may not know is refused instead of answered with everything', async () => {
    const remote = await standIn()
    const { client } = clientFor(remote)
    expect((await failure(client.listShipments({ store_name: ['kids-and-co'] }))).code).toBe('not_supported')
    expect((await failure(client.listShipments({ search_after: ['1', 'a'] }))).code).toBe('not_supported')
    expect(remote.requests.filter(({ path }) => path === '/shipments')).toEqual([])
  })

  test('a walk gives each record once while others arrive, and says that the total changed', async () => {
    const remote = await standIn({ shipments: 950, arriving: 3 })
    const before = new Set(remote.ids('shipments'))
    const { client, warnings } = clientFor(remote)
    const walk = await client.walkShipments({})
    const ids = await walked(walk)
    expect(new Set(ids).size).toBe(ids.length)
    expect([...before].filter((id) => !ids.includes(id))).toEqual([])
    expect(remote.ids('shipments').length).toBeGreaterThan(950)
    expect(warnings.join()).toMatch(/total changed from 950 to 95\d/)
    const pages = remote.requests.filter(({ path }) => path === '/shipments')
    // The same end of time on every page, so that what is made meanwhile moves nothing.
    expect(new Set(pages.map(({ body }) => (body as { end_time?: number }).end_time)).size).toBe(1)
    expect((pages[0]!.body as { end_time?: number }).end_time).toEqual(expect.any(Number))
  })

  test('a walk of a listing that stands still says nothing', async () => {
    const { client, warnings } = clientFor(await standIn({ returns: 230 }))
    expect(await walked(await client.walkReturns({}))).toHaveLength(230)
    expect(warnings).toEqual([])
  })

  test('an HTML page in between is named as one after four tries; a read goes on when it is over', async () => {
    const remote = await standIn({ trouble: () => ({ kind: 'html', status: 502 }) })
    const { client } = clientFor(remote)
    const error = await failure(client.listShipments({}))
    expect([error.code, remote.requests.length]).toEqual(['unavailable', 4])
    expect(error.message).toMatch(/answered 502 with an HTML page/)
    remote.switches.trouble = (_, nth) => (nth < 7 ? { kind: 'html', status: 502 } : undefined)
    expect((await client.listShipments({})).records).toHaveLength(20)
  })

  test('a store whose creation got no answer is found by its name and made once', async () => {
    const remote = await standIn({
      trouble: ({ method, path }, nth) =>
        method === 'POST' && path === '/client-stores' && nth === 1 ? { kind: 'lost' } : undefined,
    })
    const { client, warnings } = clientFor(remote)
    expect((await client.createStore({ store_name: 'acme' })).data.store_name).toBe('acme')
    expect(remote.requests.filter(({ method }) => method === 'POST')).toHaveLength(1)
    expect(warnings.join()).toContain('acme')
  })

  test('an order that got no answer is named as unknown and never sent again', async () => {
    for (const kind of ['lost', 'reset'] as const) {
      const remote = await standIn({
        repeats: 'created',
        trouble: ({ path }) => (path.startsWith('/forward') ? { kind } : undefined),
      })
      const error = await failure(clientFor(remote).client.createForwardOrder(order('A-1')))
      expect(error.code).toBe('unknown_outcome')
      expect(error.message).toContain('A-1')
      expect(remote.requests.filter(({ path }) => path.startsWith('/forward'))).toHaveLength(1)
    }
  })

  test('an order is sent again after 429, which means that nothing was done', async () => {
    const remote = await standIn({
      repeats: 'created',
      trouble: (_, nth) => (nth <= 2 ? { kind: 'limited', retry_after: '1' } : undefined),
    })
    await clientFor(remote).client.createForwardOrder(order('A-1'))
    expect([...remote.created]).toEqual([['A-1', 1]])
  })

  test('an answer with ten thousand levels in a field of its own is refused, not passed on to who would choke on it', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    const body = `{"status":"SUCCESS","result":{"serviceable_couriers":[],"shipment_details":{"zone":"C"},"x":${deep}}}`
    const remote = await standIn({ trouble: () => ({ kind: 'answer', status: 200, body }) })
    expect((await failure(clientFor(remote).client.getRates(quote))).code).toBe('bad_answer')
  })

  test('twenty calls at once cause no warning of Node', async () => {
    const warned: Error[] = []
    const hear = (warning: Error): void => void warned.push(warning)
    process.on('warning', hear)
    const { client } = clientFor(await standIn())
    await Promise.all(Array.from({ length: 20 }, () => client.listStores({})))
    await new Promise((resolve) => setTimeout(resolve, 10))
    process.off('warning', hear)
    expect(warned).toEqual([])
  })
})

describe('the cutter', () => {
  test('cuts what it says, and who just sends again makes orders twice', { tags: ['full'] }, async () => {
    const remote = await standIn({ repeats: 'created' })
    const cutter = await startCutter(remote.url, { every: 5, seed: 3 })
    open.push(cutter.close)
    const { ask, close } = askerOf(cutter.url, 4)
    for (let n = 0; n < 100; n++) {
      const send = (): Promise<unknown> => ask('POST', '/forward-order', remote.key, orderOf(`A-${n}`))
      await send().catch(() => send().catch(() => undefined))
    }
    close()
    const cuts = cutter.cuts().answered + cutter.cuts().begun
    const twice = [...remote.created.values()].filter((times) => times > 1).length
    expect(cuts).toBeGreaterThan(10)
    expect(cuts).toBeLessThan(45)
    expect(Math.min(cutter.cuts().answered, cutter.cuts().begun)).toBeGreaterThan(3)
    // Each cut was after the order was made.
    expect(twice).toBeGreaterThan(8)
    expect(remote.created.size).toBe(100)
  })

  test('an unsent request never arrives', async () => {
    const remote = await standIn()
    const cutter = await startCutter(remote.url, { every: 1, moment: 'unsent' })
    open.push(cutter.close)
    const { ask, close } = askerOf(cutter.url)
    await expect(ask('GET', '/client-stores', remote.key)).rejects.toThrow()
    close()
    expect([remote.requests.length, cutter.cuts().unsent]).toEqual([0, 1])
  })
})

describe('rows of the scorecard, as samples', { tags: ['full'] }, () => {
  const passes = ({ faults, tried }: Finding): void => {
    expect(faults).toEqual([])
    expect(tried).toBeGreaterThan(0)
  }
  test('R8: no order is created twice, each one in doubt is named', async () => passes(await r8(0.02)))
  test('R12: never earlier than Retry-After asks, never more than four tries', async () => passes(await r12(0.6)))
  test('R13: cut answers and bad answers', async () => passes(await r13(0.02)))
  test('R15: the key goes to no other host', async () => passes(await r15(1)))
})
