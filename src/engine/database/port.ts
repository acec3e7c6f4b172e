// The storage port: what the engine needs from a database. It knows no driver and no table.
import sql, { empty, type Sql } from 'sql-template-tag'

/** A statement with its bound values, in both placeholder styles (`?` and `$1`). */
export interface Statement {
  readonly sql: string
  readonly text: string
  readonly values: readonly unknown[]
  /**
   * Further rows for an insert of one row that returns nothing. The insert ends in `… values (?, …)` and has only bound
   * values. A driver that reaches its database over a network sends all rows as one statement.
   */
  readonly more?: readonly (readonly unknown[])[]
  /**
   * The rows go in few statements to a database in this process too. For a table with a trigger that fills a search
   * index: SQLite writes that index out before each such statement.
   */
  readonly joined?: boolean
  /**
   * The table that it changes, and which of its values is the key there. The statement returns nothing and may wait for
   * the end of its work (`inPlaces`); an insert then has `more`, which may be empty.
   */
  readonly place?: readonly [table: string, value: number]
  /** The statement returns many rows of many columns. SQLite then hands them over in half the time. */
  readonly many?: boolean
  /**
   * Called with the arguments of each call of `each_row(…)` in the statement. Only for a database with `planning`; it
   * runs no statement itself.
   */
  readonly each?: EachRow
}

/** What is called for each row, with its values. */
export type EachRow = (values: readonly unknown[]) => void

/** A row as a driver returns it: text, numbers, bytes or null by column name. */
export type Row = Readonly<Record<string, unknown>>

/**
 * A piece of database work: a generator that yields statements and receives their rows. It cannot wait for anything
 * else, so no transaction stays open during something slow. The same code runs on a synchronous and on an asynchronous
 * driver (docs/inside/architecture.md).
 */
export type Work<T> = Generator<Statement, T, readonly Row[]>

/** The rows of one statement, inside a piece of work. */
export function* rows<R extends Row>(statement: Statement): Work<readonly R[]> {
  return (yield statement) as readonly R[]
}

/** The rows of a statement that returns many rows of many columns. */
export function* manyRows<R extends Row>({ sql, text, values }: Statement): Work<readonly R[]> {
  return (yield { sql, text, values, many: true }) as readonly R[]
}

/** The first row of one statement, or undefined. */
export function* row<R extends Row>(statement: Statement): Work<R | undefined> {
  return (yield* rows<R>(statement))[0]
}

/**
 * The `limit` of a statement that runs often. SQLite plans with the value of a bare bound limit, and prepares the
 * statement anew each time that it is bound (docs/inside/performance.md, P9).
 */
export const limitTo = (limit: number): Sql => sql`limit cast(${limit} as integer)`

/** A database. Both methods run the piece of work completely or not at all, and may run it again after a conflict. */
export interface Database {
  readonly dialect: Dialect
  /**
   * Runs work that only reads, on one unchanging view of the data. `single` means that the work is one statement, which
   * is such a view by itself. `page` means a page of a listing. A copy of the database may answer it if the copy has
   * everything that was written here.
   */
  readonly read: <T>(work: () => Work<T>, kind?: 'single' | 'page') => Promise<T>
  /** Runs work that may write, as one durable transaction that takes its lock at the start. */
  readonly write: <T>(work: () => Work<T>) => Promise<T>
  /**
   * A number that differs after every committed change, by any connection. Absent where finding it would cost more than
   * reading (docs/inside/architecture.md, Storage).
   */
  readonly changes?: () => number
  /**
   * Throws `unavailable` when a newer program has changed the schema while this one ran: where several serve, another
   * one can answer.
   */
  readonly current: () => Promise<void>
  readonly close: () => Promise<void>
}

/** The two kinds of listed record. */
export type RecordKind = 'shipment' | 'return'

/** What differs between databases apart from the driver; six members (docs/inside/architecture.md). */
export interface Dialect {
  /** How the engine chooses the plan of a query, for a database that does not plan well by itself. */
  readonly planning: Planning | undefined
  /**
   * What follows a `select` of rows that must stay unchanged until the transaction ends. `skip` leaves out rows that
   * another transaction has locked; `rows` locks only `r` of a join: whoever changes a record's text changes its row.
   * Empty where only one transaction writes at a time.
   */
  readonly locking: (strength: 'share' | 'update' | 'skip' | 'rows') => Sql
  /**
   * A statement that returns the `seq` of the account's records that contain every word (three characters or more).
   * `roughly` allows some more records, where that is faster.
   */
  readonly matching: (kind: RecordKind, account: number, words: readonly string[], roughly?: boolean) => Sql
  /**
   * A statement that says how the search index merges its parts: `late` before many records are written, and `usual`
   * after them in the same transaction. Absent where a database has no such choice.
   */
  readonly searchMerges?: (kind: RecordKind, when: 'late' | 'usual') => Sql
  /** A query of the names and whole numbers of a JSON object, as `name` and `number`. */
  readonly pairs: (json: string) => Sql
  /** Numbers (`seq`) for new records of an account, inside the running transaction. */
  readonly newSeqs: (kind: RecordKind, account: number) => Work<() => number>
}

/** What a database offers to the engine's planning. */
export interface Planning {
  /** Names the index to use. */
  readonly hint: (index: string) => Sql
  /** The condition of a walk through an account's records `r` in the order of their numbers. */
  readonly inAccount: (account: number) => Sql
  /** Roughly how many records of the kind the account has; cheap, and never part of an answer. */
  readonly roughCount: (kind: RecordKind, account: number) => Work<number>
  /** The condition of `count` records `r` that lie evenly among the account's `rough` ones. */
  readonly spread: (account: number, rough: number, count: number) => Sql
}

/**
 * The index that SQLite takes for a table. By itself it takes an account to have ten rows, and may walk all of them
 * where it could look some up.
 */
export const byIndex = ({ planning }: Pick<Dialect, 'planning'>, index: string): Sql => planning?.hint(index) ?? empty
