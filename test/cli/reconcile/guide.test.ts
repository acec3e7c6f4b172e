// Defends docs/guides/money.md: every command of the page runs on the month of sample invoices that it begins with.
// @module-tag full: a process for each command of the page
import { copyFileSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'csv-parse/sync'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { root } from '../../support/checkout.ts'
import { sandbox } from '../../support/sandbox.ts'
import { workbook } from '../../support/workbook.ts'

const box = sandbox()
afterAll(() => box.remove())

const page = readFileSync(join(root, 'docs', 'guides', 'money.md'), 'utf8')
const bare = page.replace(/^```.*\n[\s\S]*?^```$/gm, '')
const inside = [...page.matchAll(/^```.*\n([\s\S]*?)^```$/gm)].map((match) => match[1]!).join('')

/** The commands of the page in its order: what it shows, and what it names in its sentences. */
const commands = [
  ...[...bare.matchAll(/`([^`]+)`/g)].map((match) => match[1]!.replaceAll('\n', ' ')),
  ...inside.split('\n').map((line) => line.replace(/^\$ /, '')),
].filter((line) => line.startsWith('shipx '))

/** Names of commands, which say nothing of a file: what they name is run in other lines. */
const names = ['shipx reconcile invoice', 'shipx skus import', 'shipx local warehouse set']

/** A mirror of an account at a service, which the tests of pulls have. */
const elsewhere = ['shipx pull']

/** What the page leaves open. */
let open: readonly (readonly [RegExp, string])[] = []
const written = (line: string): string => open.reduce((text, [from, to]) => text.replace(from, to), line)

beforeAll(async () => {
  const { exit } = await box.shipx(['local', 'seed', '--shipments', '2000', '--invoices', 'bills'])
  expect(exit).toBe(0)
  const [later] = readdirSync(join(box.folder, 'bills')).filter((name) => /(?<!-cod|bank)-2026-08\.csv$/.test(name))
  const text = readFileSync(join(box.folder, 'bills', later!), 'utf8')
  copyFileSync(join(box.folder, 'bills', later!), join(box.folder, 'september.csv'))
  const table = parse(text) as readonly (readonly string[])[]
  writeFileSync(join(box.folder, 'september.xlsx'), workbook([{ name: 'Bill', rows: table }]))
  box.file('parcels.csv', 'ref,from,to,weight,payment\nP1,400001,560001,400g,prepaid\n')
  // The page reads its file first with --dry-run; what comes after the keeping finds it kept.
  const kept = await box.shipx(['reconcile', 'invoice', 'september.csv', '--yes', '-q'])
  expect(kept.exit).toBe(0)
  open = [
    [/INV\/26-27\/0917|<number>/, table[1]![0]!],
    [/<awb>/, table[1]![3]!],
    [/<file>/, 'september.csv'],
    [/ratecard diff contract/, 'ratecard diff sample'],
    [/^shipx local seed.*$/, 'shipx local seed --shipments 2000 --invoices bills --force'],
    [/(invoices remove .*)$/, '$1 --dry-run'],
    // The same bill, which the page reads before it is kept.
    [/(september\.xlsx --dry-run)$/, '$1 --replace'],
  ]
})

test('the page has commands, and each of them is run or named here', () => {
  expect(commands.length).toBeGreaterThan(15)
  expect(names.filter((name) => !commands.includes(name))).toEqual([])
})

test.each([...new Set(commands)].filter((line) => ![...names, ...elsewhere].includes(line)))('%s', async (line) => {
  const { exit, stderr } = await box.bash(written(line))
  expect([exit, stderr]).toEqual([0, stderr])
})
