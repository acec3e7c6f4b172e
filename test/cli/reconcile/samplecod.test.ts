// Defends the invented remittances: `shipx reconcile cod` finds every fault that `shipx local seed --invoices` lists in
// cod-faults.csv, and no other.
// @module-tag full: 2,000 parcels, two remittances and a statement
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sandbox } from '../../support/sandbox.ts'

const box = sandbox()
afterAll(() => box.remove())

interface Fault {
  readonly file: string
  readonly awb_or_utr: string
  readonly verdict: string
  readonly difference: string
}

let faults: readonly Fault[] = []
beforeAll(async () => {
  const { exit, stderr } = await box.shipx(['local', 'seed', '--shipments', '2000', '--invoices', 'bills'])
  expect([exit, stderr]).toEqual([0, expect.stringContaining('cod-faults.csv lists the')])
  faults = parse<Fault>(readFileSync(join(box.folder, 'bills', 'cod-faults.csv')), { columns: true })
})

const files = (): readonly string[] => readdirSync(join(box.folder, 'bills')).filter((name) => name.includes('-cod-'))

const reconcile = async (file: string, day: string, ...more: readonly string[]) => {
  const words = [
    'reconcile',
    'cod',
    join('bills', file),
    '--courier',
    'Deccan Parcel',
    '--as-of',
    day,
    '--json',
    ...more,
  ]
  const { exit, stdout, stderr } = await box.shipx(words)
  expect([words, exit, stderr]).toEqual([words, 0, stderr])
  return JSON.parse(stdout) as {
    data: readonly { awb: string; verdict: string; difference: number }[]
    bank: readonly { utr: string; verdict: string; difference: number; candidates: readonly unknown[] }[]
    deductions: readonly { name: string; amount: number }[]
  }
}

test('have a fault of each verdict', () => {
  expect([...new Set(faults.map(({ verdict }) => verdict))].toSorted().join(' ')).toBe(
    'adjusted excess late not_in_bank not_in_file overdue remitted_on_prepaid remitted_on_rto short twice unknown_awb',
  )
})

test('are found by parcel and by UTR with their amounts, and nothing else is', async () => {
  const [earlier, later] = files()
  const clean = await reconcile(earlier!, '2026-07-31', '--yes')
  expect(new Set(clean.data.map(({ verdict }) => verdict))).toEqual(new Set(['ok', 'not_due']))
  const { data, bank, deductions } = await reconcile(later!, '2026-08-31', '--yes', '--bank', 'bills/bank-2026-08.csv')
  const wrong = data.filter(({ verdict }) => verdict !== 'ok' && verdict !== 'not_due')
  const found = wrong.map(({ awb, verdict, difference }) => `${awb} ${verdict} ${difference}`)
  const ofFile = (start: string): readonly string[] =>
    faults
      .filter(({ file }) => file.startsWith('bank') === (start === 'bank'))
      .map(({ awb_or_utr: key, verdict, difference }) => `${key} ${verdict} ${difference}`)
      .toSorted()
  expect(found.toSorted()).toEqual(ofFile('cod'))
  const offBank = bank.filter(({ verdict }) => verdict !== 'ok')
  expect(offBank.map(({ utr, verdict, difference }) => `${utr} ${verdict} ${difference}`).toSorted()).toEqual(
    ofFile('bank'),
  )
  expect(offBank.find(({ verdict }) => verdict === 'not_in_bank')!.candidates).toHaveLength(1)
  expect(bank.filter(({ verdict }) => verdict === 'ok').length).toBeGreaterThan(3)
  expect(deductions.map(({ name, amount }) => [name, amount])).toEqual([
    ['Freight Adjusted', 45],
    ['unexplained deduction', 250],
  ])
})
