// Where a remittance stands among the others: after an older one is replaced or read later, and as of a day before
// later payments.
// @module-tag full: remittances kept, replaced and read again
import { expect, test } from 'vitest'
import type { Sandbox } from '../../support/sandbox.ts'
import { codParcel, place } from './cods.ts'

const head = 'AWB,Remitted Amount,UTR,Remittance Date'
const [tenth, twentieth] = ['HDFCN52026091000000001', 'HDFCN52026092000000002'] as const

/** Reconciles rows as a file of their own, kept under a number. */
async function keep(box: Sandbox, number: string, rows: readonly string[], ...more: readonly string[]) {
  const path = box.file(`${number}-${rows.join().length}.csv`, [head, ...rows].join('\n'))
  const words = ['reconcile', 'cod', path, '--number', number, '--cycle', '2d', '--jsonl', '--yes', ...more]
  const { exit, stderr, stdout } = await box.shipx(words)
  expect([exit, stderr]).toEqual([0, stderr])
  return { path, found: verdictsIn(stdout), stdout }
}

const verdictsIn = (stdout: string): readonly string[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { awb: string; verdict: string; remitted: number; days_late: number | null })
    .map(({ awb, verdict, remitted, days_late: late }) => `${awb} ${verdict} ${remitted} ${late}`)

async function again(box: Sandbox, ...words: readonly string[]): Promise<readonly string[]> {
  const { exit, stderr, stdout } = await box.shipx([...words, '--jsonl'])
  expect([exit, stderr]).toEqual([0, stderr])
  return verdictsIn(stdout)
}

/** The sum that the mail of a remittance asks for. */
async function askedIn(box: Sandbox, number: string): Promise<string | undefined> {
  const { exit, stdout } = await box.shipx(['cod', 'get', number, '--mail'])
  expect(exit).toBe(0)
  return /₹[\d,.]+ to pay/.exec(stdout)?.[0]
}

const one = (amount: string, day = '10-09-2026', utr: string = tenth): string => `1001,${amount},${utr},${day}`

test('after an older remittance was replaced, the newer one demanded the money that the older one had paid', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'))
  await keep(box, 'R1', [one('500')])
  const second = await keep(box, 'R2', [`1002,500,${twentieth},20-09-2026`])
  expect(second.found).toEqual(['1002 late 500 13'])
  await keep(box, 'R1', [one('500.00')], '--replace')
  expect(await again(box, 'cod', 'get', 'R2')).toEqual(second.found)
  expect(await askedIn(box, 'R2')).toBeUndefined()
  expect(await again(box, 'reconcile', 'cod', second.path)).toEqual(second.found)
  expect(await again(box, 'reconcile', 'cod', second.path, '--dry-run', '--as-of', 'today')).toEqual(second.found)
})

test('a newer remittance demanded the money of an older one that was read after it', async () => {
  const box = await place(codParcel('1001'), codParcel('1002', { cod_amount: 700 }))
  const newer = await keep(box, 'R2', [`1002,400,${twentieth},20-09-2026`])
  expect(newer.found).toEqual(['1002 short 400 13', '1001 overdue 0 22'])
  await keep(box, 'R1', [one('500'), `1002,300,${tenth},10-09-2026`])
  const right = ['1002 late 700 13']
  expect(await again(box, 'reconcile', 'cod', newer.path, '--dry-run', '--as-of', 'today')).toEqual(right)
  expect(await again(box, 'cod', 'get', 'R2')).toEqual(right)
  expect(await askedIn(box, 'R2')).toBeUndefined()
})

test('as of a day before later payments, a remittance that was replaced was judged with these payments', async () => {
  const box = await place(codParcel('1001'), codParcel('1002', { delivered: '2026-09-10T06:30:00Z' }))
  const asOf = ['--as-of', '2026-09-11']
  const first = await keep(box, 'R1', [one('500')], ...asOf)
  expect(first.found).toEqual(['1001 late 500 3', '1002 not_due 0 0'])
  const rows = [one('500', '20-09-2026', twentieth), `1002,400,${twentieth},20-09-2026`]
  const second = await keep(box, 'R2', rows)
  expect(second.found).toEqual(['1001 twice 1000 3', '1002 short 400 8'])
  expect((await keep(box, 'R1', [one('500.00')], '--replace', ...asOf)).found).toEqual(first.found)
  expect(await again(box, 'cod', 'get', 'R1')).toEqual(first.found)
  expect(await askedIn(box, 'R1')).toBeUndefined()
  expect(await again(box, 'cod', 'get', 'R2')).toEqual(second.found)
  expect(await askedIn(box, 'R2')).toBe('₹100.00 to pay')
})

test('a remittance that was replaced kept its place: what later ones pay again is theirs, what they add counts', async () => {
  const box = await place(codParcel('1001'), codParcel('1002'), codParcel('1003'))
  await keep(box, 'R1', [one('500')])
  const rows = [one('500', '20-09-2026', twentieth), `1002,100,${twentieth},20-09-2026`]
  await keep(box, 'R2', [...rows, `1003,500,${twentieth},20-09-2026`])
  const replaced = await keep(
    box,
    'R1',
    [one('500'), `1002,400,${tenth},10-09-2026`, `1003,500,${tenth},10-09-2026`],
    '--replace',
  )
  expect(replaced.found).toEqual(['1001 late 500 3', '1002 late 500 13', '1003 late 500 3'])
  expect(await again(box, 'cod', 'get', 'R1')).toEqual(replaced.found)
  expect(await again(box, 'cod', 'get', 'R2')).toEqual(['1001 twice 1000 3', '1002 late 500 13', '1003 twice 1000 3'])
  // 1003 was paid once when R2 was read: only the new R1 can tell.
  const { stdout } = await box.shipx(['cod', 'due', '--twice', '--jsonl'])
  const doubts = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  expect(doubts.map(({ awb, remittance, amount }) => `${String(awb)} ${String(remittance)} ${String(amount)}`)).toEqual(
    ['1001 R2 500', '1003 R2 500'],
  )
})
