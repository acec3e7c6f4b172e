// What a finance person stumbled over around the file of a bill: its day, its maps, its replacement, its answers.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())
const awbs = ['1001', '1002', '1003', '1004', '1005', '1006', '1007']
beforeAll(() =>
  prepare(
    box,
    awbs.map((awb) => shipment(awb)),
  ),
)

const read = (name: string, rows: readonly string[], ...more: readonly string[]) =>
  box.shipx(['reconcile', 'invoice', box.file(name, rows.join('\n')), '--courier', 'Delhivery', ...more])
const data = async <T>(...words: readonly string[]): Promise<T> =>
  (JSON.parse((await box.shipx([...words, '--json'])).stdout) as { data: T }).data
const header = 'awb,zone,weight_g,freight'

test('the day and the number above the header were not read, and nothing was said of today', async () => {
  const rows = ['Tax Invoice,no,DL/77,Dt,20-Nov-26', header, '1001,c,400,40']
  const kept = await read('titled.csv', rows, '--yes')
  expect([kept.exit, kept.stderr]).toEqual([
    0,
    expect.stringContaining('Read above the header: number DL/77, day 20 Nov 2026.'),
  ])
  expect(await data('invoices', 'get', 'DL/77')).toMatchObject({ number: 'DL/77', day: '2026-11-20' })
  const other = ['Bill No: DL/78,,Bill Dt: 21/11/2026,', header, '1002,c,400,40']
  expect((await read('other.csv', other, '--yes')).exit).toBe(0)
  expect(await data('invoices', 'get', 'DL/78')).toMatchObject({ day: '2026-11-21' })
  const without = await read('without.csv', [header, '1003,c,400,40'], '--number', 'DL/79', '--yes')
  expect([without.exit, without.stderr]).toEqual([
    0,
    expect.stringMatching(/The file does not say its day: today's, .*--date\./),
  ])
})

test('a credit note had the number and the day of the invoice that it names above its header, and a deadline', async () => {
  const rows = [
    'Credit Note No: DL/CN/7,,Credit Note Date: 25-11-2026,',
    'Invoice No: DL/77,,Invoice Date: 20-11-2026,',
  ]
  for (const [n, titles] of [rows, rows.toReversed()].entries()) {
    const path = `note${n}.csv`
    const kept = await read(path, [...titles, header, `100${n + 1},c,400,-5`], '--replace', '--yes')
    expect([kept.exit, kept.stderr]).toEqual([0, expect.stringContaining('number DL/CN/7, day 25 Nov 2026.')])
    const note = await data('invoices', 'get', 'DL/CN/7')
    expect(note).toMatchObject({ day: '2026-11-25', dispute_by: null })
  }
  expect(await data('invoices', 'get', 'DL/78')).toMatchObject({ dispute_by: expect.any(String) as string })
})

test('--use-map was refused for one column that this month lacks', async () => {
  const maps = ['Chg=weight_g', 'Frt=freight', 'Insp=other', 'Net=total'].flatMap((map) => ['--map', map])
  const month = ['awb,zone,Chg,Frt,Insp,Net,Sl', '1004,c,400,40,0,40,1']
  const saved = await read('map.csv', month, ...maps, '--ignore', 'Sl', '--save-map', 'dl', '--number', 'M1', '--yes')
  expect([saved.exit, saved.stderr]).toEqual([0, expect.stringContaining('Saved map dl')])
  const next = ['awb,zone,Chg,Frt,Net', '1005,c,400,40,40']
  const used = await read('next.csv', next, '--use-map', 'dl', '--dry-run', '--jsonl')
  expect([used.exit, used.stderr]).toEqual([
    0,
    expect.stringContaining('The file lacks what --use-map reads: "Insp" (other).'),
  ])
  expect(JSON.parse(used.stdout)).toMatchObject({ awb: '1005', verdict: 'ok', weight_billed: 400 })
  // A flag of this run has to fit, and the total has to be there.
  const typed = await read('next.csv', next, '--map', 'Insp=other', '--dry-run')
  expect([typed.exit, typed.stderr]).toEqual([2, expect.stringContaining('the file has no header "Insp"')])
  const lost = await read('lost.csv', ['awb,zone,Chg,Frt', '1005,c,400,40'], '--use-map', 'dl', '--dry-run')
  expect([lost.exit, lost.stderr]).toEqual([2, expect.stringContaining('"Net", which --use-map reads as the total')])
})

test('--replace under a new number was judged against itself, and a replaced invoice lost its day', async () => {
  const rows = [header, '1006,c,900,70']
  const words = ['--number', 'OLD', '--date', '2026-10-02', '--yes']
  expect((await read('again.csv', rows, ...words)).exit).toBe(0)
  await box.shipx(['disputes', 'create', '--from', 'invoice', 'OLD', '--announced', '2026-11-24'])
  const found = () =>
    data<readonly { invoice: string; due_at: string }[]>('disputes', 'list', '--status', 'found,lapsed')
  const [announced] = await found()
  expect(announced).toMatchObject({ invoice: 'OLD' })
  const again = await read('again.csv', rows, '--replace', '--number', 'NEW', '--yes', '--jsonl')
  expect([again.exit, JSON.parse(again.stdout)]).toMatchObject([0, { category: 'weight', before: [] }])
  expect(await data('invoices', 'get', 'NEW')).toMatchObject({ day: '2026-10-02', state: 'kept' })
  await box.shipx(['disputes', 'create', '--from', 'invoice', 'NEW'])
  const [due] = await found()
  expect([due, announced]).toEqual([
    { ...due, invoice: 'NEW' },
    { ...announced, due_at: due!.due_at },
  ])
})

test('two disputes of one AWB failed by their docket, though our_reference names them', async () => {
  for (const [name, rows] of [
    ['ONE', [header, '1007,d,400,45.40']],
    ['TWO', ['awb,zone,weight_g,freight', '1007,c,400,40']],
  ] as const) {
    expect((await read(`${name}.csv`, rows, '--number', name, '--date', '2026-11-20', '--yes', '--force')).exit).toBe(0)
    await box.shipx(['disputes', 'create', '--from', 'invoice', name])
  }
  const open = await data<readonly { id: string; invoice: string; amount: number }[]>(
    'disputes',
    'list',
    '--limit',
    'all',
  )
  const ids = open.filter(({ invoice }) => invoice === 'ONE' || invoice === 'TWO').map(({ id }) => id)
  expect(ids).toHaveLength(2)
  const sheet = (rows: readonly string[]) =>
    box.file('answers.csv', ['Docket No,our_reference,status', ...rows].join('\n'))
  expect((await box.shipx(['disputes', 'set', ...ids, '--status', 'raised'])).exit).toBe(0)
  const set = await box.shipx(['disputes', 'set', '--file', sheet(ids.map((id) => `1007,${id},rejected`)), '--yes'])
  expect([set.exit, set.stderr]).toEqual([0, expect.any(String)])
  const after = await data<readonly { status: string }[]>('disputes', 'list', '--status', 'rejected', '--limit', 'all')
  expect(after).toHaveLength(2)
  const unclear = await box.shipx(['disputes', 'set', '--file', sheet(['1007,,accepted']), '--yes'])
  expect([unclear.exit, unclear.stdout + unclear.stderr]).toEqual([2, expect.stringContaining('1007 has 2 disputes')])
  const neither = box.file('neither.csv', 'status\nrejected\n')
  expect((await box.shipx(['disputes', 'set', '--file', neither, '--yes'])).stderr).toContain('the header lacks awb')
})
