// Defends `shipx cod due`: what the bank never got, couriers without a remittance, what is late, the forecast against what
// came, and workbooks.
// @module-tag full: remittances and statements kept
import { describe, expect, test } from 'vitest'
import type { Outcome, Sandbox } from '../../support/sandbox.ts'
import { codParcel, hdfc, place } from './cods.ts'

const utr = 'HDFCN52026091412345678'
const other = 'HDFCN52026091498765432'
const head = 'AWB,Remitted Amount,UTR,Remittance Date'

const keep = async (box: Sandbox, rows: readonly string[], ...more: readonly string[]): Promise<void> => {
  const path = box.file('paid.csv', [head, ...rows].join('\n'))
  const { exit, stderr } = await box.shipx(['reconcile', 'cod', path, '--yes', '-q', ...more])
  expect([exit, stderr]).toEqual([0, stderr])
}

const statement = (box: Sandbox, name: string, ...rows: readonly string[]): string =>
  box.file(name, [hdfc, ...rows].join('\n'))

const due = async (box: Sandbox, ...more: readonly string[]): Promise<Outcome> => {
  const outcome = await box.shipx(['cod', 'due', ...more])
  expect([outcome.exit, outcome.stderr]).toEqual([0, outcome.stderr])
  return outcome
}

const dataOf = async (box: Sandbox, ...more: readonly string[]): Promise<readonly Record<string, unknown>[]> =>
  (JSON.parse((await due(box, ...more, '--json')).stdout) as { data: readonly Record<string, unknown>[] }).data

describe('a remittance that the bank never got', () => {
  const parcels = [codParcel('1001'), codParcel('1002', { cod_amount: 300 })]
  const rows = [`1001,500,${utr},14-09-2026`, `1002,300,${other},14-09-2026`]

  test('counts as owed, and the page says how much it is', async () => {
    const box = await place(...parcels)
    const bank = statement(box, 'bank.csv', `14/09/26,NEFT CR-${other},,14/09/26,,300,1`)
    await keep(box, rows, '--bank', bank)
    const { stderr } = await due(box)
    expect(stderr).toContain('₹500.00 remitted, but not in the bank: it counts as owed')
    expect(await dataOf(box)).toMatchObject([{ courier: 'Delhivery', parcels: 1, owed: 500, not_in_bank: 500 }])
    expect(await dataOf(box, '--parcels')).toMatchObject([
      { awb: '1001', due: 500, remitted: 500, owed: 500, not_in_bank: 500 },
    ])
    // A later statement has it.
    const later = statement(box, 'later.csv', `16/09/26,NEFT CR-${utr},,16/09/26,,500,1`)
    expect((await box.shipx(['reconcile', 'cod', 'paid.csv', '--yes', '--bank', later, '-q'])).exit).toBe(0)
    expect((await due(box)).stderr).not.toContain('not in the bank')
    expect(await dataOf(box)).toEqual([])
    const [newest] = (await box.shipx(['cod', 'list', '--kind', 'bank', '--ids'])).stdout.split('\n')
    await box.shipx(['cod', 'remove', newest!, '--yes'])
    expect(await dataOf(box)).toMatchObject([{ owed: 500, not_in_bank: 500 }])
  })

  test('counts as paid while no statement is kept, and as owed once one that is kept is asked', async () => {
    const box = await place(...parcels)
    const bank = statement(box, 'bank.csv', `14/09/26,NEFT CR-${other},,14/09/26,,300,1`)
    const second = box.file('second.csv', [head, rows[1]].join('\n'))
    expect((await box.shipx(['reconcile', 'cod', second, '--yes', '--bank', bank, '-q'])).exit).toBe(0)
    await keep(box, rows.slice(0, 1))
    expect((await due(box)).stderr).toContain(
      'Remittances pay ₹800.00; ₹500.00 of it was never compared with a bank statement.',
    )
    expect(await dataOf(box)).toEqual([])
    expect((await box.shipx(['reconcile', 'cod', 'paid.csv', '--dry-run', '--bank', bank, '-q'])).exit).toBe(0)
    expect(await dataOf(box)).toEqual([])
    await keep(box, rows.slice(0, 1), '--bank', bank)
    expect(await dataOf(box)).toMatchObject([{ owed: 500, not_in_bank: 500 }])
  })
})

test('a short transfer counted in full: what came counts, and the last parcels of the transfer bear the rest', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'), codParcel('1003', { cod_amount: 100 }))
  const bank = statement(box, 'bank.csv', `14/09/26,NEFT CR-${utr},,14/09/26,,850,1`)
  await keep(
    box,
    [`1001,500,${utr},14-09-2026`, `1002,500,${utr},14-09-2026`, `1003,100,${utr},14-09-2026`],
    '--bank',
    bank,
  )
  expect(await dataOf(box)).toMatchObject([
    { parcels: 2, owed: 250, not_in_bank: 250, remitted: 1100, not_compared: 0 },
  ])
  expect(await dataOf(box, '--parcels')).toMatchObject([
    { awb: '1002', due: 500, remitted: 500, owed: 150, not_in_bank: 150, not_compared: 0 },
    { awb: '1003', due: 100, remitted: 100, owed: 100, not_in_bank: 100 },
  ])
  // The rest comes later, in a statement that overlaps the first.
  const [first, rest] = [`14/09/26,NEFT CR-${utr},,14/09/26,,850,1`, `20/09/26,NEFT CR-${utr},,20/09/26,,250,1`]
  const later = statement(box, 'later.csv', first, rest)
  expect((await box.shipx(['reconcile', 'cod', 'paid.csv', '--yes', '--bank', later, '-q'])).exit).toBe(0)
  expect(await dataOf(box)).toEqual([])
})

test('what the bank lacks can be listed alone, by the code or by the words of the page', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'))
  const bank = statement(box, 'bank.csv', `14/09/26,NEFT CR-${other},,14/09/26,,300,1`)
  await keep(box, [`1001,500,${utr},14-09-2026`], '--bank', bank)
  for (const only of ['not_in_bank', 'Not in bank', 'NOT-IN-BANK'])
    expect((await due(box, '--parcels', '--only', only, '--ids')).stdout).toBe('1001\n')
  expect((await due(box, '--only', 'over 15 days,not due', '--cycle', '2d', '--ids')).stdout).toBe('1001\n1002\n')
  const wrong = await box.shipx(['cod', 'due', '--parcels', '--only', 'not in banks'])
  expect([wrong.exit, wrong.stderr]).toEqual([2, expect.stringContaining('Did you mean not_in_bank?')])
  const only = ['--only', 'Not in bank', '--ids']
  const listed = await box.shipx(['reconcile', 'cod', 'paid.csv', '--dry-run', '--bank', bank, ...only])
  expect(listed.stdout).toBe('1001\n')
  const alone = await box.shipx(['reconcile', 'cod', 'paid.csv', '--dry-run', ...only])
  expect([alone.exit, alone.stdout]).toEqual([0, '1001\n'])
})

test('a courier without a kept remittance is named: all that it delivered counts as owed', async () => {
  const blue = { carrier_id: 'BLU', carrier_name: 'Blue Dart' }
  const box = await place(codParcel('1001'), codParcel('1002'), codParcel('2001', blue))
  await keep(box, [`1001,500,${utr},14-09-2026`])
  const { stderr } = await due(box)
  expect(stderr).toContain('No remittance of Blue Dart is kept: all delivered COD counts as owed.')
})

test('--parcels --late leaves out what is not late, and a sum ends the list', async () => {
  const box = await place(codParcel('1001'), codParcel('1002', { delivered: '2026-09-28T06:30:00Z', cod_amount: 70 }))
  const all = await due(box, '--parcels', '--cycle', '2d')
  expect(all.stderr).toContain('2 parcels, ₹570.00 owed; ₹500.00 of it is late.')
  const late = await due(box, '--parcels', '--late', '--cycle', '2d')
  expect([late.stdout.split('\t')[0], late.stderr]).toEqual([
    '1001',
    '1 parcel, ₹500.00 owed; ₹500.00 of it is late.\n',
  ])
  const alone = await box.shipx(['cod', 'due', '--late'])
  expect([alone.exit, alone.stderr]).toEqual([2, expect.stringContaining('--late: goes with --parcels')])
})

test('a forecast is measured by what came of the couriers that remit, and not by what was due', async () => {
  const sent = (awb: string, over: Record<string, unknown> = {}): string =>
    codParcel(awb, { picked_up: '2026-09-01T06:00:00Z', ...over })
  const box = await place(
    sent('1001', { cod_amount: 1000 }),
    sent('2001', { carrier_id: 'BLU', carrier_name: 'Blue Dart', cod_amount: 90_000 }),
  )
  const answer = async () =>
    JSON.parse((await due(box, '--forecast', '--cycle', '3d', '--json')).stdout) as {
      error_percent: number | null
      weeks: readonly { week: string; forecast: number; due: number; came: number | null; error_percent: number }[]
    }
  expect((await answer()).error_percent).toBeNull()
  expect((await due(box, '--forecast')).stderr).toContain('so the error is not known')
  await keep(box, [`1001,800,${utr},08-09-2026`])
  const { error_percent: error, weeks } = await answer()
  // Delivered on the 5th, due on the 8th: the forecast of that morning was 1000, and 800 came.
  expect(weeks.find(({ due: any }) => any > 0)).toEqual({
    week: '2026-09-08',
    forecast: 1000,
    due: 1000,
    came: 800,
    error_percent: 25,
  })
  expect(error).toBe(25)
  const { stderr } = await due(box, '--forecast', '--cycle', '3d')
  expect(stderr).toContain('off by 25% by money: ₹200.00 too much or too little, of ₹800.00 that came in the only week')
})

test('cod due and shipments rto write workbooks, and never over a file of someone else', async () => {
  const box = await place(codParcel('1001'), codParcel('1002', { status: 'rto_initiated' }))
  const runs: readonly (readonly [string, readonly string[], string])[] = [
    ['due.xlsx', ['cod', 'due'], 'Wrote 1 courier to due.xlsx'],
    ['parcels.xlsx', ['cod', 'due', '--parcels'], 'Wrote 1 parcel to parcels.xlsx'],
    ['forecast.xlsx', ['cod', 'due', '--forecast'], 'Wrote 14 days to forecast.xlsx'],
    ['rto.xlsx', ['shipments', 'rto', '--by', 'courier'], ' to rto.xlsx'],
  ]
  for (const [file, words, said] of runs) {
    const { exit, stderr } = await box.shipx([...words, '--xlsx', file])
    expect([exit, stderr]).toEqual([0, expect.stringContaining(said)])
    const again = await box.shipx([...words, '--xlsx', file])
    expect([again.exit, again.stderr]).toEqual([0, expect.stringContaining(said)])
    box.file(file, 'mine')
    const refused = await box.shipx([...words, '--xlsx', file])
    expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining(`${file} is there already`)])
  }
})

test('a page of COD calls verdicts by their codes, with a column for each amount; cod list adds up', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'), codParcel('1003', { status: 'rto_delivered' }))
  const rows = [`1001,450,${utr},14-09-2026`, `1003,500,${utr},14-09-2026`]
  const path = box.file('paid.csv', [head, ...rows].join('\n'))
  const env = { SHIPX_FORCE_TTY: '120', NO_COLOR: '1' }
  const run = (...words: readonly string[]): Promise<Outcome> => box.shipx(words, { env })
  const { stdout } = await run('reconcile', 'cod', path, '--yes')
  const lines = stdout.split('\n').map((line) => line.trim().split(/ {2,}/))
  expect(lines.slice(4, 8)).toEqual([
    ['VERDICT', 'PARCELS', 'DUE', 'REMITTED', 'DIFFERENCE', 'DAYS LATE AT MOST'],
    expect.arrayContaining(['remitted on RTO', '1', '₹0.00', '₹500.00']),
    expect.arrayContaining(['overdue', '₹500.00', '₹0.00', '-₹500.00']),
    expect.arrayContaining(['short', '₹450.00', '-₹50.00']),
  ])
  expect(stdout).toContain('To list the parcels of a verdict, add: --only remitted_on_rto')
  for (const only of ['remitted on RTO', 'remitted_on_rto'])
    expect((await run('reconcile', 'cod', path, '--only', only, '--ids')).stdout).toBe('1003\n')
  const list = await run('cod', 'list')
  expect(list.stdout).toContain('DUE FOR ITS PARCELS')
  expect(list.stderr).toContain('1 remittance: ₹950.00 remitted, ₹500.00 due for the parcels in them')
})
