// Defends what an import of orders says of orders that are there already: what differs, in the words of the file, and
// which of them are cancelled; and the couriers of a sheet.
import { expect, onTestFinished, test } from 'vitest'
import { sandbox, type Outcome } from '../../support/sandbox.ts'

const head =
  'Order Id,Customer name,Shipping Phone,Address line 1,Customer pincode,Payment method,Product SKU Id,Product quantity,Product price,Courier id'
const line = (id: string, phone = '9812345678', courier = ''): string =>
  `${id},Asha Rao,${phone},12 MG Road,560038,COD,V,1,500,${courier}`
const flags = ['--weight', '500g', '--size', '20x15x10', '--warehouse', 'WH1', '--map', 'Shipping Phone=billing_phone']

async function started() {
  const box = sandbox()
  onTestFinished(() => box.remove())
  await box.shipx(['local', 'warehouse', 'set', 'WH1', '400001'])
  const imported = (lines: readonly string[], ...more: readonly string[]): Promise<Outcome> =>
    box.shipx(['orders', 'import', '-', ...flags, ...more], { input: [head, ...lines].join('\n') })
  return { box, imported }
}
const ids = (count: number): readonly string[] => Array.from({ length: count }, (_, n) => `A-${n + 1}`)

test('an order whose phone changed was reported as billing_phone, a header that the file does not have', async () => {
  const { imported } = await started()
  expect((await imported([line('A-1')], '--yes')).stderr).toContain('1 order created')
  expect((await imported([line('A-1', '9812345679')], '--yes')).stderr).toContain('with another Shipping Phone (row 2')
})

test('a dry run counted conflicts and did not say which orders differ', async () => {
  const { imported } = await started()
  const all = ids(12)
  await imported(
    all.map((id) => line(id)),
    '--yes',
  )
  const differ = (lines: readonly string[]) => imported(lines, '--dry-run')
  expect((await differ([line('A-1', '9812345679'), line('A-2')])).stderr).toContain(
    '! 1 order is there already and differs: A-1 (Shipping Phone)\n',
  )
  expect((await differ(all.map((id) => line(id, '9812345679')))).stderr).toMatch(
    /! 12 orders are there already and differ: A-1 \(Shipping Phone\), .*A-10 \(Shipping Phone\) and 2 more\n/,
  )
  expect((await differ([line('A-2')])).stderr).not.toContain('differ')
})

test('an order that was cancelled here and is alive in the sheet was just unchanged', async () => {
  const { box, imported } = await started()
  await imported([line('A-1'), line('A-2')], '--yes')
  expect((await box.shipx(['local', 'cancel', 'A-1', '--yes'])).exit).toBe(0)
  const said = '1 order of the file is cancelled here: A-1. To ship it, import it with another order id.\n'
  const again = await imported([line('A-1'), line('A-2')], '--yes')
  expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining(said)])
  expect(again.stderr).toContain('2 orders unchanged')
  expect((await imported([line('A-1'), line('A-2')], '--dry-run')).stderr).toContain(said)
  expect((await imported([line('A-2')], '--yes')).stderr).not.toContain('cancelled')
})

test('a courier of a sheet was refused in small letters or by its name, which --courier takes', async () => {
  const { box, imported } = await started()
  const id = 'CAR4PEEPAL8T1'
  const couriers = [id, 'peepal', 'PEEPAL POST']
  const { exit, stderr } = await imported(
    couriers.map((courier, n) => line(`A-${n + 1}`, undefined, courier)),
    '--yes',
  )
  expect([exit, stderr]).toEqual([0, expect.stringContaining('3 orders created')])
  const { stdout } = await box.shipx(['shipments', 'list', '--csv', '--fields', 'carrier.id'])
  expect(stdout.trim().split('\n').slice(1)).toEqual(couriers.map(() => id))
  expect((await imported([line('B-1', undefined, 'nobody')], '--yes')).stderr).toContain('carrier nobody is not on')
  expect((await imported([line('B-2', undefined, 'e')], '--yes')).stderr).toContain('"e" is part of several names')
})
