// Defends the faults of a file against riddles: each names the file as its user knows it, and quotes the cell.
import { afterAll, describe, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { first } from '../../support/size.ts'

const box = sandbox()
afterAll(() => box.remove())

const head =
  'order_id,billing_customer_name,billing_phone,billing_address,billing_pincode,payment_method,item_sku,' +
  'Product quantity,item_selling_price,weight,length,breadth,height'
const importing = (file: string, ...more: readonly string[]) =>
  box.shipx(['orders', 'import', file, '--warehouse', 'WH1', '--dry-run', ...more])

describe('a cell that is no number', () => {
  test.each(
    first(1, [
      ['x', '"x" is not a number of units; write for example 2'],
      ['1 pc', '"1 pc" is not a number of units; write for example 2'],
      ['1.5', '"1.5" is not a whole number'],
    ]),
  )('of units, %s, is quoted', async (units, fault) => {
    const row = `A-1,Asha Rao,9812345678,12 MG Road,560038,prepaid,CR-02,${units},499,0.5,20,15,10`
    const { stderr, exit } = await importing(box.file('orders.csv', `${head}\n${row}\n`))
    expect([exit, stderr]).toEqual([2, expect.stringContaining(`line 2: Product quantity ${fault}\n`)])
  })

  test('is quoted in JSON Lines too', { tags: ['full'] }, async () => {
    const names = head.replace('Product quantity', 'item_units').split(',')
    const cells = 'A-1,Asha Rao,9812345678,12 MG Road,560038,prepaid,CR-02,two,499,0.5kg,20,15,10'.split(',')
    const order = JSON.stringify(Object.fromEntries(names.map((name, i) => [name, cells[i]])))
    const { stderr, exit } = await importing(box.file('orders.jsonl', `${order}\n`))
    expect([exit, stderr]).toEqual([
      2,
      expect.stringContaining('line 1: item_units "two" is not a number of units; write for example 2\n'),
    ])
  })
})

describe('a header that lacks a column', () => {
  test.each(
    first(2, [
      ['orders.csv', ['orders', 'import', 'orders.csv', '--warehouse', 'WH1']],
      ['shops.csv', ['stores', 'import', 'shops.csv']],
      ['parcels.csv', ['rates', '--file', 'parcels.csv']],
    ]),
  )('names %s', async (name, args) => {
    box.file(name, 'Shop,Town\na,b\n')
    const { stderr, exit } = await box.shipx(args)
    expect([exit, stderr]).toEqual([2, expect.stringMatching(new RegExp(`line 1 ${name}(:| ) the header lacks `))])
  })

  test('names standard input', async () => {
    const { stderr } = await box.shipx(['rates', '--file', '-'], { input: 'Shop,Town\na,b\n' })
    expect(stderr).toContain('line 1 standard input  the header lacks ref, weight; it has: Shop, Town')
  })

  test('a sheet without weights asks for the flag that gives one', async () => {
    const columns = head.replace(',weight', '')
    const file = box.file('own.csv', `${columns}\n`)
    const { stderr } = await importing(file)
    expect(stderr).toContain('✗ --weight: is required: the file has no column weight')
  })
})

test.each(
  first(1, [
    ['orders', 'import'],
    ['stores', 'import'],
    ['ratecard', 'import'],
  ]),
)('a file that is not there is named once by %s %s', async (...words) => {
  const { stderr, exit } = await box.shipx([...words, 'nowhere.csv'])
  expect([exit, stderr]).toEqual([2, expect.stringMatching(/^✗ nowhere\.csv: there is no such file$/m)])
})
