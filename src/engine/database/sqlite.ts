// SQLite behind the storage port.
import type { Connection, Driver, SqliteStatement } from './sqlitedriver.ts'
import QuickLRU from 'quick-lru'
import sql from 'sql-template-tag'
import { empty, join, raw } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { row, type Database, type Dialect, type RecordKind, type Row, type Statement, type Work } from './port.ts'
import { steps } from './migrations.ts'
import { identityOf } from './sqlitefile.ts'
import { addFunctions } from './sqlfunctions.ts'
import { guarded, translated } from './sqliteerrors.ts'
import { installation } from './nativeplace.ts'
import { createSchema, inspect, OlderSchema, pageSize, refuseNewer } from './sqliteschema.ts'
import { rowsByCalls } from './sqliterows.ts'
import { firstSeq, lastSeq } from './sqliteseq.ts'
import { leastSqlite, olderSqlite } from './sqliteversion.ts'
import { busyTimeout, isBusy, patiently, takingTurns } from './sqlitewait.ts'

/** How to open a database file. */
export interface Opening {
  readonly path: string
  /** Open read-only; the file must exist and have the current schema. */
  readonly readOnly?: boolean
  /** Page cache in KiB; bulk work asks for more. */
  readonly cacheKib?: number
  /** The size of the log before it is written into the file, in pages of 16 KB; bulk work asks for more. */
  readonly logPages?: number
}

const table = { shipment: 'shipments', return: 'returns' } as const satisfies Record<RecordKind, string>

function* highestSeq(kind: RecordKind, account: number): Work<number> {
  const found = yield* row<{ seq: number | null }>(
    sql`select max(seq) as seq from ${raw(table[kind])} where seq between ${firstSeq(account)} and ${lastSeq(account)}`,
  )
  return found?.seq ?? firstSeq(account) - 1
}

/**
 * FTS5 merges this many parts of one size into a larger one. With more it copies each text less often, and a search has
 * more parts to ask (docs/inside/performance.md, P7).
 */
const mergedParts = { late: 16, usual: 4 } as const

/** The dialect of SQLite: hints by INDEXED BY, search by FTS5 trigrams. */
export const sqliteDialect: Dialect = {
  planning: {
    hint: (index) => raw(` indexed by ${index}`),
    inAccount: (account) => sql`r.seq between ${firstSeq(account)} and ${lastSeq(account)}`,
    *roughCount(kind, account) {
      return (yield* highestSeq(kind, account)) - firstSeq(account) + 1
    },
    spread: (account, rough, count) => {
      const numbers = Array.from({ length: count }, (_, i) => firstSeq(account) + Math.floor((i * rough) / count))
      return sql`r.seq in (${join(numbers)})`
    },
  },
  // A transaction that may write locks the whole file.
  locking: () => empty,
  // With a limit, SQLite makes the rows once and an index of them.
  pairs: (json) => sql`select key as name, value as number from json_each(${json}) limit -1`,
  matching: (kind, account, words, roughly = false) => {
    const index = raw(`${kind}_fts`)
    const found = sql`${index} match ${matchText(words)}
      and ${index}.rowid between ${firstSeq(account)} and ${lastSeq(account)}`
    const longer = roughly ? [] : words.filter((word) => [...word].length > 3)
    if (longer.length === 0) return sql`select rowid as seq from ${index} where ${found}`
    // The index knows which records hold all runs of three characters, and not whether those make the word.
    const held = longer.map((word) => sql`instr(s.text, ${word}) > 0`)
    return sql`select s.seq from ${index} cross join ${raw(`${kind}_search`)} s on s.seq = ${index}.rowid
      where ${found} and s.account_id = ${account} and ${join(held, ' and ')}`
  },
  // FTS5 keeps this rule in the file. It first writes what it holds by the rule before. A rollback takes the rule back.
  searchMerges: (kind, when) => {
    const index = raw(`${kind}_fts`)
    return sql`insert into ${index} (${index}, rank) values ('automerge', cast(${mergedParts[when]} as integer))`
  },
  *newSeqs(kind, account) {
    let seq = yield* highestSeq(kind, account)
    return () => ++seq
  },
}

/** A search looks for this many runs of a word, if the word has as many. */
const leastRuns = 4

/**
 * Runs of three characters that cover words, as an FTS5 expression: each is quoted, so that none of its characters is
 * an operator. A further run costs as much as 300 looks at texts, and four leave a hundred records of a million; every
 * run of a long number takes twice as long.
 */
function matchText(words: readonly string[]): string {
  const runs = words.flatMap((word) => {
    const letters = [...word]
    const last = letters.length - 3
    const steps = Math.min(last, Math.max(leastRuns - 1, Math.ceil(last / 3)))
    const starts = Array.from({ length: steps + 1 }, (_, n) => Math.round((n * last) / Math.max(1, steps)))
    return starts.map((at) => letters.slice(at, at + 3).join(''))
  })
  return [...new Set(runs)].map((run) => `"${run.replaceAll('"', '""')}"`).join(' ')
}

/**
 * Opens a database file, and creates it. Throws `database_foreign`, `database_newer`, `database_corrupt`,
 * `database_read_only` or `database_locked`, and `OlderSchema`.
 */
export function openSqlite(driver: Driver, opening: Opening): Database {
  const { path, readOnly = false } = opening
  return guarded(path, () => {
    const db = openConnection(driver, opening)
    try {
      const known = inspect(db, path)
      if (known === 0 && !readOnly) createSchema(db, path)
      else if (known < steps.length) throw new OlderSchema(path)
      // From here on it waits as sqlitewait.ts does.
      db.pragma('busy_timeout = 0')
      return portOf(db, path)
    } catch (error) {
      db.close()
      throw error
    }
  })
}

/** A connection to a database of ours, whatever its schema, with every setting. Throws as `openSqlite`. */
export function openConnection(driver: Driver, opening: Opening): Connection {
  const { path, readOnly = false } = opening
  return guarded(path, () => {
    const before = identityOf(path)
    const db = new driver(path, { readonly: readOnly, fileMustExist: readOnly, timeout: busyTimeout })
    try {
      prepare(db, opening, () => refuseMoved(path, before))
      return db
    } catch (error) {
      db.close()
      throw error
    }
  })
}

/** Throws if another file has replaced the opened one: this connection's log would be written next to the new file. */
function refuseMoved(path: string, before: string | undefined): void {
  if (path === ':memory:' || before === undefined || identityOf(path) === before) return
  throw new ShipxError('database_locked', `${path} was replaced while it was being opened`, {
    hint: 'run the command again',
  })
}

function prepare(
  db: Connection,
  { path, readOnly = false, cacheKib = 16_000, logPages = 2_000 }: Opening,
  refuseIfMoved: () => void,
): void {
  const version = versionOf(db)
  if (olderSqlite(version)) {
    throw new ShipxError(
      'native_module',
      `SQLite ${version} is older than ${leastSqlite}, the first version that keeps shared databases safe`,
      {
        hint: installation(),
      },
    )
  }
  db.pragma('trusted_schema = OFF')
  addFunctions(db)
  db.pragma('cell_size_check = ON')
  db.pragma('mmap_size = 0')
  inspect(db, path)
  // SQLite counts the cache in pages, and those of a new file have 4 KB until their size is set.
  const cache = `cache_size = -${cacheKib}`
  if (readOnly) {
    db.pragma(cache)
    return refuseIfMoved()
  }
  db.pragma(`page_size = ${pageSize}`)
  enterWal(db)
  db.pragma(cache)
  // From here on this connection holds a lock that shows others that the file is in use.
  refuseIfMoved()
  db.pragma('synchronous = FULL')
  db.pragma(`wal_autocheckpoint = ${logPages}`)
  const [mode, level] = [db.pragma('journal_mode', { simple: true }), db.pragma('synchronous', { simple: true })]
  if ((mode !== 'wal' && mode !== 'memory') || level !== 2) {
    throw new ShipxError(
      'database_read_only',
      `${path} cannot be used durably (journal ${String(mode)}, synchronous ${String(level)})`,
    )
  }
}

// Switching to WAL needs the file alone for a moment, and does not wait by itself for another process that switches
// too.
function enterWal(db: Connection): void {
  for (let waited = 0; ; waited += walPause) {
    try {
      db.pragma('journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || waited >= busyTimeout) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, walPause)
    }
  }
}

/** The pause between two attempts to enter WAL, ms. */
const walPause = 20

const versionOf = (db: Connection): string => db.prepare('select sqlite_version()').pluck().get() as string

/** The version of SQLite in a module. */
export function sqliteVersion(driver: Driver): string {
  return guarded(':memory:', () => {
    const db = new driver(':memory:')
    try {
      return versionOf(db)
    } finally {
      db.close()
    }
  })
}

/**
 * How many prepared statements are kept, at times up to twice as many: listings have many texts, one for each length of
 * their lists.
 */
const keptStatements = 200

/** Rows in one statement at most. */
const mostJoined = 512

/** An insert of one row as an insert of several. */
const withRows = (text: string, count: number): string =>
  text + `, ${text.slice(text.lastIndexOf('values ') + 'values '.length)}`.repeat(count - 1)

/** Our own changes are counted up to this number. */
const ownRange = 2 ** 26

function portOf(db: Connection, path: string): Database {
  const prepared = new QuickLRU<string, SqliteStatement>({ maxSize: keptStatements })
  const statement = (text: string): SqliteStatement => {
    let found = prepared.get(text)
    if (found === undefined) {
      found = db.prepare(text)
      prepared.set(text, found)
    }
    return found
  }
  // As many rows at a time as a power of two: there are few lengths, so few statements to prepare and keep.
  const insertJoined = (text: string, lines: readonly (readonly unknown[])[]): void => {
    for (let [at, length] = [0, 0]; at < lines.length; at += length) {
      length = Math.min(mostJoined, 2 ** Math.floor(Math.log2(lines.length - at)))
      statement(withRows(text, length)).run(lines.slice(at, at + length).flatMap((line) => line.map(bind)))
    }
  }
  const { eachRow, manyRows } = rowsByCalls(db, statement)
  const run = ({ sql: text, values, more = [], joined, many, each }: Statement): readonly Row[] => {
    if (joined === true) {
      insertJoined(text, [values, ...more])
      return []
    }
    const bound = values.map(bind)
    if (each !== undefined) return eachRow(text, bound, each)
    if (many === true) return manyRows(text, bound)
    const found = statement(text)
    if (found.reader) return found.all(...bound) as Record<string, unknown>[]
    found.run(...bound)
    for (const others of more) found.run(...others.map(bind))
    return []
  }
  const drive = <T>(work: Work<T>): T => {
    let step = work.next()
    while (step.done !== true) {
      const { value } = step
      step = work.next(patiently(db, () => run(value)))
    }
    return step.value
  }
  const [begin, beginNow, commit, rollback] = ['begin', 'begin immediate', 'commit', 'rollback'].map((text) =>
    db.prepare(text),
  ) as [SqliteStatement, SqliteStatement, SqliteStatement, SqliteStatement]
  /** Runs work in the transaction that has begun. */
  const transaction = <T>(work: () => Work<T>): T => {
    try {
      const result = drive(work())
      commit.run()
      return result
    } catch (error) {
      if (db.inTransaction) rollback.run()
      throw error
    }
  }
  const locked = takingTurns(() => void beginNow.run())
  // SQLite counts the changes of other connections; `own` counts ours.
  const others = db.prepare('pragma data_version').pluck()
  let own = 0
  return {
    dialect: sqliteDialect,
    read: async (work, kind) =>
      guarded(path, () => {
        if (kind === 'single') return drive(work())
        begin.run()
        return transaction(work)
      }),
    write: async (work) => {
      try {
        return await locked(() => {
          own++
          return transaction(work)
        })
      } catch (error) {
        throw translated(path, error)
      }
    },
    changes: () => (patiently(db, () => others.get()) as number) * ownRange + (own % ownRange),
    current: async () => guarded(path, () => patiently(db, () => refuseNewer(db))),
    close: async () => {
      db.close()
    },
  }
}

/** A value as SQLite accepts it. Refuses values that SQLite would silently store as NULL. */
function bind(value: unknown): string | number | bigint | null | Uint8Array {
  if (typeof value === 'string' || typeof value === 'bigint' || value === null || value instanceof Uint8Array)
    return value
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new TypeError(`a ${typeof value === 'number' ? String(value) : typeof value} cannot be stored`)
}
