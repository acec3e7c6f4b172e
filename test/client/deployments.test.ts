// Defends what commands make of a deployment that is not ours: prices that cannot be read, orders without a courier, filters that
// are ignored, keys that may not list stores, listings that stop in the middle, and addresses that hold a key.
// @module-tag full: the built command against every habit of foreign deployments
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { digestSet } from '../../src/client/digests.ts'
import { parseExact, mapJson } from '../../src/domain/exactjson.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { testNow } from '../support/engine.ts'
import { orderOf } from '../scorecard/serving.ts'
import { startService } from '../support/service.ts'
import { key, lineTo, startShapes, type Line, type Shapes } from '../support/recordshapes.ts'
import { parcelFlags } from '../support/requests.ts'
import { sandbox } from '../support/sandbox.ts'

let remote: Shapes
let line: Line

beforeEach(async () => {
  remote = await startShapes()
  line = lineTo(remote)
})
afterEach(async () => {
  await remote.close()
  line.remove()
})

const shipx = (words: string, columns?: number) => line.shipx(words.split(' '), columns)
const records = (count: number): readonly string[] =>
  [...seedShipments({ shipments: count, returns: 0, stores: 2, days: 20, seed: 9, now: testNow })].map((record) =>
    JSON.stringify(record),
  )

describe('offers', () => {
  const lane = `${parcelFlags.join(' ')} --cod 1499`
  const courier = (name: string, total: unknown, more: object = {}): object => ({
    carrier_id: `CAR-${name}`,
    carrier_name: name,
    service_level: 'road',
    status: true,
    platform_fee: 2,
    expected_delivery: { pickup: '2026-09-30', delivery: '2026-10-03' },
    charges: { total_forward_charges: total },
    ...more,
  })
  const offer = (...couriers: readonly object[]): void => {
    remote.sent.rates = JSON.stringify({
      status: 'SUCCESS',
      result: {
        serviceable_couriers: couriers,
        shipment_details: { zone: 'C', dead_weight: 500, volumetric_weight: 'x', applicable_weight: null },
      },
    })
  }
  const unreadable: readonly (readonly [what: string, courier: object])[] = [
    ['null', courier('Odd', null)],
    ['empty', courier('Odd', '')],
    ['words', courier('Odd', 'on request')],
    ['a list', courier('Odd', [1])],
    ['negative', courier('Odd', -5)],
    ['too large', courier('Odd', 1e20)],
    ['charges of null', courier('Odd', 0, { charges: null })],
    ['no charges', courier('Odd', 0, { charges: undefined })],
    ['a fee of words', courier('Odd', 10, { platform_fee: 'some' })],
  ]

  test.each(['', '--json', '--jsonl', '--csv', '--tsv', '--excel', '--ids', '--json --sort price'])(
    'rates in a pipe says how many prices cannot be read: %s',
    async (format) => {
      const told = async (): Promise<readonly unknown[]> => {
        const { exit, stderr } = await shipx(`rates ${lane} ${format}`.trim())
        return [exit, stderr.match(/^! .*$/gm)]
      }
      const says = (which: string): readonly string[] => [
        `! shipx cannot read ${which} that the service offers; --json shows what was sent`,
      ]
      offer(courier('One', null), courier('Two', 'on request'))
      expect(await told()).toEqual([0, says('the prices of all 2 couriers')])
      offer(courier('One', null), courier('Two', 'on request'), courier('Dear', 500))
      expect(await told()).toEqual([0, says('the prices of 2 of 3 couriers')])
      offer(courier('One', null))
      expect(await told()).toEqual([0, says('the price of the one courier')])
      offer(courier('Dear', 500))
      expect(await told()).toEqual([0, null])
    },
  )

  test.each(unreadable)('a total of %s is no price: listed last, never the cheapest, never taken', async (_, odd) => {
    offer(odd, courier('Dear', 500, { expected_delivery: { delivery: '2026-10-09' } }))
    const { stdout } = await shipx(`rates ${lane}`, 160)
    const [dear, other] = ['Dear', 'Odd'].map((name) => stdout.split('\n').find((text) => text.startsWith(name))!)
    expect(stdout.indexOf('Dear')).toBeLessThan(stdout.indexOf('Odd'))
    expect(dear).toMatch(/₹502\.00.*cheapest, fastest/)
    expect(other).toContain('price not readable')
    expect(other).not.toMatch(/₹0\.00|cheapest|fastest/)
    for (const sort of ['price', 'delivery', 'courier'])
      expect((await shipx(`rates ${lane} --ids --sort ${sort}`)).stdout).toBe('CAR-Dear\nCAR-Odd\n')
    const { result } = JSON.parse((await shipx(`rates ${lane} --json`)).stdout) as {
      result: { serviceable_couriers: unknown[] }
    }
    expect(result.serviceable_couriers[1]).toEqual(JSON.parse(JSON.stringify(odd)))
    const file = 'ref,from,to,weight,length,width,height,payment,value\nA,400001,560001,500,20,15,10,cod,1499\n'
    const box = sandbox()
    try {
      const env = { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: key }
      box.file('p.csv', file)
      expect((await box.shipx(['rates', '--file', 'p.csv', '--csv'], { env })).stdout).toContain(
        'A,Dear,CAR-Dear,road,500,2,502',
      )
      offer(odd)
      const { stdout: alone, exit } = await box.shipx(['rates', '--file', 'p.csv', '--csv'], { env })
      expect([exit, alone]).toEqual([7, expect.stringMatching(/A,,,,,,,,zone_c,,,bad_answer,price not readable: Odd/)])
    } finally {
      box.remove()
    }
  })

  test('what a parcel costs that comes back is what the service says, and no guess where it does not', async () => {
    const charges = (cod: number): object => ({ total_forward_charges: 90 + cod, cod_charges: cod, rto_charges: 45 })
    offer(courier('One', 0, { charges: charges(30) }))
    const box = sandbox()
    const lines = [
      'ref,from,to,weight,payment,value,journey',
      'out,400001,560001,500g,cod,1499,',
      'back,400001,560001,500g,cod,1499,rto',
      'paid,400001,560001,500g,prepaid,,rto',
    ]
    const file = box.file('p.csv', lines.join('\n'))
    const env = { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: key }
    const priced = () => box.shipx(['rates', '--file', file, '--csv', '--fields', 'ref,total,rto,code'], { env })
    expect((await priced()).stdout).toBe(
      'ref,total,rto,code\nout,120,45,\nback,,,not_supported\npaid,,,not_supported\n',
    )
    offer(courier('One', 0, { charges: charges(0) }))
    expect((await priced()).stdout).toBe('ref,total,rto,code\nout,90,45,\nback,135,45,\npaid,135,45,\n')
    offer(courier('One', 90))
    expect((await priced()).stdout).toContain('out,90,,\nback,,,not_supported')
    box.remove()
  })

  test('a courier whose price cannot be read still delivers', async () => {
    offer(courier('Odd', 'x'))
    const { stdout } = await shipx('serviceability 560001 --from 400001 --csv')
    expect(stdout).toMatch(/560001,.*,zone_c,1,1,/)
  })

  test('a total with separators is read', async () => {
    offer(courier('Comma', '1,299.50'), courier('Plain', '1300'))
    const { stdout } = await shipx(`rates ${lane}`, 160)
    expect(stdout.split('\n').find((text) => text.startsWith('Comma'))).toMatch(/₹1,301\.50.*cheapest/)
  })

  test.each([false, 0, '0', 'false', 'inactive', 'no'])(
    'a status of %j is not offered, in any format',
    async (status) => {
      offer(courier('Gone', 1, { status }), courier('Here', 50))
      for (const format of ['', ' --json', ' --csv', ' --ids', ' --jsonl']) {
        const { stdout } = await shipx(`rates ${lane}${format}`)
        expect.soft([stdout.includes('Gone'), stdout.includes('Here')], format).toEqual([false, true])
      }
    },
  )

  test('without a date nobody is the fastest, and weights that are none are not shown as numbers', async () => {
    offer(courier('A', 10, { expected_delivery: null }), courier('B', 20, { expected_delivery: { delivery: '' } }))
    const { stdout, stderr } = await shipx(`rates ${lane}`, 160)
    expect(stdout).not.toMatch(/fastest|NaN/)
    expect(stdout).toContain('volumetric ?: charged on ?')
    expect(stderr).toBe('')
  })
})

describe('orders', () => {
  const created = (payload: object, more: object = {}): void => {
    remote.sent.order = JSON.stringify({
      status: 1,
      payload: { order_created: 1, order_id: 'ORD1', shipment_id: 'SHI1', ...payload },
      ...more,
    })
  }
  const create = async (...more: readonly string[]) => {
    const box = sandbox()
    try {
      box.file('order.json', JSON.stringify(orderOf('X-1')))
      const env = { SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: key }
      return await box.shipx(['orders', 'create', '--file', 'order.json', ...more], { env })
    } finally {
      box.remove()
    }
  }

  test.each([true, '1', 'true', 1, 0, undefined])(
    'with awb_generated %j and a tracking number has its courier',
    async (awb_generated) => {
      created({ awb_generated, awb_code: '34812010700125', courier_name: 'Roadrunner' })
      const { stderr, exit } = await create()
      expect([exit, stderr]).toEqual([
        0,
        expect.stringContaining('Roadrunner takes it, tracking number 34812010700125'),
      ])
    },
  )

  test('with a tracking number of 20 digits sent as a number keeps its digits', async () => {
    remote.sent.order =
      '{"status":1,"payload":{"order_created":1,"awb_generated":1,"order_id":"O","shipment_id":"S","awb_code":34812010701743999999}}'
    expect((await create()).stderr).toMatch(/Created order X-1 at .+, tracking number 34812010701743999999/)
    for (const format of ['--csv', '--json']) expect((await create(format)).stdout).toContain('34812010701743999999')
  })

  test.each([
    [{ awb_generated: 1, awb_code: null, error_message: 'Pincode not serviceable' }, {}, ': Pincode not serviceable'],
    [{ awb_generated: 0, awb_code: '' }, { message: 'No courier available' }, ': No courier available'],
    [{ awb_generated: false }, {}, ''],
  ])('without a tracking number are partly done, in the words of the deployment', async (payload, more, reason) => {
    created(payload, more)
    const { stdout, stderr, exit } = await create('--json')
    expect(exit).toBe(7)
    expect(JSON.parse(stdout)).toMatchObject({ payload: { order_id: 'ORD1' } })
    const said = stderr.split('\n').find((text) => text.startsWith('{'))!
    expect(JSON.parse(said)).toMatchObject({
      error: { code: 'partial', message: `order X-1 is created, but no courier took it${reason}`, exit_code: 7 },
    })
    expect((await create('--no-assign')).exit).toBe(0)
  })
})

describe('a key that may not list stores', () => {
  test.each([403, 404, 500])('(%i) lists shipments all the same', async (status) => {
    remote.sent.shipments = records(150)
    remote.sent.refused = { 'client-stores': status }
    for (const words of ['--all', '--limit 130', '--limit 20'])
      expect.soft((await shipx(`shipments list ${words} --ids`)).exit, words).toBe(0)
    expect((await shipx('shipments list --all --ids')).stdout.trim().split('\n')).toHaveLength(150)
    expect((await shipx('stores list')).exit).not.toBe(0)
  })

  test('pulls what it may, and the stores are named', async () => {
    remote.sent.shipments = records(5)
    remote.sent.refused = { 'client-stores': 403 }
    expect((await shipx('pull shipments')).exit).toBe(0)
    const { exit, stderr } = await shipx('pull')
    expect([exit, stderr]).toEqual([
      7,
      expect.stringContaining('the service does not list its stores: not for this key'),
    ])
    expect((await shipx('shipments list --local --all --ids')).stdout.trim().split('\n')).toHaveLength(5)
  })
})

describe('a deployment that ignores the filter for orders', () => {
  const wanted = (): string =>
    (JSON.parse(remote.sent.shipments[140]!) as { attributes: { order: { display_id: string } } }).attributes.order
      .display_id

  test('never answers with other orders: they are dropped, and it is named', async () => {
    remote.sent.shipments = records(150)
    const { stdout, stderr, exit } = await line.shipx([
      'shipments',
      'list',
      '--all',
      '--jsonl',
      '--order-display-id',
      wanted(),
    ])
    expect(stdout).toBe(`${remote.sent.shipments[140]!}\n`)
    expect(exit).toBe(0)
    expect(stderr.match(/ignores the filter order_display_id/g)).toHaveLength(1)
    expect(remote.asked[0]).toMatchObject({ 'order_display_id[]': [wanted()] })
    const page = await line.shipx(['shipments', 'list', '--json', '--order-display-id', wanted()])
    expect(JSON.parse(page.stdout)).toMatchObject({ data: [], meta: { total: 0 } })
    expect(page.stderr).toContain('sent 20 records that do not match it; shipx leaves them out')
  })

  test('fails with --strict', async () => {
    remote.sent.shipments = records(150)
    for (const way of ['--all', '--limit=20']) {
      const { stdout, stderr, exit } = await line.shipx([
        'shipments',
        'list',
        way,
        '--json',
        '--strict',
        '--order-display-id',
        wanted(),
      ])
      expect([stdout, exit]).toEqual(['', 5])
      expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'filter_ignored' } })
    }
  })
})

describe('a listing', () => {
  test('that the deployment stops in the middle is partly done, readable, and leads to a pull', async () => {
    remote.sent.shipments = records(350)
    remote.sent.lastPage = 2
    const { stdout, stderr, exit } = await shipx('shipments list --all --json')
    expect(exit).toBe(7)
    expect((JSON.parse(stdout) as { data: unknown[] }).data).toHaveLength(200)
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        code: 'partial',
        message: expect.stringContaining('200 of 350 shipments came before that') as string,
        hint: expect.stringContaining('shipx pull') as string,
      },
    })
    expect((await shipx('shipments list --all --jsonl')).exit).toBe(7)
  })

  test('that fails at once has its own code', async () => {
    remote.sent.refused = { shipments: 403 }
    expect((await shipx('shipments list --all --json')).exit).toBe(4)
  })
})

describe('a summary of a deployment', () => {
  test('has the keys of one that is embedded, null where the deployment cannot say them', async () => {
    remote.sent.shipments = records(3)
    const { stdout, stderr } = await shipx('shipments summary --json')
    const [group] = (JSON.parse(stdout) as { data: Record<string, unknown>[] }).data
    expect(Object.keys(group!)).toEqual([
      'status',
      'shipments',
      'value',
      'cod',
      'picked_up',
      'delivered',
      'delivered_share',
      'rto',
      'rto_share',
      'average_days',
    ])
    expect(Object.values(group!).slice(2)).toEqual(Array.from({ length: 8 }, () => null))
    expect(stderr).toContain('need a mirror: shipx pull, then --local')
    // It filters nothing, so that every status has all of them.
    expect(stderr).toContain('it may not know this filter')
    expect((await shipx('returns summary --csv')).stdout).toContain('status,returns,value,received,received_share')
    expect((await shipx('shipments summary', 100)).stdout).not.toContain('VALUE')
  })
})

describe('a misspelt status', () => {
  test('is refused by the mirror of our own service and warned of by that of another', async () => {
    remote.sent.shipments = records(3)
    await shipx('pull shipments')
    const other = await shipx('shipments list --local --granular-status deliverd --json')
    expect([other.exit, other.stderr]).toEqual([0, expect.stringContaining('shipx does not know')])
    const service = await startService({ readers: 0 })
    const box = sandbox()
    try {
      const env = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
      expect((await box.shipx(['pull', 'shipments'], { env })).exit).toBe(0)
      const own = await box.shipx(['shipments', 'list', '--local', '--granular-status', 'deliverd', '--json'], { env })
      expect([own.exit, JSON.parse(own.stderr)]).toMatchObject([2, { error: { code: 'invalid_input' } }])
    } finally {
      box.remove()
      await service.close()
    }
  })
})

describe('a key in the address', () => {
  test('is refused and repeated nowhere', async () => {
    const box = sandbox()
    try {
      for (const place of [key, encodeURIComponent(key), Buffer.from(key).toString('base64url'), `x/${key}/y`]) {
        const env = { SHIPX_BASE_URL: `${remote.url}/${place}`, SHIPX_API_KEY: key }
        for (const args of [
          ['shipments', 'list', '--debug'],
          ['rates', '--debug', '--from', '400001', '--to', '560001', '-w', '500g', '-s', '1x1x1', '--prepaid'],
          ['pull', '--debug'],
          ['shipments', 'list', '--curl'],
        ]) {
          const { stdout, stderr, exit } = await box.shipx(args, { env })
          expect.soft([exit, stdout, stderr.includes(place)], stderr).toEqual([2, '', false])
        }
      }
      expect(remote.asked).toEqual([])
    } finally {
      box.remove()
    }
  })
})

describe('the digests of a walk', () => {
  test('tell a million ids apart, and each of them again', () => {
    const set = digestSet()
    let fresh = 0
    for (let n = 0; n < 1_000_000; n++) if (set.add(`SHI${n.toString(36).padStart(10, '0')}`)) fresh++
    expect(fresh).toBe(1_000_000)
    for (let n = 0; n < 1_000_000; n += 997) expect(set.add(`SHI${n.toString(36).padStart(10, '0')}`)).toBe(false)
    expect([set.add(''), set.add('')]).toEqual([true, false])
  })
})

describe('numbers with more digits than a number holds', () => {
  test('are text of their digits, and themselves where JSON is written anew', () => {
    const sent =
      '{"a":34812010701743999999,"b":"x\\"34812010701743999999","c":[-34812010701743999999,9007199254740991],"d":0.12345678901234567890,"e":1234567890123456}'
    expect(parseExact(sent)).toMatchObject({
      a: '34812010701743999999',
      b: 'x"34812010701743999999',
      c: ['-34812010701743999999', 9007199254740991],
      e: 1234567890123456,
    })
    expect(mapJson(sent, (value) => value)).toBe(sent)
    expect(() => parseExact(`${sent}}`)).toThrow(SyntaxError)
  })
})
