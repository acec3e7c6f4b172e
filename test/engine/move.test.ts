// Many records of an older database are moved in several transactions: whatever ends the program on the way, nothing is
// lost, and the next program goes on.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { driver } from '../support/sqlite.ts'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { moveAt, steps, type Watch } from '../../src/engine/database/migrations.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { checkSqlite } from '../../src/engine/database/sqlitecheck.ts'
import { schemaOf } from '../../src/engine/database/sqliteschema.ts'
import { updateSqlite } from '../../src/engine/database/sqliteupdate.ts'
import { temporaryPath } from '../support/engine.ts'
import { canMount, smallDiskAt, unmount } from '../support/mounts.ts'
import { contentsOf, multiply, putOldFile } from '../support/oldfiles.ts'
import { program as shipx } from '../support/program.ts'
import { shipxOn } from '../support/pty.ts'
import { sandbox } from '../support/sandbox.ts'
import { runs } from '../support/size.ts'

/** A file of schema 5 that is moved in several transactions. */
interface Old {
  readonly bytes: Buffer
  readonly contents: ReturnType<typeof contentsOf>
}

/** One of 14,000 records (30 MB), fewer in `npm test`; and one of 2,800, for what is done a hundred times. */
let [old, small]: [Old, Old] = [undefined!, undefined!]

function oldOf(times: number): Old {
  const box = sandbox()
  const path = join(box.folder, 'many.sqlite')
  putOldFile(5, path)
  multiply(path, times)
  const made = { bytes: readFileSync(path), contents: contentsOf(path) }
  box.remove()
  return made
}

beforeAll(() => {
  small = oldOf(60)
  old = runs(0, 1) === 1 ? oldOf(300) : small
})

/** A copy of such a file for one test alone. */
function many(path = temporaryPath('many.sqlite'), { bytes } = old): string {
  writeFileSync(path, bytes, { mode: 0o600 })
  return path
}

const versionOf = (path: string): number => {
  const db = new driver(path, { readonly: true })
  try {
    return db.pragma('user_version', { simple: true }) as number
  } finally {
    db.close()
  }
}

/** Everything is there, and what is damaged was damaged before. */
function expectWhole(path: string, { contents } = old): void {
  expect(versionOf(path)).toBe(steps.length)
  expect(contentsOf(path)).toEqual(contents)
  expect(checkSqlite(driver, path)).toEqual(['1 record of shipments cannot be read'])
}

/** Ends the work at the n-th time that something is told after another process could go on with it. */
function endsIn(path: string, n: number): Watch {
  let told = 0
  return async () => {
    if (versionOf(path) > 1000 && ++told === n) throw new Error('ends here')
  }
}

const start = (path: string): ChildProcess =>
  spawn(process.execPath, [shipx, 'local', 'init', '--db', path], { stdio: ['ignore', 'ignore', 'pipe'] })

/** Waits for the end of a program: its exit code, the signal that ended it, and what it said. */
const ended = (child: ChildProcess): Promise<readonly [number | null, string | null, string]> =>
  new Promise((resolve) => {
    let said = ''
    child.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
    child.on('close', (code, signal) => resolve([code, signal, said]))
  })

test(
  'it is moved in several transactions, and what is told of it counts up to all records',
  { tags: ['full'] },
  async () => {
    const path = many()
    const told: (readonly [string, number, number])[] = []
    const versions = new Set<number>()
    await updateSqlite(driver, {
      path,
      watch: async (...what) => {
        told.push(what)
        versions.add(versionOf(path))
      },
    })
    expect([...versions]).toEqual([5, 1001 + moveAt])
    const records = told.filter(([phase]) => phase === 'records')
    const all = old.contents['shipments']![0] + old.contents['returns']![0]
    // Numbers that nothing has are counted too.
    for (const n of records.at(-1)!.slice(1) as number[]) expect(Math.abs(n - all)).toBeLessThan(3)
    expect(records.length).toBeGreaterThan(7)
    expectWhole(path)
  },
)

test('killed at random moments and run again each time, it loses nothing', { tags: ['full'] }, async () => {
  const whole = many(undefined, small)
  const began = performance.now()
  expect((await ended(start(whole)))[0]).toBe(0)
  const usual = performance.now() - began
  const seen = new Set<string>()
  for (let kills = 0; kills < runs(6, 16);) {
    const path = many(whole, small)
    for (const name of readdirSync(dirname(path))) if (!path.endsWith(name)) rmSync(join(dirname(path), name))
    // Up to three kills of the same file, then to its end.
    for (let n = 0; n < 3; n++) {
      const child = start(path)
      const end = ended(child)
      // The very first one surely in the middle.
      const at = Math.random() * usual * 1.1
      const since = performance.now()
      const due = (): boolean => (kills === 0 ? versionOf(path) > 1000 : performance.now() - since > at)
      const timer = setInterval(() => due() && child.kill('SIGKILL'), 5)
      const [code, signal, said] = await end
      clearInterval(timer)
      if (signal === null) expect([code, said]).toEqual([0, said])
      else kills++
      const version = versionOf(path)
      seen.add(version > 1000 ? 'between' : version === 5 ? 'before' : 'after')
      expect(contentsOf(path)).toEqual(small.contents)
    }
    const [code, , said] = await ended(start(path))
    expect([code, said]).toEqual([0, said])
    expectWhole(path, small)
  }
  expect(seen).toContain('between')
})

test('ended after any step by what watches it, it goes on from there', { tags: ['full'] }, async () => {
  // The small one has some 47 steps.
  for (let n = 1; n <= 50; n += 8) {
    const path = many(undefined, small)
    await updateSqlite(driver, { path, watch: endsIn(path, n) }).catch((error: Error) =>
      expect(error.message).toBe('ends here'),
    )
    const version = versionOf(path)
    expect([n, [1001 + moveAt, steps.length].includes(version)]).toEqual([n, true])
    await updateSqlite(driver, { path })
    expectWhole(path, small)
  }
})

test('two programs that start at once both end well, and it is done once', { tags: ['full'] }, async () => {
  const path = many()
  const ends = await Promise.all([ended(start(path)), ended(start(path))])
  expect(ends.map(([code]) => code)).toEqual([0, 0])
  // One of them made the copy.
  expect(ends.filter(([, , said]) => said.includes('.schema-5.bak'))).toHaveLength(1)
  expect(readdirSync(dirname(path)).filter((name) => name.endsWith('.bak'))).toEqual(['many.sqlite.schema-5.bak'])
  expectWhole(path)
})

describe('in the middle', () => {
  async function half(from = old): Promise<string> {
    const path = many(undefined, from)
    await expect(updateSqlite(driver, { path, watch: endsIn(path, 5) })).rejects.toThrow('ends here')
    return path
  }

  test('a reader is refused, a check finds what it finds before, and a newer schema is said', async () => {
    const path = await half()
    expect(() => openSqlite(driver, { path, readOnly: true })).toThrow('has an older schema')
    expect(schemaOf(driver, path).at).toBe(moveAt)
    expect(checkSqlite(driver, path)).toEqual(checkSqlite(driver, many()))
    const db = new driver(path)
    db.pragma(`user_version = ${1001 + steps.length}`)
    db.close()
    // What an older program says of this file.
    await expect(updateSqlite(driver, { path })).rejects.toMatchObject({ code: 'database_newer' })
    expect(() => schemaOf(driver, path)).toThrow(`has schema ${steps.length + 1}`)
  })

  test('a program that had it open before fails, and answers nothing in part', async () => {
    const path = many()
    const before = new driver(path)
    onTestFinished(() => void before.close())
    const page = before.prepare('select id, doc from shipments indexed by shipments_status where status = ?')
    const write = before.prepare(
      "insert into shipments (seq, account_id, id, created_at, doc) values (9, 1, 'x', 1, '')",
    )
    expect(page.all('delivered').length).toBeGreaterThan(0)
    await expect(updateSqlite(driver, { path, watch: endsIn(path, 5) })).rejects.toThrow('ends here')
    expect(() => page.all('delivered')).toThrow('no such')
    expect(() => write.run()).toThrow('no column named doc')
  })

  test('another program that holds it for too long is named with how far it is', { tags: ['full'] }, async () => {
    const path = await half()
    const other = new driver(path)
    onTestFinished(() => void other.close())
    other.exec('begin immediate')
    await expect(updateSqlite(driver, { path, patience: 300 })).rejects.toMatchObject({
      code: 'database_locked',
      message: expect.stringMatching(/^another shipx is bringing .* up to date \(\d+ %\)$/),
    })
    other.exec('rollback')
    await updateSqlite(driver, { path })
    expectWhole(path)
  })

  test('one that waits goes on waiting while the other gets on', { tags: ['full'] }, async () => {
    const path = await half(small)
    let waited = 0
    const first = updateSqlite(driver, {
      path,
      // All of it lasts several times as long as the patience of the second.
      watch: () => new Promise((resolve) => setTimeout(resolve, 60)),
    })
    // Both are in one process here: without a pause the first would never run.
    const watch: Watch = async (phase) => {
      if (phase === 'wait') waited++
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    await Promise.all([first, updateSqlite(driver, { path, watch, patience: 800 })])
    expect(waited).toBeGreaterThan(0)
    expectWhole(path, small)
  })
})

test('records too large to be held at once are moved a few at a time', { tags: ['full'] }, async () => {
  const path = many()
  const db = new driver(path)
  db.exec(`update shipments set doc = json_set(doc, '$.attributes.note', hex(zeroblob(500000))) where id in
    (select id from shipments where json_valid(doc) limit 150)`)
  db.close()
  const wanted = contentsOf(path)
  let most = 0
  const before = process.memoryUsage().rss
  await updateSqlite(driver, { path, watch: async () => void (most = Math.max(most, process.memoryUsage().rss)) })
  expect(contentsOf(path)).toEqual(wanted)
  expect((most - before) / 1e6).toBeLessThan(150)
})

describe.skipIf(!canMount)('on a small disk', () => {
  const tags = { tags: ['full'] }
  function disk(kb: number): string {
    const folder = dirname(temporaryPath())
    if (!smallDiskAt(folder, kb)) throw new Error('no disk can be mounted here')
    onTestFinished(() => void unmount(folder))
    return join(folder, 'many.sqlite')
  }
  const size = (): number => Math.ceil(old.bytes.length / 1024)

  test('without room for a copy and the move nothing is written', tags, async () => {
    const path = many(disk(Math.ceil(size() * 2.2)))
    await expect(updateSqlite(driver, { path })).rejects.toMatchObject({
      code: 'database_full',
      message: expect.stringMatching(/needs \d+ MB of free disk, and \d+ MB are free; nothing was written$/),
      hint: expect.stringMatching(/^free \d+ MB on the disk of /),
    })
    expect(readFileSync(path).equals(old.bytes)).toBe(true)
    expect(readdirSync(dirname(path)).filter((name) => name.includes('.schema-'))).toEqual([])
  })

  test('with 1.3 times its size free it succeeds', tags, async () => {
    const path = many(disk(Math.ceil(size() * 2.32) + 200))
    await updateSqlite(driver, { path })
    expectWhole(path)
  })

  test('a disk that becomes full in the middle stops it; with room again it goes on', tags, async () => {
    const path = many(disk(size() * 3))
    const filler = join(dirname(path), 'filler')
    const watch: Watch = async () => {
      if (versionOf(path) < 1000 || existsSync(filler)) return
      const { bavail, bsize } = statfsSync(dirname(path))
      writeFileSync(filler, Buffer.alloc(bavail * bsize))
    }
    await expect(updateSqlite(driver, { path, watch })).rejects.toMatchObject({ code: 'database_full' })
    expect(versionOf(path)).toBe(1001 + moveAt)
    rmSync(filler)
    await updateSqlite(driver, { path })
    expectWhole(path)
  })
})

test('on a terminal a bar counts the records; Ctrl-C ends it and says how it goes on', { tags: ['full'] }, async () => {
  const box = sandbox()
  onTestFinished(box.remove)
  // Enough for some seconds: a bar comes after half of one.
  const large = oldOf(800)
  const path = many(join(box.folder, 'many.sqlite'), large)
  const stopped = shipxOn(box, ['stores', 'list', '--db', path])
  await stopped.shows(/Updating the database {2}[█░]+ {2}[\d,]+\/[\d,]+/)
  stopped.type('\x03')
  expect(await stopped.ended()).toBe(130)
  expect(stopped.screen()).toContain('nothing is lost, and the next command goes on')
  expect(versionOf(path)).toBe(1001 + moveAt)
  // A slow disk takes most of a minute.
  expect(await shipxOn(box, ['stores', 'list', '--db', path]).ended(120_000)).toBe(0)
  expectWhole(path, large)
})

/** Turns round the rows of the leaf of a table that has most of them. */
function disorder(path: string, table: string): void {
  const db = new driver(path)
  const leaf =
    "select pageno as page, ncell as rows from dbstat where name = ? and pagetype = 'leaf' order by rows desc"
  const { page, rows } = db.prepare(leaf).get(table) as Readonly<Record<'page' | 'rows', number>>
  const at = (page - 1) * (db.pragma('page_size', { simple: true }) as number) + 8
  db.close()
  const bytes = readFileSync(path)
  const places = Array.from({ length: rows }, (_, n) => bytes.readUInt16BE(at + 2 * n))
  for (const [n, place] of places.toReversed().entries()) bytes.writeUInt16BE(place, at + 2 * n)
  writeFileSync(path, bytes)
}

test.each(['shipments', 'returns'])('older %s out of order end a command, which says so', (table) => {
  const box = sandbox()
  onTestFinished(box.remove)
  const path = join(box.folder, 'damaged.sqlite')
  putOldFile(11, path)
  disorder(path, table)
  const before = readFileSync(path)
  const args = [shipx, 'stores', 'list', '--json', '--db', path]
  const { status, stderr } = spawnSync(process.execPath, args, { env: box.env, encoding: 'utf8', timeout: 30_000 })
  expect(status).toBe(1)
  expect(stderr).toContain(`"code":"database_corrupt","message":"${path} is damaged: the records of ${table}`)
  expect(readFileSync(path).equals(before)).toBe(true)
})
