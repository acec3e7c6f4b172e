// Defends one word for one thing: each short word is a filter, a column, a field, a key of summaries and a column of SQL,
// next to the API's own name; and a name that nothing has is refused.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { returnKeys, shipmentKeys } from '../../src/domain/parcels/summary.ts'
import { keyMeant, words, type Word } from '../../src/domain/parcels/words.ts'
import { sqlViews } from '../../src/engine/sql/views.ts'
import { returnView, shipmentView } from '../../src/cli/output/views.ts'
import { orderRequest } from '../support/requests.ts'
import { first } from '../support/size.ts'
import { sandbox, type Outcome } from '../support/sandbox.ts'
import { startService, type TestService } from '../support/service.ts'
import { lineTo, startShapes } from '../support/recordshapes.ts'

const box = sandbox()
const seeded = { SHIPX_DB: 'seeded.sqlite' }

/** Records that other deployments send: a status without a detailed one, a detailed one that shipx does not know. */
const awkward = [
  { id: 'odd-1', status: 'in_transit' },
  { id: 'odd-2', status: 'in_transit', granular_status: 'held_at_customs' },
  { id: 'odd-3', status: 'strange', granular_status: 'in_transit' },
  { id: 'odd-4', granular_status: 'out_for_delivery' },
  { id: 'odd-5', status: 'others' },
].map(({ id, ...attributes }) => ({
  id,
  type: 'shipment',
  attributes: { created_at: '2026-09-28T04:30:00Z', ...attributes },
}))

const order = {
  id: 'order-1',
  type: 'shipment',
  attributes: { created_at: '2026-09-27T04:30:00Z', status: 'delivered', order: { display_id: '#1500' } },
}

const ask = (line: string, env: Readonly<Record<string, string>> = seeded): Promise<Outcome> =>
  box.shipx(line.split(' '), { env })

const idsOf = async (line: string, env = seeded): Promise<readonly string[]> => {
  const { stdout, stderr, exit } = await ask(`${line} --all --ids`, env)
  expect([line, exit, stderr]).toEqual([line, 0, expect.not.stringContaining('✗')])
  return stdout
    .split('\n')
    .filter((id) => id !== '')
    .toSorted()
}

beforeAll(async () => {
  await ask('local seed --shipments 300 --returns 60')
  const input = [...awkward, order].map((record) => JSON.stringify(record)).join('\n')
  await box.shipx(['local', 'import', 'shipments', '-'], { env: seeded, input })
})
afterAll(() => box.remove())

describe('a filter has one word', () => {
  test(
    'several statuses find what each finds, also where the detailed status is missing or strange',
    { tags: ['full'] },
    async () => {
      const [one, other] = [
        await idsOf('shipments list --status in_transit'),
        await idsOf('shipments list --status out_for_delivery'),
      ]
      const both = [...one, ...other].toSorted()
      expect(both).toEqual(expect.arrayContaining(['odd-1', 'odd-2']))
      expect(await idsOf('shipments list --status in_transit,out_for_delivery')).toEqual(both)
      expect(await idsOf('shipments list --status out_for_delivery --status in_transit')).toEqual(both)
    },
  )

  test('--open finds what has not ended', { tags: ['full'] }, async () => {
    const open = 'pending,in_transit,out_for_delivery,ndr_raised,rto_initiated,rto_in_transit'
    expect(await idsOf('shipments list --open')).toEqual(await idsOf(`shipments list --status ${open}`))
    const back = await idsOf('returns list --status return_requested,pickup_scheduled,in_transit')
    expect(await idsOf('returns list --open')).toEqual(back)
    expect(back.length).toBeGreaterThan(0)
  })

  test.each(
    first(1, [
      ['shipments list --courier blueline', 'shipments list --carrier-id CAR5BLUELN2S6'],
      ['shipments list --courier CAR5BLUELN2S6', 'shipments list --carrier-id CAR5BLUELN2S6'],
      ['shipments list --courier blueline_surface,swiftair', 'shipments list --carrier-id CAR5BLUELN2S6,CAR8SWIFTA1R9'],
      ['returns list --courier blueline', 'returns list --carrier-ids CAR5BLUELN2S6'],
      ['shipments list --warehouse WHDEL1', 'shipments list --warehouse-ids WHDEL1'],
      ['returns list --warehouse WHDEL1', 'returns list --warehouse-id WHDEL1'],
      ['shipments list --payment cod', 'shipments list --is-cod'],
      ['shipments list --payment Prepaid', 'shipments list --prepaid'],
      ['shipments list --month 2026-09', 'shipments list --since 2026-09-01 --until 2026-09-30'],
      ['shipments list --month last-month', 'shipments list --since 2026-08-01 --until 2026-08-31'],
      ['returns list --month this-month', 'returns list --since 2026-09-01 --until 2026-09-30'],
    ]),
  )('%s finds what %s finds', async (short, long) => {
    const found = await idsOf(short)
    expect(found).toEqual(await idsOf(long))
    expect(found.length).toBeGreaterThan(0)
  })

  test('--order finds a number with and without its sign', { tags: ['full'] }, async () => {
    expect(await idsOf('shipments list --order 1500')).toEqual(['order-1'])
    expect(await idsOf('shipments list --order #1500')).toEqual(['order-1'])
    const { stderr } = await ask('shipments list --order 1500 --status pending')
    expect(stderr).toContain('No shipments match: pending · order 1500.')
  })

  test.each(
    first(2, [
      ['shipments list --courier bluedart', /^✗ --courier: "bluedart" isn't a courier of this account\.\n +One of: /m],
      ['shipments list --courier swiftar', /Did you mean SwiftAir \(CAR8SWIFTA1R9\)\?/],
      ['shipments list --courier bluline_surface', /Did you mean bluel[a-z_]*|BlueLine/],
      ['shipments stuck --courier bluedart', /--courier: "bluedart" isn't a courier/],
      ['shipments ndr --courier bluedart', /--courier: "bluedart" isn't a courier/],
      ['returns summary --courier bluedart', /--courier: "bluedart" isn't a courier/],
      ['report --courier bluedart --out none.html', /--courier: "bluedart" isn't a courier/],
      [
        'shipments list --warehouse WHDEL',
        /--warehouse: "WHDEL" isn't a warehouse of this account\. Did you mean WHDEL1/,
      ],
      ['shipments list --payment cheque', /--payment: "cheque" is neither COD nor PREPAID/],
      [
        'shipments list --month 2026-13',
        /--month: "2026-13" is not a month; write 2026-10, October, "Oct 2026", this-month or last-month/,
      ],
      ['shipments list --month 2026-10-01', /--month: "2026-10-01" is not a month/],
      ['shipments list --month 2026-09 --since 7d', /exclude/],
      ['shipments list --open --status pending', /exclude/],
      ['shipments list --status in_transit,nowhere', /--status: "nowhere" isn't a status/],
      ['shipments summary --by couriers', /--by: "couriers" isn't a key\. Did you mean courier\?/],
    ] as const),
  )('%s is refused', async (line, said) => {
    const { exit, stdout, stderr } = await ask(line)
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringMatching(said)])
  })

  test('an empty --status is refused and does not mean every status', async () => {
    const { exit, stdout } = await box.shipx(['shipments', 'list', '--status', '', '--ids'], { env: seeded })
    expect([exit, stdout]).toEqual([2, ''])
  })
})

describe('a courier of an order', () => {
  test('is named by part of its name, and several candidates are refused', { tags: ['full'] }, async () => {
    box.file('order.json', JSON.stringify(orderRequest({ warehouse_id: 'WHDEL1', order_date: '2026-09-28 10:00' })))
    const created = await ask('orders create --file order.json --courier swift --yes --csv --fields courier_name')
    expect([created.exit, created.stdout]).toEqual([0, 'courier_name\nSwiftAir\n'])
    const several = await ask('orders create --file order.json --order-id A-2 --courier e --yes --json')
    expect([several.exit, several.stdout, several.stderr]).toEqual([
      2,
      '',
      expect.stringContaining('is part of several'),
    ])
    const assign = await ask('local assign nothing --courier blueline --dry-run --json')
    expect(assign.stderr).not.toContain('blueline')
    const ambiguous = await ask('local assign nothing --courier e --dry-run')
    expect([ambiguous.exit, ambiguous.stderr]).toEqual([
      2,
      expect.stringMatching(/--courier: "e" is part of several names: .*BlueLine Surface \(CAR5BLUELN2S6\)/s),
    ])
  })
})

describe('every word', () => {
  const entries = Object.entries<Word>(words)

  test('is a field, a column, a key and a column of SQL', () => {
    for (const [word, places] of entries) {
      for (const [kind, view, keys] of [
        ['shipment', shipmentView, shipmentKeys],
        ['return', returnView, returnKeys],
      ] as const) {
        const path = places[kind]
        if (path === undefined) continue
        const columns = view.columns.map(({ key }) => key)
        expect([word, kind, columns]).toEqual([word, kind, expect.arrayContaining([word])])
        expect([word, kind, view.names]).toEqual([word, kind, expect.arrayContaining([path])])
        for (const name of [word, path]) expect(keys).toContain(keyMeant(name, kind))
        const sql = sqlViews.find(({ name }) => name === `${kind}s`)!.columns.map(({ name }) => name)
        expect(sql).toEqual(expect.arrayContaining([word, ...(places.sql === undefined ? [] : [places.sql])]))
      }
    }
  })

  test.each(first(1, ['shipment', 'return'] as const))('of a %s says the same everywhere', async (kind) => {
    const some = entries.filter(([, places]) => places[kind] !== undefined)
    const names = some.map(([word]) => word)
    const paths = some.map(([, places]) => places[kind]!)
    const list = `${kind}s list --limit 5 --since 30d`
    const table = await ask(`${list} --columns ${names.join()}`)
    const byPath = await ask(`${list} --columns ${paths.join()}`)
    expect([table.exit, table.stdout]).toEqual([0, byPath.stdout])
    // The API has an object `order` of its own.
    const fields = names.filter((name) => name !== 'order')
    const csv = await ask(`${list} --csv --fields ${fields.join()}`)
    expect(csv.stdout.split('\n')[0]).toBe(fields.join())
    const own = await ask(`${list} --csv --fields ${fields.map((name) => paths[names.indexOf(name)]).join()}`)
    const plain = (text: string): string =>
      text
        .split('\n')
        .slice(1)
        .join('\n')
        .replaceAll(/\btrue\b/g, 'cod')
        .replaceAll(/\bfalse\b/g, 'prepaid')
    expect(csv.stdout.split('\n').slice(1).join('\n')).toBe(plain(own.stdout))
    const cells = table.stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t').filter((_, i) => names[i] !== 'order'))
    expect(csv.stdout.trimEnd().split('\n').slice(1)).toEqual(cells.map((line) => line.join()))
    const columns = names.map((name) => `"${name}"`).join(', ')
    const sql = await box.shipx(['sql', `select ${columns} from ${kind}s limit 1`, '--csv'], { env: seeded })
    expect([sql.exit, sql.stdout.split('\n')[0]]).toEqual([0, names.join()])
  })

  test('is a key of summaries, under the name that was typed', { tags: ['full'] }, async () => {
    const [short, long] = [
      await ask('shipments summary --by courier --csv'),
      await ask('shipments summary --by carrier --csv'),
    ]
    expect(short.stdout.split('\n')[0]).toMatch(/^courier,shipments,/)
    expect(long.stdout.split('\n')[0]).toMatch(/^carrier,shipments,/)
    expect(short.stdout.split('\n').slice(1)).toEqual(long.stdout.split('\n').slice(1))
    const pincodes = await ask('shipments summary --by pincode,payment --cod --limit 1 --json')
    expect((JSON.parse(pincodes.stdout) as { data: object[] }).data[0]).toMatchObject({ payment: 'cod' })
  })
})

describe('at a deployment', { tags: ['full'] }, () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
    const { seedShipments } = await import('../../src/engine/sample/seed.ts')
    const now = Date.parse('2026-09-29T08:30:00Z')
    await service.engine.save(
      'shipment',
      seedShipments({ shipments: 200, returns: 0, stores: 3, days: 20, seed: 5, now }),
    )
  })
  afterAll(() => service.close())

  test('words, several statuses and open mean the same', async () => {
    const env = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
    for (const [short, long] of [
      ['--courier blueline', '--carrier-id CAR5BLUELN2S6'],
      ['--status in_transit,delivered', '--granular-status in_transit,delivered'],
      ['--payment cod', '--cod'],
    ] as const) {
      const [a, b] = [
        await ask(`shipments list ${short} --all --ids`, env),
        await ask(`shipments list ${long} --all --ids`, env),
      ]
      expect([short, a.exit, a.stdout]).toEqual([short, 0, b.stdout])
      expect(a.stdout).not.toBe('')
    }
    expect((await ask('shipments list --open --ids', env)).exit).toBe(0)
  })

  test.each([
    ['--courier bluedart', `"bluedart" isn't a courier in the newest 100 records of this account`],
    ['--warehouse NOPE', `--warehouse: "NOPE" isn't a warehouse in any record of this account`],
    ['--sku NOPE', `--sku: "NOPE" isn't an SKU in any record of this account`],
    ['--tags nope', `--tags: "nope" isn't a tag in any record of this account`],
    ['--channel shopfy', 'Did you mean shopify?'],
  ])('a name that nothing there has is refused: %s', async (flags, said) => {
    const env = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
    const { exit, stdout, stderr } = await ask(`shipments list ${flags}`, env)
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)])
  })

  test('one that takes a single status is not asked for several', async () => {
    const remote = await startShapes({ shipments: [], returns: [] })
    const line = lineTo(remote)
    const { exit, stderr } = await line.shipx('shipments list --status in_transit,delivered'.split(' '))
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining(
        '--status means several statuses, and this deployment takes one; use --granular-status in_transit,delivered',
      ),
    ])
    expect(stderr).toContain('shipx pull, then the same command with --local')
    line.remove()
    await remote.close()
  })
})
