// Defends the weights and sizes of SKUs: kept as they are written, and the parcels that orders get from them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Raw } from '../../../src/cli/args/input.ts'
import { fillFromSkus } from '../../../src/cli/imports/orders/skuparcel.ts'
import { orderReader } from '../../../src/cli/imports/orders/sheet.ts'
import { readNotes } from '../../../src/cli/imports/orders/readnotes.ts'
import { sandbox, type Outcome, type Sandbox } from '../../support/sandbox.ts'
import { api, flagged, ordersIn } from './ordersheets.ts'

const sku = (name: string, weight: number, sides: readonly [number, number, number] | null) => {
  const [length, width, height] = sides ?? [null, null, null]
  return [name, { sku: name, weight, length, width, height }] as const
}

const skus = new Map([
  sku('CR-02', 180_500, [20_000, 15_000, 3_000]),
  sku('MS-11', 200_000, [10_000, 10_000, 10_500]),
  sku('FLAT', 50_000, null),
])

const parcelOf = (items: readonly Raw[], raw: Raw = {}, defaults: Raw = {}) => {
  const filled = { ...raw }
  return { ...fillFromSkus({ skus, defaults }, filled, items), raw: filled }
}

describe('the parcel of an order', () => {
  const two = [
    { sku: 'CR-02', units: '2' },
    { sku: 'MS-11', units: '3' },
  ]

  test('weighs its pieces in all, and is as large as its largest SKU by volume', () => {
    expect(parcelOf(two)).toEqual({
      weighed: true,
      sized: true,
      faults: [],
      raw: { weight: 0.961, length: 10, breadth: 10, height: 10.5 },
    })
  })

  test('keeps what its sheet or a flag says', () => {
    expect(parcelOf(two, { weight: 2 }).raw).toEqual({ weight: 2, length: 10, breadth: 10, height: 10.5 })
    expect(parcelOf(two, { length: 9 }).raw).toEqual({ weight: 0.961, length: 9 })
    expect(parcelOf(two, {}, { length: 1, breadth: 1, height: 1, weight: 1 }).raw).toEqual({})
  })

  test('is a fault for each SKU that is not known, or has no size where one is needed', () => {
    const items = [...two, { sku: 'NEW', units: '1' }, { sku: 'FLAT', units: '1' }]
    expect(parcelOf(items)).toMatchObject({
      raw: {},
      faults: [
        { item: 2, message: '"NEW" is not among your SKUs; shipx skus import, or give --weight and --size' },
        { item: 3, message: '"FLAT" has no size; give --size, or import its sides' },
      ],
    })
    expect(parcelOf([{ sku: 'FLAT', units: '2' }], {}, { length: 1, breadth: 1, height: 1 }).raw).toEqual({
      weight: 0.1,
    })
  })
})

test('an order with an unknown SKU is one fault, which names it and not the weight', async () => {
  const text = api({ weight: '', item_sku: 'NEW' })
  const [order] = await ordersIn(text, { ...flagged, skus })
  expect(order!.faults.map(({ field, message }) => `${field}: ${message}`)).toEqual([
    'item_sku: "NEW" is not among your SKUs; shipx skus import, or give --weight and --size',
  ])
})

test('orders with faults were counted among those with the weight of "its" SKUs', async () => {
  const none = { weight: '', length: '', breadth: '', height: '' }
  const text = api({ ...none }, { ...none, order_id: 'A-2' }, { ...none, order_id: 'A-3', billing_phone: '12' })
  const plan = { ...flagged, defaults: { order_date: '2026-09-28 10:00', warehouse_id: 'main' }, skus }
  const reader = orderReader(plan)
  await ordersIn(text, plan, reader)
  expect(readNotes(reader)).toEqual([
    '2 orders have the weight of their SKUs',
    '2 orders have the size of their largest SKU',
  ])
})

describe('shipx skus', () => {
  let box: Sandbox
  beforeEach(() => {
    box = sandbox()
  })
  afterEach(() => box.remove())
  const run = (line: string): Promise<Outcome> => box.bash(line)

  test('keeps a sheet of SKUs, from which orders without a weight get theirs', { tags: ['full'] }, async () => {
    box.file('skus.csv', 'Item SKU,Weight (kg),L (cm)\nCR-02,0.18,\nMS-11,0.2,\n')
    box.file('orders.csv', api({ weight: '', length: '', breadth: '', height: '' }))
    const kept = await run('shipx skus import skus.csv --yes; shipx skus list --json')
    expect(JSON.parse(kept.stdout)).toEqual({
      data: [
        { sku: 'CR-02', weight: 180, length: null, width: null, height: null },
        { sku: 'MS-11', weight: 200, length: null, width: null, height: null },
      ],
    })
    const made = await run(
      'shipx local warehouse set WH1 400001 --quiet; shipx orders import orders.csv -s 20x15x10 --yes',
    )
    expect([made.exit, made.stderr]).toEqual([0, expect.stringContaining('1 order has the weight of its SKUs')])
  })

  test.each([
    ['L (cm),B (cm),H (cm)', '20,15,10'],
    ['L,B,H', '20,15,10'],
    ['l_cm,W,h_cm', '20,15,10'],
    ['Length (cms),Breadth in cm,Height', '20,15,10'],
    ['L x B x H (cm)', '20×15×10'],
    ['LxWxH (cm)', '20*15*10 cm'],
    ['LxBxH', '20x15x10'],
    ['Dimensions', '20x15x10'],
    ['Size', '20x15x10'],
    ['Size (mm)', '200x150x100'],
  ])('the size of a SKU was dropped under the header %s', async (header, cells) => {
    box.file('skus.csv', `SKU,Wt (g),${header}\nCR-02,180,${cells}\n`)
    const { stderr, stdout } = await run('shipx skus import skus.csv --yes && shipx skus list')
    expect(stdout).toBe('CR-02\t180\t20\t15\t10\n')
    expect(stderr).not.toContain('not used')
  })

  test('a size of a SKU that cannot be read was dropped', async () => {
    box.file('mapped.csv', 'SKU,Wt (g),Box\nCR-02,180,20x15x10\nMS-11,90,\n')
    const mapped = await run('shipx skus import mapped.csv --map Box=size --yes && shipx skus list')
    expect(mapped.stdout).toBe('CR-02\t180\t20\t15\t10\nMS-11\t90\t\t\t\n')
    box.file('garments.csv', 'SKU,Wt (g),Size\nKD-1,180,XL\n')
    const garment = await run('shipx skus import garments.csv --yes')
    expect([garment.exit, garment.stderr]).toEqual([
      2,
      expect.stringContaining('for example 20x15x10; or do not read the column: --ignore "Size"'),
    ])
    expect((await run('shipx skus import garments.csv --ignore Size --yes')).exit).toBe(0)
    box.file('inches.csv', 'SKU,Wt (g),L (in),B (in),H (in)\nKD-2,180,8,6,4\n')
    const inches = await run('shipx skus import inches.csv --yes')
    expect(inches.stderr).toContain('the header "L (in)" says in, and bare numbers are cm')
    box.file('twice.csv', 'SKU,Wt (g),Size,L,B,H\nKD-3,180,XL,8,6,4\n')
    expect((await run('shipx skus import twice.csv --yes')).stderr).toContain('Columns that are not used: Size')
  })

  test('400 under a header of kilograms was saved as a palazzo of 400 kg', async () => {
    box.file('heavy.csv', 'SKU,Weight (kg)\nPAL-04,400\nSAFE-1,120kg\n')
    const { exit, stderr } = await run('shipx skus import heavy.csv --yes')
    expect([exit, stderr]).toEqual([7, expect.stringContaining('weight 400 kg of one piece? Write 400kg or 400g')])
    expect((await run('shipx skus list')).stdout).toBe('SAFE-1\t120000\t\t\t\n')
    await run('shipx skus remove SAFE-1 --yes')
    box.file('grams.csv', 'SKU,Weight (g)\nSAFE-2,150000\n')
    expect((await run('shipx skus import grams.csv --yes && shipx skus remove SAFE-2 --yes')).exit).toBe(0)
  })

  test('a sheet without sides took away the sides that a SKU had', async () => {
    box.file('sides.csv', 'sku,weight,length,width,height\nPAL-04,350g,22,18,6\n')
    box.file('weights.csv', 'SKU,Weight (kg)\nPAL-04,0.4\n')
    const { stdout } = await run(
      'shipx skus import sides.csv --yes && shipx skus import weights.csv --on-conflict update --yes && shipx skus list',
    )
    expect(stdout).toBe('PAL-04\t400\t22\t18\t6\n')
    expect((await run('shipx skus import weights.csv --yes')).stderr).toContain('1 SKU unchanged')
    await run('shipx skus remove PAL-04 --yes')
  })

  test('changes a SKU only when told to, and removes one by its name', { tags: ['full'] }, async () => {
    box.file('skus.csv', 'sku,weight,length,width,height\nCR-02,180g,20,15,3\nBAD,heavy,,,\nHALF,10g,1,,\n')
    const first = await run('shipx skus import skus.csv --yes')
    expect([first.exit, first.stderr]).toEqual([7, expect.stringContaining('line 3: weight "heavy" is not a weight')])
    expect(first.stderr).toContain('line 4: give all three sides, or none')
    box.file('skus.csv', 'sku,weight,length,width,height\nCR-02,190g,20,15,3\n')
    expect((await run('shipx skus import skus.csv --yes')).stderr).toContain('is there with another weight or size')
    await run('shipx skus import skus.csv --yes --on-conflict update')
    expect((await run('shipx skus list')).stdout).toBe('CR-02\t190\t20\t15\t3\n')
    expect((await run('shipx skus remove CR-2')).stderr).toContain('there is no SKU CR-2. Did you mean CR-02?')
    expect((await run('shipx skus remove CR-02 --json && shipx skus list')).stdout).toContain('"sku":"CR-02"')
    expect((await run('shipx skus list')).stdout).toBe('')
  })
})
