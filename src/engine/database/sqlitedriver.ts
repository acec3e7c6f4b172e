// What the engine uses of a module for SQLite. better-sqlite3 has it as it is; nodesqlite.ts gives it to Node's own
// module. docs/inside/drivers.md says where the two differ.

/** How a file is opened. */
export interface DriverOptions {
  readonly readonly?: boolean
  /** Throws `SQLITE_CANTOPEN` where there is no file. */
  readonly fileMustExist?: boolean
  /** How long to wait for another process's lock, ms (5000). */
  readonly timeout?: number
}

/** Opens a connection. Every error of SQLite has its name as `code` (`SQLITE_BUSY`). */
export type Driver = new (path: string, options?: DriverOptions) => Connection

/** A connection to a file, or to a database in memory. */
export interface Connection {
  readonly inTransaction: boolean
  prepare(text: string): SqliteStatement
  /** Runs one statement after another, and drops their rows. */
  exec(text: string): unknown
  /** The rows of a pragma; `simple`: the first value alone. */
  pragma(text: string, options?: { readonly simple?: boolean }): unknown
  /** Adds a function of one value to SQL, or with `varargs` of any number. Whole numbers come as numbers. */
  function(
    name: string,
    options: { readonly deterministic: boolean; readonly varargs?: boolean },
    work: (...values: readonly unknown[]) => unknown,
  ): unknown
  close(): unknown
}

/** A prepared statement. It takes its values (text, numbers, null and bytes) in turn or in one list. */
export interface SqliteStatement {
  /** Whether it returns rows. */
  readonly reader: boolean
  /** Whether it changes nothing; undefined where the module does not say. */
  readonly readonly?: boolean
  run(...values: readonly unknown[]): { readonly changes: number }
  get(...values: readonly unknown[]): unknown
  all(...values: readonly unknown[]): unknown[]
  iterate(...values: readonly unknown[]): IterableIterator<unknown>
  columns(): readonly { readonly name: string }[]
  /** From now on a row is its first value. */
  pluck(): this
  /** From now on a row is a list of its values. */
  raw(on?: boolean): this
  /** From now on whole numbers are bigints. */
  safeIntegers(on?: boolean): this
}

/**
 * The page cache of a command that reads, KiB. It reads most pages once, and a small cache fits into the processor's
 * own. With 2,000 a walk takes a fifth longer: SQLite joins up to 2 MB of texts (docs/inside/slowmemory.md).
 */
export const readingCacheKib = 4_000

/**
 * A path that SQLite takes for a file whatever its name: Node's SQLite takes a name that starts with `file:` for an
 * address with options.
 */
export const plainPath = (path: string): string => (path.startsWith('file:') ? `./${path}` : path)
