// A bill whose lines name several couriers, as an aggregator's does: its disputes go to the courier of each line.
// @module-tag full: an invoice for each
import { afterEach, beforeEach, expect, test } from 'vitest'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from './invoices.ts'

let box: Sandbox
afterEach(() => box.remove())
beforeEach(async () => {
  box = sandbox()
  await prepare(box, [
    shipment('34810000000011'),
    shipment('34810000000021'),
    shipment('80110000000011', { carrier_id: 'BLU', carrier_name: 'Blue Dart' }),
  ])
})

const own = '34810000000011,Delhivery'
const other = '80110000000011,Blue Dart'
const bill = (rows: readonly string[]): string =>
  ['AWB,Courier,Zone,Weight (g),Freight', ...rows.map((row) => `${row},C,400,60`)].join('\n')

const read = (rows: readonly string[], more: readonly string[] = []) =>
  box.shipx(['reconcile', 'invoice', box.file('q.csv', bill(rows)), '--number', 'Q1', '--yes', ...more])

const records = async (words: readonly string[]): Promise<readonly Record<string, unknown>[]> =>
  (JSON.parse((await box.shipx([...words, '--json'])).stdout) as { data: Record<string, unknown>[] }).data

async function disputes(): Promise<readonly unknown[]> {
  expect(await box.shipx(['disputes', 'create', '--yes'])).toMatchObject({ exit: 0 })
  return (await records(['disputes', 'list'])).map(({ courier, awb }) => [courier, awb]).toSorted()
}

test.each([
  ['the first line names one', [own, other], []],
  ['the first line names the other', [other, own], []],
  ['--courier "" says so', [own, other], ['--courier', '']],
  ['one of them is spelt in two ways', [own, '34810000000021,Delhivery Surface', other], []],
] as const)('claims of a bill of two couriers all went to the courier of its first line: %s', async (_, rows, more) => {
  expect(await read(rows, more)).toMatchObject({ exit: 0 })
  expect((await records(['invoices', 'list'])).map(({ courier }) => courier)).toEqual([null])
  const found = await disputes()
  expect(found).toContainEqual(['Delhivery', '34810000000011'])
  expect(found).toContainEqual(['Blue Dart', '80110000000011'])
  const sheet = await box.shipx(['disputes', 'export', '--courier', 'Blue Dart', '--csv'])
  expect(sheet.stdout).toContain('80110000000011')
  expect(sheet.stdout).not.toContain('34810000000011')
})

test("a bill of one courier that is spelt in two ways is that courier's", async () => {
  expect(await read([own, '34810000000021,Delhivery Surface'])).toMatchObject({ exit: 0 })
  expect((await records(['invoices', 'list'])).map(({ courier }) => courier)).toEqual(['Delhivery'])
})

test('the same command with --courier "" failed the second time', async () => {
  expect(await read([own, other], ['--courier', ''])).toMatchObject({ exit: 0 })
  const again = await read([own, other], ['--courier', ''])
  expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining('nothing was changed') as string])
  expect(await box.shipx(['invoices', 'get', 'Q1', '--courier', ''])).toMatchObject({ exit: 0 })
  const named = await box.shipx(['invoices', 'get', 'Q1', '--courier', 'Delhivery'])
  expect([named.exit, named.stderr]).toEqual([3, expect.stringContaining('there is one of no courier') as string])
  expect(named.stderr).not.toContain('Did you mean')
})
