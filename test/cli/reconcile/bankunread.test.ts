// Rows of a bank statement that cannot be read.
// @module-tag full: statements with amounts that cannot be read
import { expect, test } from 'vitest'
import { codParcel, hdfc, place } from './cods.ts'

const [first, second] = ['HDFCN52026091400000001', 'HDFCN52026091400000002'] as const
const rows = [
  'AWB,Remitted Amount,UTR,Remittance Date',
  `1001,500,${first},14-09-2026`,
  `1002,500,${second},14-09-2026`,
]

test('a credit of the bank with an amount that cannot be read vanished without a word', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'))
  const paid = box.file('paid.csv', rows.join('\n'))
  const statement = (amount: string): string =>
    box.file(
      'bank.csv',
      [
        hdfc,
        `14/09/26,NEFT CR-${first},,14/09/26,,${amount},1`,
        `14/09/26,NEFT CR-${second},,14/09/26,,500.00,1`,
        // Not money in: an odd payment out, and the header again.
        '14/09/26,RENT,,14/09/26,1 0,,1',
        hdfc,
      ].join('\n'),
    )
  const words = ['reconcile', 'cod', paid, '--dry-run', '--json', '--bank']
  const odd = await box.shipx([...words, statement('5 00.00')])
  expect([odd.exit, odd.stdout]).toEqual([7, expect.stringContaining('"verdict":"not_in_bank"')])
  expect(JSON.parse(odd.stderr)).toMatchObject({
    error: {
      code: 'partial',
      message: '1 row of the statement cannot be read',
      details: [{ field: '--bank', row: 2, message: '"5 00.00" under "Deposit Amt." is not an amount' }],
    },
  })
  const sound = await box.shipx([...words, statement('500.00')])
  expect([sound.exit, sound.stderr]).toEqual([0, ''])
})
