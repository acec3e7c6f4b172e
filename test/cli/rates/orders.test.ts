// Defends prices of orders before they are imported: of order sheets, and of shops' exports as they are.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { shopifyExport, wooExport, type Exported } from '../../support/exports.ts'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { api, sheet, line } from '../imports/ordersheets.ts'
import { recordsIn } from './parcels.ts'

const columns = 'ref,courier,total,fee,rto,zone,weight,delivery'
const pincodes = ['560038', '400053', '110017', '700019']

/** The orders of an export as a file of parcels. */
const parcelsOf = ({ orders }: Exported, first: number): string =>
  [
    'ref,from,to,weight,length,width,height,payment,value',
    ...orders.map(({ id, cod, total }) => {
      const to = pincodes[(Number(id.replace('#', '')) - first) % 4]!
      return `${id},400001,${to},500g,20,15,10,${cod ? 'cod' : 'prepaid'},${total / 100}`
    }),
  ].join('\n')

describe.each<[string, (count: number) => Exported, number, string]>([
  ['Shopify', shopifyExport, 1000, 'Read as a Shopify export.'],
  ['WooCommerce', wooExport, 5000, 'Read as a WooCommerce export.'],
])('an export of %s with 200 orders', (_, make, first, said) => {
  let box: Sandbox
  beforeEach(() => {
    box = sandbox()
  })
  afterEach(() => box.remove())

  test(
    'has the prices of its parcels, one line for each order',
    { tags: make === wooExport ? ['full'] : [] },
    async () => {
      const exported = make(200)
      const file = box.file('export.csv', exported.csv)
      const flags = ['--weight', '500g', '--size', '20x15x10', '--from', '400001', '--columns', columns]
      const parcels = box.file('parcels.csv', parcelsOf(exported, first))
      const orders = await box.shipx(['rates', '--orders', file, ...flags])
      expect(orders.stderr).toContain(`${said}\n`)
      expect(orders.stderr).toContain('Left out 20 cancelled and 20 fulfilled orders.\n')
      const wanted = await box.shipx(['rates', '--file', parcels, '--columns', columns])
      expect([orders.exit, orders.stdout]).toEqual([0, wanted.stdout])
      expect(orders.stdout.split('\n')).toHaveLength(161)
    },
  )

  test('is priced from the warehouse of the profile, and saves nothing', { tags: ['full'] }, async () => {
    box.file('export.csv', make(20).csv)
    const { stdout, exit } = await box.bash(
      '(shipx local warehouse set WH1 400001; shipx profile set warehouse.default WH1) > /dev/null; ' +
        'shipx rates --orders export.csv -w 500g -s 20x15x10 --json > priced.json && shipx shipments list --json',
    )
    expect([exit, JSON.parse(stdout)]).toMatchObject([0, { data: [] }])
  })
})

describe('an order sheet', () => {
  const box = sandbox()
  afterAll(() => box.remove())
  beforeAll(async () => {
    await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
  })
  const priced = async (input: string, ...args: readonly string[]) => {
    const { stdout, stderr, exit } = await box.shipx(['rates', '--orders', '-', '--jsonl', ...args], { input })
    return { records: stdout === '' ? [] : recordsIn(stdout), stderr, exit }
  }
  const parcel = async (row: string) => {
    const input = `ref,from,to,weight,length,width,height,payment,value\n${row}\n`
    const { stdout } = await box.shipx(['rates', '--file', '-', '--jsonl'], { input })
    return recordsIn(stdout)[0]
  }

  test('starts each order at its warehouse, and collects its value', { tags: ['full'] }, async () => {
    const { records, exit } = await priced(
      api(
        { order_id: 'A-1', payment_method: 'COD', sub_total: '' },
        { order_id: 'A-1', payment_method: 'COD', sub_total: '', item_sku: 'MS-11' },
      ),
    )
    expect([exit, records]).toEqual([0, [await parcel('A-1,400001,560038,500g,20,15,10,cod,1996')]])
  })

  test('needs neither names nor phones: a price does not depend on them', { tags: ['full'] }, async () => {
    const { records, exit } = await priced(
      api({ billing_phone: '12', billing_customer_name: '', billing_email: 'nobody' }),
    )
    expect([exit, records]).toEqual([0, [await parcel('A-1,400001,560038,500g,20,15,10,prepaid,998')]])
    const bare = 'Order Id,Pincode,Payment,Weight (kg)\nB-1,560038,Prepaid,0.5\n'
    const flat = await priced(bare, '--from', '400001')
    expect(flat.stderr).toContain('the file has no sides: parcels are priced on dead weight alone')
    expect([flat.exit, flat.records[0]!['total']]).toEqual([0, expect.any(Number)])
  })

  test('goes to the delivery address', { tags: ['full'] }, async () => {
    const { records } = await priced(
      api({
        shipping_customer_name: 'Vik',
        shipping_address: '4 Park St',
        shipping_pincode: '700016',
        shipping_phone: '9830012345',
      }),
    )
    expect(records).toEqual([await parcel('A-1,400001,700016,500g,20,15,10,prepaid,998')])
  })

  test('gives an order without a price its code and reason, and prices the others', async () => {
    const { records, exit } = await priced(
      sheet(
        line({ id: 'S-1', payment: 'Snapmint' }),
        line({ id: 'S-2', pincode: '123456' }),
        line({ id: 'S-3', weight: '' }),
        line({ id: 'S-4' }),
        line({ id: 'S-5' }),
        line({ id: 'S-4' }),
      ),
      '--size',
      '20x15x10',
      '--warehouse',
      'WH1',
    )
    expect(exit).toBe(7)
    expect(records.map(({ ref, code }) => [ref, code])).toEqual([
      ['S-1', 'invalid_input'],
      ['S-2', 'invalid_input'],
      ['S-3', 'invalid_input'],
      ['S-4', null],
      ['S-5', null],
      ['S-4', 'invalid_input'],
    ])
    expect(records[0]!['reason']).toContain(`add --map-value 'Payment method:Snapmint=PREPAID'`)
    expect(records[1]!['reason']).toMatch(/^Customer pincode .*123456/)
    expect(records[5]!['reason']).toContain('is in line 5 too, with other orders between')
  })

  test('names an unknown warehouse, or takes --from and says so', { tags: ['full'] }, async () => {
    const text = api({ warehouse_id: 'WH9' })
    const lost = await priced(text)
    expect([lost.exit, lost.records[0]!['reason']]).toEqual([
      7,
      'warehouse_id the pincode of warehouse WH9 is not known: shipx local warehouse set WH9 <pincode>, or give --from',
    ])
    const found = await priced(text, '--from', '110001')
    expect(found.records).toEqual([await parcel('A-1,110001,560038,500g,20,15,10,prepaid,998')])
    expect(found.stderr).toContain('1 order names a warehouse without a pincode here; priced from 110001')
  })

  test('a column of all three sides, LxBxH (cm), was not read: a parcel of 24 kg cost as one of 500 g', async () => {
    const head = 'order_id,Pincode,payment_method,sub_total,weight,LxBxH (cm),Size\n'
    const { records, stderr } = await priced(`${head}D-2,560038,PREPAID,999,0.3,60x50x40,XL\n`, '--warehouse', 'WH1')
    expect(records).toEqual([await parcel('D-2,400001,560038,300g,60,50,40,prepaid,999')])
    expect(stderr).not.toContain('no sides')
    const inches = await priced(`${head.replace('cm', 'in')}D-2,560038,PREPAID,999,0.3,8x6x4,\n`, '--warehouse', 'WH1')
    expect(inches.records).toEqual([await parcel('D-2,400001,560038,300g,20.32,15.24,10.16,prepaid,999')])
    const bare = head.replace('LxBxH (cm)', 'LxBxH')
    const said = await priced(`${bare}D-2,560038,PREPAID,999,0.3,8x6x4in,\n`, '--warehouse', 'WH1')
    expect(said.records).toEqual(inches.records)
    expect(said.stderr).toContain('line 2: LxBxH 8x6x4 in is 20.32x15.24x10.16 cm')
    const wrong = await priced(`${head}D-2,560038,PREPAID,999,0.3,60x50,\n`, '--warehouse', 'WH1')
    expect(wrong.records[0]!['reason']).toContain('LxBxH (cm)')
  })

  test('one SKU without sides made "the file has no sides" of a file whose other parcels had them', async () => {
    await box.shipx(['skus', 'import', '-', '--yes'], {
      input: 'sku,weight,length,width,height\nA,400g,20,15,10\nB,90g,,,\n',
    })
    const text = 'order_id,Pincode,payment_method,sub_total,item_sku,item_units,weight\nA-1,560038,PREPAID,9,A,1,1\n'
    const { stderr } = await priced(`${text}A-2,560038,PREPAID,9,B,1,1\n`, '--warehouse', 'WH1')
    expect(stderr).not.toContain('the file has no sides')
    for (const sku of ['A', 'B']) await box.shipx(['skus', 'remove', sku, '--yes'])
  })

  test('takes weights and sizes from SKUs', { tags: ['full'] }, async () => {
    await box.shipx(['skus', 'import', '-', '--yes'], {
      input: 'sku,weight,length,width,height\nCR-02,400g,20,15,10\n',
    })
    const text = 'order_id,Pincode,payment_method,sub_total,item_sku,item_units\nA-1,560038,PREPAID,998,CR-02,3\n'
    const { records } = await priced(text, '--warehouse', 'WH1')
    expect(records).toEqual([await parcel('A-1,400001,560038,1200g,20,15,10,prepaid,998')])
    await box.shipx(['skus', 'remove', 'CR-02', '--yes'])
  })

  test.each<[string, readonly string[], string]>([
    ['without a pickup', [], '--from'],
    ['with a destination', ['--to', '560001', '--from', '400001'], 'each order has its delivery pincode'],
    ['with a form that it is not', ['--form', 'shopify'], '--form'],
  ])('is refused %s', { tags: ['full'] }, async (_, args, said) => {
    const text = 'Order Id,Pincode,Payment,Weight (kg)\nB-1,560038,Prepaid,0.5\n'
    const { exit, stderr } = await priced(text, ...args)
    expect([exit, stderr]).toEqual([2, expect.stringContaining(said)])
  })
})

test('an export given to rates --file names the way out', async () => {
  const box = sandbox()
  const file = box.file('export.csv', shopifyExport(3).csv)
  const { exit, stderr } = await box.shipx(['rates', '--file', file, '--from', '400001'])
  box.remove()
  expect([exit, stderr]).toEqual([
    2,
    expect.stringContaining('a Shopify export of orders: shipx rates --orders <file>'),
  ])
})
