// Defends what is said and left behind around copies of a database: hints that name the file, rights, and files of killed
// backups.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, existsSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { driver } from '../support/sqlite.ts'
import { beforeEach, expect, test } from 'vitest'
import { sandbox, type Sandbox } from '../support/sandbox.ts'
import { first } from '../support/size.ts'

let box: Sandbox
let copy: string

beforeEach(async () => {
  box = sandbox()
  copy = join(box.folder, 'copy.sqlite')
  expect((await box.shipx(['local', 'seed', '--quiet', '--shipments', '30'])).exit).toBe(0)
  expect((await box.shipx(['local', 'backup', copy])).exit).toBe(0)
  return () => box.remove()
})

/** The copy cut off in the middle, under a name with a blank. */
function cut(): string {
  const path = join(box.folder, 'cut off.sqlite')
  copyFileSync(copy, path)
  truncateSync(path, Math.floor(statSync(copy).size / 2 / 4096) * 4096)
  return path
}

/** The bytes of a page of a database, after `change`. */
function pageSizeOf(path: string, change = ''): unknown {
  const db = new driver(path)
  try {
    db.exec(change)
    return db.pragma('page_size', { simple: true })
  } finally {
    db.close()
  }
}

test('a new file and a backup have pages of 16 KB, an older file keeps its own', { tags: ['full'] }, async () => {
  expect(pageSizeOf(copy)).toBe(16384)
  expect(pageSizeOf(copy, 'pragma journal_mode = delete; pragma page_size = 4096; vacuum')).toBe(4096)
  const backup = join(box.folder, 'backup.sqlite')
  expect((await box.shipx(['local', 'warehouse', 'set', 'WH9', '400001', '--db', copy])).exit).toBe(0)
  expect((await box.shipx(['local', 'backup', backup, '--db', copy])).exit).toBe(0)
  expect([pageSizeOf(copy), pageSizeOf(backup)]).toEqual([4096, 16384])
})

test('the hint of a damaged database is a command for that file', { tags: ['full'] }, async () => {
  const path = cut()
  const { stderr, exit } = await box.shipx(['shipments', 'list', '--db', path, '--json'])
  expect([exit, (JSON.parse(stderr) as { error: { hint: string } }).error.hint]).toEqual([
    1,
    `shipx local check --db '${path}'`,
  ])
})

test('restore of a damaged copy says to name another copy', { tags: ['full'] }, async () => {
  const { stderr, exit } = await box.shipx(['local', 'restore', cut(), '--yes', '--json'])
  expect([exit, (JSON.parse(stderr) as { error: { hint: string } }).error.hint]).toEqual([1, 'name another copy'])
})

test.each(
  first(1, [
    [0o644, '600'],
    [0o640, '640'],
  ]),
)('restore over a file of %o leaves %s', async (before, after) => {
  const place = join(box.folder, 'notes.txt')
  writeFileSync(place, 'no database, and long enough to be looked at as one. '.repeat(20))
  chmodSync(place, before)
  expect((await box.shipx(['local', 'restore', copy, '--db', place, '--yes'])).exit).toBe(0)
  expect((statSync(place).mode & 0o777).toString(8)).toBe(after)
})

test(
  'a backup of today removes what a killed backup of yesterday left, and nothing that is not surely its own',
  { tags: ['full'] },
  async () => {
    const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 8)
    const { pid: ended } = spawnSync(process.execPath, ['--version'])
    const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
    const left = [
      `monday.sqlite.shipx-${machine}-${ended}-${uuid}.tmp`,
      `monday.sqlite.shipx-${machine}-${ended}-${uuid}.tmp-journal`,
    ]
    const kept = [
      `monday.sqlite.shipx-${machine}-${process.pid}-${uuid}.tmp`,
      `monday.sqlite.shipx-ffffffff-${ended}-${uuid}.tmp`,
      `monday.sqlite.shipx-notes.tmp`,
      `monday.sqlite`,
    ]
    for (const name of [...left, ...kept]) writeFileSync(join(box.folder, name), '')
    expect((await box.shipx(['local', 'backup', join(box.folder, 'tuesday.sqlite')])).exit).toBe(0)
    expect(left.filter((name) => existsSync(join(box.folder, name)))).toEqual([])
    expect(readdirSync(box.folder)).toEqual(expect.arrayContaining(kept))
  },
)
