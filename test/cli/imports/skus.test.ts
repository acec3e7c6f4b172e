// Defends the weights and sizes of SKUs: kept as they are written, and the parcels that orders get from them.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Raw } from '../../../src/cli/args/input.ts'
import { fillFromSkus } from '../../../src/cli/imports/orders/skuparcel.ts'
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
