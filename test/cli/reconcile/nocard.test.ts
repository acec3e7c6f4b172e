// Without a contract: lines of a bill that are compared with each other, and the tariff that explains it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, describe, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { contract, prepare, reasonsOf, reconciled, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())

const head = 'awb,courier,payment,cod_amount,zone,weight_g,freight,rto,cod_fee,gst,total'
const gst = (base: number): string => (Math.round(base * 18) / 100).toFixed(2)

interface Row {
  readonly awb: number
  readonly zone?: string
  readonly grams?: number
  readonly freight?: number
  readonly rto?: number
  readonly cod?: number
  readonly collected?: number
}
const row = ({ awb, zone = 'C', grams = 400, freight = 33, rto = 0, cod = 0, collected = 0 }: Row): string => {
  const base = freight + rto + cod
  const paid = collected > 0 ? `COD,${collected}` : 'Prepaid,'
  return [
    awb,
    'Delhivery',
    paid,
    zone,
    grams,
    freight,
    rto,
    cod,
    gst(base),
    (base + Number(gst(base))).toFixed(2),
  ].join()
}
const several = (n: number, from: number, over: Omit<Row, 'awb'> = {}): string[] =>
  Array.from({ length: n }, (_, i) => row({ awb: from + i, ...over }))
const bill = (...rows: readonly string[]): string => `${[head, ...rows].join('\n')}\n`

describe('with a bill and nothing else', () => {
  const lines = [...several(12, 1000), ...several(5, 2000, { zone: 'D', grams: 900, freight: 80 })]
  const odd = row({ awb: 3000, freight: 45 })
  const content = bill(...lines, odd, row({ awb: 1000 }), row({ awb: 4000, zone: 'E', freight: 70 }))

  test('finds the line that costs more than its kind, and the one that comes twice', async () => {
    const { lines: found, exit } = await reconciled(box, content, ['--no-card'])
    expect(exit).toBe(0)
    const wrong = found.filter(({ verdict }) => verdict !== 'ok')
    expect(wrong.map(({ awb, verdict, category, card }) => [awb, verdict, category, card])).toEqual([
      ['3000', 'over', 'rate', '(no card)'],
      ['1000', 'over', 'duplicate', null],
      ['4000', 'unknown', 'unknown', '(no card)'],
    ])
    expect(reasonsOf(wrong[0]!)).toEqual({ rate: 12, gst_on_difference: 2.16 })
    expect(wrong[0]).toMatchObject({ expected: 38.94, evidence: 'other lines of the file', slab_billed: 500 })
    expect(wrong[2]!.reasons).toMatchObject([{ code: 'no_comparison', amount: null }])
  })

  test('a card of the name file was said to be no card', { tags: ['full'] }, async () => {
    const path = box.file('named.csv', bill(...several(3, 9000)))
    const card = box.file('file.json', JSON.stringify(contract({ name: 'file' })))
    const flags = ['--dry-run', '--force', '--card', card]
    const page = await box.shipx(['reconcile', 'invoice', path, ...flags])
    expect(page.stdout).toMatch(/ · card file\n/)
  })

  test(
    'says on the page what it cannot see without parcels, and explains a line by the others',
    { tags: ['full'] },
    async () => {
      const path = box.file('bill.csv', content)
      const page = await box.shipx(['reconcile', 'invoice', path, '--dry-run', '--no-card'])
      expect(page.stdout).toContain('no card: its lines are compared with each other')
      expect(page.stdout).toContain('Without your parcels, shipx does not look for AWBs that are not yours')
      expect(page.stdout).toContain('Without a judgement: 1 nothing to compare with')
      const { stdout } = await box.shipx(['reconcile', 'invoice', path, '--dry-run', '--no-card', '--explain', '3000'])
      expect(stdout).toContain('the same as 13 other lines of zone C to 500 g')
      expect(stdout).toContain('as other lines of this file: zone C to 500 g')
    },
  )

  test('is kept, and the same file again prints the same bytes', { tags: ['full'] }, async () => {
    const path = box.file('kept.csv', content)
    const words = ['reconcile', 'invoice', path, '--no-card', '--number', 'N-1', '--yes', '--jsonl', '-q']
    const [once, again] = [await box.shipx(words), await box.shipx(words)]
    expect([once.exit, again.exit, again.stdout === once.stdout]).toEqual([0, 0, true])
    const { stdout } = await box.shipx(['invoices', 'get', 'N-1'])
    expect(stdout).toContain('no card: its lines are compared with each other')
    const next = await reconciled(box, bill(row({ awb: 1003 }), ...several(3, 7000)), ['--no-card', '--number', 'N-2'])
    expect(next.lines[0]).toMatchObject({ awb: '1003', category: 'billed_before' })
  })

  test('is read from a file alone, and without a flag of the card', { tags: ['full'] }, async () => {
    const words = ['reconcile', 'invoice', '-', '--dry-run']
    const piped = await box.shipx([...words, '--no-card'], { input: content })
    expect([piped.exit, piped.stderr]).toEqual([2, expect.stringContaining('save standard input as a file')])
    const inferring = await box.shipx([...words, '--infer-card', 'x.csv'], { input: content })
    expect(inferring.exit).toBe(2)
    const path = box.file('bill.csv', content)
    const both = await box.shipx(['reconcile', 'invoice', path, '--dry-run', '--no-card', '--card', 'sample'])
    expect(both.exit).toBe(2)
    const alone = await box.shipx(['reconcile', 'invoice', path, '--dry-run', '--no-parcels'])
    expect([alone.exit, alone.stderr]).toEqual([2, expect.stringContaining('goes with --no-card')])
  })

  test('without a zone or with no lines says so', { tags: ['full'] }, async () => {
    const bare = content.replaceAll(/^(\d)/gm, '9$1').replaceAll(/,(?:C|D|E),/g, ',,')
    const { lines: found, stderr } = await reconciled(box, bare, ['--no-card'])
    expect(new Set(found.map(({ verdict }) => verdict))).toEqual(new Set(['unknown', 'over']))
    expect(stderr).toContain('No line names a zone')
    const empty = await reconciled(box, bill(), ['--no-card', '--infer-card', join(box.folder, 'none.csv')])
    expect([empty.lines, empty.exit, existsSync(join(box.folder, 'none.csv'))]).toEqual([[], 0, false])
  })
})

describe('with parcels', () => {
  const own = sandbox()
  afterAll(() => own.remove())

  test('whole lines that need no card are found', { tags: ['full'] }, async () => {
    await prepare(own, [
      ...Array.from({ length: 8 }, (_, n) => shipment(String(1000 + n))),
      shipment('1100', { status: 'cancelled', picked_up: null }),
      shipment('1101', { carrier_id: 'BLU', carrier_name: 'Blue Dart' }),
      shipment('1102', { status: 'delivered' }),
      ...Array.from({ length: 4 }, (_, n) => shipment(String(1200 + n), { status: 'rto_delivered' })),
    ])
    const rows = [
      ...several(8, 1000),
      row({ awb: 1100 }),
      row({ awb: 1101 }),
      ...several(4, 1200, { rto: 30 }),
      row({ awb: 1102, rto: 30 }),
      row({ awb: 9999 }),
    ]
    const { lines } = await reconciled(own, bill(...rows), ['--no-card'])
    expect(lines.filter(({ verdict }) => verdict !== 'ok').map(({ awb, category }) => `${awb} ${category}`)).toEqual([
      '1100 not_shipped',
      '1101 other_courier',
      '1102 rto_not_returned',
      '9999 unknown_awb',
    ])
  })

  test('a bill of other parcels is refused, and read with --no-parcels', { tags: ['full'] }, async () => {
    const content = bill(...several(8, 50_000))
    const refused = await reconciled(own, content, ['--no-card'])
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('none of yours')])
    const { lines } = await reconciled(own, content, ['--no-card', '--no-parcels'])
    expect(new Set(lines.map(({ verdict }) => verdict))).toEqual(new Set(['ok']))
  })
})

describe('a kept file read again', () => {
  const own = sandbox()
  afterAll(() => own.remove())
  const warning = /^! shipx ignored .*: this invoice keeps its first judgement/m

  test('with --no-parcels was warned of falsely, or shown as it was kept in silence', { tags: ['full'] }, async () => {
    await prepare(
      own,
      [...Array(8).keys()].map((n) => shipment(String(1000 + n))),
    )
    const keep = (number: string, ...flags: string[]) => {
      const path = own.file(`${number}.csv`, bill(...several(number.length, 1000)))
      const words = ['reconcile', 'invoice', path, '--no-card', '--force', '--yes', '--jsonl', '--number', number]
      return own.shipx([...words, ...flags])
    }
    expect((await keep('ALONE', '--no-parcels')).exit).toBe(0)
    for (const same of [['--no-parcels'], [], ['--no-parcels', '--tolerance', '1']]) {
      const { exit, stderr } = await keep('ALONE', ...same)
      expect([same, exit, stderr]).toEqual([same, 0, expect.not.stringMatching(warning)])
    }
    const dry = await own.shipx(['reconcile', 'invoice', 'ALONE.csv', '--no-card', '--no-parcels', '--dry-run'])
    expect(dry.stderr).toContain('is kept as invoice ALONE already')
    expect((await keep('ALONE', '--no-parcels', '--tolerance', '2')).stderr).toMatch(/^! shipx ignored --tolerance: /m)
    expect((await keep('SEEN')).exit).toBe(0)
    expect((await keep('SEEN', '--no-parcels')).stderr).toMatch(/^! shipx ignored --no-parcels: /m)
  })

  test('with the files, maps and units that it was kept with was warned of', { tags: ['full'] }, async () => {
    const sheet = 'number;wt;sum\n1001;400;40\n1002;400;40\n'
    const shipped = (grams: number): string =>
      own.file('shipped.csv', `ref,weight_g,zone,payment,date\n1001,${grams},c,prepaid,2026-09-05\n`)
    const flags = ['--unit', 'g', '--parcels', shipped(400), '--card', 'contract.json']
    const read = (number: string, ...more: string[]) =>
      own.shipx(['reconcile', 'invoice', own.file('mapped.csv', sheet), '--number', number, '--yes', ...more])
    const maps = ['--map', 'number=awb', '--map', 'wt=weight', '--map', 'sum=total']
    expect(await read('MAPS', ...maps, ...flags)).toMatchObject({ exit: 0 })
    expect((await read('MAPS', ...maps, ...flags)).stderr).not.toMatch(warning)
    expect((await read('MAPS', ...maps.slice(0, 4), '--map', 'sum=freight')).stderr).toMatch(
      /^! shipx ignored --map: /m,
    )
    shipped(900)
    expect((await read('MAPS', ...maps, ...flags)).stderr).toMatch(/^! shipx ignored --parcels: /m)
  })
})

describe('the tariff of a bill', () => {
  const fresh = sandbox()
  afterAll(() => fresh.remove())
  const zones = { A: [30, 20], C: [33, 25], D: [45.4, 44.8] } as const
  const made = Object.entries(zones).flatMap(([zone, [first, step]], z) =>
    Array.from({ length: 40 }, (_, n): Row => {
      const grams = [400, 800, 1400, 2600][n % 4]!
      const freight = Math.round((first + Math.max(0, Math.ceil((grams - 500) / 500)) * step) * 100) / 100
      const [back, collected] = [n % 10 === 0, n % 3 === 0 ? 900 + n * 100 : 0]
      const cod = collected > 0 && !back ? Math.max(30, collected * 0.02) : 0
      return { awb: 1000 * (z + 1) + n, zone, grams, freight, rto: back ? freight : 0, cod, collected }
    }),
  )

  test('goes into ratecard import, and each line that fits it is ok by it', { tags: ['full'] }, async () => {
    const path = fresh.file('bill.csv', bill(...made.map(row), row({ awb: 9000, zone: 'A', freight: 77 })))
    const words = ['reconcile', 'invoice', path, '--dry-run', '--no-card', '--infer-card', 'tariff.csv']
    const { exit, stdout, stderr } = await fresh.shipx(words)
    expect([exit, stderr]).toEqual([0, expect.stringContaining('Wrote tariff.csv: 1 courier, 3 zones')])
    expect(stdout).toContain(
      'first slab 0.5 kg, then each 0.5 kg, to 3 kg; its lines have 0.4 kg to 2.6 kg; RTO 100 % of the freight; COD the greater of',
    )
    expect(stdout).toContain(`line ${made.length + 2}`)
    const again = await fresh.shipx(words)
    expect([again.exit, again.stderr]).toEqual([2, expect.stringContaining('tariff.csv is there already')])
    expect(
      parse<Record<string, string>>(readFileSync(join(fresh.folder, 'tariff.csv')), { columns: true }),
    ).toMatchObject([
      {
        courier: 'Delhivery',
        first_weight: '500g',
        zone_a: '30',
        zone_d: '45.4',
        zone_d_step: '44.8',
        gst_percent: '18',
      },
    ])
    expect((await fresh.shipx(['ratecard', 'check', 'tariff.csv'])).exit).toBe(0)
    expect((await fresh.shipx(['ratecard', 'import', 'tariff.csv', '--use'])).exit).toBe(0)
    const shipped = [
      'ref,courier,zone,weight_g,payment,value,date',
      ...made.map(({ awb, zone, grams, collected = 0 }) =>
        [awb, 'Delhivery', zone, grams, collected > 0 ? 'COD' : 'Prepaid', collected || 500, '2026-09-05'].join(),
      ),
    ]
    const parcels = fresh.file('shipped.csv', `${shipped.join('\n')}\n`)
    const { lines } = await reconciled(fresh, bill(...made.map(row)), ['--parcels', parcels])
    expect(lines.filter(({ verdict }) => verdict !== 'ok')).toEqual([])
    expect(lines).toHaveLength(made.length)
  })

  test('leaves out what the lines cannot tell, and says it', { tags: ['full'] }, async () => {
    const light = made.filter(({ zone, grams }) => zone !== 'D' || grams === 400).map((one) => ({ ...one, rto: 0 }))
    const path = fresh.file('light.csv', bill(...light.map(row)))
    const words = ['reconcile', 'invoice', path, '--dry-run', '--no-card', '--infer-card', 'light-tariff.csv']
    const { stderr } = await fresh.shipx(words)
    expect(stderr).toContain('Left out for Delhivery: no price above the first slab in zone D; no RTO is billed')
    const sheet = readFileSync(join(fresh.folder, 'light-tariff.csv'), 'utf8')
    expect(parse<Record<string, string>>(sheet, { columns: true })).toMatchObject([
      { up_to: '500g', zone_a: '', zone_d: '45.4' },
      { up_to: '3000g', zone_a: '30', zone_d: '', rto_percent: '' },
    ])
    expect((await fresh.shipx(['ratecard', 'check', 'light-tariff.csv'])).exit).toBe(0)
  })

  test('says that it needs the name of the courier', { tags: ['full'] }, async () => {
    const path = fresh.file('nameless.csv', bill(...made.map(row)).replaceAll(',Delhivery,', ',,'))
    const words = ['reconcile', 'invoice', path, '--dry-run', '--no-card', '--infer-card', 'nameless-tariff.csv']
    const { exit, stderr } = await fresh.shipx(words)
    expect([exit, stderr]).toEqual([0, expect.stringContaining('The file names no courier: the card calls it Courier')])
    const named = await fresh.shipx([...words, '--courier', 'Delhivery', '--force'])
    expect([named.exit, named.stderr]).toEqual([0, expect.not.stringContaining('names no courier')])
    expect(readFileSync(join(fresh.folder, 'nameless-tariff.csv'), 'utf8')).toContain('\nDelhivery,')
  })

  test('of a file without a courier was of one called Courier, where all of its parcels went with one', async () => {
    const own = sandbox()
    await prepare(
      own,
      [...Array(8).keys()].map((n) => shipment(String(1000 + n))),
    )
    const rows = [...Array(8).keys()].map((n) => `${1000 + n},C,400,40`)
    const path = own.file('nameless.csv', ['awb,zone,weight_g,freight', ...rows].join('\n'))
    const words = ['reconcile', 'invoice', path, '--dry-run', '--no-card', '--infer-card', 'tariff.csv']
    const { exit, stderr } = await own.shipx(words)
    expect([exit, stderr]).toEqual([0, expect.not.stringContaining('the card calls it Courier')])
    expect(readFileSync(join(own.folder, 'tariff.csv'), 'utf8')).toContain('\nDelhivery,')
    own.remove()
  })
})
