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
