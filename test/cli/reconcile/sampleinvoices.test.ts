// Defends the invented invoices: `shipx reconcile invoice` finds every fault that `shipx local seed --invoices` lists, and
// no other.
// @module-tag full: 2,000 parcels and sixteen invoices
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'
import type { Line } from './invoices.ts'

const box = sandbox()
afterAll(() => box.remove())

interface Fault {
  readonly file: string
  readonly line: string
  readonly awb: string
  readonly category: string
  readonly difference: string
  readonly what: string
}

/** The invoices of the folder, which has remittances, a statement and two lists of faults too. */
const invoiceFiles = (): readonly string[] =>
  readdirSync(join(box.folder, 'bills')).filter((name) => !/faults\.csv$|-cod-|^bank-/.test(name))

let faults: readonly Fault[] = []
beforeAll(async () => {
  const { exit, stderr } = await box.shipx(['local', 'seed', '--shipments', '2000', '--invoices', 'bills'])
  expect([exit, stderr]).toEqual([0, expect.stringContaining('faults.csv lists the')])
  faults = parse<Fault>(readFileSync(join(box.folder, 'bills', 'faults.csv')), { columns: true })
})

test('have a fault of each kind, in the later of two months', () => {
  expect([...new Set(faults.map(({ category }) => category))].toSorted().join(' ')).toBe(
    'arithmetic billed_before cod_not_reversed cod_on_prepaid cod_rate duplicate gst not_shipped other_courier rate ' +
      'rto_not_returned rto_rate surcharge unknown_awb weight zone',
  )
  expect(new Set(faults.map(({ file }) => file.slice(-11))).size).toBe(1)
})

test('are found line by line, with the amount, and nothing else is', async () => {
  const found: string[] = []
  const sheets = invoiceFiles()
  for (const name of sheets) {
    const { exit, stdout } = await box.shipx([
      'reconcile',
      'invoice',
      join('bills', name),
      '--dry-run',
      '--jsonl',
      '-q',
    ])
    expect(exit).toBe(0)
    for (const text of stdout.trim().split('\n')) {
      const { line, category, difference } = JSON.parse(text) as Line & { line: number }
      if (category !== 'ok') found.push(`${name} ${line} ${category} ${difference}`)
    }
  }
  // A line of an earlier document is found once that document is kept.
  const wanted = faults.filter(({ category }) => category !== 'billed_before')
  expect(found.toSorted()).toEqual(
    wanted.map(({ file, line, category, difference }) => `${file} ${line} ${category} ${difference}`).toSorted(),
  )
})

test('accuse no right line where lines are compared with each other', { tags: ['full'] }, async () => {
  const [wrong, right]: [string[], string[]] = [[], []]
  for (const name of invoiceFiles()) {
    const words = ['reconcile', 'invoice', join('bills', name), '--dry-run', '--no-card', '--jsonl', '-q']
    const { exit, stdout } = await box.shipx(words)
    expect(exit).toBe(0)
    for (const text of stdout.trim().split('\n')) {
      const { line, category, verdict } = JSON.parse(text) as Line & { line: number }
      const fault = faults.find((one) => one.file === name && Number(one.line) === line)
      const found = `${name} ${line} ${category}`
      if (verdict === 'over' || verdict === 'under') (fault?.category === category ? right : wrong).push(found)
    }
  }
  expect(wrong).toEqual([])
  const kinds = new Set(right.map((found) => found.split(' ')[2]))
  expect([...kinds]).toEqual(expect.arrayContaining(['duplicate', 'not_shipped', 'other_courier', 'rate', 'surcharge']))
})

test('have one lane in a wrong zone, which is one sentence on the page and in the mail', async () => {
  const lane = faults.filter(({ what }) => what.startsWith('every parcel to'))
  const read = (...more: readonly string[]) =>
    box.shipx(['reconcile', 'invoice', join('bills', lane[0]!.file), '--dry-run', '-q', ...more], {
      env: { SHIPX_FORCE_TTY: '120', NO_COLOR: '1' },
    })
  const sentence = /- (\d+) of (\d+) lines to (\w+) are billed Zone [B-E]; the card says Zone [A-D]: ₹/
  for (const { stdout } of [await read(), await read('--mail')]) {
    const [, lines, of] = sentence.exec(stdout)!
    // A fault of its own may be on the same lane.
    expect([lines, Number(lines) >= lane.length]).toEqual([of, true])
  }
  const { stdout } = await read('--mail')
  // The mail had the invented prices of the sample card without a word.
  expect(stdout).toMatch(/^DO NOT SEND\. Prices are invented \(rate card sample\)\./)
  expect(stdout).toMatch(/\n\nSubject: Invoice DP\/[\d-]+: ₹[\d,.]+ above our contract\n\nDear team,\n/)
  // GST on the reasons was in the sum above them, and in no line below it.
  expect(stdout).toMatch(/\n- GST on these: ₹[\d,.]+\n/)
  expect((await read('--mail', '--csv')).exit).toBe(2)
})

test('have a line of the month before, which is found once that invoice is kept', async () => {
  const [fault] = faults.filter(({ category }) => category === 'billed_before')
  const earlier = invoiceFiles().find((name) => name.startsWith(fault!.file.slice(0, -11)))!
  expect(earlier).not.toBe(fault!.file)
  const read = (name: string, ...more: readonly string[]) =>
    box.shipx(['reconcile', 'invoice', join('bills', name), '--jsonl', '-q', ...more])
  expect((await read(earlier, '--yes')).exit).toBe(0)
  const { stdout } = await read(fault!.file, '--dry-run')
  const found = stdout
    .trim()
    .split('\n')
    .map((text) => JSON.parse(text) as Line & { line: number })
    .filter(({ category }) => category === 'billed_before')
  expect(found.map(({ line, awb, difference }) => [String(line), awb, String(difference)])).toEqual([
    [fault!.line, fault!.awb, fault!.difference],
  ])
})

test('are the same when they are made again, and replace no file unasked', async () => {
  const before = readFileSync(join(box.folder, 'bills', 'faults.csv'), 'utf8')
  const again = ['local', 'seed', '--shipments', '2000', '--invoices', 'bills']
  const refused = await box.shipx(again)
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('is there already; --force replaces it')])
  expect((await box.shipx([...again, '--force'])).exit).toBe(0)
  expect(readFileSync(join(box.folder, 'bills', 'faults.csv'), 'utf8')).toBe(before)
})
