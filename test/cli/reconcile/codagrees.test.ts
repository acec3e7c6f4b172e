// What an accountant found: a transfer with one figure on the page, another in `cod get`, a third in `cod due`. Here all of
// them are compared: page, cod get, its mail, cod due, cod list, the report and SQL.
// @module-tag full: remittances and statements kept
import { describe, expect, onTestFinished, test } from 'vitest'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { testDatabase } from '../../support/testdatabase.ts'
import { type CodAnswer, codParcel, hdfc, saveParcels } from './cods.ts'

const neft = 'HDFCN52026091412345678'
const icici = 'Transaction Date,Transaction Remarks,Cheque Number,Transaction Type,Amount (INR),Balance (INR)'

/** Two parcels of Delhivery of ₹1,000, and one of Blue Dart of ₹2,000. */
const parcels = [
  codParcel('1001', { cod_amount: 1000 }),
  codParcel('1002', { cod_amount: 1000 }),
  codParcel('2001', { cod_amount: 2000, carrier_name: 'Blue Dart', carrier_id: 'BLU' }),
]

async function placed(env: Readonly<Record<string, string>> = {}) {
  const box = sandbox()
  onTestFinished(() => box.remove())
  const own: Sandbox = { ...box, shipx: (words, more) => box.shipx(words, { ...more, env: { ...env, ...more?.env } }) }
  await saveParcels(own, parcels)
  return own
}

/** A row of a statement of HDFC: a day of September, what it says, money out and in. */
const row = (day: number, narration: string, out: string, came: string, balance = 1): string =>
  `${day}/09/26,${narration},N1,${day}/09/26,${out},${came},${balance}`
const inward = (day: number, utr: string, amount: number, balance?: number): string =>
  row(day, `NEFT CR-${utr}-X`, '', `${amount}.00`, balance)

/** Reads a remittance of one transfer; returns what the page says of its UTR. */
async function read(
  box: Sandbox,
  [number, courier, utr, ...lines]: readonly string[],
  statement: readonly string[] | undefined,
  more: readonly string[] = [],
) {
  const file = ['AWB,Remitted Amount,UTR,Remittance Date', ...lines.map((line) => `${line},${utr},14-09-2026`)]
  const bank = statement === undefined ? [] : ['--bank', box.file('bank.csv', [hdfc, ...statement].join('\n'))]
  const words = ['reconcile', 'cod', box.file(`${number}.csv`, file.join('\n')), '--courier', courier!, ...bank]
  const { exit, stdout, stderr } = await box.shipx([...words, '--number', number!, '--yes', '--json', ...more])
  expect([exit, stderr]).toEqual([0, stderr])
  return figures(stdout, utr!)
}

const figures = (stdout: string, utr: string) => {
  const found = (JSON.parse(stdout) as CodAnswer).bank.find((one) => one.utr === utr)
  return found === undefined ? undefined : [found.file, found.bank, found.verdict, found.returned]
}

const answer = async <T>(box: Sandbox, ...words: readonly string[]): Promise<T> => {
  const { exit, stdout, stderr } = await box.shipx([...words, '--json'])
  expect([words, exit, stderr]).toEqual([words, 0, stderr])
  return (JSON.parse(stdout) as { data: T }).data
}

const rupees = (text: string): number => Number(text.replaceAll(/[^\d.]/g, ''))

/** What the bank got by a UTR, from `shipx sql`; undefined on PostgreSQL, which has no such command. */
async function credited(box: Sandbox, utr: string): Promise<number | undefined> {
  const sql = `select coalesce(sum(amount), 0) as amount from bank_credits where utr = '${utr}'`
  const { stdout, stderr } = await box.shipx(['sql', sql, '--json'])
  if (stderr.includes('SQL queries need a database file')) return undefined
  return (JSON.parse(stdout) as { data: readonly [{ amount: number }] }).data[0].amount
}

/** What everything but the page says of the kept remittances in a UTR. */
async function said(box: Sandbox, utr: string, ...numbers: readonly string[]) {
  const gets = []
  let asked = 0
  for (const number of numbers) {
    gets.push(figures((await box.shipx(['cod', 'get', number, '--json'])).stdout, utr))
    const mail = (await box.shipx(['cod', 'get', number, '--mail'])).stdout
    for (const [, amount] of mail.matchAll(new RegExp(`^- UTR ${utr}: (₹[\\d,.]+)`, 'gm'))) asked += rupees(amount!)
  }
  const awbs = utr === neft ? ['1001', '1002'] : ['2001']
  const due = await answer<readonly { awb: string; not_in_bank: number }[]>(box, 'cod', 'due', '--parcels')
  const all = await answer<readonly { not_in_bank: number }[]>(box, 'cod', 'due')
  const report = await answer<{ money: { cod: { not_in_bank: number } } }>(box, 'report', '--month', '2026-09')
  const sum = (some: readonly { not_in_bank: number }[]): number => some.reduce((n, one) => n + one.not_in_bank, 0)
  expect(report.money.cod.not_in_bank).toBe(sum(all))
  const own = sum(due.filter(({ awb }) => awbs.includes(awb)))
  return { gets, asked, away: own, sql: await credited(box, utr) }
}

const listed = async (box: Sandbox): Promise<string | undefined> =>
  /(₹[\d,.]+) credited/.exec((await box.shipx(['cod', 'list'])).stderr)?.[1]

const delhivery = ['D', 'Delhivery', neft, '1001,1000'] as const
const both = ['D', 'Delhivery', neft, '1001,1000', '1002,1000'] as const

describe.each([
  ['SQLite', '628512345678'],
  ['PostgreSQL', 'CMS2610120045'],
])('on %s', (kind, utr) => {
  test('a credit whose reference is not as long as a UTR was dropped from a kept statement', async () => {
    const database = kind === 'SQLite' ? undefined : await testDatabase()
    if (database !== undefined) onTestFinished(() => database.drop())
    const box = await placed(database === undefined ? {} : { SHIPX_DATABASE_URL: database.url })
    const statement = [inward(14, neft, 1000), inward(14, utr, 1750)]
    const dart = ['B', 'Blue Dart', utr, '2001,2000']
    await read(box, delhivery, statement)
    const page = await read(box, dart, statement)
    expect(page).toEqual([2000, 1750, 'short', 0])
    const wanted = { gets: [page], asked: 250, away: 250, sql: database === undefined ? 1750 : undefined }
    expect([await said(box, utr, 'B'), await listed(box)]).toEqual([wanted, '₹2,750.00'])
    // Read again, it doubles nothing.
    await read(box, dart, statement)
    expect(await listed(box)).toBe('₹2,750.00')
    // Where the remittance was kept before, its credit is kept with the statement.
    const [{ number }] = await answer<readonly [{ number: string }]>(box, 'cod', 'list', '--kind', 'bank')
    await box.shipx(['cod', 'remove', number, '--yes'])
    await read(box, delhivery, statement)
    expect(await listed(box)).toBe('₹2,750.00')
    await read(box, dart, [inward(15, 'HDFCN52026091499999999', 7)])
    expect(await said(box, utr, 'B')).toEqual(wanted)
  })
})

const fine = { asked: 0, away: 0 }
const [first, second] = [inward(14, neft, 1000, 101_000), inward(14, neft, 1000, 102_000)]

test('two equal credits of one UTR and day counted once', async () => {
  const box = await placed()
  const page = await read(box, both, [first, second])
  expect(page).toEqual([2000, 2000, 'ok', 0])
  expect(await said(box, neft, 'D')).toEqual({ gets: [page], ...fine, sql: 2000 })
  // A second statement with both of them.
  expect(await read(box, both, [row(13, 'X', '', '5.00'), first, second])).toEqual(page)
  expect([await said(box, neft, 'D'), await listed(box)]).toMatchObject([{ gets: [page], ...fine }, '₹2,000.00'])
})

test('two equal credits of which an earlier statement had one stayed short', async () => {
  const box = await placed()
  expect(await read(box, both, [row(13, 'X', '', '5.00'), first])).toEqual([2000, 1000, 'short', 0])
  expect(await said(box, neft, 'D')).toMatchObject({ asked: 1000, away: 1000 })
  const page = await read(box, both, [first, second, row(15, 'Z', '', '9.00')])
  expect(page).toEqual([2000, 2000, 'ok', 0])
  expect([await said(box, neft, 'D'), await listed(box)]).toMatchObject([{ gets: [page], ...fine }, '₹2,000.00'])
})

test('one credit in two statements with other words hid a shortage, and cod list counted it twice', async () => {
  const box = await placed()
  const page = [2000, 1000, 'short', 0]
  expect(await read(box, both, [row(13, 'X', '', '7.00'), row(14, `NEFT CR-DLV-${neft}`, '', '1000.00')])).toEqual(page)
  const other = [row(14, `NEFT CR-DLV-${neft}-DELHIVERY`, '', '1000.00'), row(16, 'Z', '', '9.00')]
  expect(await read(box, both, other)).toEqual(page)
  expect([await said(box, neft, 'D'), await listed(box)]).toMatchObject([
    { gets: [page], asked: 1000, away: 1000 },
    '₹1,000.00',
  ])
})

test('a transfer that went back counted as received', async () => {
  const box = await placed()
  const back = (day: number, out: string): string => row(day, `NEFT RTN-${neft}-X`, out, '')
  const page = await read(box, both, [inward(14, neft, 2000), back(15, '2000.00')])
  expect(page).toEqual([2000, 0, 'not_in_bank', 2000])
  const shown = await box.shipx(['cod', 'get', 'D'])
  expect(shown.stdout).toMatch(/RETURNED[^]*₹2,000\.00 +not in bank/)
  const mail = await box.shipx(['cod', 'get', 'D', '--mail'])
  expect(mail.stdout).toContain(`- UTR ${neft}: ₹2,000.00, the ₹2,000.00 of 14 Sep went back`)
  expect(await said(box, neft, 'D')).toEqual({ gets: [page], asked: 2000, away: 2000, sql: 0 })
  // It is sent once more, and a part of that goes back in a later statement.
  expect(await read(box, both, [inward(17, neft, 2000)])).toEqual([2000, 2000, 'ok', 2000])
  expect(await said(box, neft, 'D')).toMatchObject({ gets: [[2000, 2000, 'ok', 2000]], ...fine })
  const dart = ['B', 'Blue Dart', '628512345678', '2001,2000']
  await read(box, dart, [inward(18, '628512345678', 2000), back(18, '500.00')])
  expect(await said(box, neft, 'D')).toMatchObject({
    gets: [[2000, 1500, 'short', 2500]],
    asked: 500,
    away: 500,
  })
})

test('a transfer that went back counted as received where one column has Cr and Dr', async () => {
  const box = await placed()
  const rows = [
    `14/09/2026,NEFT-${neft}-X,,Cr,"2,000.00",1`,
    `15/09/2026,NEFT RETURN-${neft}-X,,Dr,"2,000.00",1`,
    '16/09/2026,NEFT-HDFCN52026091600000001-RENT,,Dr,"900.00",1',
  ]
  const bank = box.file('icici.csv', [icici, ...rows].join('\n'))
  const page = await read(box, both, undefined, ['--bank', bank])
  expect(page).toEqual([2000, 0, 'not_in_bank', 2000])
  expect(await said(box, neft, 'D')).toEqual({ gets: [page], asked: 2000, away: 2000, sql: 0 })
  // What was paid out is nobody's.
  expect(await answer(box, 'sql', 'select line from bank_credits order by line')).toEqual([{ line: 2 }, { line: 3 }])
})

test('two remittances in one credit: the first was excess, and its mail asked for what the second paid', async () => {
  const [one, two] = [
    ['RA', 'Delhivery', neft, '1001,1000'],
    ['RB', 'Delhivery', neft, '1002,1000'],
  ]
  const box = await placed()
  const statement = [inward(14, neft, 2000)]
  await read(box, one!, statement)
  const page = await read(box, two!, statement)
  expect(page).toEqual([2000, 2000, 'ok', 0])
  expect(await said(box, neft, 'RA', 'RB')).toEqual({ gets: [page, page], ...fine, sql: 2000 })
  const mail = await box.shipx(['cod', 'get', 'RA', '--mail'])
  expect(mail.stdout).not.toContain('1002')
  // Where the credit is short, the mails of both together ask for what it lacks.
  const short = await placed()
  await read(short, one!, [inward(14, neft, 1400)])
  expect(await read(short, two!, [inward(14, neft, 1400)])).toEqual([2000, 1400, 'short', 0])
  expect(await said(short, neft, 'RA', 'RB')).toMatchObject({ asked: 600, away: 600 })
})
