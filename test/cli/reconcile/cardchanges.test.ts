// A kept bill that is read again after its rate card changed: it keeps its judgement, and shipx says it.
// @module-tag full: an invoice for each
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { contract, prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() => prepare(box, [shipment('1001'), shipment('1002')]))

const read = (...more: readonly string[]) => {
  const path = box.file('september.csv', 'awb,zone,weight_g,freight\n1001,c,400,40\n1002,c,400,40\n')
  const words = ['reconcile', 'invoice', path, '--courier', 'Delhivery', '--number', 'SEP', '--date', '2026-09-20']
  return box.shipx([...words, '--yes', ...more])
}
const imported = async (card: object, ...more: readonly string[]): Promise<void> =>
  expect(
    await box.shipx(['ratecard', 'import', box.file('next.json', JSON.stringify(card)), '--use', ...more]),
  ).toMatchObject({ exit: 0 })
const changed = '! The rate card contract changed since this invoice was judged by it'

test('the old judgement came without a word after the card had changed', async () => {
  expect((await read()).stdout).toContain('over ₹0.00 (0 lines)')
  expect((await read()).stderr).not.toContain('changed since')
  // A version of a later day changes nothing for it.
  await imported(contract({ valid_from: '2026-10-01' }), '--name', 'contract', '--valid-from', '2026-10-01')
  expect((await read()).stderr).not.toContain('changed since')
  const cheaper = contract({}, { fuel_percent: undefined, rto: { percent: 50 } })
  await imported(cheaper, '--name', 'contract', '--valid-from', '2026-01-01')
  const again = await read()
  expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining(changed) as string])
  expect(again.stderr).toContain('--replace')
  expect((await read('--json')).stderr).toContain(changed)
  expect(await read('--replace')).toMatchObject({ exit: 0 })
  expect((await read()).stderr).not.toContain('changed since')
})
