// What the engine takes for granted of a module for SQLite (src/engine/database/sqlitedriver.ts): the same of better-sqlite3
// and, with SHIPX_SQLITE=node, of Node's own.
import { existsSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { temporaryPath } from '../support/engine.ts'
import { driver } from '../support/sqlite.ts'

/** The code of the error that work throws. */
function codeOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return (error as { readonly code?: unknown }).code
  }
  return 'no error'
}

describe('an error has the name of its code', () => {
  test('where there is no file to open', () => {
    const path = temporaryPath()
    expect(codeOf(() => new driver(path, { fileMustExist: true }))).toBe('SQLITE_CANTOPEN')
    expect(codeOf(() => new driver(path, { readonly: true, fileMustExist: true }))).toBe('SQLITE_CANTOPEN')
    expect(existsSync(path)).toBe(false)
  })

  test('in a file that is no database, a read-only one, a locked one, and one with the row already', () => {
    const [path, odd] = [temporaryPath(), temporaryPath('odd.sqlite')]
    writeFileSync(odd, 'hello '.repeat(1000))
    const [db, other, reading] = [new driver(path), new driver(path, { timeout: 0 }), new driver(odd)]
    db.exec('create table t (a unique); insert into t values (1)')
    const readOnly = new driver(path, { readonly: true })
    expect([
      codeOf(() => reading.pragma('user_version')),
      codeOf(() => readOnly.exec('delete from t')),
      codeOf(() => db.prepare('insert into t values (?)').run(1)),
      codeOf(() => db.prepare('select b from t')),
    ]).toEqual(['SQLITE_NOTADB', 'SQLITE_READONLY', 'SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_ERROR'])
    db.exec('begin immediate')
    expect([db.inTransaction, codeOf(() => other.exec('begin immediate')), other.inTransaction]).toEqual([
      true,
      'SQLITE_BUSY',
      false,
    ])
    for (const one of [db, other, reading, readOnly]) one.close()
  })
})

test('rows are objects, lists or first values, and whole numbers come as bigints where that is asked for', () => {
  const db = new driver(':memory:')
  const rows = db.prepare('select ? as a, 2 as a')
  expect([rows.reader, rows.columns().map(({ name }) => name), rows.all('x')]).toEqual([true, ['a', 'a'], [{ a: 2 }]])
  expect([...rows.raw(true).safeIntegers(true).iterate(['x'])]).toEqual([['x', 2n]])
  const first = db.prepare("select 'y' as b, 1 as c where ?").pluck()
  expect([first.get(1), first.all(1), first.get(0)]).toEqual(['y', ['y'], undefined])
  expect([db.pragma('user_version', { simple: true }), db.pragma('user_version')]).toEqual([0, [{ user_version: 0 }]])
  db.exec('create table t (a)')
  const adding = db.prepare('insert into t values (?), (?)')
  expect([adding.reader, adding.run([1, null]).changes]).toEqual([false, 2])
  db.close()
  db.close()
})

test('a function of SQL gets a whole number beyond 2^53 as the nearest number', () => {
  const db = new driver(':memory:')
  db.function('seen', { deterministic: true }, (value) => `${typeof value} ${String(value)}`)
  const rows = db.prepare("select seen(1152921504606846976), seen(1.5), seen('x'), seen(null)").raw(true)
  expect(rows.get()).toEqual(['number 1152921504606847000', 'number 1.5', 'string x', 'object null'])
  db.close()
})

test('a function of any number of values gets those of each row', () => {
  const db = new driver(':memory:')
  const told: (readonly unknown[])[] = []
  db.function('tell', { deterministic: false, varargs: true }, (...values) => {
    told.push(values)
    return null
  })
  const text = "select count(tell(a, b)) from (select 1 as a, 'x' as b union all select null, 2.5 limit 2)"
  expect([db.prepare(text).pluck().get(), told]).toEqual([
    0,
    [
      [1, 'x'],
      [null, 2.5],
    ],
  ])
  db.prepare('select tell()').get()
  expect(told.at(-1)).toEqual([])
  db.close()
})

test('rows that are no longer asked for hold nothing back', () => {
  const db = new driver(':memory:')
  db.exec('create table t (a); insert into t values (1), (2)')
  for (const row of db.prepare('select a from t').iterate()) {
    expect(row).toEqual({ a: 1 })
    break
  }
  db.exec('drop table t')
  db.close()
})

test('a name that starts with file: is that of a file, and no address with options', () => {
  const folder = dirname(temporaryPath())
  const before = process.cwd()
  process.chdir(folder)
  try {
    new driver('file:x.sqlite?mode=memory').exec('create table t (a)')
    expect(existsSync(join(folder, 'file:x.sqlite?mode=memory'))).toBe(true)
  } finally {
    process.chdir(before)
  }
})
