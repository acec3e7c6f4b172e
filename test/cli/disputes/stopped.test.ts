// Ctrl-C in commands of disputes: they end at once with 130, leave nothing half, and say how to go on.
// @module-tag full: programs that are interrupted while they work
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { driver } from '../../support/sqlite.ts'
import { png } from '../../support/pictures.ts'
import { sandbox } from '../../support/sandbox.ts'
import { prepare, shipment } from '../reconcile/invoices.ts'

const box = sandbox()
afterAll(() => box.remove())

const lines = 12_000
const awbs = Array.from({ length: lines }, (_, n) => String(100_000 + n))
const database = join(box.folder, 'data', 'shipx.sqlite')

const ok = async (...words: readonly string[]) => {
  const outcome = await box.shipx(words)
  expect([words, outcome.exit, outcome.stderr]).toEqual([words, 0, outcome.stderr])
  return outcome
}

/** How many disputes are kept; 0 while the file is busy. */
function kept(where = ''): number {
  const db = new driver(database, { readonly: true })
  try {
    return (db.prepare(`select count(*) as n from disputes ${where}`).get() as { n: number }).n
  } finally {
    db.close()
  }
}

beforeAll(async () => {
  await prepare(
    box,
    awbs.map((awb) => shipment(awb)),
  )
  const rows = awbs.map((awb) => `${awb},A-${awb},c,900,70,0,12.60,82.60`)
  const path = box.file('SEP.csv', ['awb,order,zone,weight_g,freight,rto,gst,total', ...rows, ''].join('\n'))
  await ok('reconcile', 'invoice', path, '--courier', 'Delhivery', '--number', 'SEP', '--date', '2026-09-28', '--yes')
}, 120_000)

test('Ctrl-C in create left a user in the dark: it says how far it came, and the same command goes on', async () => {
  const { child, ended } = box.begin(['disputes', 'create'])
  while (child.exitCode === null && kept() === 0) await wait(2)
  child.kill('SIGINT')
  const { exit, stderr } = await ended
  const [, of, all, open] = /stopped after ([\d,]+) of ([\d,]+) lines; ([\d,]+) disputes are open/.exec(stderr) ?? []
  expect([exit, all, of, stderr]).toEqual([130, '12,000', open, stderr])
  expect(kept()).toBe(Number(open!.replace(',', '')))
  expect(stderr).toContain('run the same command again to go on')
  await ok('disputes', 'create')
  expect([kept(), kept("where status = 'found'")]).toEqual([lines, lines])
})

test('Ctrl-C in export writes no half file, marks nothing, and leaves nothing behind', async () => {
  for (let n = 0; n < 6; n++) {
    const file = box.file(`side-${n}.png`, Buffer.concat([png(), randomBytes(15_000_000)]))
    await ok('disputes', 'evidence', awbs[0]!, file, '--shows', 'length')
  }
  const temporary = (): readonly string[] => readdirSync(box.folder).filter((name) => name.startsWith('.shipx-'))
  const out = join(box.folder, 'sent')
  for (const [place, begun] of [
    ['--zip', () => temporary().length > 0],
    ['--out', () => existsSync(join(out, 'evidence')) && readdirSync(join(out, 'evidence')).length > 0],
  ] as const) {
    const path = place === '--zip' ? join(box.folder, 'sent.zip') : out
    const words = ['disputes', 'export', '--courier', 'Delhivery', place, path, '--mark', 'raised', '--min', '1']
    const { child, ended } = box.begin(words)
    while (child.exitCode === null && !begun()) await wait(1)
    child.kill('SIGINT')
    const { exit, stderr } = await ended
    expect([exit, stderr]).toEqual([130, expect.stringContaining('is not written, and nothing is raised')])
    expect([existsSync(path), temporary(), kept("where status = 'raised'")]).toEqual([false, [], 0])
  }
})
