// The bank statement of `reconcile cod`, which has the credits of more than one courier.
import { expect, test } from 'vitest'
import type { Sandbox } from '../../support/sandbox.ts'
import { codParcel, hdfc, place, remitted } from './cods.ts'

const road = 'HDFCN52026111000000001'
const rail = 'ICICN12026111000000002'
const nobody = 'HDFCN52026111200000009'
const imps = '000123456789'

const file = (awb: string, utr: string): string =>
  `AWB,Remitted Amount,UTR,Remittance Date\n${awb},500,"${utr}",14-09-2026`
const credit = (utr: string, amount: number): string => `14/09/26,NEFT CR-${utr}-X,${utr},14/09/26,,${amount}.00,1`
const statement = (box: Sandbox, ...credits: readonly string[]): readonly string[] => [
  '--bank',
  box.file('bank.csv', [hdfc, ...credits].join('\n')),
]

/** The UTRs that a remittance of a courier is printed with, and what each is. */
async function bankOf(box: Sandbox, courier: string, content: string, more: readonly string[]) {
  const { bank, exit, stderr } = await remitted(box, content, ['--courier', courier, ...more], `${courier}.csv`)
  expect([exit, stderr]).toEqual([0, stderr])
  return bank.map(({ utr, verdict }) => [utr, verdict])
}

test('a credit that a kept remittance of another courier names was listed as not in the file', async () => {
  const box = await place(codParcel('1001', { carrier_name: 'Road' }), codParcel('1002', { carrier_name: 'Rail' }))
  const bank = statement(box, credit(road, 500), credit(rail, 500), credit(nobody, 345))
  const stranger = [nobody, 'not_in_file']
  expect(await bankOf(box, 'Road', file('1001', road), [...bank, '--yes'])).toEqual([
    [road, 'ok'],
    [rail, 'not_in_file'],
    stranger,
  ])
  expect(await bankOf(box, 'Rail', file('1002', rail), [...bank, '--yes'])).toEqual([[rail, 'ok'], stranger])
  // The other one is kept by now.
  expect(await bankOf(box, 'Road', file('1001', road), bank)).toEqual([[road, 'ok'], stranger])
  expect((await box.shipx(['cod', 'remove', rail, '--yes'])).exit).toBe(0)
  expect(await bankOf(box, 'Road', file('1001', road), bank)).toEqual([[road, 'ok'], [rail, 'not_in_file'], stranger])
})

test('a credit of a kept transfer with two UTRs, or with zeros in front of one, was not in the file', async () => {
  const box = await place(codParcel('1001', { carrier_name: 'Road' }), codParcel('1002', { carrier_name: 'Rail' }))
  const rows = ['Date,Narration,UTR,Credit', `14/09/26,IMPS,${imps},500`, `14/09/26,NEFT,${nobody},500`]
  const bank = ['--bank', box.file('own.csv', rows.join('\n')), '--bank-format', 'bank']
  expect(await bankOf(box, 'Road', file('1001', road), bank)).toEqual([
    [road, 'not_in_bank'],
    ['123456789', 'not_in_file'],
    [nobody, 'not_in_file'],
  ])
  await bankOf(box, 'Rail', file('1002', `${nobody}, ${imps}`), ['--yes'])
  expect(await bankOf(box, 'Road', file('1001', road), bank)).toEqual([[road, 'not_in_bank']])
})
