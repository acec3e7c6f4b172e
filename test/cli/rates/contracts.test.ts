// A merchant's contract from its paper to its prices: one template and one try, versions from a day on, the courier's own
// zones, and what two cards differ in.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { workbook } from '../../support/workbook.ts'

const box = sandbox()
afterAll(() => box.remove())
const at = (name: string): string => join(box.folder, name)

/** The prices of a contract in the place of the template's own line. */
const fill = (prices: string): string => {
  const [header] = readFileSync(at('contract.csv'), 'utf8').split('\n')
  return `${header!}\n${prices}\n`
}

const parcel = ['rates', '--from', '400001', '-w', '1200g', '-s', '10x10x10', '--cod', '3000', '--json', '-q']
const priced = async (to: string, ...more: readonly string[]) => {
  const { stdout, exit } = await box.shipx([...parcel, '--to', to, ...more])
  expect(exit).toBe(0)
  const [offer] = (JSON.parse(stdout) as { result: { serviceable_couriers: Record<string, unknown>[] } }).result
    .serviceable_couriers
  return offer!
}

beforeAll(async () => {
  expect((await box.shipx(['ratecard', 'template', '--out', 'contract.csv'])).exit).toBe(0)
  writeFileSync(at('contract.csv'), fill('Road Express,,500g,32,38,48,54,68,500g,26,30,38,42,55,100,40,1.8,12,18,5000'))
  const { exit, stderr } = await box.shipx(['ratecard', 'import', 'contract.csv', '--use'])
  expect([exit, stderr]).toEqual([
    0,
    '✓ Imported rate card contract on this computer, 1 service, in use from now on\n' +
      'Filled in: no returns, pickup cut-off 14:00, Monday to Saturday, any weight, the greater of both COD fees, ' +
      'transit days 2 to 7. To change them: shipx ratecard export contract\n',
  ])
})

describe('a contract of five zones, fuel 12 %, COD max(40, 1.8 %), GST 18 %', () => {
  test('takes one template and one try, and its quote is that of a sheet by hand', async () => {
    // 48 + 2 x 38 = 124; fuel 14.88; COD 1.8 % of 3,000 = 54; back 124 and fuel 14.88; you pay 192.88 and 18 %.
    expect(await priced('560001')).toMatchObject({
      charges: {
        forward_freight_charges: 124,
        cod_charges: 54,
        rto_charges: 138.88,
        total_forward_charges: 192.88,
      },
      surcharges: { Fuel: 14.88 },
    })
    const { stdout } = await box.shipx([...parcel.slice(0, -2), '--to', '560001', '--csv', '-q'])
    expect(stdout).toContain('192.88')
    const table = await box.shipx([...parcel.slice(0, -2), '--to', '560001', '-q'], { env: { SHIPX_FORCE_TTY: '140' } })
    expect(table.stdout).toContain('₹227.60')
  })

  test(
    'a second version from the 1st of a month changes prices from that day on, and no other',
    { tags: ['full'] },
    async () => {
      writeFileSync(at('new.csv'), fill('Road Express,,500g,32,38,50,54,68,500g,26,30,38,42,55,100,40,1.8,15,18,5000'))
      const from = ['ratecard', 'import', 'new.csv', '--name', 'contract', '--valid-from', '2026-11-01']
      expect((await box.shipx(from)).stderr).toContain('; the version before ends on 2026-10-31')
      for (const day of ['2026-09-29', '2026-10-31'])
        expect(await priced('560001', '--date', day)).toMatchObject({ surcharges: { Fuel: 14.88 } })
      expect(await priced('560001')).toMatchObject({ surcharges: { Fuel: 14.88 } })
      expect(await priced('560001', '--date', '2026-11-01')).toMatchObject({
        charges: { forward_freight_charges: 126 },
        surcharges: { Fuel: 18.9 },
      })
    },
  )

  test('versions and files are compared', { tags: ['full'] }, async () => {
    const { stdout, exit } = await box.shipx(['ratecard', 'diff', 'contract', 'contract@2026-11-01', '--csv', '-q'])
    expect([exit, stdout]).toEqual([
      0,
      'courier,journey,zone,what,before,after,change\n' +
        'Road Express,forward,zone_c,first 500 g,48,50,4.2\n' +
        'Road Express,,,Fuel,12 % of freight,15 % of freight,\n',
    ])
    expect((await box.shipx(['ratecard', 'diff', 'contract', 'contract.csv', '--json'])).stdout).toBe('{"data":[]}\n')
    const gap = await box.shipx(['ratecard', 'diff', 'contract', 'contract@2026-13-01'])
    expect([gap.exit, gap.stderr]).toEqual([2, '✗ <after>: "2026-13-01" is not a day, such as 2026-10-01\n'])
  })
})

test('a version from a day on drops the last day of a card that ended before it', { tags: ['full'] }, async () => {
  const { stdout } = await box.shipx(['ratecard', 'export', 'sample'])
  const card = { ...(JSON.parse(stdout) as object), name: 'ended', valid_from: '2026-01-01', valid_to: '2026-03-31' }
  box.file('ended.json', JSON.stringify(card))
  expect((await box.shipx(['ratecard', 'import', 'ended.json'])).exit).toBe(0)
  expect((await box.shipx(['ratecard', 'import', 'ended.json', '--valid-from', '2026-06-01'])).exit).toBe(0)
  const { stdout: versions } = await box.shipx(['ratecard', 'versions', 'ended', '--json'])
  expect((JSON.parse(versions) as { data: unknown[] }).data).toMatchObject([
    { valid_from: '2026-01-01', valid_to: '2026-03-31' },
    { valid_from: '2026-06-01', valid_to: null },
  ])
})

describe('a sheet that is no card', () => {
  test.each([
    [
      'Name,Fee\nx,1\n',
      /no column of a rate card; it has: Name, Fee\n→ for a sheet to fill in: shipx ratecard template/,
    ],
    ['courier,zone,first_price\nx,a,1\n', /lacks prices by zone .*, or \d+ columns of the long form/],
  ])('%s', async (text, message) => {
    const { exit, stderr } = await box.shipx(['ratecard', 'import', box.file('x.csv', text)])
    expect([exit, stderr]).toEqual([2, expect.stringMatching(message)])
  })

  test('names the one header that is wrong in the long form, and the one that it most likely is', async () => {
    const long = (await box.shipx(['ratecard', 'export', 'sample', '--csv'])).stdout
    const { exit, stderr } = await box.shipx([
      'ratecard',
      'check',
      box.file('x.csv', long.replace('first_price', 'price')),
    ])
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('line 1 first_price: this column is missing; the file has "price": rename it'),
    ])
  })
})

test('a sheet of Excel, and one with semicolons and a title, is the same card', { tags: ['full'] }, async () => {
  const rows = readFileSync(at('contract.csv'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  writeFileSync(at('book.xlsx'), workbook([{ name: 'Rates', rows: [['Rate card 2026'], ...rows] }]))
  box.file('semi.csv', `Rate card 2026\n${rows.map((cells) => cells.join(';')).join('\n')}\n`)
  for (const file of ['book.xlsx', 'semi.csv'])
    expect((await box.shipx(['ratecard', 'diff', file, 'contract.csv', '--json', '-q'])).stdout).toBe('{"data":[]}\n')
})

describe('a courier with zones A to F', () => {
  /** As many pincodes as India has, in runs of a zone. */
  const pincodes = Array.from({ length: 19_586 }, (_, i) => 400_000 + i + Math.floor(i / 700) * 9_000)
  const zoneOf = (pincode: number): string => ['A', 'B', 'C1', 'C2', 'D', 'F'][Math.floor(pincode / 50) % 6]!
  const sheet = ['Dest. Pincode,City,Zone', ...pincodes.map((one) => `${one},x,Zone ${zoneOf(one)}`)].join('\n')
  const zonesImport = ['ratecard', 'zones', 'import', 'zones.csv', '--card', 'dl']

  beforeAll(async () => {
    box.file('zones.csv', `${sheet}\n`)
    const { stdout } = await box.shipx(['ratecard', 'template', '--zones', 'A,B,C1,C2,D,F'])
    box.file('dl.csv', stdout.replaceAll('Sample', 'Delhivery'))
    const { exit, stderr } = await box.shipx(['ratecard', 'import', 'dl.csv', '--zone-map', 'F=zone_e'])
    expect([exit, stderr]).toEqual([
      0,
      expect.stringContaining(
        '! the zones A, B, C1, C2, D, F of dl have no pincodes yet, so no pincode leads to their prices: ' +
          'shipx ratecard zones import <sheet> --card dl',
      ),
    ])
  })

  test('needs to know what F counts in, and from where the zones are', async () => {
    const { exit, stderr } = await box.shipx(['ratecard', 'import', 'dl.csv', '--name', 'other'])
    expect([exit, stderr]).toEqual([2, expect.stringContaining('Say it with --zone-map "F=zone_e"')])
    const without = await box.shipx(zonesImport)
    expect([without.exit, without.stderr]).toEqual([2, expect.stringContaining('--origin: is required')])
  })

  test(
    'prices 19,586 pincodes by them, 382830 among others, and gives the sheet back',
    { tags: ['full'] },
    async () => {
      const { exit, stderr, took } = await box.shipx([...zonesImport, '--origin', '400001'])
      expect([exit, stderr]).toEqual([
        0,
        expect.stringContaining('19,586 places in 6 zones; Delhivery Surface, Delhivery Air go by them'),
      ])
      // A second of a quiet machine; this one may be busy.
      expect(took).toBeLessThan(10_000)
      const listed = pincodes.find((one) => zoneOf(one) === 'C2')!
      expect(await priced(String(listed), '--card', 'dl')).toMatchObject({ courier_zone: 'C2' })
      const { stdout } = await box.shipx(['ratecard', 'zones', 'export', '--card', 'dl'])
      const expected = ['from,to,zone', ...pincodes.map((one) => `400001,${one},${zoneOf(one)}`)].join('\n')
      expect(stdout === `${expected}\n`).toBe(true)
      box.file('again.csv', stdout)
      const again = ['ratecard', 'zones', 'import', 'again.csv', '--card', 'dl', '--replace', '-q']
      expect((await box.shipx(again)).exit).toBe(0)
      const { stdout: twice } = await box.shipx(['ratecard', 'zones', 'export', '--card', 'dl'])
      expect(twice === stdout).toBe(true)
    },
  )

  test(
    'a pincode that only its zones name is priced on that card, and refused on another',
    { tags: ['full'] },
    async () => {
      box.file('one.csv', 'pincode,zone\n382830,B\n')
      const { exit } = await box.shipx([
        'ratecard',
        'zones',
        'import',
        'one.csv',
        '--card',
        'dl',
        '--origin',
        '400002',
        '-q',
      ])
      expect(exit).toBe(0)
      const from = [
        'rates',
        '--from',
        '400002',
        '--to',
        '382830',
        '-w',
        '500g',
        '-s',
        '9x9x9',
        '--prepaid',
        '--json',
        '-q',
      ]
      const { stdout, exit: there } = await box.shipx([...from, '--card', 'dl'])
      expect([there, stdout]).toEqual([0, expect.stringContaining('"courier_zone":"B"')])
      for (const card of [[], ['--card', 'sample']]) {
        const refused = await box.shipx([...from, ...card])
        expect([refused.exit, refused.stderr]).toEqual([
          2,
          expect.stringContaining('382830 is not a pincode that exists'),
        ])
      }
    },
  )

  test('two zones for one pair are refused with both lines, and nothing is saved', { tags: ['full'] }, async () => {
    const before = (await box.shipx(['ratecard', 'export', 'dl'])).stdout
    box.file('twice.csv', 'from,to,zone\n400001,560001,A\n400001,560002,A\n400001,560001,B\n400001,56,what?\n')
    const { exit, stderr } = await box.shipx(['ratecard', 'zones', 'import', 'twice.csv', '--card', 'dl'])
    expect(exit).toBe(2)
    expect(stderr).toContain('line 4: 400001 to 560001 is in zone B here and in zone A in line 2')
    expect((await box.shipx(['ratecard', 'export', 'dl'])).stdout).toBe(before)
  })

  test('its prices go out and in as the small form, under its own zones', async () => {
    const { stdout } = await box.shipx(['ratecard', 'export', 'dl', '--csv'])
    expect(stdout.split('\n')[0]).toContain('zone_C1,zone_C2,zone_D,zone_F')
    box.file('dl.csv', stdout)
    expect((await box.shipx(['ratecard', 'diff', 'dl', 'dl.csv', '--json', '-q'])).stdout).toBe('{"data":[]}\n')
  })
})

test(
  'a card with prices by the five carries them over to the zones of a sheet, and says so',
  { tags: ['full'] },
  async () => {
    box.file('mine.csv', 'from,to,zone\n400001,560,C1\n400001,110,C2\n400001,4,A\n')
    const zones = ['ratecard', 'zones', 'import', 'mine.csv', '--card', 'contract', '--valid-from', '2027-01-01']
    const { exit, stderr } = await box.shipx(zones)
    expect(exit).toBe(0)
    expect(stderr).toContain('The prices of Road Express now go by the zones of the sheet: zone_a: A; zone_c: C1, C2.')
    expect(stderr).toContain(
      'Imported zones "contract" of rate card contract from 2027-01-01 on this computer: 3 places',
    )
    expect(await priced('110001', '--date', '2027-01-04')).toMatchObject({ courier_zone: 'C2' })
    expect(await priced('110001')).not.toHaveProperty('courier_zone')
    const other = await box.shipx([...zones, '--courier', 'nobody'])
    expect([other.exit, other.stderr]).toEqual([2, expect.stringContaining('the card has no courier "nobody"')])
  },
)

test('ratecard create without a terminal names the template', async () => {
  const { exit, stderr } = await box.shipx(['ratecard', 'create', 'mine'])
  expect([exit, stderr]).toEqual([8, expect.stringContaining('shipx ratecard template')])
})
