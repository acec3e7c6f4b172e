// Defends amounts against silence: what people type as rupees is read to the paisa in every door, or refused.
import { afterAll, describe, expect, test } from 'vitest'
import { sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'

const box = sandbox()
afterAll(() => box.remove())

const lane = ['--from', '400001', '--to', '560001', '-w', '500g', '-s', '20x15x10']
const parcels = (value: string): string =>
  `ref,from,to,weight,length,width,height,payment,value\nA,400001,560001,500,20,15,10,cod,"${value}"\n`
const order = (price: string, cod: string): string =>
  'order_id,billing_customer_name,billing_phone,billing_address,billing_pincode,payment_method,item_sku,item_units,' +
  'item_selling_price,cod_collectible,weight,length,breadth,height\n' +
  `A-1,Asha Rao,9812345678,12 MG Road,560038,COD,CR-02,1,"${price}","${cod}",0.5,20,15,10\n`

// prettier-ignore
const fine: readonly (readonly [typed: string, fault: string])[] = [
  ['1.499',     '1.499 has more than two decimals; did you mean 1,499?'],
  ['₹149.999',  '149.999 has more than two decimals; did you mean 1,49,999?'],
  ['1499.999',  '1499.999 has more than two decimals; write for example 1499.50'],
  ['499.50001', '499.50001 has more than two decimals; write for example 1499.50'],
]

describe('money with more than two decimals', () => {
  test.each(fine)('%s is refused as a flag', async (typed, fault) => {
    const { stdout, stderr, exit } = await box.shipx(['rates', ...lane, '--cod', typed])
    expect([stdout, stderr, exit]).toEqual(['', `✗ --cod: ${fault}\n`, 2])
  })

  test('is refused by orders create, as --cod and in an item', async () => {
    const { stderr, exit } = await box.shipx(['orders', 'create', '--cod', '1.499', '--item', 'CR:1:2.499:Romper'])
    expect(exit).toBe(2)
    expect(stderr).toMatch(/--cod +1\.499 has more than two decimals; did you mean 1,499\?/)
    expect(stderr).toMatch(/--item +2\.499 has more than two decimals; did you mean 2,499\?/)
  })

  test.each(first(1, fine))('%s is the fault of its row in rates --file', async (typed, fault) => {
    const { stdout, exit } = await box.shipx(['rates', '--file', '-', '--jsonl', '-q'], { input: parcels(typed) })
    expect([exit, JSON.parse(stdout)]).toEqual([7, expect.objectContaining({ total: null, reason: `value: ${fault}` })])
  })

  test.each(first(2, fine))('%s is the fault of its row in orders import', async (typed, fault) => {
    const cells = [order(typed, '1499'), order('1499', typed)]
    for (const [n, header] of ['item_selling_price', 'cod_collectible'].entries()) {
      const file = box.file(`orders${n}.csv`, cells[n]!)
      const { stderr, exit } = await box.shipx(['orders', 'import', file, '--warehouse', 'WH1', '--dry-run'])
      expect([exit, stderr]).toEqual([2, expect.stringContaining(`line 2: ${header} ${fault}`)])
    }
  })

  test('is read where the further decimals are zeros, as databases export it', async () => {
    const { stdout } = await box.shipx(['rates', '--file', '-', '--jsonl', '-q'], { input: parcels('1499.0000') })
    const plain = await box.shipx(['rates', '--file', '-', '--jsonl', '-q'], { input: parcels('1499') })
    expect(stdout).toBe(plain.stdout)
  })
})

test.each(first(1, ['1499 rs', '1499 Rs.', '1,499.00 RS', 'Rs 1499', '1499 INR']))('%s is ₹1,499', async (typed) => {
  const asked = async (cod: string) => (await box.shipx(['rates', ...lane, '--cod', cod, '--jsonl', '-q'])).stdout
  expect(await asked(typed)).toBe(await asked('1499'))
  expect(await asked(typed)).not.toBe('')
})
