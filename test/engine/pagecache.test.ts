// Defends the size of SQLite's page cache: what a writer asked for, in a new file as in one that was there.
import { rmSync, statSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import type { Connection, Driver } from '../../src/engine/database/sqlitedriver.ts'
import { temporaryPath } from '../support/engine.ts'
import { driver } from '../support/sqlite.ts'

/** How much of 6 MB that one transaction writes is in the log before its end: what the cache had no room for. */
async function spilled(path: string): Promise<number> {
  let connection: Connection | undefined
  const watched = function (file: string, options: ConstructorParameters<Driver>[1]) {
    return (connection = new driver(file, options))
  } as unknown as Driver
  const database = openSqlite(watched, { path, cacheKib: 2000 })
  try {
    const before = statSync(`${path}-wal`).size
    connection!.exec('begin immediate; create table filled (text)')
    connection!
      .prepare(
        'with recursive n(i) as (select 1 union all select i + 1 from n where i < 600) insert into filled select hex(randomblob(5000)) from n',
      )
      .run()
    const now = statSync(`${path}-wal`).size
    connection!.exec('rollback')
    return now - before
  } finally {
    await database.close()
  }
}

test('a new file had a page cache of four times the size that was asked for', async () => {
  const path = temporaryPath()
  onTestFinished(() => rmSync(path, { force: true }))
  const [fresh, there] = [await spilled(path), await spilled(path)]
  expect(fresh).toBeGreaterThan(3_500_000)
  expect(there).toBeGreaterThan(3_500_000)
})
