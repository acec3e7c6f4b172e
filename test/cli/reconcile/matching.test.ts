// How a line finds its parcel and our weight of it: SKUs, --parcels, boxes of one parcel, AWBs that are used again.
// @module-tag full: an import and a dozen invoices
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, reasonsOf, reconciled, shipment, type Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())

const item = (sku: string | null, quantity: unknown) => ({ id: sku ?? 'x', name: 'x', price: 1, sku, quantity })
beforeAll(async () => {
  await prepare(box, [
    shipment('1001', { weight: 400, items: [item('MUG', 2), item('PEN', 3)] }),
    shipment('1002', { weight: 400, items: [item('MUG', 1), item('NEW', 1)] }),
    shipment('1003', { grams: null, items: [item('PEN', 1)] }),
    shipment('1004', { grams: null }),
    shipment('1005', { weight: 400, items: [item('BOX', 1), item('PEN', 1)] }),
    shipment('1006', { weight: 400, items: [item(null, 1)] }),
    shipment('5000', { weight: 1800, is_cod: true, cod_amount: 1000 }),
    shipment('5002', { weight: 900 }),
    shipment('7000', { picked_up: '2025-06-01T06:30:00Z' }),
    shipment('7000', { picked_up: '2026-09-05T06:30:00Z' }),
  ])
  const skus = 'sku,weight_g,length,width,height\nMUG,600,,,\nPEN,20,,,\nBOX,300,30,20,10\n'
  expect(await box.shipx(['skus', 'import', box.file('skus.csv', skus), '--yes'])).toMatchObject({ exit: 0 })
})

const bill = async (content: string, more: readonly string[] = []): Promise<readonly Line[]> =>
  (await reconciled(box, content, ['--courier', 'Delhivery', '--force', ...more])).lines

test('our weight is that of the SKUs, where all of them are known, else that of the record', async () => {
  const rows = ['1001', '1002', '1003', '1005', '1006'].map((awb) => `${awb},400,40`)
  const lines = await bill(['awb,weight_g,freight', ...rows].join('\n'))
  expect(lines.map((line) => [line.awb, line['weight'], line['slab'], line['weight_by']])).toEqual([
    ['1001', 1260, 1500, 'skus'],
    ['1002', 400, 500, 'record'],
    ['1003', 20, 500, 'skus'],
    // 30 x 20 x 10 cm are 1,200 g.
    ['1005', 1200, 1500, 'skus'],
    ['1006', 400, 500, 'record'],
  ])
})

test('a record without a weight takes that of --parcels', async () => {
  const parcels = box.file('parcels.csv', 'ref,weight\n1004,900g\n1001,5kg\n')
  const lines = await bill('awb,weight_g,freight\n1004,900,70\n1001,1260,100\n', ['--parcels', parcels])
  expect(lines.map(({ awb, verdict, weight_by: by, matched_by: how }) => [awb, verdict, by, how])).toEqual([
    ['1004', 'ok', 'parcels', 'awb'],
    ['1001', 'ok', 'skus', 'awb'],
  ])
})

test('the boxes of a parcel were duplicates of its AWB', async () => {
  const content = [
    'Master,Child AWB,weight_g,freight,cod_fee',
    '5000,5001,900,70,30',
    '5000,5002,900,70,0',
    '5000,5003,400,40,30',
    '5000,5001,900,70,0',
    '5000,"5001, 5003",1800,130,30',
  ].join('\n')
  const lines = await bill(content, ['--map', 'Master=awb', '--map', 'Child AWB=child_awb'])
  expect(lines.map((line) => [line.awb, line['matched_by'], line['weight_by'], reasonsOf(line)])).toEqual([
    ['5000', 'child', 'line', {}],
    // A box with a record of its own is a parcel like any other.
    ['5002', 'awb', 'record', {}],
    ['5000', 'child', 'line', { cod_rate: 30 }],
    ['5000', 'child', 'line', { duplicate: 70 }],
    // The line of the whole parcel, which lists its boxes.
    ['5000', 'awb', 'record', {}],
  ])
})

test('a box that an earlier invoice billed is found, and its parcel counts as billed', async () => {
  const keep = async (name: string, rows: readonly string[]) => {
    const path = box.file(`${name}.csv`, ['awb,child_awb,weight_g,freight', ...rows].join('\n'))
    const words = ['reconcile', 'invoice', path, '--courier', 'Delhivery', '--number', name, '--yes', '--jsonl']
    const { stdout, exit } = await box.shipx(words)
    const lines = stdout.trim().split('\n')
    return { exit, categories: lines.map((line) => (JSON.parse(line) as Line).category) }
  }
  expect(await keep('BOXES-1', ['5000,5001,900,70'])).toEqual({ exit: 0, categories: ['ok'] })
  expect(await keep('BOXES-2', ['5000,5003,900,70', '5000,5001,900,70'])).toEqual({
    exit: 0,
    categories: ['ok', 'billed_before'],
  })
  const { stdout } = await box.shipx(['shipments', 'cost', '5000', '--csv', '--fields', 'invoice,net'])
  expect(stdout).toBe('invoice,net\nBOXES-1,70\nBOXES-2,140\nBOXES-2,210\n')
  const boxes = await box.shipx([
    'sql',
    'select child_awb, matched_by from invoice_lines order by invoice, line',
    '--csv',
  ])
  expect(boxes.stdout).toBe('child_awb,matched_by\n5001,child\n5003,child\n5001,child\n')
})

test('a bill with the day of the pickup took the older parcel of an AWB', async () => {
  for (const day of ['pickup_date', 'line_date'])
    expect(await bill(`awb,${day},weight_g,freight\n7000,05-09-2026,400,40\n`)).toMatchObject([
      { picked_up: '2026-09-05', category: 'ok' },
    ])
  const [before] = await bill('awb,pickup_date,weight_g,freight\n7000,04-09-2026,400,40\n')
  expect(before).toMatchObject({ picked_up: '2025-06-01' })
})

test('an AWB that was used again after a year was billed before', async () => {
  const keep = async (name: string, day: string) => {
    const path = box.file(`${name}.csv`, `awb,line_date,weight_g,freight\n7000,${day},400,40\n`)
    const words = ['reconcile', 'invoice', path, '--courier', 'Delhivery', '--number', name, '--yes', '--jsonl']
    return JSON.parse((await box.shipx(words)).stdout) as Line
  }
  expect(await keep('OLD', '2025-06-10')).toMatchObject({ picked_up: '2025-06-01', category: 'unknown' })
  expect(await keep('NEW', '2026-09-10')).toMatchObject({ picked_up: '2026-09-05', category: 'ok', before: [] })
  expect(await keep('TWICE', '2026-09-12')).toMatchObject({ category: 'billed_before', before: [{ invoice: 'NEW' }] })
})
