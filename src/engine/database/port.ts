// The storage port: what the engine asks of a database; knows no driver and no table.
import type { Sql } from 'sql-template-tag'

/** A statement with its bound values, in the two spellings of placeholders (`?` and `$1`). */
export interface Statement {
  readonly sql: string
  readonly text: string
  readonly values: readonly unknown[]
  /**
   * Further rows for an insert of one row (`… values (?, …)` at its end, bound values only) that returns nothing: a driver that must go over a
   * network for each statement sends them as one.
   */
  readonly more?: readonly (readonly unknown[])[]
}

/** A row as a driver gives it: text, numbers, bytes or null by column name. */
export type Row = Readonly<Record<string, unknown>>

/**
 * A piece of database work: a generator that yields statements and is handed their rows. It cannot wait for anything
 * else, so a transaction is never left open while something slow happens, and one text of it runs on a synchronous
 * driver and on an asynchronous one (docs/architecture.md).
 */
export type Work<T> = Generator<Statement, T, readonly Row[]>

/** The rows of one statement, inside a piece of work. */
export function* rows<R extends Row>(statement: Statement): Work<readonly R[]> {
  return (yield statement) as readonly R[]
}

/** The first row of one statement, or undefined. */
export function* row<R extends Row>(statement: Statement): Work<R | undefined> {
  return (yield* rows<R>(statement))[0]
}

/** A database. Both methods run the whole piece of work or nothing of it, and may run it again after a conflict. */
export interface Database {
  readonly dialect: Dialect
  /**
   * Runs work that only reads, on one unchanging view of the data. `single` says that the work is one statement, which is
   * such a view by itself; `page` that it is a page of a listing, which a copy of the database may answer as long as
   * that has everything that was written here.
   */
  readonly read: <T>(work: () => Work<T>, kind?: 'single' | 'page') => Promise<T>
  /** Runs work that may write, as one durable transaction that takes its lock at the start. */
  readonly write: <T>(work: () => Work<T>) => Promise<T>
  /**
   * A number that is another one after any committed change, by any connection; absent where it would cost more than
   * reading (docs/architecture.md, Storage).
   */
  readonly changes?: () => number
  readonly close: () => Promise<void>
}

/** The two kinds of listed record. */
export type RecordKind = 'shipment' | 'return'

/** What differs between databases beyond the driver; at most six members (docs/architecture.md). */
export interface Dialect {
  /** How the engine chooses the way through a question, where the database does not plan well by itself. */
  readonly planning: Planning | undefined
  /**
   * What follows a `select` of rows that must stay as they are until the transaction ends (`skip` leaves out those that
   * somebody else has); nothing where nobody else writes.
   */
  readonly locking: (strength: 'share' | 'update' | 'skip') => Sql
  /** Statement text whose rows are the `seq` of the account's records that hold every word (three characters or more). */
  readonly matching: (kind: RecordKind, account: number, words: readonly string[]) => Sql
  /** A source of `seq` for new records of an account inside the running transaction. */
  readonly newSeqs: (kind: RecordKind, account: number) => Work<() => number>
  /**
   * The attributes of a record `r` as JSON that has been read once: `->` and `->>` with a name look inside, in the same words
   * on every database. What is no text there (NUL, half a surrogate) may be another character.
   */
  readonly attributes: Sql
  /** What `->>` gives as a number; other deployments send amounts as text, and what is no amount is null. */
  readonly amount: (value: Sql) => Sql
}

/** What a database offers to whoever plans for it. */
export interface Planning {
  /** Names the index to use. */
  readonly hint: (index: string) => Sql
  /** About how many records of the kind the account has; cheap, and never used for an answer. */
  readonly roughCount: (kind: RecordKind, account: number) => Work<number>
}
