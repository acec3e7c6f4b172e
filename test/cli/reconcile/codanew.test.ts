// A remittance without --courier, and a kept one that is judged anew.
// @module-tag full: remittances kept, and read again by other terms
import { expect, onTestFinished, test } from 'vitest'
import { sandbox, type Outcome, type Sandbox } from '../../support/sandbox.ts'
import { codParcel, saveParcels } from './cods.ts'

const utr = 'HDFCN52026091412345678'
const blue = { carrier_id: 'BLU', carrier_name: 'Blue Dart' }
const head = 'AWB,Remitted Amount,UTR,Remittance Date'

interface Place {
  readonly box: Sandbox
  readonly path: string
  readonly run: (...words: readonly string[]) => Promise<Outcome>
  readonly list: () => Promise<readonly Readonly<Record<string, unknown>>[]>
}

/** Parcels, and a file that pays the first of them. */
async function place(...parcels: readonly string[]): Promise<Place> {
  const box = sandbox()
  onTestFinished(() => box.remove())
  await saveParcels(box, parcels)
  const path = box.file('paid.csv', [head, `1001,450,${utr},14-09-2026`].join('\n'))
  const list = async () =>
    (await box.shipx(['cod', 'list', '--jsonl'])).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)
  return { box, path, list, run: (...words) => box.shipx(['reconcile', 'cod', ...words]) }
}

const awbsOf = ({ stdout }: Outcome): readonly string[] => stdout.trim().split('\n')

test('without --courier, what is overdue of couriers that the file does not name is left out, and it says so', async () => {
  const { path, run } = await place(codParcel('1001'), codParcel('1002'), codParcel('2001', blue))
  const page = await run(path, '--dry-run')
  expect([page.stdout, page.stderr]).toEqual([
    expect.stringMatching(/^Delhivery HDFCN52026091412345678 of 14 Sep/),
    'Left out: 1 unpaid parcel of couriers that this file does not name. All couriers: shipx cod due\n',
  ])
  const { stdout } = await run(path, '--dry-run', '--json')
  const { data, left_out: left } = JSON.parse(stdout) as { data: readonly { awb: string }[]; left_out: number }
  expect([data.map(({ awb }) => awb), left]).toEqual([['1001', '1002'], 1])
})

test('a file with parcels of two couriers, or with AWBs of nobody, lists what is overdue of both, or of all', async () => {
  const { box, run } = await place(
    codParcel('1001'),
    codParcel('1002'),
    codParcel('2001', blue),
    codParcel('2002', blue),
  )
  const both = box.file('both.csv', [head, `1001,500,${utr},14-09-2026`, `2001,500,${utr},14-09-2026`].join('\n'))
  expect(awbsOf(await run(both, '--dry-run', '--ids'))).toEqual(['1001', '2001', '1002', '2002'])
  const strange = box.file('strange.csv', [head, `9001,500,${utr},14-09-2026`].join('\n'))
  expect(awbsOf(await run(strange, '--dry-run', '--ids'))).toEqual(['9001', '1001', '1002', '2001', '2002'])
})

test('a kept file cannot be judged anew: --dry-run ended with exit 5', async () => {
  const { path, run, list } = await place(codParcel('1001'), codParcel('1002'), codParcel('2001', blue))
  const first = await run(path, '--jsonl', '--yes', '--cycle', '5wd')
  const same = await run(path, '--jsonl', '--dry-run')
  expect([same.exit, same.stdout]).toEqual([0, first.stdout])
  // It is kept as Delhivery's, by its parcels.
  const own = await run(path, '--jsonl', '--dry-run', '--courier', 'DELHIVERY')
  expect([own.exit, own.stdout]).toEqual([0, first.stdout])
  const anew = await run(path, '--dry-run', '--courier', 'blue dart', '--number', 'SEP-1')
  expect([anew.exit, anew.stdout, anew.stderr]).toEqual([
    0,
    expect.stringMatching(/^Blue Dart SEP-1 of 14 Sep/),
    `This file is kept as remittance ${utr}; this run judges it anew with --number, --courier, and changes nothing.\n`,
  ])
  // In place of itself, 1001 is not paid twice; terms that no flag gives stay as they were kept.
  const tolerant = await run(path, '--jsonl', '--dry-run', '--tolerance', '50', '--as-of', '2026-09-28')
  const records = tolerant.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as object]))
  expect(records).toMatchObject([
    { awb: '1001', remitted: 450, verdict: 'late', due_date: '2026-09-11', before: [] },
    { awb: '1002', verdict: 'overdue', due_date: '2026-09-11' },
  ])
  const mapped = await run(path, '--dry-run', '--amounts', 'gross')
  expect([mapped.exit, mapped.stderr]).toEqual([0, expect.stringContaining('judges it anew with --amounts')])
  expect(await list()).toMatchObject([{ number: utr, courier: 'Delhivery', replaced_at: null }])
  const again = await run(path, '--jsonl')
  expect([again.exit, again.stdout]).toEqual([0, first.stdout])
})

test('--replace of a kept file with another courier or number kept it twice', async () => {
  const { run, list, box } = await place(codParcel('1001'), codParcel('1002'), codParcel('2001', blue))
  const both = box.file('both.csv', [head, `1001,450,${utr},14-09-2026`, `2001,500,${utr},14-09-2026`].join('\n'))
  await run(both, '--yes', '-q')
  const refused = await run(both, '--yes', '--courier', 'Delhivery', '-q')
  expect([refused.exit, refused.stderr]).toEqual([5, expect.stringContaining('--replace keeps it like this')])
  expect((await run(both, '--yes', '--courier', 'delhivery', '--number', 'SEP-1', '--replace', '-q')).exit).toBe(0)
  expect(await list()).toMatchObject([
    { number: 'SEP-1', courier: 'Delhivery', replaced_at: null },
    { number: utr, courier: null, replaced_at: expect.any(String) as string },
  ])
  const { stdout } = await box.shipx(['cod', 'due', '--jsonl', '--fields', 'awb,owed'])
  expect(stdout).toBe('{"awb":"1001","owed":50}\n{"awb":"1002","owed":500}\n')
})

test('--replace takes the place of the remittance of the couriers of its parcels, and of no other with its number', async () => {
  const { run, list, box } = await place(codParcel('1001'), codParcel('1002'), codParcel('2001', blue))
  const paid = (awb: string, amount: number): string =>
    box.file(`paid-${awb}.csv`, [head, `${awb},${amount},${utr},14-09-2026`].join('\n'))
  for (const awb of ['1001', '2001']) expect((await run(paid(awb, 450), '--yes', '--number', 'R-1', '-q')).exit).toBe(0)
  const { exit, stdout } = await run(paid('1001', 500), '--yes', '--number', 'R-1', '--replace', '--jsonl')
  expect([exit, stdout]).toEqual([0, expect.stringContaining('"awb":"1001"')])
  expect(JSON.parse(stdout.split('\n')[0]!)).toMatchObject({ remitted: 500, before: [] })
  const kept = (await list()).filter(({ replaced_at: at }) => at === null)
  expect(kept.map(({ courier }) => courier).toSorted()).toEqual(['Blue Dart', 'Delhivery'])
})

test('flags that read a kept file otherwise were ignored without a word', async () => {
  const { path, run } = await place(codParcel('1001'))
  const first = await run(path, '--jsonl', '--yes')
  const again = await run(path, '--jsonl', '--utr', 'CITIN24401114659')
  expect([again.stdout, again.stderr]).toEqual([
    first.stdout,
    expect.stringContaining('shipx ignored --utr: this remittance keeps its first judgement'),
  ])
})
