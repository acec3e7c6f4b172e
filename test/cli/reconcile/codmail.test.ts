// `shipx cod get` and the mail to the COD desk of a courier: its rows add up to what it asks for.
// @module-tag full: remittances and statements kept
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { type CodAnswer, codParcel, hdfc, saveParcels } from './cods.ts'

const [first, second] = ['HDFCN52026091412345678', 'CITIN24401114659'] as const
const rows = [
  'AWB,Remitted Amount,Less,Net Amount,UTR,Remittance Date',
  `1001,500,0,500,${first},14-09-2026`,
  `1002,450,0,450,${first},14-09-2026`,
  `1003,500,0,500,${first},21-09-2026`,
  `1004,500,0,500,${second},14-09-2026`,
  `1004,500,0,500,${second},14-09-2026`,
  `1005,500,45,455,${first},14-09-2026`,
  `990,70,0,70,${first},14-09-2026`,
].join('\n')

const box = sandbox()
afterAll(() => box.remove())
beforeAll(() =>
  saveParcels(
    box,
    ['1001', '1002', '1003', '1004', '1005', '1006'].map((awb) => codParcel(awb)),
  ),
)

const wanted = `Subject: COD remittance SEP: ₹1,595.00 to pay, ₹570.00 paid too much, paid late

Dear team,

Your COD remittance SEP of 21 Sep pays ₹3,020.00, ₹2,975.00 after deductions.

Please pay ₹1,595.00:

Not paid: 1 parcel, ₹500.00
- 1006: ₹500.00, due 14 Sep

Paid too little: 1 parcel, ₹50.00
- 1002: ₹50.00, ₹450.00 of ₹500.00

Taken off without a reason: 1 amount, ₹45.00
- 1005: ₹45.00, UTR ${first}

Not in our bank: 1 transfer, ₹1,000.00
- UTR ${second}: ₹1,000.00

You paid ₹570.00 too much. Please say how you settle it:

Paid twice: 1 parcel, ₹500.00
- 1004: ₹500.00, ₹1,000.00 paid, ₹500.00 due

Paid for AWBs that are not ours: 1 parcel, ₹70.00
- 990: ₹70.00, ₹70.00 paid, ₹0.00 due

These came after their day:

Paid late: 1 parcel, ₹500.00
- 1003: ₹500.00, due 14 Sep, 7 days late

Please check them and answer with the day and the UTR of the payment.

Regards
`

test('a remittance had no mail to the COD desk, and a kept one could not be shown without its file', async () => {
  const [path, bank] = [
    box.file('sep.csv', rows),
    box.file('bank.csv', `${hdfc}\n14/09/26,NEFT CR-${first},,14/09/26,,1975,1`),
  ]
  const words = ['reconcile', 'cod', path, '--courier', 'Delhivery', '--number', 'SEP', '--cycle', '7wd']
  const dry = await box.shipx([...words, '--bank', bank, '--dry-run', '--mail'])
  expect([dry.exit, dry.stdout]).toEqual([0, wanted])
  const early = await box.shipx([...words, '--dry-run', '--only', 'not_in_bank'])
  expect([early.exit, early.stderr]).toEqual([2, expect.stringContaining('add --bank <file>')])
  const sheet = await box.shipx([...words, '--dry-run', '--mail', '--json'])
  expect(sheet.exit).toBe(2)
  expect((await box.shipx([...words, '--bank', bank, '--yes', '-q'])).exit).toBe(0)
  const get = await box.shipx(['cod', 'get', 'SEP', '--mail'])
  expect([get.exit, get.stdout]).toEqual([0, wanted])
  // What kept statements say of its transfers.
  const json = await box.shipx(['cod', 'get', 'SEP', '--json'])
  const { data, bank: utrs } = JSON.parse(json.stdout) as CodAnswer
  expect(utrs.map(({ utr, verdict, difference }) => [utr, verdict, difference])).toEqual([
    [first, 'ok', 0],
    [second, 'not_in_bank', -1000],
  ])
  expect(data).toHaveLength(7)
  for (const one of [
    ['cod', 'get', 'SEP'],
    ['reconcile', 'cod', path],
  ]) {
    const only = await box.shipx([...one, '--only', 'not_in_bank', '--csv', '--fields', 'awb'])
    expect([one, only.exit, only.stdout.trim().split(/\s+/)]).toEqual([one, 0, ['awb', '1004']])
  }
  const page = await box.shipx(['cod', 'get', 'SEP'])
  expect(page.stdout).toContain('Bank: 1 UTR in order, 1 not.')
  const none = await box.shipx(['cod', 'get', 'SEPT'])
  expect([none.exit, none.stderr]).toEqual([3, expect.stringContaining('SEP')])
})

test('a mail about a remittance in order asks for nothing', async () => {
  const paid = ['AWB,Remitted Amount,UTR,Remittance Date', `7001,500,${first},14-09-2026`].join('\n')
  const own = sandbox()
  try {
    await saveParcels(own, [codParcel('7001')])
    const path = own.file('one.csv', paid)
    const { stdout } = await own.shipx(['reconcile', 'cod', path, '--dry-run', '--mail', '--cycle', '7wd'])
    expect(stdout).toBe(
      `Subject: COD remittance ${first}\n\nDear team,\n\n` +
        `Your COD remittance ${first} of 14 Sep pays ₹500.00. We found nothing to correct.\n`,
    )
  } finally {
    own.remove()
  }
})
