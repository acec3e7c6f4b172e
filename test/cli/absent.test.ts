// Defends that nothing is empty in silence: names that nobody has are refused, fields that hold others are their columns, and a
// workbook is named as one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { absentNames, courierNames, namesThere, type NameKind } from '../../src/engine/records/absentnames.ts'
import type { Statement, Work } from '../../src/engine/database/port.ts'
import { driver } from '../support/sqlite.ts'
import { sandbox } from '../support/sandbox.ts'
import { startService, type TestService } from '../support/service.ts'
import { first } from '../support/size.ts'

const box = sandbox()
let service: TestService
const seeded = { SHIPX_DB: 'seeded.sqlite' }

beforeAll(async () => {
  service = await startService()
  await box.shipx(['local', 'seed', '--shipments', '200', '--returns', '40'], { env: seeded })
  const record = {
    id: 'only',
    type: 'shipment',
    attributes: {
      tracking_number: '1',
      status: 'delivered',
      created_at: '2026-09-28T04:30:00Z',
      order: { store_name: 'only-in-records', display_id: 'O-1' },
    },
  }
  await box.shipx(['local', 'import', 'shipments', '-'], { env: seeded, input: JSON.stringify(record) })
  box.file('book.xlsx', `PK\u0003\u0004${'x'.repeat(600)}`)
})
afterAll(async () => {
  await service.close()
  box.remove()
})

describe('a name that nothing in the account has is refused, with the nearest and the list', () => {
  test.each(
    first(5, [
      [
        'shipments list --carrier-id bluedart',
        /^✗ --carrier-id: "bluedart" isn't a courier of this account\.\n +One of: .*SwiftAir \(CAR8SWIFTA1R9\)/m,
      ],
      ['shipments list --carrier-id swiftar', /Did you mean SwiftAir \(CAR8SWIFTA1R9\)\?/],
      ['shipments list --store acme', /^✗ --store: "acme" isn't a store of this account\.\n +One of: .*neem-kitchen/m],
      [
        'shipments list --store-name neem-kitchen,neem-kichen --all',
        /--store-name: "neem-kichen" isn't a store of this account\. Did you mean neem-kitchen\?/,
      ],
      ['shipments list --sku NOPE-1 --page 1', /--sku: "NOPE-1" isn't an SKU of this account/],
      ['shipments list --tags priorty', /Did you mean priority\?/],
      ['shipments list --warehouse-ids WHDEL', /Did you mean WHDEL1\?/],
      ['shipments list --channel shopfy', /Did you mean shopify\?/],
      ['returns list --store-name tulsi --limit 500', /Did you mean tulsi-label\?/],
      ['returns list --carrier-ids nobody', /--carrier-ids: "nobody" isn't a courier/],
      ['shipments summary --store acme --by zone', /--store: "acme" isn't a store/],
      ['returns summary --store acme', /--store: "acme" isn't a store/],
      ['shipments stuck --store acme', /--store: "acme" isn't a store/],
      ['shipments ndr --store acme', /--store: "acme" isn't a store/],
      ['shipments watch --store acme', /--store: "acme" isn't a store/],
      ['report --store acme --since 2026-09-01 --out acme.html', /--store: "acme" isn't a store/],
    ] as const),
  )('%s', async (line, said) => {
    const { exit, stdout, stderr } = await box.shipx(line.split(' '), { env: seeded })
    expect([exit, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(said)
    const json = await box.shipx([...line.split(' '), '--json'], { env: seeded })
    expect([json.exit, json.stdout, json.stderr.slice(0, 32)]).toEqual([2, '', '{"error":{"code":"invalid_input"'])
  })

  test.each(
    first(2, [
      'shipments list --store only-in-records --csv',
      'shipments list --carrier-id CAR9BANYAN7H4 --since 1h --csv',
      'returns list --store-name only-in-records --csv',
      'shipments list --store neem-kitchen --until 2020-01-01 --csv',
      'returns list --warehouse-id WHDEL1 --csv',
      'shipments list --search nobody-like-this --csv',
    ]),
  )('one that a store, a card or a record has is not: %s', async (line) => {
    const { exit, stdout, stderr } = await box.shipx(line.split(' '), { env: seeded })
    expect([exit, stderr.includes('✗')]).toEqual([0, false])
    expect(stdout).toMatch(/^id,/)
  })

  test('no report is written about a store that nobody has', async () => {
    expect((await box.bash('ls acme.html')).exit).toBe(2)
  })

  test(
    'at a deployment a name is looked up: a store once the answer is empty, a courier before',
    { tags: ['full'] },
    async () => {
      const env = { SHIPX_BASE_URL: service.url, SHIPX_API_KEY: service.key }
      await box.shipx(['stores', 'create', '--name', 'kids-and-co'], { env })
      const refused = await box.shipx(['shipments', 'list', '--store', 'kids-and-com'], { env })
      expect([refused.exit, refused.stdout]).toEqual([2, ''])
      expect(refused.stderr).toContain(`"kids-and-com" isn't a store of this account. Did you mean kids-and-co?`)
      for (const list of [
        ['shipments', 'summary'],
        ['shipments', 'ndr'],
        ['returns', 'list'],
      ]) {
        const other = await box.shipx([...list, '--store', 'kids-and-com'], { env })
        expect([list, other.exit, other.stdout]).toEqual([list, 2, ''])
      }
      const known = await box.shipx(['shipments', 'list', '--store', 'kids-and-co'], { env })
      expect([known.exit, known.stderr]).toEqual([0, expect.stringContaining('No shipments match: store kids-and-co')])
      const courier = await box.shipx(['shipments', 'list', '--carrier-id', 'nobody'], { env })
      expect([courier.exit, courier.stdout]).toEqual([2, ''])
      expect(courier.stderr).toContain(
        `--carrier-id: "nobody" isn't a courier in the newest 100 records of this account`,
      )
      await box.shipx(['pull'], { env })
      const mirrored = await box.shipx(['shipments', 'list', '--local', '--store', 'nobody'], { env })
      expect([mirrored.exit, mirrored.stderr]).toEqual([2, expect.stringContaining(`"nobody" isn't a store`)])
    },
  )

  // A column of few values has no index of its own: the wide one has it, and no record is read.
  const looked = /^SEARCH .* (?:\(account_id=\? AND \w+[=>]\?\)|USING COVERING INDEX \w+_wide \(account_id=\?\))$/

  test('each is looked up by an index, and no table is read through', () => {
    const database = new driver(`${box.folder}/seeded.sqlite`, { readonly: true })
    const asked: string[] = []
    const drive = (work: Work<unknown>): void => {
      for (let step = work.next(), n = 0; step.done !== true && n < 20; n++) {
        const { sql, values } = step.value as Statement
        asked.push(sql)
        const plan = database.prepare(`explain query plan ${sql}`).all(...values) as { detail: string }[]
        for (const { detail } of plan.filter(({ detail }) => !detail.startsWith('SCALAR')))
          expect([sql, detail]).toEqual([sql, expect.stringMatching(looked)])
        step = work.next(sql.includes('min(') ? [{ name: n % 2 === 0 ? 'a' : null }] : [])
      }
    }
    for (const named of ['store', 'courier', 'warehouse', 'channel', 'sku', 'tag'] satisfies NameKind[]) {
      drive(absentNames(1, named, ['nobody']))
      drive(namesThere(1, named, 3))
    }
    drive(courierNames(1, ['nobody']))
    database.close()
    expect(asked.length).toBeGreaterThan(30)
  })
})

describe('a field that holds others', { tags: ['full'] }, () => {
  test.each([
    ['carrier', ['carrier.id', 'carrier.name']],
    ['applied_weight', ['applied_weight.value', 'applied_weight.metric_unit']],
    [
      'shipping_address',
      [
        'shipping_address.name',
        'shipping_address.phone',
        'shipping_address.city',
        'shipping_address.state',
        'shipping_address.zip',
      ],
    ],
    ['attributes.zone', ['zone']],
    ['items.sku', ['items']],
    ['tracking_number,carrier.name', ['tracking_number', 'carrier.name']],
  ] as const)('--fields %s is its columns in every flat format, and none is empty', async (fields, names) => {
    for (const [format, separator] of [
      ['--csv', ','],
      ['--tsv', '\t'],
      ['--excel', ','],
    ] as const) {
      const { exit, stdout } = await box.shipx(
        ['shipments', 'list', '--limit', '40', '--status', 'delivered', '--fields', fields, format],
        { env: { SHIPX_DB: 'seeded.sqlite' } },
      )
      const [header, ...rows] = stdout.replace('\ufeff', '').trimEnd().split('\n')
      expect([exit, header]).toEqual([0, names.join(separator)])
      expect(rows.filter((row) => /[^,\t"]/.test(row)).length).toBeGreaterThan(30)
      const none = await box.shipx(['shipments', 'list', '--search', 'nobody-like-this', '--fields', fields, format], {
        env: seeded,
      })
      expect(none.stdout.replace('\ufeff', '').trimEnd()).toBe(names.join(separator))
    }
  })

  test('--fields order --csv holds what --jsonl holds', async () => {
    const list = ['shipments', 'list', '--limit', '20', '--fields', 'order']
    const [csv, jsonl] = [
      await box.shipx([...list, '--csv'], { env: seeded }),
      await box.shipx([...list, '--jsonl'], { env: seeded }),
    ]
    const [header, ...rows] = csv.stdout.trimEnd().split('\n')
    expect(header).toBe('order.id,order.order_date,order.channel,order.display_id,order.external_id,order.store_name')
    const orders = jsonl.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { attributes: { order: Record<string, unknown> } }).attributes.order)
    expect(rows).toEqual(
      orders.map((order) =>
        header!
          .split(',')
          .map((name) => order[name.slice(6)] ?? '')
          .join(),
      ),
    )
  })

  test.each([
    [
      ['--columns', 'awb', '--csv'],
      '--columns: is for the table, --excel and --xlsx; for csv use --fields, or add --table',
    ],
    [['--columns', 'awb', '--json'], 'is for the table, --excel and --xlsx; for json use --fields'],
    [['--columns', ','], '--columns: is empty'],
    [['--fields', ',', '--csv'], '--fields: is empty'],
    [['--fields', 'awbb', '--csv'], `"awbb" isn't a field`],
  ] as const)('%j is refused, and not left out in silence', async (flags, said) => {
    const { exit, stdout, stderr } = await box.shipx(['shipments', 'list', ...flags], { env: seeded })
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)])
  })
})

describe('an Excel workbook', { tags: ['full'] }, () => {
  test.each([
    'local import shipments book.xlsx',
    'orders create --file book.xlsx',
    'messages template import book.xlsx',
  ])('is named as one by a command that reads text alone: %s', async (line) => {
    const { exit, stdout, stderr } = await box.shipx(line.split(' '), { env: seeded })
    expect([exit, stdout, stderr]).toEqual([2, '', expect.stringContaining('it is an Excel workbook (.xlsx)')])
    expect(
      (await box.bash(`cat book.xlsx | shipx ${line.replace('book.xlsx', '-')}`, { env: seeded })).stderr,
    ).toContain('Excel workbook')
  })
})
