// A copy put in the place of a database, whatever state that was left in, and never while something else has it open.
// @module-tag full: many programs, killed and restored
import { type ChildProcess, spawn } from 'node:child_process'
import {
  existsSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { driver } from '../support/sqlite.ts'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { applicationId, sqliteStep, steps } from '../../src/engine/database/migrations.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import type { Driver } from '../../src/engine/database/sqlitedriver.ts'
import { sandbox, type Sandbox, type Outcome } from '../support/sandbox.ts'
import { root } from '../support/checkout.ts'

const start = join(root, 'bin', 'shipx.js')

let bench: Sandbox
let database: string
let copy: string
let running: ChildProcess[] = []

beforeEach(async () => {
  bench = sandbox()
  database = join(bench.folder, 'data', 'shipx.sqlite')
  copy = join(bench.folder, 'copy.sqlite')
  await make('before')
  await bench.shipx(['local', 'backup', copy])
})

afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running = []
  bench.remove()
})

const make = (name: string): Promise<Outcome> => bench.shipx(['stores', 'create', '--name', name, '--ids'])

const stores = async (db = database): Promise<readonly string[]> =>
  (await bench.shipx(['stores', 'list', '--jsonl', '--db', db])).stdout
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { store_name: string }).store_name)
    .toSorted()

const restore = (...more: readonly string[]): Promise<Outcome> =>
  bench.shipx(['local', 'restore', copy, '--yes', ...more])
const names = (): readonly string[] =>
  readdirSync(join(bench.folder, 'data')).filter((name) => name.startsWith('shipx.sqlite'))
const keptOf = ({ stdout }: Outcome): string => (JSON.parse(stdout) as { data: { kept: string } }).data.kept

/** A service that serves, and has nothing to do. */
async function serving(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [start, 'serve', '--port', '0', '--json'], {
    env: bench.env,
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  running.push(child)
  await once(child.stdout!, 'data')
  return child
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

describe('after a crash that left a log behind', () => {
  test('the restored database is sound and holds what the copy holds', async () => {
    const service = await serving()
    await make('after')
    await killed(service)
    expect(statSync(`${database}-wal`).size).toBeGreaterThan(0)
    const restored = await restore('--json')
    expect([restored.exit, restored.stderr]).toEqual([0, ''])
    expect((await bench.shipx(['local', 'check'])).exit).toBe(0)
    expect(await stores()).toEqual(['before'])
    // What was in the log only is not lost.
    expect(await stores(keptOf(restored))).toEqual(['after', 'before'])
    expect(names().filter((name) => /-(?:wal|shm|journal)$/.test(name))).toEqual([])
  })

  test('a log whose database is gone is not read into the restored one', async () => {
    const service = await serving()
    await make('after')
    await killed(service)
    renameSync(database, join(bench.folder, 'gone.sqlite'))
    const restored = await restore('--json')
    expect(restored.exit).toBe(0)
    expect(existsSync(`${keptOf(restored)}-wal`)).toBe(true)
    expect(await stores()).toEqual(['before'])
    expect((await bench.shipx(['local', 'check'])).exit).toBe(0)
  })

  test('a backup over it is refused with the command that can', async () => {
    const service = await serving()
    await make('after')
    await killed(service)
    const before = readFileSync(database)
    const refused = await bench.shipx(['local', 'backup', database, '--force', '--db', copy])
    expect([refused.exit, readFileSync(database).equals(before)]).toEqual([2, true])
    expect(refused.stderr).toContain(`shipx local restore ${copy} --db ${database}`)
    expect(await stores()).toEqual(['after', 'before'])
  })
})

describe('while a service has the database open and does nothing', () => {
  test.each([
    ['restore', () => restore()],
    ['reset', () => bench.shipx(['local', 'reset', '--yes'])],
  ] as const)('%s is refused and changes nothing', async (_, run) => {
    const service = await serving()
    const before = statSync(database).ino
    const refused = await run()
    expect(refused.exit).toBe(6)
    expect(refused.stderr).toContain('stop shipx serve')
    if (process.platform === 'linux') expect(refused.stderr).toContain(`process ${service.pid} (shipx serve)`)
    expect([statSync(database).ino, service.exitCode]).toEqual([before, null])
    service.kill('SIGTERM')
    await once(service, 'exit')
    expect((await run()).exit).toBe(0)
  })

  test('a backup over it is refused', async () => {
    await serving()
    const before = statSync(database).ino
    const refused = await bench.shipx(['local', 'backup', database, '--force', '--db', copy])
    expect([[2, 6].includes(Number(refused.exit)), statSync(database).ino]).toEqual([true, before])
    expect(await stores()).toEqual(['before'])
  })
})

test('a command that was just opening the database when it was replaced stops', () => {
  const swapping = function (path: string, options: object) {
    const db = new driver(path, options)
    renameSync(copy, path)
    return db
  }
  const open = (): unknown => openSqlite(swapping as unknown as Driver, { path: database })
  expect(open).toThrow(expect.objectContaining({ code: 'database_locked', hint: 'run the command again' }))
})

describe('whatever was there before', () => {
  test('a database that is damaged is kept and replaced, and check names the command', async () => {
    const bytes = readFileSync(database)
    bytes.fill(0xa5, 8192, 40_960)
    writeFileSync(database, bytes)
    const check = await bench.shipx(['local', 'check', '--json'])
    const { error } = JSON.parse(check.stderr) as { error: { code: string; hint: string } }
    expect([check.exit, error.code]).toEqual([1, 'database_corrupt'])
    expect(error.hint).toContain('shipx local restore <copy>')
    const restored = await restore('--json')
    expect([restored.exit, await stores()]).toEqual([0, ['before']])
    expect(existsSync(keptOf(restored))).toBe(true)
  })

  test('a file that is no database any more is kept as it was', async () => {
    writeFileSync(database, 'not a database at all, and long enough to be looked at as one'.repeat(20))
    const kept = keptOf(await restore('--json'))
    expect(readFileSync(kept, 'utf8').startsWith('not a database')).toBe(true)
    expect(await stores()).toEqual(['before'])
  })

  test('none is there', async () => {
    await bench.shipx(['local', 'reset', '--yes'])
    const restored = await restore('--json')
    expect([restored.exit, (JSON.parse(restored.stdout) as { data: { kept: unknown } }).data.kept]).toEqual([0, null])
    expect(await stores()).toEqual(['before'])
    expect((statSync(database).mode & 0o777).toString(8)).toBe('600')
  })

  test('two restores at one moment keep two databases', async () => {
    const kept = [keptOf(await restore('--json')), keptOf(await restore('--json'))]
    expect(new Set(kept).size).toBe(2)
    expect(kept.every((path) => existsSync(path))).toBe(true)
  })

  test('an empty file is no copy, and the database stays', async () => {
    const empty = bench.file('empty.sqlite', '')
    const refused = await bench.shipx(['local', 'restore', empty, '--yes'])
    expect([refused.exit, refused.stderr]).toEqual([
      2,
      expect.stringContaining('it is empty, not a copy of a database'),
    ])
    expect(await stores()).not.toEqual([])
  })

  test("another program's database is left alone", async () => {
    const other = join(bench.folder, 'other.sqlite')
    const db = new driver(other)
    db.exec('create table theirs (a); insert into theirs values (1)')
    db.close()
    const before = readFileSync(other)
    const refused = await restore('--db', other)
    expect([refused.exit, readFileSync(other).equals(before)]).toEqual([2, true])
  })

  test('a link to the database still leads to it', async () => {
    const link = join(bench.folder, 'link.sqlite')
    symlinkSync(database, link)
    await make('after')
    expect((await restore('--db', link)).exit).toBe(0)
    expect(await stores()).toEqual(['before'])
    expect((await bench.shipx(['local', 'reset', '--yes', '--db', link])).exit).toBe(0)
    expect([existsSync(link), existsSync(database)]).toEqual([false, false])
  })

  test('a link to a file that is not there is kept: neither a restore nor a backup replaces it', async () => {
    const [link, gone] = [join(bench.folder, 'link.sqlite'), join(bench.folder, 'gone.sqlite')]
    symlinkSync(gone, link)
    for (const args of [
      ['restore', copy, '--yes', '--db', link],
      ['backup', link],
      ['backup', link, '--force'],
    ]) {
      const outcome = await bench.shipx(['local', ...args])
      expect([outcome.exit, outcome.stderr]).toEqual([
        2,
        expect.stringContaining(`${link} is a link to ${gone}, which is not there`),
      ])
      expect([readlinkSync(link), existsSync(gone)]).toEqual([gone, false])
    }
  })

  test('a backup over a link replaces the file that it leads to', async () => {
    const link = join(bench.folder, 'link.sqlite')
    symlinkSync(copy, link)
    await make('after')
    expect((await bench.shipx(['local', 'backup', link, '--force'])).exit).toBe(0)
    expect([readlinkSync(link), await stores(copy)]).toEqual([copy, ['after', 'before']])
  })
})

describe('the copy', () => {
  test.each([
    [
      'is damaged',
      (path: string) => {
        const bytes = readFileSync(path)
        bytes.fill(0x5a, 8192, 40_960)
        writeFileSync(path, bytes)
      },
      1,
    ],
    ['is no database', (path: string) => writeFileSync(path, 'text'.repeat(1000)), 2],
    ['is not there', (path: string) => renameSync(path, `${path}.gone`), 2],
  ] as const)('%s: nothing is changed', async (_, spoil, exit) => {
    await make('after')
    spoil(copy)
    const before = names()
    expect((await restore()).exit).toBe(exit)
    expect([await stores(), names()]).toEqual([['after', 'before'], before])
  })

  test('is the database itself', async () => {
    const link = join(bench.folder, 'same.sqlite')
    symlinkSync(database, link)
    expect((await bench.shipx(['local', 'restore', link, '--yes'])).exit).toBe(2)
  })

  test('is of an older schema: it is brought up to date when it is opened', async () => {
    const old = join(bench.folder, 'old.sqlite')
    const db = new driver(old)
    db.exec(sqliteStep(steps[0]!))
    db.exec(
      "insert into accounts values (1, 'default', 1); insert into stores values (1, 's1', 'acme', null, 'manual_order', 'connected', null, null, 1, 1)",
    )
    db.pragma(`application_id = ${applicationId}`)
    db.pragma('user_version = 1')
    db.close()
    expect((await bench.shipx(['local', 'restore', old, '--yes'])).exit).toBe(0)
    expect(await stores()).toEqual(['acme'])
  })

  test('needs a yes', async () => {
    const before = names()
    const asked = await bench.shipx(['local', 'restore', copy])
    expect([asked.exit, asked.stderr.includes('add --yes')]).toEqual([8, true])
    expect((await bench.shipx(['local', 'restore', copy, '--dry-run', '--json'])).stdout).toContain('"replaces":true')
    expect(names()).toEqual(before)
  })
})

/** Starts a command and kills it with -9 as soon as a file of that form is there; gives the rights that the file had. */
async function cutAt(args: readonly string[], folder: string, form: RegExp): Promise<string> {
  const child = spawn(process.execPath, [start, ...args], { env: bench.env, stdio: 'ignore' })
  running.push(child)
  for (let n = 0; n < 20_000 && child.exitCode === null; n++) {
    const name = readdirSync(folder).find((entry) => form.test(entry))
    if (name !== undefined) {
      const rights = (statSync(join(folder, name)).mode & 0o777).toString(8)
      child.kill('SIGKILL')
      await once(child, 'exit')
      return rights
    }
    await wait(1)
  }
  throw new Error('it ended before it could be killed')
}

/** Enough that a copy takes a while. */
function fatten(path: string): void {
  const db = new driver(path)
  db.exec(
    "insert into accounts select value + 10, 'fat-' || value, 1 from json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]')",
  )
  db.exec(
    "insert into stores (account_id, id, store_name, channel, status, logo, created_at, updated_at) select id, 's', 's', 'manual_order', 'connected', randomblob(2000000), 1, 1 from accounts where id > 10",
  )
  db.close()
}

describe('a copy that is killed', () => {
  test('a backup can be read by its owner alone from its first byte, and leaves nothing for the next', async () => {
    fatten(database)
    const target = join(bench.folder, 'fat.sqlite')
    const temporary = /^fat\.sqlite\..*tmp/
    expect(await cutAt(['local', 'backup', target], bench.folder, temporary)).toBe('600')
    expect([existsSync(target), readdirSync(bench.folder).some((name) => temporary.test(name))]).toEqual([false, true])
    expect((await bench.shipx(['local', 'backup', target])).exit).toBe(0)
    expect(readdirSync(bench.folder).filter((name) => name.startsWith('fat.sqlite'))).toEqual(['fat.sqlite'])
    expect((statSync(target).mode & 0o777).toString(8)).toBe('600')
  })

  test('a migration succeeds at the next start, whatever its process is called, and keeps one copy', async () => {
    const old = join(bench.folder, 'data', 'old.sqlite')
    const db = new driver(old)
    db.pragma('journal_mode = WAL')
    db.exec(sqliteStep(steps[0]!))
    db.pragma(`application_id = ${applicationId}`)
    db.pragma('user_version = 1')
    db.close()
    fatten(old)
    const folder = join(bench.folder, 'data')
    for (let n = 0; n < 3; n++)
      expect(await cutAt(['stores', 'list', '--db', old], folder, /^old\.sqlite\.schema-1\..*tmp/)).toBe('600')
    // A process of a container always has the same number.
    writeFileSync(`${old}.schema-1.1.tmp`, 'left by another')
    const opened = await bench.shipx(['stores', 'list', '--db', old])
    expect([opened.exit, readdirSync(folder).filter((name) => name.startsWith('old.sqlite.'))]).toEqual([
      0,
      ['old.sqlite.schema-1.bak'],
    ])
    expect((await bench.shipx(['local', 'check', '--db', old])).exit).toBe(0)
  })
})
