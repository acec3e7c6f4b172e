// An invoice is kept whole or not at all: killed at any moment, on a full disk, and by two processes at once, in a file
// and on a server.
// @module-tag full: dozens of killed processes
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { drawsOf } from '../../support/chance.ts'
import { canMount, smallDiskAt, unmount } from '../../support/mounts.ts'
import { sandbox, type Outcome, type Sandbox } from '../../support/sandbox.ts'
import { testDatabase } from '../../support/testdatabase.ts'
import { contract, shipment } from './invoices.ts'

// More than go into one transaction.
const many = 9000
const rows = Array.from({ length: many }, (_, n) => `9${n},c,400,40,40`)
const content = ['awb,zone,weight_g,freight,total', '1001,c,400,40,40', ...rows].join('\n')
const words = [
  'reconcile',
  'invoice',
  'large.csv',
  '--number',
  'BIG',
  '--courier',
  'Delhivery',
  '--jsonl',
  '--yes',
  '--force',
]

interface Place {
  readonly box: Sandbox
  readonly env: Readonly<Record<string, string>>
}

/** A sandbox with a parcel, a card and a large invoice, on one of the databases. */
async function placeOn(database: 'SQLite' | 'PostgreSQL'): Promise<Place> {
  const box = sandbox()
  onTestFinished(() => box.remove())
  let env = {}
  if (database === 'PostgreSQL') {
    const { url, drop } = await testDatabase()
    onTestFinished(drop)
    env = { SHIPX_DATABASE_URL: url }
  }
  const run = async (...given: readonly string[]): Promise<void> =>
    expect([given, await box.shipx(given, { env })]).toMatchObject([given, { exit: 0 }])
  await run('local', 'import', 'shipments', box.file('shipments.jsonl', `${shipment('1001')}\n`), '--yes')
  await run('local', 'warehouse', 'set', 'WH1', '400001')
  await run('ratecard', 'import', box.file('contract.json', JSON.stringify(contract())), '--use')
  box.file('large.csv', content)
  return { box, env }
}

/** What is there of the invoice: how many count, and the lines of one. */
async function thereOf({ box, env }: Place): Promise<readonly [documents: number, lines: number]> {
  const list = await box.shipx(['invoices', 'list', '--jsonl'], { env })
  expect(list.exit).toBe(0)
  const documents = list.stdout.split('\n').length - 1
  if (documents === 0) return [0, 0]
  const lines = await box.shipx(['invoices', 'get', 'BIG', '--lines', '--csv', '--fields', 'awb'], { env })
  return [documents, lines.stdout.split('\n').length - 2]
}

const codeOf = ({ stderr }: Outcome): string | undefined => /"code":"(\w+)"/.exec(stderr)?.[1]

describe.each(['SQLite', 'PostgreSQL'] as const)('on %s', (database) => {
  test('killed at a moment of chance it is there whole or not at all, and the same command keeps it', async () => {
    const place = await placeOn(database)
    const { box, env } = place
    const first = await box.shipx(words, { env })
    expect([first.exit, await thereOf(place)]).toEqual([0, [1, many + 1]])
    const { unit } = drawsOf(18)
    let [killed, took] = [0, first.took]
    for (let n = 0; n < 3; n++) {
      const removed = await box.shipx(['invoices', 'remove', 'BIG', '--yes'], { env })
      expect(removed.exit, removed.stderr).toBe(0)
      const { child, ended } = box.begin(words, { env })
      await wait(took * (0.2 + 0.8 * unit()))
      child.kill('SIGKILL')
      if ((await ended).exit === 'SIGKILL') killed++
      const there = await thereOf(place)
      expect([
        [0, 0],
        [1, many + 1],
      ]).toContainEqual(there)
      const again = await box.shipx(words, { env })
      expect([again.exit, await thereOf(place)]).toEqual([0, [1, many + 1]])
      // What a busy machine took for the first one says little.
      took = Math.min(took, again.took)
    }
    expect(killed).toBeGreaterThan(0)
  })

  test('two processes that read the same file keep it once', async () => {
    const place = await placeOn(database)
    const { box, env } = place
    for (const apart of [0, 150, 400]) {
      const first = box.shipx(words, { env })
      await wait(apart)
      const both = await Promise.all([first, box.shipx(words, { env })])
      const ends = both.map((one) => (one.exit === 0 ? 'done' : codeOf(one)))
      expect([ends, ends.filter((end) => end !== 'done' && end !== 'database_locked')]).toEqual([ends, []])
      expect(ends).toContain('done')
      expect(await thereOf(place)).toEqual([1, many + 1])
      expect((await box.shipx(['invoices', 'remove', 'BIG', '--yes'], { env })).exit).toBe(0)
    }
  })
})

describe.skipIf(!canMount)('on a full disk', () => {
  test.each([100, 1000, 3000])('with %i KB left it says so, and nothing of the invoice counts', async (kb) => {
    const { box } = await placeOn('SQLite')
    const disk = join(box.folder, 'disk')
    mkdirSync(disk)
    const { stdout } = await box.bash('du -sk data | cut -f1')
    expect(smallDiskAt(disk, Number(stdout) + kb)).toBe(true)
    try {
      cpSync(join(box.folder, 'data'), join(disk, 'data'), { recursive: true })
      const full = await box.shipx(words, { env: { SHIPX_DATA_DIR: join(disk, 'data') } })
      expect([full.exit, codeOf(full)]).toEqual([1, 'database_full'])
      expect(full.stderr).not.toContain('something went wrong inside')
      // The disk has room again.
      rmSync(join(box.folder, 'data'), { recursive: true })
      cpSync(join(disk, 'data'), join(box.folder, 'data'), { recursive: true })
    } finally {
      unmount(disk)
    }
    expect(await thereOf({ box, env: {} })).toEqual([0, 0])
    expect((await box.shipx(words)).exit).toBe(0)
    expect(await thereOf({ box, env: {} })).toEqual([1, many + 1])
  })
})
