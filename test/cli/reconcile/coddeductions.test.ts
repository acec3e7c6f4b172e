// Deductions from COD: which of them say why, where those that do not are listed, and what was paid twice.
// @module-tag full: remittances kept
import { expect, test } from 'vitest'
import { codParcel, place, remitted, verdictsOf } from './cods.ts'

const utr = 'HDFCN52026091412345678'

test.each(['Ded', 'Deduction', 'Deductions', 'Less', 'Other deductions', 'Adjustment'])(
  'a column called "%s" was taken for the reason of the deduction',
  async (header) => {
    const box = await place(codParcel('1001'), codParcel('1002'))
    const rows = [
      `AWB,Remitted Amount,${header},Net Amount,UTR,Remittance Date`,
      `1001,500,45,455,${utr},14-09-2026`,
      `1002,500,0,500,${utr},14-09-2026`,
    ].join('\n')
    const answer = await remitted(box, rows)
    expect(verdictsOf(answer)).toEqual({ '1001': 'ok', '1002': 'ok' })
    expect(answer.data[0]).toMatchObject({ awb: '1001', adjusted: 0, unexplained: 45 })
    expect(answer.deductions).toEqual([{ name: 'unexplained deduction', amount: 45, lines: 1, utr }])
    const only = await remitted(box, rows, ['--only', 'unexplained'])
    expect(only.data.map(({ awb }) => awb)).toEqual(['1001'])
  },
)

test('words that only say that something was taken off were taken for its reason', async () => {
  const box = await place(...['1001', '1002', '1003', '1004', '1005'].map((awb) => codParcel(awb)))
  const rows = [
    'AWB,Remitted Amount,Deduction,Freight adjusted,UTR,Remittance Date,Remarks',
    `1001,500,45,0,${utr},14-09-2026,COD remittance`,
    `1002,500,45,0,${utr},14-09-2026,RTO reversal of AWB 990`,
    `1003,500,10,30,${utr},14-09-2026,`,
    `1004,-60,0,0,${utr},14-09-2026,Less`,
    `1005,-70,0,0,${utr},14-09-2026,Weight penalty`,
    `Less,-20,0,0,${utr},14-09-2026,`,
    `Freight set-off of INV/9,-25,0,0,${utr},14-09-2026,`,
  ].join('\n')
  const { data, deductions } = await remitted(box, rows, ['--amounts', 'gross'])
  const taken = data
    .filter(({ utr: own }) => own !== null)
    .map(({ awb, verdict, adjusted, unexplained }) => [awb, verdict, adjusted, unexplained])
  expect(taken).toEqual([
    ['1001', 'ok', 0, 45],
    ['1002', 'adjusted', 45, 0],
    ['1003', 'adjusted', 30, 10],
    ['1004', 'overdue', 0, 60],
    ['1005', 'overdue', 70, 0],
  ])
  expect(deductions.map(({ name, amount }) => [name, amount])).toEqual([
    ['RTO reversal of AWB 990', 45],
    ['Freight adjusted', 30],
    ['Weight penalty', 70],
    ['Freight set-off of INV/9', 25],
    ['unexplained deduction', 135],
  ])
})

test('what was paid in time and then again counted as late from the second payment', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'), codParcel('1003'))
  const rows = [
    'AWB,Remitted Amount,UTR,Remittance Date',
    `1001,500,${utr},14-09-2026`,
    `1001,500,CITIN24401114659,25-09-2026`,
    // Settled by the second of three payments.
    `1002,200,${utr},14-09-2026`,
    `1002,300,CITIN24401114659,16-09-2026`,
    `1002,500,CITIN24401114999,25-09-2026`,
    // Taken back, and paid late.
    `1003,500,${utr},14-09-2026`,
    `1003,-500,CITIN24401114659,16-09-2026`,
    `1003,500,CITIN24401114999,25-09-2026`,
  ].join('\n')
  const { data } = await remitted(box, rows)
  expect(data.map(({ awb, verdict, due_date, days_late }) => [awb, verdict, due_date, days_late])).toEqual([
    ['1001', 'twice', '2026-09-14', 0],
    ['1002', 'twice', '2026-09-14', 2],
    ['1003', 'late', '2026-09-14', 11],
  ])
})

test('a COD file of which some amounts were not read was kept with a warning', async () => {
  const box = await place(...['1001', '1002', '1003'].map((awb) => codParcel(awb)))
  const refusal = async (rows: readonly string[], ...more: readonly string[]) => {
    const { exit, stderr } = await remitted(box, rows.join('\n'), more)
    return [exit, stderr] as const
  }
  // The net amount lacks what stands in a column that nothing reads.
  const net = [
    'AWB,Remitted Amount,Shpg chg,Wallet rchg,Net Amount,UTR,Remittance Date',
    `1001,500,45,0,455,${utr},14-09-2026`,
    `1002,500,0,0,500,${utr},14-09-2026`,
    `1003,500,45,10,445,${utr},14-09-2026`,
  ]
  const [exit, stderr] = await refusal(net)
  expect(exit).toBe(2)
  expect(stderr).toContain('unread_amounts')
  expect(stderr.replaceAll('\\', '')).toContain(
    'shipx reads only some amounts of this remittance, not "Shpg chg", "Wallet rchg": ' +
      '2 of the first 3 lines do not add up without them',
  )
  const maps = ['Shpg chg=freight', 'Wallet rchg=adjusted']
  for (const map of maps) expect(stderr).toContain(`--map '${map}'`)
  const mapped = await remitted(
    box,
    net.join('\n'),
    maps.flatMap((map) => ['--map', map]),
  )
  expect([mapped.exit, mapped.stderr, mapped.deductions.map(({ name, amount }) => [name, amount])]).toEqual([
    0,
    '',
    [
      ['Shpg chg', 45],
      ['Shpg chg, Wallet rchg', 55],
    ],
  ])
  const ignored = await remitted(box, net.join('\n'), ['--ignore', 'Shpg chg', '--ignore', 'Wallet rchg'])
  expect([ignored.exit, ignored.deductions.map(({ name, amount }) => [name, amount])]).toEqual([
    0,
    [['unexplained deduction', 100]],
  ])
  expect((await refusal(net, '--force'))[0]).toBe(0)
  // What is left for the bank stands in a column that nothing reads.
  const payout = ['AWB,Amount,Chg,Payout,UTR', `1001,500,45,455,${utr}`, `1002,500,0,500,${utr}`]
  const [refused, said] = await refusal(payout)
  expect([refused, said]).toEqual([2, expect.stringContaining('--map Payout=net')])
  // Short by just what stands there.
  const short = ['AWB,Amount,Chg,UTR', `1001,455,45,${utr}`, `1002,500,0,${utr}`]
  expect((await refusal(short))[0]).toBe(2)
  // It adds up without them: a warning.
  const sound = ['AWB,Amount,Order value,Payout,UTR', `1001,500,500,500,${utr}`, `1002,0,500,0,${utr}`]
  expect(await refusal(sound)).toEqual([0, expect.stringContaining('Not read: Order value, Payout')])
})

test('a wrong grand total was on the page alone: --json, --only and --mail said nothing', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'))
  const rows = ['AWB,Remitted Amount,UTR,Remittance Date', `1001,500,${utr},14-09-2026`, `1002,500,${utr},14-09-2026`]
  const path = box.file('total.csv', [...rows, 'Grand Total,1100,,'].join('\n'))
  const said = 'The total in line 4 says ₹1,100.00, and the lines add up to ₹1,000.00.'
  for (const flags of [['--json'], ['--only', 'ok'], ['--mail']]) {
    const { stderr } = await box.shipx(['reconcile', 'cod', path, '--dry-run', ...flags])
    expect([flags, stderr]).toEqual([flags, expect.stringContaining(`! ${said}`) as string])
  }
  const page = await box.shipx(['reconcile', 'cod', path, '--dry-run'])
  expect(page.stdout).toContain(said)
  expect(page.stderr).not.toContain('add up')
})
