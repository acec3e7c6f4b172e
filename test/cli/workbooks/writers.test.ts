// Defends that one sheet of orders comes to the same orders, whichever program saved it: Excel (of either calendar), Google
// Sheets and LibreOffice, each with what it alone does.
// @module-tag full: workbooks of four programs
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../support/checkout.ts'
import { sandbox, type Outcome } from '../../support/sandbox.ts'
import { excelOrders, googleOrders, ordersCsv } from '../../support/writers.ts'

const box = sandbox()
afterAll(box.remove)

const flags = ['--warehouse', 'WH1', '--size', '20x15x10', '--yes']
const columns =
  'order.display_id,order.order_date,customer,phone,shipping_address,total_price,cod_amount,items.name,items.sku,items.quantity,items.price,applied_weight'

/** Imports a file into a database of its own, and returns the orders in it. */
async function imported(name: string, content: string | Uint8Array): Promise<Outcome & { readonly orders: string }> {
  const env = { SHIPX_DB: `${name}.sqlite` }
  box.file(name, content)
  await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'], { env })
  const outcome = await box.shipx(['orders', 'import', name, ...flags], { env })
  const listed = await box.shipx(['shipments', 'list', '--csv', '--fields', columns], {
    env,
  })
  return { ...outcome, orders: listed.stdout.split('\n').toSorted().join('\n') }
}

let text: string
beforeAll(async () => {
  text = (await imported('orders.csv', ordersCsv)).orders
})

test.each<readonly [string, () => Uint8Array, string]>([
  ['excel.xlsx', () => excelOrders(), 'Skipped 1 row above the header (row 3).'],
  ['mac1904.xlsx', () => excelOrders(true), 'Left out 1 row of totals (row 7).'],
  ['google.xlsx', () => googleOrders(), 'Skipped 1 row above the header (row 2).'],
  [
    'libreoffice.xlsx',
    () => readFileSync(join(root, 'test/cli/workbooks/orders-libreoffice.xlsx')),
    'Skipped 1 row above the header (row 3).',
  ],
])('%s imports to the same orders as its CSV', async (name, content, said) => {
  expect(text.trim().split('\n')).toHaveLength(3)
  const { exit, stderr, orders } = await imported(name, content())
  expect([exit, orders]).toEqual([0, text])
  expect(stderr).toContain(said)
  expect(stderr).toContain('2 orders created on this computer')
})
