// Defends the mirror's views and sums against values that cannot be read: they are null, count as nothing, and are said.
import { afterAll, beforeEach, expect, test } from 'vitest'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { testNow } from '../support/engine.ts'
import { key, lineTo, startShapes, type Line, type Shapes } from '../support/recordshapes.ts'
import { sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'

const plan = { shipments: 40, returns: 30, stores: 2, days: 20, seed: 5, now: testNow }
const [shipment] = [...seedShipments(plan)]
const [back] = [...seedReturns(plan)]

let remote: Shapes
let line: Line

beforeEach(async () => {
  remote = await startShapes()
  line = lineTo(remote)
  return async () => {
    line.remove()
    await remote.close()
  }
})

const box = sandbox()
afterAll(() => box.remove())

const sent = (record: object, n: number, attributes: object): string => {
  const own = (record as { readonly attributes: object }).attributes
  return JSON.stringify({ ...record, id: `V-${n}`, attributes: { ...own, ...attributes } })
}

const ask = async (question: string): Promise<unknown> => {
  const env = { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: key, SHIPX_DATA_DIR: `${line.home}/data` }
  const { stdout, stderr, exit } = await box.shipx(['sql', '--local', question, '--json'], { env })
  expect(exit, stderr).toBe(0)
  return (JSON.parse(stdout) as { readonly data: unknown }).data
}

test.each(first(1, [true, [1], { x: 1 }, 'on request']))(
  'a date or an amount sent as %j is null in SQL, never 1970 or 1',
  { tags: ['full'] },
  async (value) => {
    remote.sent.shipments = [
      sent(shipment!, 1, {
        created_at: value,
        total_price: value,
        cod_amount: value,
        items: [{ price: value, quantity: value }],
        shipment_milestones: [{ milestone: 'picked_up', milestone_at: value }],
      }),
    ]
    remote.sent.returns = [sent(back!, 1, { created_at: value, request_date: value, total_price: value })]
    remote.sent.stores = [JSON.stringify({ id: 'S', store_name: 'acme', created_at: value, updated_at: value })]
    expect((await line.shipx(['pull', '--quiet'])).exit).toBe(0)
    const nothing = { created_at: null, created_at_ms: null, total_price: null, total_price_paise: null }
    const cod = { cod_amount: null, cod_amount_paise: null }
    expect(
      await ask(
        'select created_at, created_at_ms, total_price, total_price_paise, cod_amount, cod_amount_paise from shipments',
      ),
    ).toEqual([{ ...nothing, ...cod }])
    expect(await ask('select price, quantity, created_at from shipment_items')).toEqual([
      { price: null, quantity: null, created_at: null },
    ])
    expect(await ask('select milestone_at from shipment_milestones')).toEqual([{ milestone_at: null }])
    expect(
      await ask('select created_at, created_at_ms, total_price, total_price_paise, request_date from returns'),
    ).toEqual([{ ...nothing, request_date: null }])
    expect(await ask('select created_at, updated_at from stores')).toEqual([{ created_at: null, updated_at: null }])
  },
)

test('readable dates and amounts stay what they are beside unreadable ones', async () => {
  remote.sent.shipments = [
    sent(shipment!, 1, { created_at: true }),
    sent(shipment!, 2, { created_at: '2026-09-20T10:00:00Z', total_price: '1,299.50', cod_amount: 1 }),
  ]
  expect((await line.shipx(['pull', 'shipments', '--quiet'])).exit).toBe(0)
  expect(
    await ask(
      "select created_at, created_at_ms, total_price, total_price_paise, cod_amount from shipments where id = 'V-2'",
    ),
  ).toEqual([
    {
      created_at: '2026-09-20T10:00:00.000Z',
      created_at_ms: Date.parse('2026-09-20T10:00:00Z'),
      total_price: 1299.5,
      total_price_paise: 129950,
      cod_amount: 1,
    },
  ])
})

test(
  'SQL has amounts and orders as they were sent: parts of a paisa, no amount, an empty order; texts without blanks',
  { tags: ['full'] },
  async () => {
    const { order: _, ...bare } = (shipment as { readonly attributes: Readonly<Record<string, unknown>> }).attributes
    const without = (n: number, attributes: object): string =>
      JSON.stringify({ ...shipment, id: `V-${n}`, attributes: { ...bare, ...attributes } })
    const place = { city: ' Pune  ', state: '', zip: 411001 }
    remote.sent.shipments = [
      without(1, { total_price: 99.999, cod_amount: 1e14, shipping_address: place, order: {} }),
      without(2, { total_price: 1e14, cod_amount: 5, order: null }),
      without(3, { total_price: 12.5, cod_amount: null }),
      without(4, { total_price: null, cod_amount: null, order: { id: '', external_id: 7, order_date: 'one day' } }),
    ]
    const reason = `${'x'.repeat(300)} `
    remote.sent.returns = [
      sent(back!, 1, { total_price: null, return_reason: reason }),
      sent(back!, 2, { total_price: 0, return_reason: null }),
      sent(back!, 3, { total_price: '1,299.505' }),
      sent(back!, 4, { total_price: 7.5 }),
    ]
    expect((await line.shipx(['pull', '--quiet'])).exit).toBe(0)
    const amounts = 'total_price, total_price_paise, cod_amount, cod_amount_paise'
    expect(await ask(`select ${amounts} from shipments order by id`)).toEqual([
      { total_price: 99.999, total_price_paise: 10_000, cod_amount: 1e14, cod_amount_paise: null },
      { total_price: 1e14, total_price_paise: null, cod_amount: 5, cod_amount_paise: 500 },
      { total_price: 12.5, total_price_paise: 1250, cod_amount: null, cod_amount_paise: null },
      { total_price: null, total_price_paise: null, cod_amount: null, cod_amount_paise: null },
    ])
    expect(await ask('select total_price, total_price_paise from returns order by id')).toEqual([
      { total_price: null, total_price_paise: null },
      { total_price: 0, total_price_paise: 0 },
      { total_price: 1299.505, total_price_paise: 129_951 },
      { total_price: 7.5, total_price_paise: 750 },
    ])
    expect(await ask('select count(total_price) as n, avg(total_price) as mean from returns')).toEqual([
      { n: 3, mean: 435.668333333333 },
    ])
    expect(await ask("select city, state, pincode from shipments where id = 'V-1'")).toEqual([
      { city: 'Pune', state: null, pincode: '411001' },
    ])
    expect(await ask("select return_reason as reason from returns where id in ('V-1', 'V-2') order by id")).toEqual([
      { reason: reason.trim() },
      { reason: null },
    ])
    expect(await ask('select shipment_id, order_id, order_external_id, order_date from orders order by 1')).toEqual([
      { shipment_id: 'V-1', order_id: null, order_external_id: null, order_date: null },
      { shipment_id: 'V-2', order_id: null, order_external_id: null, order_date: null },
      { shipment_id: 'V-4', order_id: null, order_external_id: '7', order_date: null },
    ])
  },
)

test('a summary of a mirror counts an amount of true as nothing, and says of how many', async () => {
  remote.sent.shipments = [
    sent(shipment!, 1, { created_at: true, total_price: true }),
    sent(shipment!, 2, { total_price: [1] }),
    sent(shipment!, 3, { total_price: '1,299.50', cod_amount: '' }),
    sent(shipment!, 4, { total_price: null, cod_amount: [] }),
  ]
  remote.sent.returns = [sent(back!, 1, { total_price: true })]
  await line.shipx(['pull', '--quiet'])
  const { stdout, stderr } = await line.shipx(['shipments', 'summary', '--local', '--by', 'day', '--json'])
  const { data } = JSON.parse(stdout) as {
    readonly data: readonly { readonly day: string | null; readonly value: number }[]
  }
  expect(data.map(({ value }) => value).reduce((sum, value) => sum + value)).toBe(1299.5)
  expect(data.filter(({ day }) => day?.startsWith('1970') === true)).toEqual([])
  expect(stderr.match(/cannot read/g)).toHaveLength(1)
  expect(stderr).toContain('cannot read an amount of 2 shipments')
  expect((await line.shipx(['returns', 'summary', '--local', '--json'])).stderr).toContain('an amount of 1 return and')
  expect((await line.shipx(['shipments', 'summary', '--local', '--by', 'sku', '--json'])).stderr).toContain(
    'an amount of some shipments',
  )
})
