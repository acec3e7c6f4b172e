// Defends every view against what other deployments send: each attribute as every kind of value, in every format and in the
// mirror, never ends a command with a fault inside, and what is shown is what was sent or a dash.
// @module-tag full: over a thousand shapes of records, each through the built command
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { safe } from '../../src/cli/terminal/safe.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import { testNow } from '../support/engine.ts'
import { orderOf } from '../scorecard/serving.ts'
import { parcelFlags } from '../support/requests.ts'
import { sandbox } from '../support/sandbox.ts'
import { key, lineTo, startShapes, type Line, type Shapes } from '../support/recordshapes.ts'

/** Every kind of value, as JSON; undefined is left out. */
const kinds = [
  '"word"',
  '""',
  '"   "',
  '5',
  '0',
  '-1',
  '1.5',
  '34812010701743999999',
  '1e400',
  'true',
  'false',
  'null',
  undefined,
  '[]',
  '["a",1,null,{},[]]',
  '{}',
  '{"a":{"b":[1]}}',
  '"1,299.50"',
  '"1"',
  '"\\u0000\\u001b[31m\\u009b\\u202e\\ud800"',
  '"2026-09-28 16:00:00"',
] as const

const plan = { shipments: 40, returns: 30, stores: 2, days: 20, seed: 5, now: testNow }
const [shipment] = [...seedShipments(plan)].filter(
  ({ attributes: a }) => a.status === 'ndr_raised' && (a.tracking_details ?? []).length > 1,
)
const [back] = [...seedReturns(plan)].filter(({ attributes: a }) => (a.shipment?.shipment_milestones ?? []).length > 0)

type Path = readonly (string | number)[]

/** Every place of a value: the members of objects, and the first element of lists. */
function pathsIn(value: unknown, path: Path = []): readonly Path[] {
  const own = path.length === 0 ? [] : [path]
  if (Array.isArray(value)) return [...own, ...(value.length === 0 ? [] : pathsIn(value[0], [...path, 0]))]
  if (typeof value !== 'object' || value === null) return own
  return [...own, ...Object.entries(value).flatMap(([name, inner]) => pathsIn(inner, [...path, name]))]
}

/** The JSON text of a value with something else in one place. */
function withAt(value: unknown, path: Path, text: string | undefined): string {
  const copy = JSON.parse(JSON.stringify(value)) as Record<string | number, unknown>
  let holder = copy
  for (const step of path.slice(0, -1)) holder = holder[step] as typeof holder
  const last = path.at(-1)!
  if (text === undefined) delete holder[last]
  else holder[last] = '<here>'
  // What is left out of a list leaves no hole in JSON.
  return JSON.stringify(copy).replace('"<here>"', () => text!)
}

/** A record of each kind of value in each place, the ids told apart. */
function everyShape(record: { readonly id: string }): readonly string[] {
  return pathsIn(record).flatMap((path, n) =>
    kinds.map((kind, k) => withAt({ ...record, id: `R-${n}-${k}` }, path, kind)),
  )
}

const shipments = everyShape(shipment!)
const returns = everyShape(back!)

let remote: Shapes
let line: Line

beforeAll(async () => {
  remote = await startShapes({ shipments, returns })
  line = lineTo(remote)
})
afterAll(async () => {
  await remote.close()
  line.remove()
})

/** Runs a command that must end without a fault inside, and with no control character for a terminal. */
async function calm(args: string, columns?: number, exits: readonly number[] = [0]) {
  const ran = await line.shipx(args.split(' '), columns)
  expect.soft(ran.stderr, args).not.toMatch(/inside shipx|internal/)
  expect.soft(exits, `${args}: ${ran.stderr.slice(0, 500)}`).toContain(ran.exit)
  if (columns !== undefined)
    expect
      .soft(
        ran.stdout.split('\n').filter((text) => safe(text) !== text),
        args,
      )
      .toEqual([])
  return ran
}

const formats = ['--csv', '--tsv', '--excel', '--ids', '--json'] as const

describe('records of every shape', () => {
  test.each(['shipments', 'returns'] as const)('%s are listed as tables, cards and in every format', async (noun) => {
    expect(remote.sent[noun].length).toBeGreaterThan(700)
    for (const width of [200, 40]) {
      const { stdout } = await calm(`${noun} list --all --wide`, width)
      expect(stdout).not.toMatch(/undefined|NaN|\[object|Infinity/)
    }
    await calm(`${noun} list --all`)
    for (const format of formats) await calm(`${noun} list --all ${format}`)
    expect((await calm(`${noun} list --all --jsonl`)).stdout).toBe(
      remote.sent[noun].map((text) => `${text}\n`).join(''),
    )
  })

  test.each(['shipments', 'returns'] as const)('%s are shown one by one', async (noun) => {
    for (const text of remote.sent[noun].filter((_, n) => n % 7 === 0)) {
      const { id } = JSON.parse(text) as { id: unknown }
      if (typeof id !== 'string' || !id.startsWith('R-')) continue
      const { stdout } = await calm(`${noun} get ${id}`, 100)
      expect(stdout).not.toMatch(/undefined|NaN|\[object|Infinity/)
    }
  })

  test('failed deliveries are listed', async () => {
    for (const width of [200, undefined]) await calm('shipments ndr', width)
    await calm('shipments ndr --csv')
  })

  test('a mirror of them answers everything', async () => {
    // Those without an id are left out.
    await calm('pull shipments', undefined, [7])
    await calm('pull returns', undefined, [7])
    for (const noun of ['shipments', 'returns']) {
      for (const width of [200, 40]) await calm(`${noun} list --local --all --wide`, width)
      for (const format of ['--csv', '--jsonl', '--ids']) await calm(`${noun} list --local --all ${format}`)
      for (const by of ['status', 'zone', 'carrier', 'city', 'day', 'sku', 'store'])
        await calm(`${noun} summary --local --by ${by} --csv`)
    }
    await calm('shipments summary --local --by payment', 120)
    await calm('shipments summary --local --by tag --json')
    await calm('shipments stuck --local --days 0', 150)
    await calm('shipments ndr --local --csv')
    await calm('report --local --json --since 2000-01-01')
  })

  test('queries in SQL read every view of that mirror', async () => {
    const box = sandbox()
    try {
      const env = { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: key, SHIPX_DATA_DIR: `${line.home}/data` }
      for (const view of [
        'shipments',
        'shipment_items',
        'shipment_milestones',
        'returns',
        'return_items',
        'stores',
        'orders',
      ]) {
        const { stderr, exit } = await box.shipx(
          ['sql', '--local', `select * from ${view}`, '--limit', 'all', '--csv'],
          { env },
        )
        expect.soft([view, exit, stderr.includes('inside shipx')], stderr).toEqual([view, 0, false])
      }
    } finally {
      box.remove()
    }
  })
})

describe('stores, offers and orders of every shape', () => {
  /** Values of every kind in the place of each, the whole as a list of JSON texts. */
  const shapesOf = (value: object): readonly string[] =>
    pathsIn(value).flatMap((path) => kinds.map((kind) => withAt(value, path, kind)))

  test('stores are listed, shown and pulled', async () => {
    const store = {
      id: 'ST',
      store_name: 'acme',
      brand_name: 'Acme',
      channel: 'manual',
      status: 'connected',
      logo_url: 'https://x/y.png',
      created_at: '2026-09-01T00:00:00Z',
      updated_at: '2026-09-01T00:00:00Z',
    }
    // What has neither name nor id is no store, and refused as that.
    const said = (value: unknown): boolean => typeof value === 'string' || Number.isFinite(value)
    const named = shapesOf(store).filter((text) => {
      const { id, store_name } = JSON.parse(text) as { id?: unknown; store_name?: unknown }
      return said(id) && said(store_name)
    })
    expect(named.length).toBeGreaterThan(100)
    remote.sent.stores = named
    for (const width of [160, 40])
      expect((await calm('stores list --wide', width)).stdout).not.toMatch(/undefined|NaN|\[object/)
    for (const format of ['', ' --csv', ' --excel', ' --json', ' --jsonl', ' --ids']) await calm(`stores list${format}`)
    await calm('stores get acme', 100)
    await calm('pull stores')
    await calm('stores list --local', 100)
    remote.sent.stores = ['null']
    await calm('stores list', 100, [6])
  })

  test('offers are listed, sorted and priced', async () => {
    const offer = {
      carrier_id: 'CAR1',
      carrier_name: 'Blue',
      carrier_code: 'b',
      service_level: 'road',
      is_fast: true,
      is_prime: false,
      status: true,
      expected_delivery: { pickup: { datetime: '2026-10-02T12:00:00+05:30' }, delivery: '2026-10-07' },
      charges: { forward_freight_charges: 36, cod_charges: 0, rto_charges: 26, total_forward_charges: 36 },
      platform_fee: 2,
    }
    const details = { zone: 'C', dead_weight: 500, volumetric_weight: 439.4, applicable_weight: 500 }
    const answer = (offers: readonly string[], shown: string): string =>
      `{"status":"SUCCESS","result":{"serviceable_couriers":[${offers.join(',')}],"shipment_details":${shown}}}`
    const lane = `rates ${parcelFlags.join(' ')} --cod 1499`
    remote.sent.rates = answer(shapesOf(offer), JSON.stringify(details))
    for (const width of [200, 40])
      expect((await calm(`${lane} --wide --gst`, width)).stdout).not.toMatch(
        /undefined|NaN|\[object|Infinity|₹0\.00 +cheapest/,
      )
    for (const more of ['', ' --csv', ' --json', ' --jsonl', ' --ids', ' --sort delivery', ' --sort courier'])
      await calm(lane + more)
    await calm('serviceability 560001 --from 400001 --couriers', 150)
    for (const shown of shapesOf(details)) {
      remote.sent.rates = answer([JSON.stringify(offer)], shown)
      expect((await calm(lane, 100)).stdout).not.toContain('NaN')
    }
  })

  test('orders are created, partly done, or refused', async () => {
    const file = join(line.home, 'order.json')
    writeFileSync(file, JSON.stringify(orderOf('X-1')))
    const answer = {
      status: 1,
      payload: {
        order_created: 1,
        awb_generated: 1,
        order_id: 'O',
        shipment_id: 'S',
        awb_code: '34',
        courier_name: 'Blue',
        error_message: 'none',
      },
    }
    for (const text of shapesOf(answer)) {
      remote.sent.order = text
      await calm(`orders create --file ${file} --json`, undefined, [0, 5, 6, 7])
    }
    remote.sent.order = JSON.stringify(answer)
    for (const format of ['', ' --csv', ' --ids']) await calm(`orders create --file ${file}${format}`)
  })
})

describe('values', () => {
  const over = async (attributes: object, more: object = {}): Promise<void> => {
    const base = { ...shipment!, id: 'V-1', ...more, attributes: { ...shipment!.attributes, ...attributes } }
    remote.sent.shipments = [JSON.stringify(base)]
  }
  beforeEach(() => {
    const [before, all] = [line, shipments]
    line = lineTo(remote)
    return () => {
      line.remove()
      line = before
      remote.sent.shipments = all
    }
  })

  test.each([true, 1, '1', 'true', 'yes', 'Y'])(
    'COD said as %j is COD in tables, timelines and the mirror',
    async (is_cod) => {
      await over({
        is_cod,
        cod_amount: '1,359.94',
        status: 'in_transit',
        sub_status: null,
        granular_status: 'in_transit',
      })
      expect((await calm('shipments list', 150)).stdout).toContain('₹1,359.94')
      expect((await calm('shipments get V-1', 100)).stdout).toContain('COD ₹1,359.94, to be collected')
      await calm('pull shipments')
      expect((await calm('shipments list --local --cod --ids')).stdout).toBe('V-1\n')
      expect((await calm('shipments list --local --prepaid --ids')).stdout).toBe('')
      expect(JSON.parse((await calm('shipments summary --local --by payment --json')).stdout)).toMatchObject({
        data: [{ payment: 'cod', cod: 1359.94 }],
      })
    },
  )

  test('whether it is COD is not made up where the deployment does not say it', async () => {
    await over({ is_cod: null, total_price: 500 })
    expect((await calm('shipments get V-1', 100)).stdout).toContain('payment not known ₹500.00')
  })

  test('an AWB of 20 digits that comes as a number keeps its digits everywhere', async () => {
    const awb = '34812010701743999999'
    await over({ tracking_number: '<awb>' })
    remote.sent.shipments = [remote.sent.shipments[0]!.replace('"<awb>"', awb)]
    for (const args of [
      'list --csv',
      'list --tsv',
      'list',
      'list --jsonl',
      'list --json --fields id,tracking_number',
      'get V-1 --json',
      `get ${awb} --csv`,
    ])
      expect.soft((await calm(`shipments ${args}`)).stdout, args).toContain(awb)
    expect((await calm('shipments list --json', 150)).stdout).toContain(`"tracking_number": ${awb}`)
    expect((await calm('shipments list', 150)).stdout).toContain(awb)
  })

  test('a weight in kilograms is shown in grams', async () => {
    await over({ applied_weight: { value: '0.5', metric_unit: 'kg' } })
    expect((await calm('shipments list --wide', 200)).stdout).toContain('500 g')
  })

  test('pieces that come as text are counted and not put one behind the other', async () => {
    remote.sent.returns = [
      JSON.stringify({
        ...back!,
        attributes: { ...back!.attributes, return_items: [{ quantity: '1' }, { quantity: '2' }] },
      }),
    ]
    expect((await calm('returns list --columns items')).stdout).toBe('3\n')
    remote.sent.returns = returns
  })

  test('what cannot be read is counted and told once', async () => {
    await over({ cod_amount: 'many', is_cod: 'perhaps', carrier: [1] })
    const { stdout, stderr } = await calm('shipments list --all', 150)
    expect(stderr.match(/cannot read/g)).toHaveLength(1)
    expect(stderr).toContain('shipx cannot read 3 values that the service sent')
    for (const name of ['cod_amount', 'is_cod', 'carrier']) expect(stderr).toContain(name)
    expect(stdout).not.toContain('many')
    for (const format of ['--jsonl', '--ids'])
      expect((await calm(`shipments list --all ${format}`)).stderr).not.toContain('cannot read')
  })
})
