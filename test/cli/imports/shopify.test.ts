// Defends the import of Shopify's export of orders: payment, delivery address, tags, and orders that are left out.
import { describe, expect, onTestFinished, test } from 'vitest'
import { namesOf } from '../../../src/cli/imports/uniquenames.ts'
import { orderReader, type SheetOrder } from '../../../src/cli/imports/orders/sheet.ts'
import type { Shipment } from '../../../src/domain/parcels/shipments.ts'
import { setWarehouse } from '../../../src/engine/accounts/settings.ts'
import { csvOf } from '../../support/exports.ts'
import { sandbox } from '../../support/sandbox.ts'
import { startStandIn } from '../../support/foreigndeployment.ts'
import { startService } from '../../support/service.ts'
import { inputOf, openedBy, readExport, weighed } from './ordersheets.ts'

const one = (over: Readonly<Record<string, string>>): string => {
  const base = {
    Name: '#1',
    'Financial Status': 'pending',
    'Fulfillment Status': 'unfulfilled',
    'Lineitem quantity': '1',
    'Lineitem name': 'Lamp',
    'Lineitem price': '499',
    Total: '499',
    'Shipping Name': 'Asha Rao',
    'Shipping Address1': '12 MG Road',
    'Shipping Zip': '560038',
    'Shipping Phone': '9812345678',
    'Payment Method': 'Cash on Delivery (COD)',
    'Outstanding Balance': '',
  }
  return csvOf(Object.keys({ ...base, ...over }), [{ ...base, ...over }])
}
const faultsOf = async (over: Readonly<Record<string, string>>): Promise<readonly string[]> =>
  (await readExport(one(over))).orders.flatMap(({ faults }) =>
    faults.map(({ field, message }) => `${field} ${message}`),
  )

test('a gateway that shipx does not know is prepaid only when Shopify has all the money', async () => {
  const unknown = { 'Payment Method': 'Snapmint' }
  const way = "add --map-value 'Payment Method:Snapmint=PREPAID', or =COD"
  const refused = [`Payment Method "Snapmint" is neither COD nor PREPAID; ${way}`]
  expect(await faultsOf({ ...unknown, 'Financial Status': 'paid', 'Outstanding Balance': '0.00' })).toEqual([])
  expect(await faultsOf(unknown)).toEqual(refused)
})

test('the hint for an order with money outstanding offered PREPAID first', async () => {
  const partly = { 'Financial Status': 'partially_paid', Total: '1999', 'Outstanding Balance': '1799.00' }
  const way = "add --map-value 'Payment Method:GoKwik PPCOD=COD' to collect the outstanding ₹1799.00"
  expect(await faultsOf({ ...partly, 'Payment Method': 'GoKwik PPCOD' })).toEqual([
    `Payment Method "GoKwik PPCOD" is neither COD nor PREPAID; ${way}`,
  ])
  expect(await faultsOf({ ...partly, 'Payment Method': 'Snapmint', 'Financial Status': 'paid' })).toHaveLength(1)
})

test('an order with money outstanding that a map makes prepaid shipped without a word', async () => {
  const box = sandbox()
  onTestFinished(() => box.remove())
  const columns = { 'Payment Method': 'GoKwik PPCOD', 'Financial Status': 'partially_paid', Total: '1999' }
  const file = one({ ...columns, 'Outstanding Balance': '1799' })
  const args = ['orders', 'import', '-', '--dry-run', '--warehouse', 'WH1', '--weight', '500g', '--size', '20x15x10']
  const mapped = (as: string) =>
    box.shipx([...args, '--map-value', `Payment Method:GoKwik PPCOD=${as}`], { input: file })
  expect((await mapped('PREPAID')).stderr).toContain(
    '1 prepaid order is not paid in full: ₹1799.00 outstanding. No courier collects that.',
  )
  expect((await mapped('COD')).stderr).not.toContain('outstanding')
})

test('the courier collects what is still to pay, and cash on delivery that is paid already is refused', async () => {
  const [input] = await inputOf(one({ 'Outstanding Balance': '99.50', 'Financial Status': 'partially_paid' }))
  expect(input).toMatchObject({ payment_method: 'COD', cod_collectible: 99.5, sub_total: 499 })
  const paid = { 'Financial Status': 'paid' }
  const refused = ['Outstanding Balance must be more than 0 for a COD order']
  expect(await faultsOf({ ...paid, 'Outstanding Balance': '0.00' })).toEqual(refused)
  expect(await faultsOf(paid)).toEqual(refused)
})

test('an item that is not shipped is in no parcel, wherever its line stands', async () => {
  const base = { 'Lineitem requires shipping': 'false', 'Lineitem name': 'Gift card', Total: '998' }
  const lines = `${one(base)}#1,,,1,Lamp,499,,,,,,,,true\n`
  const [input] = await inputOf(lines)
  expect(input).toMatchObject({ sub_total: 998, cod_collectible: 998, billing_customer_name: 'Asha Rao' })
  expect(input!.order_items.map(({ name }) => name)).toEqual(['Lamp'])
  expect(await readExport(one(base))).toEqual({ orders: [], left: { digital: 1 } })
})

const billing = {
  'Billing Name': 'Papa in Mumbai',
  'Billing Address1': '501 Sea View, Bandra',
  'Billing City': 'Mumbai',
  'Billing Zip': "'400053",
  'Billing Province': 'MH',
  'Billing Phone': '9063996269',
}
const delivery = {
  'Shipping Name': 'Ria Das',
  'Shipping Address1': '',
  'Shipping Address2': '',
  'Shipping City': 'Guwahati',
  'Shipping Zip': "'781001",
  'Shipping Province': 'AS',
  'Shipping Phone': '',
}

test('an order whose delivery address has no street shipped to the billing address without a word', async () => {
  const missing = ['Shipping Address1 is required']
  expect(await faultsOf({ ...billing, ...delivery })).toEqual(missing)
  const none = { 'Shipping Name': '', 'Shipping City': '', 'Shipping Zip': '', 'Shipping Province': '' }
  for (const [header, said] of [
    ['Shipping Name', 'Ria Das'],
    ['Shipping City', 'Guwahati'],
    ['Shipping Zip', "'781001"],
    ['Shipping Address2', 'Lake View'],
    ['Shipping Province', 'AS'],
  ] as const)
    expect(await faultsOf({ ...billing, ...delivery, ...none, [header]: said })).toContain(missing[0])
})

test('an order without a delivery address of its own goes to the billing address as a whole', async () => {
  const none = { 'Shipping Name': '', 'Shipping City': '', 'Shipping Zip': '', 'Shipping Province': '' }
  const same = { 'Shipping Name': 'papa in Mumbai', 'Shipping City': 'Mumbai', 'Shipping Zip': '400053' }
  for (const over of [none, { ...none, ...same }]) {
    const [input] = await inputOf(one({ ...billing, ...delivery, ...over }))
    expect(input).toMatchObject({
      billing_customer_name: 'Papa in Mumbai',
      billing_address: '501 Sea View, Bandra',
      billing_city: 'Mumbai',
      billing_pincode: '400053',
      billing_phone: '9063996269',
    })
  }
})

test('a delivery address took the name of the bill', async () => {
  const street = { ...billing, ...delivery, 'Shipping Address1': '7 Fancy Bazaar' }
  expect(await faultsOf({ ...street, 'Shipping Name': '' })).toEqual(['Shipping Name is required'])
  const [input] = await inputOf(one(street))
  expect(input).toMatchObject({ billing_customer_name: 'Ria Das', billing_phone: '9063996269' })
})

test('an export without the column of the street shipped to the billing address too', async () => {
  const headers = Object.keys({ ...billing, ...delivery }).filter((header) => header !== 'Shipping Address1')
  const { 'Shipping Address1': _, ...place } = delivery
  const base = { Name: '#1', 'Financial Status': 'paid', 'Fulfillment Status': '', 'Lineitem quantity': '1' }
  const rest = { 'Lineitem name': 'Lamp', 'Lineitem price': '499', Total: '499', 'Payment Method': 'Razorpay' }
  const text = csvOf([...Object.keys({ ...base, ...rest }), ...headers], [{ ...base, ...rest, ...billing, ...place }])
  const { orders } = await readExport(text)
  expect(orders.flatMap(({ faults }) => faults)).toMatchObject([{ field: 'Shipping Address1', message: 'is required' }])
})

test('a street that --map names was mixed with the place of the bill', async () => {
  const text = one({ ...billing, ...delivery, 'Drop street': '7 Fancy Bazaar' })
  const reader = orderReader(weighed)
  const sheet = await openedBy(reader, text, ['Drop street=billing_address'])
  const orders: SheetOrder[] = []
  for await (const order of reader.orders(sheet, namesOf(5))) orders.push(order)
  expect(orders[0]!.input).toMatchObject({
    billing_customer_name: 'Ria Das',
    billing_address: '7 Fancy Bazaar',
    billing_pincode: '781001',
  })
})

test('an order that is partly fulfilled, refunded or voided is left out', async () => {
  for (const [over, as] of [
    [{ 'Fulfillment Status': 'partial' }, 'partly fulfilled'],
    [{ 'Financial Status': 'refunded' }, 'refunded'],
    [{ 'Financial Status': 'voided' }, 'refunded'],
  ] as const)
    expect(await readExport(one(over))).toEqual({ orders: [], left: { [as]: 1 } })
})

test('an order that is restocked, on hold, scheduled or expired came in', async () => {
  for (const [over, as] of [
    [{ 'Fulfillment Status': 'restocked' }, 'restocked'],
    [{ 'Fulfillment Status': 'on_hold' }, 'on hold'],
    [{ 'Fulfillment Status': 'On hold' }, 'on hold'],
    [{ 'Fulfillment Status': 'scheduled' }, 'scheduled'],
    [{ 'Fulfillment Status': 'Partially fulfilled' }, 'partly fulfilled'],
    [{ 'Fulfillment Status': 'shipped' }, 'fulfilled'],
    [{ 'Financial Status': 'expired' }, 'unpaid'],
    [{ 'Financial Status': 'Voided' }, 'refunded'],
  ] as const)
    expect(await readExport(one(over))).toEqual({ orders: [], left: { [as]: 1 } })
  for (const state of ['Payment pending', 'authorized', 'Partially paid', 'partially_paid', ''])
    expect(await faultsOf({ 'Financial Status': state })).toEqual([])
  for (const state of ['', 'Unfulfilled', 'open']) expect(await faultsOf({ 'Fulfillment Status': state })).toEqual([])
})

test('an order came in with a state of Shopify that shipx does not know', async () => {
  const what = (header: string, ship: string, stay: string) => [
    `${header} "in_progress" does not say whether to ship; ` +
      `add --map-value '${header}:in_progress=${ship}' to ship, or =${stay} to leave it out`,
  ]
  for (const [header, ship, stay] of [
    ['Fulfillment Status', 'unfulfilled', 'fulfilled'],
    ['Financial Status', 'paid', 'voided'],
  ] as const)
    expect(await faultsOf({ [header]: 'in_progress' })).toEqual(what(header, ship, stay))
})

test('a partly refunded order came in with all its pieces without a word', async () => {
  const box = sandbox()
  onTestFinished(() => box.remove())
  const partly = { 'Financial Status': 'partially_refunded', 'Lineitem quantity': '2', Total: '998' }
  const file = one({ ...partly, 'Refunded Amount': '499.00', 'Payment Method': 'Razorpay' })
  const args = ['orders', 'import', '-', '--dry-run', '--warehouse', 'WH1', '--weight', '500g', '--size', '20x15x10']
  expect((await box.shipx(args, { input: file })).stderr).toContain(
    '! 1 order has a refund in the shop and may need fewer pieces: #1 (₹499.00 of ₹998.00)\n',
  )
  const doubt = 'Refunded Amount ₹499.00 went back to the customer: does the courier collect ₹998.00 or ₹499.00?'
  const cod = { ...partly, 'Refunded Amount': '499.00' }
  expect(await faultsOf(cod)).toEqual([`${doubt} Write that as Total and empty this cell`])
  expect(await faultsOf({ ...cod, 'Outstanding Balance': '499.00' })).toEqual([])
})

test('an order whose street changed in a later export counted as unchanged', async () => {
  const box = sandbox()
  onTestFinished(() => box.remove())
  await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
  const flags = ['--warehouse', 'WH1', '--weight', '500g', '--size', '20x15x10', '--yes']
  const imported = (street: string) =>
    box.shipx(['orders', 'import', '-', ...flags], { input: one({ 'Shipping Address1': street }) })
  expect((await imported('12 MG Road')).stderr).toContain('1 order created')
  expect((await imported('12 MG Road')).stderr).toContain('1 order unchanged')
  const { exit, stderr } = await imported('14 MG Road')
  expect([exit, stderr]).toEqual([2, expect.stringContaining('with another Shipping Address1')])
})

describe('orders that a later export calls off', () => {
  const flags = ['--warehouse', 'WH1', '--weight', '500g', '--size', '20x15x10', '--yes']
  const names = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `#${1501 + n}`)
  const fileOf = (ids: readonly string[], over: (id: string) => Readonly<Record<string, string>> = () => ({})) =>
    ids
      .map((Name) => one({ Name, 'Cancelled at': '', ...over(Name) }))
      .map((text, n) => (n === 0 ? text : text.slice(text.indexOf('\n') + 1)))
      .join('')
  const cancelled = { 'Cancelled at': '2026-11-22 10:00:00 +0530' }
  const started = async (ids: readonly string[]) => {
    const box = sandbox()
    onTestFinished(() => box.remove())
    await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
    const imported = (file: string, ...more: readonly string[]) =>
      box.shipx(['orders', 'import', '-', ...flags, ...more], { input: file })
    expect((await imported(fileOf(ids))).stderr).toContain(`${ids.length} order${ids.length === 1 ? '' : 's'} created`)
    return { box, imported }
  }

  test('an imported order that was cancelled in the shop waited here without a word', async () => {
    const { box, imported } = await started(['#1507', '#1508'])
    // #1509 was never imported.
    const later = fileOf(['#1507', '#1508', '#1509'], (id) => (id === '#1507' ? {} : cancelled))
    const said =
      'Left out 2 cancelled orders.\n! 1 order is cancelled in the shop and waits here: #1508\n' +
      "→ shipx local cancel '#1508'\n"
    expect((await imported(later, '--dry-run')).stderr).toContain(said)
    expect((await imported(later)).stderr).toContain(said)
    expect((await box.shipx(['local', 'cancel', '1508', '--yes'])).exit).toBe(0)
    expect((await imported(later)).stderr).not.toContain('in the shop')
  })

  test('many of them are counted, the first ten named, with what the shop says', async () => {
    const ids = names(12)
    const { imported } = await started(ids)
    const over = (id: string) => (id === '#1502' ? { 'Financial Status': 'refunded' } : cancelled)
    expect((await imported(fileOf(ids, over))).stderr).toContain(
      '! 12 orders are cancelled or refunded in the shop and wait here: ' +
        `${ids.slice(0, 10).join(', ')} and 2 more\n→ for each of them: shipx local cancel '#1501'\n`,
    )
  })

  test('one on its way is named too, and one that is delivered is not', async () => {
    const { box, imported } = await started(['#1501', '#1502'])
    const { stdout } = await box.shipx(['shipments', 'list', '--json'])
    const { data } = JSON.parse(stdout) as { data: readonly Shipment[] }
    const track = async (order: string, event: string) => {
      const parcel = data.find(({ attributes }) => attributes.order?.display_id === order)!
      expect((await box.shipx(['local', 'track', parcel.attributes.tracking_number!, event])).exit).toBe(0)
    }
    await track('#1501', 'in_transit')
    await track('#1502', 'in_transit')
    await track('#1502', 'delivered')
    const later = fileOf(['#1501', '#1502'], () => ({ ...cancelled, 'Fulfillment Status': 'fulfilled' }))
    const { stderr } = await imported(later)
    expect(stderr).toContain('! 1 order is cancelled in the shop and is on its way: #1501\n')
    expect(stderr).not.toContain('wait')
  })

  test('one that waits at an account is named with its place', async () => {
    const served = await startService()
    onTestFinished(served.close)
    await served.engine.database.write(() => setWarehouse(served.engine.account, 'WH1', '400001'))
    const env = { SHIPX_BASE_URL: served.url, SHIPX_API_KEY: served.key, SHIPX_NOW: '2025-11-21T11:03:07Z' }
    const { imported } = await atAccount(env)
    expect((await imported(fileOf(['#1501', '#1502']))).stderr).toContain('2 orders created')
    const { stderr } = await imported(fileOf(['#1501', '#1502'], () => cancelled))
    const place = `at ${new URL(served.url).host}`
    expect(stderr).toContain(
      `! 2 orders are cancelled in the shop and wait ${place}: #1501, #1502\n→ cancel them there\n`,
    )
  })

  test('a service that takes no list of order ids is not asked for each, and shipx says so', async () => {
    const remote = await startStandIn({ shipments: 1, returns: 1 })
    onTestFinished(remote.close)
    const { imported } = await atAccount({ SHIPX_BASE_URL: remote.url, SHIPX_API_KEY: remote.key, SHIPX_NOW: '' })
    const { stderr } = await imported(fileOf(['#1501'], () => cancelled))
    expect(stderr).toContain('shipx did not look for the 1 cancelled order at ')
    expect(remote.requests.filter(({ path }) => path === '/shipments')).toEqual([])
  })

  const atAccount = async (env: Readonly<Record<string, string>>) => {
    const box = sandbox()
    onTestFinished(() => box.remove())
    const imported = (file: string) => box.shipx(['orders', 'import', '-', ...flags], { input: file, env })
    return { imported }
  }
})

test('the tags of an order disappeared without a word', async () => {
  const box = sandbox()
  onTestFinished(() => box.remove())
  await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
  const flags = ['--warehouse', 'WH1', '--weight', '500g', '--size', '20x15x10', '--yes']
  const { stderr } = await box.shipx(['orders', 'import', '-', ...flags], { input: one({ Tags: 'vip, gift , vip' }) })
  expect(stderr).toContain('1 order created')
  expect(stderr).not.toContain('left out')
  const listed = async (tag: string) => (await box.shipx(['shipments', 'list', '--tags', tag, '--ids'])).stdout
  expect(await listed('gift')).toMatch(/\S/)
  expect(await listed('vip')).toBe(await listed('gift'))
  expect(await listed('sale')).toBe('')
})

test('tags that do not fit are left out with a word, and the order is a good one', async () => {
  const many = Array.from({ length: 103 }, (_, n) => `tag ${n}`).join(',')
  const [order] = (await readExport(one({ Tags: `${'x'.repeat(201)},a\u200bb,${many}` }))).orders
  expect(order!.faults).toEqual([])
  expect(order!.input!.tags).toEqual(many.split(',').slice(0, 100))
  expect(order!.notes).toEqual([
    'line 2: Tags without 5 that do not fit: an order has at most 100 tags of at most 200 characters, none of them invisible',
  ])
})

test('the notes of an order disappeared without a word', async () => {
  const box = sandbox()
  onTestFinished(() => box.remove())
  const flags = ['--warehouse', 'WH1', '--weight', '500g', '--size', '20x15x10', '--dry-run']
  const said = async (notes: string, ...more: readonly string[]) =>
    (await box.shipx(['orders', 'import', '-', ...flags, ...more], { input: one({ Notes: notes }) })).stderr
  expect(await said('Call before 6 pm')).toContain('Columns that are not used: Notes\n')
  expect(await said('')).not.toContain('not used')
  expect(await said('Call before 6 pm', '--ignore', 'Notes')).not.toContain('not used')
})
