// Defends what is said before an import: rows that must fail count as faults before the question and in a dry run, equal
// reasons are one line, and a person reads a sentence.
// @module-tag full: files of many rows, twice each
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { keys, shipxOn } from '../support/pty.ts'

let box: Sandbox
beforeAll(async () => {
  box = sandbox()
  await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
  box.file('orders.csv', orders)
})
afterAll(() => box.remove())

const line = (id: string, warehouse: string, store = '', weight = '0.5'): string =>
  `${id},Asha Rao,9812345678,12 MG Road,560038,COD,CR-02,1,499,${weight},20,15,10,${warehouse},${store}`

/** Two good orders, forty from a warehouse that is not known, one of a store that is not there, one that nobody takes. */
const orders = [
  'order_id,billing_customer_name,billing_phone,billing_address,billing_pincode,payment_method,item_sku,item_units,item_selling_price,weight (kg),length,breadth,height,warehouse_id,store_name',
  line('G-1', 'WH1'),
  line('G-2', 'WH1'),
  ...Array.from({ length: 40 }, (_, n) => line(`W-${n}`, 'WH9')),
  line('S-1', 'WH1', 'gone'),
  line('H-1', 'WH1', '', '500'),
].join('\n')

const reasons =
  /! 42 bad rows\n {2}40 rows: the pincode of warehouse WH9 is not known: shipx local warehouse set WH9 <pincode> \(lines 4, 5, 6 and 37 more\)\n {2}line 44: store gone does not exist in this account\n {2}line 45: no courier takes the parcel/

describe('rows that must fail', () => {
  test('are counted as faults by a dry run, each reason once', async () => {
    const { stdout, stderr, exit } = await box.shipx(['orders', 'import', 'orders.csv', '--dry-run'])
    expect(JSON.parse(stdout)).toEqual({
      dry_run: { import: 'orders', rows: 44, create: 2, unchanged: 0, conflict: 0, bad: 42 },
    })
    expect(stderr).toMatch(reasons)
    expect(exit).toBe(7)
  })

  test('are a sentence for a person, with the freight of the others', async () => {
    const terminal = shipxOn(box, ['orders', 'import', 'orders.csv', '--dry-run'], { columns: 240 })
    expect(await terminal.ended()).toBe(7)
    expect(terminal.screen()).toContain(
      'Would create 2 orders on this computer, about ₹178 before GST; 42 rows have faults. Nothing was changed.',
    )
    expect(terminal.screen()).not.toContain('{')
  })

  test('are not in the question, and nothing of them is saved', async () => {
    const terminal = shipxOn(box, ['orders', 'import', 'orders.csv'], { columns: 240 })
    await terminal.shows('? Create 2 orders on this computer (about ₹178 before GST), skip 42 bad rows?')
    terminal.type(`y${keys.enter}`)
    expect(await terminal.ended()).toBe(7)
    expect(terminal.screen()).toContain('Test engine: no courier was notified, the AWBs are not real.')
    const { stdout } = await box.shipx(['shipments', 'list', '--csv', '--fields', 'order.display_id', '-q'])
    expect(stdout.trim().split('\n').toSorted()).toEqual(['G-1', 'G-2', 'order.display_id'])
    const failed = await box.bash(
      `grep -c WH9.*unknown_warehouse orders.failed.csv; grep -c unknown_store orders.failed.csv; grep -c no_courier orders.failed.csv`,
    )
    expect(failed.stdout).toBe('40\n1\n1\n')
  })

  test('that are all of them end without a question', async () => {
    box.file(
      'none.csv',
      orders
        .split('\n')
        .filter((text) => !text.startsWith('G-'))
        .join('\n'),
    )
    const { stdout, exit } = await box.shipx(['orders', 'import', 'none.csv', '--json'])
    expect([JSON.parse(stdout), exit]).toMatchObject([{ data: { created: 0, failed: 42 } }, 2])
    const terminal = shipxOn(box, ['orders', 'import', 'none.csv', '--dry-run'], { columns: 240 })
    expect(await terminal.ended()).toBe(2)
    expect(terminal.screen()).toContain('Would create no orders on this computer; 42 rows have faults')
  })
})
