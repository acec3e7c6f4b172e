// Node's own SQLite (node:sqlite) as a driver: what better-sqlite3 gives the engine, by Node's names.
import { existsSync } from 'node:fs'
import { codeNamed } from './sqlitecodes.ts'
import { plainPath, type Connection, type Driver, type DriverOptions, type SqliteStatement } from './sqlitedriver.ts'

/** What is used of node:sqlite, from Node 22.16 on. */
export interface NodeSqlite {
  readonly DatabaseSync: new (
    path: string,
    options: { readonly readOnly: boolean; readonly timeout: number },
  ) => NodeDatabase
}

interface NodeDatabase {
  readonly isOpen: boolean
  readonly isTransaction: boolean
  prepare(text: string): NodeStatement
  exec(text: string): void
  function(
    name: string,
    options: { readonly deterministic: boolean; readonly varargs: boolean; readonly useBigIntArguments: boolean },
    work: (...values: readonly unknown[]) => unknown,
  ): void
  close(): void
}

interface NodeStatement {
  run(...values: readonly unknown[]): { readonly changes: number }
  get(...values: readonly unknown[]): unknown
  all(...values: readonly unknown[]): unknown[]
  iterate(...values: readonly unknown[]): IterableIterator<unknown>
  columns(): readonly { readonly name: string }[]
  setReturnArrays(on: boolean): void
  setReadBigInts(on: boolean): void
}

/** The driver over Node's module. */
export const nodeDriver = ({ DatabaseSync }: NodeSqlite): Driver =>
  class implements Connection {
    readonly #db: NodeDatabase

    constructor(path: string, { readonly = false, fileMustExist = false, timeout = 5000 }: DriverOptions = {}) {
      // Node cannot open a file for writing without making it.
      if (fileMustExist && !existsSync(path))
        throw Object.assign(new Error('unable to open database file'), { code: 'SQLITE_CANTOPEN' })
      this.#db = named(() => new DatabaseSync(plainPath(path), { readOnly: readonly, timeout }))
    }

    get inTransaction(): boolean {
      return this.#db.isTransaction
    }

    prepare(text: string): SqliteStatement {
      return statementOf(named(() => this.#db.prepare(text)))
    }

    exec(text: string): void {
      named(() => this.#db.exec(text))
    }

    pragma(text: string, { simple = false }: { readonly simple?: boolean } = {}): unknown {
      const asking = `pragma ${text}`
      const statement = this.prepare(asking)
      return simple ? statement.pluck().get() : statement.all()
    }

    // Node throws for whole numbers beyond 2^53 unless they come as bigints.
    function(
      name: string,
      { deterministic, varargs = false }: { readonly deterministic: boolean; readonly varargs?: boolean },
      work: (...values: readonly unknown[]) => unknown,
    ) {
      const options = { deterministic, varargs, useBigIntArguments: true }
      // Without `varargs`, Node takes the number of a function's own parameters.
      if (varargs) this.#db.function(name, options, (...values) => work(...values.map(plain)))
      else this.#db.function(name, options, (value) => work(plain(value)))
    }

    close(): void {
      if (this.#db.isOpen) named(() => this.#db.close())
    }
  }

const plain = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value)

function statementOf(statement: NodeStatement): SqliteStatement {
  let returnsRows: boolean | undefined
  let first = false
  const firstOf = (row: unknown): unknown => (row as readonly unknown[])[0]
  const made: SqliteStatement = {
    get reader() {
      return (returnsRows ??= statement.columns().length > 0)
    },
    run: (...values) => named(() => statement.run(...valuesIn(values))),
    get: (...values) => {
      const row = named(() => statement.get(...valuesIn(values)))
      return first && row !== undefined ? firstOf(row) : row
    },
    all: (...values) => {
      const rows = named(() => statement.all(...valuesIn(values)))
      return first ? rows.map(firstOf) : rows
    },
    *iterate(...values) {
      const rows = named(() => statement.iterate(...valuesIn(values)))
      try {
        for (let next = named(() => rows.next()); next.done !== true; next = named(() => rows.next()))
          yield first ? firstOf(next.value) : next.value
      } finally {
        rows.return?.()
      }
    },
    columns: () => statement.columns(),
    pluck: () => {
      first = true
      statement.setReturnArrays(true)
      return made
    },
    raw: (on = true) => {
      first = false
      statement.setReturnArrays(on)
      return made
    },
    safeIntegers: (on = true) => {
      statement.setReadBigInts(on)
      return made
    },
  }
  return made
}

/** The values of a call, which may come in one list. */
const valuesIn = (values: readonly unknown[]): readonly unknown[] =>
  values.length === 1 && Array.isArray(values[0]) ? (values[0] as readonly unknown[]) : values

/** Runs work of Node's module, and names the code of an error of SQLite. */
function named<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    const { errcode } = error as { readonly errcode?: unknown }
    throw typeof errcode === 'number' ? Object.assign(error as Error, { code: codeNamed(errcode) }) : error
  }
}
