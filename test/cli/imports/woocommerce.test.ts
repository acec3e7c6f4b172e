// Defends the import of WooCommerce's orders: their states, and what was given back to the customer.
import { expect, onTestFinished, test } from 'vitest'
import { csvOf } from '../../support/exports.ts'
import { sandbox } from '../../support/sandbox.ts'
import { readExport } from './ordersheets.ts'

type Cells = Readonly<Record<string, string>>

const base: Cells = {
  'Order Number': '5001',
  'Order Status': 'Processing',
  'Order Date': '2026-09-28 10:00',
  'First Name (Billing)': 'Asha',
  'Last Name (Billing)': 'Rao',
  'Address 1&2 (Billing)': '12 MG Road',
  'City (Billing)': 'Bengaluru',
  'Postcode (Billing)': '560038',
  'Phone (Billing)': '9812345678',
  'Payment Method Title': 'Razorpay',
  'Order Total Amount': '900',
  SKU: 'V',
  'Item Name': 'Vase',
  'Quantity (- Refund)': '1',
  'Item Cost': '900',
}
const some = (...lines: readonly Cells[]): string =>
  csvOf(
    [...new Set([...Object.keys(base), ...lines.flatMap(Object.keys)])],
    lines.map((line, n) => ({ ...base, 'Order Number': String(5001 + n), ...line })),
  )
const ofStates = (states: readonly string[], more: Cells = {}): string =>
  some(...states.map((state) => ({ 'Order Status': state, ...more })))
const faultsOf = async (text: string): Promise<readonly string[]> =>
  (await readExport(text)).orders.flatMap(({ faults }) => faults.map(({ field, message }) => `${field} ${message}`))

test('closed and unpaid orders came in by the slugs of their states', async () => {
  for (const [as, words] of [
    ['cancelled', ['cancelled', 'Cancelled', 'trash']],
    ['fulfilled', ['completed', 'Shipped', 'Delivered']],
    ['refunded', ['refunded']],
    ['returned', ['RTO']],
    ['unpaid', ['pending', 'Pending payment', 'on-hold', 'On hold', 'failed', 'checkout-draft', 'Draft']],
  ] as const) {
    const states = words.flatMap((word) => [word, `wc-${word.toLowerCase()}`])
    expect(await readExport(ofStates(states))).toEqual({ orders: [], left: { [as]: states.length } })
  }
  const ships = ofStates(['processing', 'wc-processing', 'Processing', ''])
  expect([(await readExport(ships)).orders.length, await faultsOf(ships)]).toEqual([4, []])
})

test('an order on hold ships when it is cash on delivery', async () => {
  const cod = ofStates(['on-hold', 'wc-on-hold', 'On hold'], { 'Payment Method Title': 'Cash on delivery' })
  expect([(await readExport(cod)).orders.length, await faultsOf(cod)]).toEqual([3, []])
})

test('an order came in with a state that shipx does not know', async () => {
  const words = ['Partially shipped', 'partial-refunded', 'Awaiting payment']
  expect(await faultsOf(ofStates(words))).toEqual(
    words.map(
      (word) =>
        `Order Status "${word}" does not say whether to ship; ` +
        `add --map-value 'Order Status:${word}=processing' to ship, or =completed to leave it out`,
    ),
  )
  const long = 'x'.repeat(61)
  expect((await faultsOf(ofStates([long])))[0]).toMatch(/^Order Status "x+…" does not say whether to ship$/)
})

const flags = ['--warehouse', 'WH1', '--weight', '500g', '--size', '20x15x10', '--yes']
const started = async () => {
  const box = sandbox()
  onTestFinished(() => box.remove())
  await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
  return (file: string, ...more: readonly string[]) =>
    box.shipx(['orders', 'import', '-', ...flags, ...more], { input: file })
}

test('what --map-value says of a state counts', async () => {
  const imported = await started()
  const map = [
    '--map-value',
    'Order Status:Awaiting payment=completed',
    '--map-value',
    'Order Status:Packed=processing',
  ]
  const { exit, stderr } = await imported(ofStates(['Awaiting payment', 'Packed']), ...map)
  expect([exit, stderr]).toEqual([0, expect.stringContaining('Left out 1 fulfilled order.')])
  expect(stderr).toContain('1 order created')
})

test('an order that waits here was cancelled by its slug without a word', async () => {
  const imported = await started()
  expect((await imported(ofStates(['processing']))).stderr).toContain('1 order created')
  expect((await imported(ofStates(['wc-cancelled']))).stderr).toContain(
    '! 1 order is cancelled in the shop and waits here: 5001\n',
  )
})

const refunded = { 'Order Refund Amount': '200' }

test('cash on delivery collected what was refunded', async () => {
  const cod = { ...refunded, 'Payment Method Title': 'Cash on delivery' }
  const fault = (amounts: string) =>
    `Order Refund Amount ₹200.00 went back to the customer: does the courier collect ${amounts}? ` +
    'Write that as Order Total Amount and empty this cell'
  expect(await faultsOf(some(cod))).toEqual([fault('₹900.00 or ₹700.00')])
  expect(await faultsOf(some({ ...cod, 'Order Total Amount': '200' }))).toEqual([fault('₹200.00')])
  expect(await faultsOf(some({ ...cod, 'Order Refund Amount': '0.00' }))).toEqual([])
  expect(await faultsOf(some({ ...cod, 'Order Refund Amount': 'some' }))).toEqual([
    'Order Refund Amount "some" is not an amount in rupees; write for example 1499',
  ])
})

test('a total less the refund is what the courier collects, and the value of the order', async () => {
  const net = { ...refunded, 'Order Total Amount (- Refund)': '700' }
  const { orders } = await readExport(some({ ...net, 'Payment Method Title': 'Cash on delivery' }, net))
  expect(orders.map(({ faults }) => faults)).toEqual([[], []])
  expect(orders.map(({ input }) => [input!.sub_total, input!.cod_collectible])).toEqual([
    [700, 700],
    [700, undefined],
  ])
})

test('a refund of a paid order was not mentioned', async () => {
  const imported = await started()
  const said = (which: string) => `! ${which} a refund in the shop and may need fewer pieces: `
  expect((await imported(some(refunded, {}), '--dry-run')).stderr).toContain(
    `${said('1 order has')}5001 (₹200.00 of ₹900.00)\n`,
  )
  expect((await imported(some(...Array.from({ length: 12 }, () => refunded)), '--dry-run')).stderr).toMatch(
    new RegExp(`${said('12 orders have')}5001 \\(₹200.00 of ₹900.00\\), .*5010 \\([^)]*\\) and 2 more\\n`),
  )
  expect((await imported(some({}), '--dry-run')).stderr).not.toContain('refund')
  const map = ['--map', 'To collect=cod_collectible']
  const cod = { ...refunded, 'Payment Method Title': 'COD', 'To collect': '700' }
  expect((await imported(some(cod), '--dry-run', ...map)).exit).toBe(0)
})
