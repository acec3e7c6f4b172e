// What a courier billed against the contract: verdicts, reasons that add up, and matching.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, reasonsOf, reconciled, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  prepare(box, [
    shipment('1001'),
    shipment('1002'),
    shipment('1003', { weight: 900 }),
    shipment('1004', { status: 'rto_delivered', is_cod: true, cod_amount: 1000 }),
    shipment('1005', { is_cod: true, cod_amount: 2000 }),
    shipment('1006', { status: 'cancelled', picked_up: null }),
    shipment('1007', { carrier_id: 'BLU', carrier_name: 'Blue Dart' }),
    shipment('1008', { picked_up: '2025-12-31T10:00:00Z' }),
    shipment('1009', { order: 'ORD-9' }),
    shipment('2001', { picked_up: '2026-02-01T06:30:00Z', zip: '400002' }),
    shipment('2001', { picked_up: '2026-09-10T06:30:00Z' }),
    shipment('1010', { grams: null }),
    shipment('1011', { warehouse_id: null }),
    shipment('1012', { warehouse_id: null, zone: 'zone_c' }),
    shipment('0042'),
  ]),
)

const head = 'awb,order,zone,weight_g,freight,rto,cod_fee,gst,total'
const bill = async (rows: readonly string[], more: readonly string[] = ['--courier', 'Delhivery']) =>
  (await reconciled(box, [head, ...rows].join('\n'), more)).lines

/** The reasons of a line that was judged add up to its difference, to the paisa. */
const addsUp = ({ reasons, difference }: Line): boolean =>
  difference === null ||
  Math.round(reasons.reduce((sum, { amount }) => sum + amount! * 100, 0)) === Math.round(difference * 100)

describe('a line', () => {
  test('as the contract says is ok, with the card, the zone and the slab', async () => {
    const [line] = await bill(['1001,,C,400,40,0,0,7.20,47.20'])
    expect(line).toMatchObject({
      invoice: 'invoice',
      line: 2,
      awb: '1001',
      order: 'A-1001',
      courier: 'Delhivery',
      journey: 'forward',
      status: 'delivered',
      picked_up: '2026-09-05',
      card: 'contract@2026-01-01',
      zone: 'zone_c',
      zone_billed: 'zone_c',
      weight: 400,
      weight_billed: 400,
      slab: 500,
      slab_billed: 500,
      billed: 47.2,
      expected: 47.2,
      difference: 0,
      verdict: 'ok',
      category: 'ok',
      reasons: [],
      gst_billed: 7.2,
      gst_expected: 7.2,
      before: [],
      evidence: null,
      gst: 'included',
      weight_by: 'record',
      matched_by: 'awb',
    })
  })

  test(
    'in another zone and slab is split by zone, then weight, then price; --order weight turns it',
    { tags: ['full'] },
    async () => {
      const rows = ['1001,,d,1000,91.20,0,0,16.42,107.62']
      const [byZone] = await bill(rows)
      expect(reasonsOf(byZone!)).toEqual({ zone: 5.4, weight: 44.8, rate: 1, gst_on_difference: 9.22 })
      expect(byZone).toMatchObject({ verdict: 'over', category: 'weight', difference: 60.42 })
      const [byWeight] = await bill(rows, ['--order', 'weight', '--courier', 'Delhivery'])
      expect(reasonsOf(byWeight!)).toEqual({ zone: 20.2, weight: 30, rate: 1, gst_on_difference: 9.22 })
      expect([byZone!, byWeight!].every(addsUp)).toBe(true)
    },
  )

  test('weights are compared by slab, not by gram', { tags: ['full'] }, async () => {
    expect(await bill(['1001,,c,480,40,0,0,7.20,47.20'])).toMatchObject([{ verdict: 'ok', slab_billed: 500 }])
    const tolerated = await bill(['1001,,c,520,40,0,0,7.20,47.20'], ['--weight-tolerance', '200g', '--force'])
    expect(tolerated).toMatchObject([{ verdict: 'ok', category: 'ok' }])
  })

  test('RTO of a delivered parcel, and of one that came back', { tags: ['full'] }, async () => {
    const lines = await bill(['1001,,c,400,40,40,0,14.40,94.40', '1004,,c,400,40,40,0,14.40,94.40'])
    expect(reasonsOf(lines[0]!)).toEqual({ rto_not_returned: 40, gst_on_difference: 7.2 })
    expect(lines.map(({ journey, verdict }) => [journey, verdict])).toEqual([
      ['rto', 'over'],
      ['rto', 'ok'],
    ])
  })

  test('COD fees: of a prepaid parcel, of one that came back, and at another rate', async () => {
    const lines = await bill([
      '1001,,c,400,40,0,30,12.60,82.60',
      '1004,,c,400,40,40,30,19.80,129.80',
      '1005,,c,400,40,0,55,17.10,112.10',
    ])
    expect(lines.map((line) => reasonsOf(line))).toEqual([
      { cod_on_prepaid: 30, gst_on_difference: 5.4 },
      { cod_not_reversed: 30, gst_on_difference: 5.4 },
      { cod_rate: 15, gst_on_difference: 2.7 },
    ])
  })

  test('whole lines: twice, not ours, not shipped, another courier; their reason has the GST in it', async () => {
    const row = (awb: string): string => `${awb},,c,400,40,0,0,7.20,47.20`
    const lines = await bill(['1001', '1002', '1001', '9999', '1006', '1007', '1003', '0042'].map(row))
    expect(lines.map(({ category }) => category)).toEqual([
      'ok',
      'ok',
      'duplicate',
      'unknown_awb',
      'not_shipped',
      'other_courier',
      'weight',
      'ok',
    ])
    expect(lines[2]).toMatchObject({ expected: 0, difference: 47.2, reasons: [{ code: 'duplicate', amount: 47.2 }] })
    expect(lines[2]!.reasons[0]!.text).toContain('line 2')
  })

  test('GST that is not the rate of its base, and a total that does not add up', { tags: ['full'] }, async () => {
    const lines = await bill(['1001,,c,400,40,0,0,9.20,49.20', '1002,,c,400,40,0,0,7.20,52.20'])
    expect(reasonsOf(lines[0]!)).toEqual({ gst: 2 })
    expect(reasonsOf(lines[1]!)).toEqual({ arithmetic: 5 })
  })

  test('a difference below the tolerance is rounding', { tags: ['full'] }, async () => {
    const rows = ['1001,,c,400,40.50,0,0,7.29,47.79']
    expect(await bill(rows)).toMatchObject([{ verdict: 'ok', category: 'rounding', difference: 0.59 }])
    expect(await bill(rows, ['--tolerance', '0', '--force'])).toMatchObject([{ verdict: 'over', category: 'rate' }])
  })

  test('that cannot be judged is unknown, with its reason, and never ok', async () => {
    const row = (awb: string): string => `${awb},,c,400,40,0,0,7.20,47.20`
    const lines = await bill(['1001', '1002', '1003', '1008', '1010', '1011', '1012', '1'].map(row))
    expect(lines.slice(3, 7).map(({ verdict, expected, reasons }) => [verdict, expected, reasons[0]?.code])).toEqual([
      ['unknown', null, 'no_card_for_day'],
      ['unknown', null, 'no_weight'],
      ['unknown', null, 'no_zone'],
      ['ok', 47.2, undefined],
    ])
    expect(lines[6]).toMatchObject({ zone_by: 'record' })
  })

  test('a credit of what an earlier line billed, and a credit before its debit', { tags: ['full'] }, async () => {
    const lines = await bill([
      '1001,,c,400,40,0,0,7.20,47.20',
      '1001,,c,,-40,0,0,-7.20,-47.20',
      '1002,,c,,-40,,,-7.20,-47.20',
    ])
    expect(lines.map(({ verdict, difference }) => [verdict, difference])).toEqual([
      ['ok', 0],
      ['credit', 0],
      ['unknown', null],
    ])
  })

  test('what was credited in full may be billed again', { tags: ['full'] }, async () => {
    const lines = await bill([
      '1001,,c,400,40,0,0,7.20,47.20',
      '1001,,c,,-40,0,0,-7.20,-47.20',
      '1001,,c,400,40,0,0,7.20,47.20',
    ])
    expect(lines.map(({ category, verdict }) => [category, verdict])).toEqual([
      ['ok', 'ok'],
      ['ok', 'credit'],
      ['ok', 'ok'],
    ])
  })
})

describe('matching', () => {
  test('an AWB that was used again is the parcel picked up last before the bill', { tags: ['full'] }, async () => {
    const bills = ['2001,2026-03-01,30', '2001-C,2026-09-20,40'].map((row) => `awb,line_date,freight\n${row}`)
    const lines = []
    for (const bill of bills) lines.push(...(await reconciled(box, bill, ['--courier', 'Delhivery'])).lines)
    expect(lines.map(({ zone, verdict, matched_by: by }) => [zone, verdict, by])).toEqual([
      ['zone_a', 'ok', 'awb'],
      ['zone_c', 'ok', 'suffix'],
    ])
  })

  test(
    'AWBs in `="…"`, with blanks and leading zeros; then by order and courier, which is said',
    { tags: ['full'] },
    async () => {
      const rows = ['awb,order,freight', '"=""0042""",,40', "' 1001,,40", '77777,ORD-9,40']
      const { lines } = await reconciled(box, rows.join('\n'), ['--courier', 'Delhivery'])
      expect(lines.map(({ awb, verdict, matched_by: by }) => [awb, verdict, by])).toEqual([
        ['0042', 'ok', 'awb'],
        ['1001', 'ok', 'awb'],
        ['77777', 'ok', 'order'],
      ])
    },
  )

  test(
    '--parcels has what the database does not; the journey is then the word of the line',
    { tags: ['full'] },
    async () => {
      const parcels = box.file(
        'parcels.csv',
        'ref,from,to,weight,payment,courier,date\nP1,400001,560001,400g,prepaid,Delhivery,2026-09-05\n',
      )
      const { lines } = await reconciled(box, 'awb,type,total\nP1,Forward and RTO charges,80\n', ['--parcels', parcels])
      expect(lines).toMatchObject([
        { verdict: 'ok', expected: 80, journey: 'rto', matched_by: 'parcels', weight_by: 'parcels' },
      ])
    },
  )
})

test('a file with one amount is compared as a whole: forward, or forward and RTO', { tags: ['full'] }, async () => {
  const rows = [
    'awb,zone,weight_g,journey,total',
    '1001,d,1000,Forward,90.20',
    '1004,c,400,RTO,80',
    '1002,c,400,RTO,80',
  ]
  const { lines } = await reconciled(box, rows.join('\n'), ['--courier', 'Delhivery'])
  expect(lines.map((line) => reasonsOf(line))).toEqual([{ zone: 5.4, weight: 44.8 }, {}, { rto_not_returned: 40 }])
  expect(lines[0]).toMatchObject({ gst: 'none', gst_billed: null })
})

test('--gst included takes the tax out of amounts without columns of GST', { tags: ['full'] }, async () => {
  const { lines } = await reconciled(box, 'awb,freight,total\n1001,47.20,47.20\n', ['--gst', 'included'])
  expect(lines).toMatchObject([{ verdict: 'ok', expected: 47.2, gst_billed: 7.2, gst_expected: 7.2, gst: 'included' }])
})

test('CSV, JSON and JSON Lines say the same, and the same file prints the same bytes', { tags: ['full'] }, async () => {
  const file = box.file('same.csv', `${head}\n1001,,d,1000,91.20,0,0,16.42,107.62\n1002,,c,400,40,0,0,7.20,47.20\n`)
  const run = (...words: string[]) => box.shipx(['reconcile', 'invoice', file, '--dry-run', ...words])
  const [jsonl, again, json, csv] = await Promise.all([run('--jsonl'), run('--jsonl'), run('--json'), run('--csv')])
  expect(again.stdout).toBe(jsonl.stdout)
  const records = jsonl.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  expect((JSON.parse(json.stdout) as { data: unknown }).data).toEqual(records)
  const [names, ...rows] = csv.stdout.trim().split('\n')
  expect(names!.split(',')).toEqual(Object.keys(records[0]!))
  expect(rows).toHaveLength(2)
  expect(rows[0]).toContain(`"${JSON.stringify(records[0]!.reasons).replaceAll('"', '""')}"`)
})

test('the page says what was billed, why it differs, and what cannot be judged', async () => {
  const file = box.file('page.csv', `${head}\n1001,,d,1000,91.20,0,0,16.42,107.62\n1008,,c,400,40,0,0,7.20,47.20\n`)
  const { stdout, exit } = await box.shipx(['reconcile', 'invoice', file, '--dry-run', '--courier', 'Delhivery'])
  expect(exit).toBe(0)
  expect(stdout).toContain('Delhivery page · 2 lines · form generic · card contract')
  expect(stdout).toContain('over ₹60.42 (1 line) · under ₹0.00 (0) · cannot be judged 1')
  expect(stdout).toContain('GST on these differences: ₹9.22')
  expect(stdout).toContain('1 no card for the day (--only unknown)')
  const explained = await box.shipx(['reconcile', 'invoice', file, '--dry-run', '--explain', '1001'])
  expect(explained.stdout).toContain('+₹44.80  weight: weight 1 kg in place of 0.5 kg')
})
