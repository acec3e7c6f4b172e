// What a finance person found wrong in the COD that couriers owe, each found wrong once.
import { expect, test } from 'vitest'
import type { Sandbox } from '../../support/sandbox.ts'
import { codParcel, hdfc, place } from './cods.ts'

const utr = 'HDFCR52026110512345678'
const head = 'AWB,Remitted Amount,UTR,Remittance Date'

interface Owed {
  readonly owed: number
  readonly not_in_bank: number
}

/** What is owed after a remittance of which `came` reached the bank, and the sum in the subject of its mail. */
async function owedAfter(box: Sandbox, rows: readonly string[], came: number) {
  const bank = box.file('bank.csv', [hdfc, `14/09/26,NEFT CR-${utr}-HIM,,14/09/26,,${came},1`].join('\n'))
  const lines = rows.map((row) => `${row},${utr},14-09-2026`)
  const path = box.file('paid.csv', [head, ...lines].join('\n'))
  const { exit, stderr } = await box.shipx(['reconcile', 'cod', path, '--yes', '-q', '--bank', bank])
  expect([exit, stderr]).toEqual([0, stderr])
  const { stdout } = await box.shipx(['cod', 'due', '--json'])
  const sums = (JSON.parse(stdout) as { data: readonly Owed[] }).data
  const mail = await box.shipx(['reconcile', 'cod', path, '--dry-run', '--mail'])
  return {
    owed: sums.reduce((sum, one) => sum + one.owed, 0),
    away: sums.reduce((sum, one) => sum + one.not_in_bank, 0),
    mail: /₹[\d,.]+ to pay/.exec(mail.stdout)?.[0],
  }
}

const returned = codParcel('1002', { status: 'rto_delivered', delivered: null, cod_amount: 649 })

test(
  'what a transfer lacks in the bank vanished behind a parcel that nothing is due for, by the order of the rows',
  { tags: ['full'] },
  async () => {
    const rows = ['1001,1010', '1002,649']
    for (const order of [rows, rows.toReversed()]) {
      const box = await place(codParcel('1001', { cod_amount: 1010 }), returned)
      const found = await owedAfter(box, order, 1159)
      expect([order, found]).toEqual([order, { owed: 500, away: 500, mail: '₹500.00 to pay' }])
    }
  },
)

test('what a transfer lacks vanished behind a parcel that was paid twice', { tags: ['full'] }, async () => {
  const rows = ['1001,500', '1003,500', '1003,500']
  for (const order of [rows, rows.toReversed()]) {
    const box = await place(codParcel('1001'), codParcel('1003'))
    const { owed, away } = await owedAfter(box, order, 1200)
    expect([order, owed, away]).toEqual([order, 300, 300])
  }
})

test('the rows of a parcel that was paid twice, or in two parts, could not be added up', async () => {
  const box = await place(codParcel('1001', { cod_amount: 1000 }), codParcel('1002', { cod_amount: 1000 }))
  const keep = async (name: string, rows: readonly string[]): Promise<void> => {
    const path = box.file(name, [head, ...rows].join('\n'))
    expect((await box.shipx(['reconcile', 'cod', path, '--yes', '-q'])).exit).toBe(0)
  }
  await keep('one.csv', [`1001,1000,${utr},14-09-2026`, `1001,1000,${utr},14-09-2026`, `1002,400,${utr},14-09-2026`])
  await keep('two.csv', ['1002,600,CITIN24401114659,18-09-2026'])
  const columns = async (awb: string) => {
    const { stdout } = await box.shipx(['shipments', 'cost', awb, '--json'])
    const { data } = JSON.parse(stdout) as { data: readonly Record<string, number>[] }
    return data.map(({ expected, remitted, difference }) => [expected, remitted, difference])
  }
  expect(await columns('1001')).toEqual([
    [1000, 1000, 0],
    [0, 1000, 1000],
  ])
  expect(await columns('1002')).toEqual([
    [1000, 400, -600],
    [0, 600, 600],
  ])
})

test('the header Credit Date was not the day of the payment', async () => {
  const box = await place(codParcel('1001', { cod_amount: 1010 }))
  const path = box.file('credited.csv', `AWB,Remitted Amount,UTR,Credit Date\n1001,1010,${utr},16-09-2026`)
  const { exit, stdout } = await box.shipx(['reconcile', 'cod', path, '--dry-run', '--json', '-q'])
  const { data } = JSON.parse(stdout) as { data: readonly Record<string, unknown>[] }
  expect([exit, data]).toEqual([0, [expect.objectContaining({ awb: '1001', remitted_on: '2026-09-16' })]])
})
