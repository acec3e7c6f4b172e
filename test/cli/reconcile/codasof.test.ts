// `shipx cod due` as of a day that is over, what it says of deductions without a reason and of parcels paid twice, and
// which remittances were compared with the bank.
// @module-tag full: remittances and statements kept
import { expect, test } from 'vitest'
import type { Sandbox } from '../../support/sandbox.ts'
import { codParcel, hdfc, place } from './cods.ts'

const [first, second] = ['HDFCN52026091412345678', 'CITIN24401114659'] as const
const head = 'AWB,Remitted Amount,Less,UTR,Remittance Date'

async function keep(box: Sandbox, name: string, rows: readonly string[], ...more: readonly string[]): Promise<void> {
  const path = box.file(name, [head, ...rows].join('\n'))
  const words = ['reconcile', 'cod', path, '--number', name, '--yes', '-q', '--amounts', 'gross']
  const { exit, stderr } = await box.shipx([...words, ...more])
  expect([exit, stderr]).toEqual([0, stderr])
}

interface Due {
  readonly data: readonly Record<string, unknown>[]
  readonly as_of: string
  readonly unexplained?: number
  readonly paid_twice?: number
}

async function due(box: Sandbox, ...more: readonly string[]): Promise<Due> {
  const { exit, stdout, stderr } = await box.shipx(['cod', 'due', '--json', ...more])
  expect([exit, stderr]).toEqual([0, stderr])
  return JSON.parse(stdout) as Due
}

test('what was owed at the end of a month that is over could not be asked', async () => {
  const box = await place(
    codParcel('1001'),
    // 18:29 and 18:30 UTC are the last minute of a day in India and the first of the next.
    codParcel('1002', { cod_amount: 300, delivered: '2026-08-31T18:29:00Z' }),
    codParcel('1003', { cod_amount: 70, delivered: '2026-08-31T18:30:00Z' }),
    codParcel('1004', { cod_amount: 5, delivered: '2026-08-20T06:30:00Z' }),
  )
  await keep(box, 'a', [`1001,500,0,${first},14-09-2026`, `1004,5,0,${first},31-08-2026`])
  const cycle = ['--cycle', '2d']
  expect(await due(box, '--as-of', '2026-08-31', ...cycle)).toMatchObject({
    data: [{ parcels: 1, owed: 300, not_due: 300, late: 0 }],
    as_of: '2026-08-31',
  })
  expect(await due(box, '--month', '2026-08', ...cycle)).toMatchObject({ data: [{ owed: 300 }], as_of: '2026-08-31' })
  expect(await due(box, '--as-of', '2026-08-30', ...cycle)).toMatchObject({ data: [{ owed: 5, late: 5 }] })
  expect(await due(box, '--as-of', '2026-09-13', ...cycle)).toMatchObject({
    data: [{ parcels: 3, owed: 870, late_4_7: 500, late_8_15: 370 }],
  })
  // Paid on the 14th.
  expect(await due(box, '--as-of', '2026-09-14', ...cycle)).toMatchObject({ data: [{ parcels: 2, owed: 370 }] })
  const parcels = await due(box, '--as-of', '2026-09-13', '--parcels', ...cycle)
  expect([parcels.as_of, parcels.data.map(({ awb, owed, days_late: late }) => [awb, owed, late])]).toEqual([
    '2026-09-13',
    [
      ['1002', 300, 11],
      ['1003', 70, 10],
      ['1001', 500, 6],
    ],
  ])
  // The month that is running is as of today.
  expect(await due(box, '--month', 'this-month')).toMatchObject({ data: [{ owed: 370 }], as_of: '2026-09-29' })
  expect((await due(box)).as_of).toBe('2026-09-29')
  const page = await box.shipx(['cod', 'due', '--as-of', '2026-09-13'])
  expect(page.stderr).toContain('As of the end of 13 Sep.')
  for (const words of [
    ['--as-of', '2026-09-30'],
    ['--month', '2026-10'],
    ['--month', '2026-09', '--as-of', '2026-09-01'],
    ['--month', '2026-08', '--forecast'],
  ]) {
    const refused = await box.shipx(['cod', 'due', ...words])
    expect([words, refused.exit]).toEqual([words, 2])
  }
})

test('cod due said nothing of what was taken off without a reason, nor of what was paid twice', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'))
  await keep(box, 'a', [`1001,500,45,${first},14-09-2026`, `,,30,${first},14-09-2026`])
  await keep(box, 'b', [`1001,500,0,${second},21-09-2026`, `1002,500,0,${second},21-09-2026`])
  expect(await due(box)).toMatchObject({ data: [], unexplained: 75, paid_twice: 500 })
  const { stderr } = await box.shipx(['cod', 'due'])
  expect(stderr).toContain('₹75.00 was taken off remittances without a reason')
  expect(stderr).toContain('To list it: shipx cod due --unexplained')
  expect(stderr).toContain('₹500.00 was paid twice: the courier may take it back. To list it: shipx cod due --twice')
  const listed = await due(box, '--unexplained', '--twice')
  expect(
    listed.data.map(({ kind, awb, remittance, remitted_on: on, amount }) => [kind, awb, remittance, on, amount]),
  ).toEqual([
    ['unexplained', '1001', 'a', '2026-09-14', 45],
    ['unexplained', null, 'a', '2026-09-14', 30],
    ['twice', '1001', 'b', '2026-09-21', 500],
  ])
  expect((await due(box, '--twice')).data).toHaveLength(1)
  // Before the second payment, and without the first.
  expect(await due(box, '--as-of', '2026-09-20')).toMatchObject({ unexplained: 75, paid_twice: 0 })
  await box.shipx(['cod', 'remove', 'a', '--yes'])
  expect(await due(box)).toMatchObject({ unexplained: 0, paid_twice: 0 })
})

test('a later remittance that adds to a transfer counted as compared with the bank, and cod list had no state', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'), codParcel('1003'))
  const bank = box.file('bank.csv', `${hdfc}\n14/09/26,NEFT CR-${first},,14/09/26,,500,1`)
  await keep(box, 'a', [`1001,500,0,${first},14-09-2026`], '--bank', bank)
  await keep(box, 'b', [`1002,300,0,${first},14-09-2026`, `1003,200,0,${second},14-09-2026`])
  const states = async (): Promise<readonly unknown[]> => {
    const { stdout } = await box.shipx(['cod', 'list', '--json'])
    const { data } = JSON.parse(stdout) as { data: readonly { number: string; state: string }[] }
    return data.map(({ number, state }) => [number.slice(0, 4), state]).toSorted()
  }
  expect(await states()).toEqual([
    ['HDFC', 'kept'],
    ['a', 'compared'],
    ['b', 'not_compared'],
  ])
  const seen = async (): Promise<unknown> =>
    (await due(box, '--parcels')).data.map(({ awb, remitted, not_compared: never }) => [awb, remitted, never])
  expect(await seen()).toEqual([
    ['1002', 300, 300],
    ['1003', 200, 200],
  ])
  // The first again does not look for what the second added; the second itself does.
  await box.shipx(['reconcile', 'cod', 'a', '--bank', bank, '--yes', '-q'])
  expect(await states()).toContainEqual(['b', 'not_compared'])
  const later = box.file('later.csv', `${hdfc}\n15/09/26,NEFT CR-${first},,15/09/26,,800,1`)
  await box.shipx(['reconcile', 'cod', 'b', '--bank', later, '--yes', '-q'])
  expect(await states()).toContainEqual(['b', 'compared'])
  expect(await seen()).toEqual([
    ['1002', 300, 0],
    ['1003', 200, 0],
  ])
  await keep(box, 'a', [`1001,400,0,${first},14-09-2026`], '--replace')
  expect(await states()).toContainEqual(['a', 'replaced'])
  const page = await box.shipx(['cod', 'list'])
  expect(page.stdout).toContain('not compared')
})
