// What the PostgreSQL servers of tests offer, and how one is started.
import pg from 'pg'

/** How a server of its own is started. */
export interface PostgresOptions {
  /** Whether a commit must outlive the machine; otherwise it outlives the server only, which is faster. */
  readonly durable?: boolean
  /** Further arguments of `postgres`, as `-c`, `wal_level=logical`. */
  readonly flags?: readonly string[]
  /** Its port; otherwise a free one. */
  readonly port?: number
  /** An existing folder to make the server's own one in, which is removed with the server; otherwise the temporary one. */
  readonly folder?: string
}

/** A server that listens on 127.0.0.1 only and asks for the password that its addresses hold. */
export interface PostgresServer {
  readonly port: number
  readonly dataFolder: string
  /** The address of one of its databases, for the superuser. */
  readonly url: (database?: string) => string
  /** Makes a database, as a copy of a template, and answers with its address. */
  readonly createDatabase: (name?: string, template?: string) => Promise<string>
  /** Removes a database, if it is there, and ends its connections. */
  readonly dropDatabase: (name: string) => Promise<void>
  /** Asks on a connection of its own. */
  readonly query: <R extends pg.QueryResultRow>(
    sql: string,
    values?: readonly unknown[],
    database?: string,
  ) => Promise<R[]>
  /** Stops it: `fast` rolls back what runs and writes everything, `immediate` leaves the rest to the next start. */
  readonly stop: (mode?: 'fast' | 'immediate') => Promise<void>
  /** Starts it again on the same port. */
  readonly start: () => Promise<void>
  /** Ends the connections to a database and says how many there were. */
  readonly killBackends: (database: string) => Promise<number>
  /** Kills the server and all its processes as `kill -9` does. */
  readonly kill: () => Promise<void>
  /** Starts a streaming hot standby of it, which is closed with it. */
  readonly standby: () => Promise<PostgresStandby>
  /** The end of its log. */
  readonly log: () => string
  /** Ends it and removes everything it made. */
  readonly close: () => Promise<void>
}

/** A server that follows another one and answers reads. */
export interface PostgresStandby extends PostgresServer {
  /** Stops and goes on showing what arrives. */
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  /** Waits until it shows everything that the primary has committed so far. */
  readonly caughtUp: () => Promise<void>
}
