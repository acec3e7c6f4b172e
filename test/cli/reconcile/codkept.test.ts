// Remittances that are kept: what earlier ones paid, the same file again, other files with a number, two processes, a
// killed one; what is owed, forecast and listed of them.
// @module-tag full: remittances kept, read again, killed
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { testDatabase } from '../../support/testdatabase.ts'
import { type CodAnswer, codParcel, hdfc, place } from './cods.ts'

const utr = 'HDFCN52026091412345678'
const head = 'AWB,Remitted Amount,UTR,Remittance Date'

const keep = async (
  box: Sandbox,
  name: string,
  rows: readonly string[],
  ...more: readonly string[]
): Promise<CodAnswer> => {
  const path = box.file(name, [head, ...rows].join('\n'))
  const { stdout, stderr, exit } = await box.shipx(['reconcile', 'cod', path, '--yes', '--json', ...more])
  const answer = stdout === '' ? { data: [], bank: [], deductions: [] } : (JSON.parse(stdout) as CodAnswer)
  return { ...answer, exit, stderr }
}

const owed = async (box: Sandbox): Promise<readonly (readonly [string, number])[]> => {
  const { stdout } = await box.shipx(['cod', 'due', '--jsonl'])
  const lines = stdout.split('\n').filter((line) => line !== '')
  return lines
    .map((line) => JSON.parse(line) as { awb: string; owed: number })
    .map((one) => [one.awb, one.owed] as const)
}

test('a later remittance sees what an earlier one paid: twice, and the rest of a short one', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'), codParcel('1003'))
  await keep(box, 'first.csv', [`1001,500,${utr},14-09-2026`, `1002,300,${utr},14-09-2026`])
  expect(await owed(box)).toEqual([
    ['1002', 200],
    ['1003', 500],
  ])
  const { data } = await keep(box, 'second.csv', [
    '1001,500,CITIN24401114659,18-09-2026',
    '1002,200,CITIN24401114659,18-09-2026',
  ])
  expect(
    data.map(({ awb, verdict, remitted, difference, before }) => [awb, verdict, remitted, difference, before]),
  ).toEqual([
    ['1001', 'twice', 1000, 500, [{ remittance: utr, amount: 500 }]],
    ['1002', 'late', 500, 0, [{ remittance: utr, amount: 300 }]],
    ['1003', 'overdue', 0, -500, []],
  ])
  expect(await owed(box)).toEqual([['1003', 500]])
  const ledger = await box.shipx(['shipments', 'cost', '1001', '--jsonl'])
  expect(
    ledger.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toMatchObject([
    { awb: '1001', invoice: utr, journey: 'cod', remitted: 500, billed: null, verdict: 'ok' },
    { awb: '1001', invoice: 'CITIN24401114659', journey: 'cod', remitted: 500, verdict: 'twice' },
  ])
  const removed = await box.shipx(['cod', 'remove', 'CITIN24401114659', '--yes'])
  expect([removed.exit, await owed(box)]).toEqual([
    0,
    [
      ['1002', 200],
      ['1003', 500],
    ],
  ])
})

test('the same file again prints the same bytes, also later and after other remittances', async () => {
  const box = await place(
    codParcel('1001'),
    codParcel('1002'),
    codParcel('1003', { delivered: '2026-09-29T02:00:00Z' }),
  )
  const path = box.file('one.csv', [head, `1001,500,${utr},14-09-2026`, `1001-R,0,${utr},14-09-2026`].join('\n'))
  const words = ['reconcile', 'cod', path, '--yes', '--jsonl', '--cycle', '5wd', '--number', 'SEP-1']
  const first = await box.shipx(words)
  await keep(box, 'two.csv', ['1002,500,CITIN24401114659,28-09-2026'])
  const env = { SHIPX_NOW: '2026-10-20T08:30:00Z' }
  const again = await box.shipx(['reconcile', 'cod', path, '--jsonl'], { env })
  expect([first.exit, again.exit, again.stdout]).toEqual([0, 0, first.stdout])
  const plain = await box.shipx(['reconcile', 'cod', path, '--cycle', '2d'], { env })
  expect(plain.stderr).toContain('shipx ignored --cycle: this remittance keeps its first judgement')
  expect((await box.shipx(['cod', 'list', '--jsonl'])).stdout.trim().split('\n')).toHaveLength(2)
  const other = await box.shipx([...words, '--number', 'SEP-9'])
  expect([other.exit, other.stderr]).toEqual([5, expect.stringContaining('document_exists')])
})

test('another file with the number is refused; --replace keeps it, and the first no longer counts', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'))
  await keep(box, 'one.csv', [`1001,500,${utr},14-09-2026`])
  const refused = await keep(box, 'two.csv', [`1002,500,${utr},14-09-2026`])
  expect([refused.exit, refused.stderr]).toEqual([5, expect.stringContaining('document_differs')])
  expect(await owed(box)).toEqual([['1002', 500]])
  const { data, exit } = await keep(box, 'two.csv', [`1002,500,${utr},14-09-2026`], '--replace')
  expect([exit, data.map(({ awb, verdict }) => `${awb} ${verdict}`)]).toEqual([0, ['1002 ok', '1001 overdue']])
  expect(await owed(box)).toEqual([['1001', 500]])
  const { stdout } = await box.shipx(['cod', 'list', '--jsonl', '--fields', 'number,replaced_at'])
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { replaced_at: string | null }).replaced_at),
  ).toEqual([null, expect.stringMatching(/^2026-09-29T08:30:00/)])
})

test('two remittances in one UTR: the bank has one credit for both', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'))
  await keep(box, 'one.csv', [`1001,500,${utr},14-09-2026`], '--number', 'A')
  const bank = box.file('bank.csv', `${hdfc}\n14/09/26,NEFT CR-${utr},,14/09/26,,"1,000",1`)
  const { bank: utrs } = await keep(box, 'two.csv', [`1002,500,${utr},14-09-2026`], '--number', 'B', '--bank', bank)
  expect(utrs.map(({ utr: name, file, bank: got, verdict }) => [name, file, got, verdict])).toEqual([
    [utr, 1000, 1000, 'ok'],
  ])
  // The statement is kept: a run without it in the same place keeps no second one.
  const again = await keep(box, 'two.csv', [`1002,500,${utr},14-09-2026`], '--bank', bank)
  expect([again.exit, again.bank]).toEqual([0, utrs])
  const { stdout } = await box.shipx(['sql', 'select statement, utr, amount_paise from bank_credits', '--jsonl'])
  expect(stdout).toBe(`{"statement":"HDFC Bank of 2026-09-14","utr":"${utr}","amount_paise":100000}\n`)
})

test('views have the remittances and their lines', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'))
  await keep(box, 'one.csv', [`1001,450,${utr},14-09-2026`, `Freight adjusted,-20,${utr},14-09-2026`])
  const query = async (text: string): Promise<readonly unknown[]> => {
    const { stdout, stderr, exit } = await box.shipx(['sql', text, '--jsonl'])
    expect([exit, stderr]).toEqual([0, stderr])
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown)
  }
  expect(await query('select number, lines, remitted, due from remittances')).toEqual([
    { number: utr, lines: 2, remitted: 450, due: 500 },
  ])
  expect(
    await query('select awb, verdict, difference_paise as paise, entry, adjusted from remittance_lines order by line'),
  ).toEqual([
    { awb: '1001', verdict: 'short', paise: -5000, entry: null, adjusted: 0 },
    { awb: null, verdict: null, paise: 0, entry: 'Freight adjusted', adjusted: 20 },
  ])
  expect(await query('select count(*) as n from invoices')).toEqual([{ n: 0 }])
})

test('invoices and remittances of one number do not meet', { tags: ['full'] }, async () => {
  const box = await place(codParcel('1001'))
  await keep(box, 'one.csv', [`1001,500,${utr},14-09-2026`], '--number', 'X')
  const bill = box.file('bill.csv', 'awb,zone,weight_g,freight,total\n1001,c,400,40,40')
  expect((await box.shipx(['reconcile', 'invoice', bill, '--number', 'X', '--yes', '-q'])).exit).toBe(0)
  expect((await box.shipx(['invoices', 'list', '--ids'])).stdout).toBe('X\n')
  expect((await box.shipx(['invoices', 'remove', 'X', '--yes'])).exit).toBe(0)
  expect((await box.shipx(['cod', 'list', '--ids'])).stdout).toBe('X\n')
})

describe('what is owed', () => {
  test('by age at the edges of its days, by courier, and with --cycle', async () => {
    const days = [
      '2026-09-29',
      '2026-09-28',
      '2026-09-25',
      '2026-09-24',
      '2026-09-21',
      '2026-09-20',
      '2026-09-13',
      '2026-09-12',
    ]
    const parcels = days.map((day, n) =>
      codParcel(`100${n}`, { delivered: n === 0 ? `${day}T02:00:00Z` : `${day}T18:29:59.999Z`, cod_amount: 100 + n }),
    )
    const box = await place(
      ...parcels,
      codParcel('2001', { carrier_id: 'BLU', carrier_name: 'Blue Dart', delivered: '2026-09-10T18:30:00Z' }),
    )
    // It is 29 September: with a day, what came on the 28th is due today.
    const { stdout } = await box.shipx(['cod', 'due', '--cycle', '1d', '--json'])
    expect((JSON.parse(stdout) as { data: readonly object[] }).data).toMatchObject([
      {
        courier: 'Delhivery',
        parcels: 8,
        not_due: 100,
        due_today: 101,
        late_1_3: 102,
        late_4_7: 103 + 104,
        late_8_15: 105 + 106,
        late_over_15: 107,
      },
      { courier: 'Blue Dart', parcels: 1, owed: 500, late_over_15: 500, oldest_due: '2026-09-12' },
    ])
    const one = await box.shipx(['cod', 'due', '--courier', 'blue dart', '--parcels', '--csv'])
    expect(one.stdout.split('\n')[1]).toContain('2001,A-2001,Blue Dart,2026-09-11,')
    const none = await box.shipx(['cod', 'due', '--courier', 'Delivery'])
    expect(none.stderr).toContain('Did you mean Delhivery?')
    const since = await box.shipx(['cod', 'due', '--ids', '--since', '2026-09-25', '--until', '2026-09-28'])
    expect(since.stdout).toBe('1002\n1001\n')
  })

  test('a forecast has what is delivered, and what is on its way with the share that history delivers', async () => {
    const history = Array.from({ length: 40 }, (_, n) =>
      codParcel(`3${n}`, {
        picked_up: '2026-08-10T06:00:00Z',
        ...(n < 30
          ? { delivered: '2026-08-14T06:00:00Z' }
          : { status: 'rto_initiated', returned: '2026-08-14T06:00:00Z' }),
      }),
    )
    const box = await place(
      ...history,
      codParcel('4001', { picked_up: '2026-09-28T06:00:00Z', status: 'in_transit', cod_amount: 1000 }),
      codParcel('4002', { picked_up: '2026-09-24T06:00:00Z', delivered: '2026-09-28T06:00:00Z', cod_amount: 70 }),
    )
    const { stdout } = await box.shipx(['cod', 'due', '--forecast', '--cycle', '2d', '--json'])
    const answer = JSON.parse(stdout) as {
      data: readonly { date: string; delivered: number; on_the_way: number }[]
      overdue: number
      weeks: readonly { week: string; due: number }[]
    }
    expect(answer.data).toHaveLength(14)
    expect(answer.data.filter((one) => one.delivered + one.on_the_way > 0)).toMatchObject([
      { date: '2026-09-30', delivered: 70, on_the_way: 0 },
      // Four days from pickup to delivery, three quarters of them delivered, two days until it is due.
      { date: '2026-10-04', delivered: 0, on_the_way: 750 },
    ])
    expect(answer.overdue).toBe(15_000)
    expect(answer.weeks.find(({ due }) => due > 0)).toMatchObject({ week: '2026-08-11', due: 15_000 })
  })
})

describe.each(['SQLite', 'PostgreSQL'] as const)('on %s', { tags: ['full'] }, (database) => {
  const many = 9000
  const rows = Array.from({ length: many }, (_, n) => `9${n},100,${utr},14-09-2026`)
  const words = ['reconcile', 'cod', 'large.csv', '--number', 'BIG', '--yes', '--force', '-q', '--jsonl']

  async function large(): Promise<{ readonly box: Sandbox; readonly env: Readonly<Record<string, string>> }> {
    const box = sandbox()
    onTestFinished(() => box.remove())
    let env = {}
    if (database === 'PostgreSQL') {
      const { url, drop } = await testDatabase()
      onTestFinished(drop)
      env = { SHIPX_DATABASE_URL: url }
    }
    const file = box.file('s.jsonl', `${codParcel('1001')}\n`)
    expect((await box.shipx(['local', 'import', 'shipments', file, '--yes'], { env })).exit).toBe(0)
    box.file('large.csv', [head, ...rows].join('\n'))
    return { box, env }
  }
  const thereOf = async (box: Sandbox, env: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await box.shipx(['cod', 'list', '--jsonl', '--fields', 'number,lines'], { env })).stdout.split('\n').slice(0, -1)
  const whole = [`{"number":"BIG","lines":${many}}`]

  test('two processes that read the same remittance keep it once', async () => {
    const { box, env } = await large()
    for (const apart of [0, 300]) {
      const first = box.shipx(words, { env })
      await wait(apart)
      const both = await Promise.all([first, box.shipx(words, { env })])
      const ends = both.map(({ exit, stderr }) => (exit === 0 ? 'done' : /"code":"(\w+)"/.exec(stderr)?.[1]))
      expect([ends, ends.filter((end) => end !== 'done' && end !== 'database_locked')]).toEqual([ends, []])
      expect([ends.includes('done'), await thereOf(box, env)]).toEqual([true, whole])
      expect((await box.shipx(['cod', 'remove', 'BIG', '--yes'], { env })).exit).toBe(0)
    }
  })

  test('killed at any moment it is there whole or not at all, and the same command keeps it', async () => {
    const { box, env } = await large()
    const { took } = await box.shipx(words, { env })
    for (const part of [0.5, 0.75, 0.9]) {
      await box.shipx(['cod', 'remove', 'BIG', '--yes'], { env })
      const { child, ended } = box.begin(words, { env })
      await wait(took * part)
      child.kill('SIGKILL')
      await ended
      expect([[], whole]).toContainEqual(await thereOf(box, env))
      expect((await box.shipx(words, { env })).exit).toBe(0)
      expect(await thereOf(box, env)).toEqual(whole)
    }
  })
})

test('of one number that two couriers use, `cod remove` and `cod get` took one of them without asking', async () => {
  const over = { carrier_id: 'BLU', carrier_name: 'Blue Dart' }
  const box = await place(codParcel('1001'), codParcel('1002', over))
  for (const [awb, courier] of [
    ['1001', 'Delhivery'],
    ['1002', 'Blue Dart'],
  ] as const)
    await keep(box, `${awb}.csv`, [`${awb},500,${utr},14-09-2026`], '--number', 'SEP', '--courier', courier)
  for (const words of [
    ['cod', 'get', 'SEP'],
    ['cod', 'remove', 'SEP', '--yes'],
  ]) {
    const { exit, stderr } = await box.shipx(words)
    expect([words, exit, stderr]).toEqual([
      words,
      2,
      expect.stringContaining("say whose it is: --courier 'Blue Dart', or --courier Delhivery"),
    ])
  }
  const gone = await box.shipx(['cod', 'remove', 'SEP', '--courier', 'blue dart', '--yes'])
  expect([gone.exit, gone.stderr]).toEqual([0, expect.stringContaining('Removed')])
  expect((await box.shipx(['cod', 'list', '--jsonl'])).stdout).toContain('Delhivery')
})
