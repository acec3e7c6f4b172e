// Connections to PostgreSQL: how many, how long callers wait for one, and when one is dropped.
import type Pg from 'pg'
import { ShipxError } from '../../domain/errors.ts'
import { codeOf, isLost, translated, unavailable } from './errors.ts'
import type { Watch } from './migrations.ts'

/** node-postgres, loaded only to open a database. */
export type PostgresDriver = typeof Pg

/** The options for opening a database. */
export interface PostgresOpening {
  /** `postgres://user@host/name`, with any option that node-postgres accepts. */
  readonly url: string
  /** A hot standby that may answer listings. Until it has what this process wrote, listings read from the primary. */
  readonly readUrl?: string
  /** Partitions of a new schema; 0 for none. */
  readonly partitions?: number
  /** Connections at most, to the primary and to the standby each. */
  readonly connections?: number
  /** A random number from 0 up to 1, a clock in ms that always runs (even if the host's stands still), and a pause. */
  readonly chance: () => number
  readonly ticks: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Whether the schema may be created or brought up to date. */
  readonly mayChange?: boolean
  /** What is told while the schema is brought up to date. */
  readonly watch?: Watch
}

/** Limits of every connection, ms (docs/inside/reliability.md). */
const limits = { statement_timeout: 15_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 10_000 }

/**
 * How long to wait for an answer, ms. The server ends every statement before that, unless the server is gone, which a
 * connection may not notice for a quarter of an hour. A change of the schema may take longer.
 */
export const answerTimeouts = { usual: 20_000, schema: 3_660_000 }

/** How long a piece of work waits for a connection, ms. */
const patience = 10_000

/** Runs a statement that may take long. */
export const long = <R extends Pg.QueryResultRow>(
  client: Pg.ClientBase,
  text: string,
  values: readonly unknown[] = [],
): Promise<Pg.QueryResult<R>> =>
  client.query({
    text,
    ...(values.length === 0 ? {} : { values: [...values] }),
    query_timeout: answerTimeouts.schema,
  } as Pg.QueryConfig)

/** A pool whose callers wait a limited time for a connection. */
export interface Pool {
  /** Runs work on a connection. After an error that leaves its state unknown, the connection is closed. */
  readonly use: <T>(work: (client: Pg.PoolClient) => Promise<T>) => Promise<T>
  readonly end: () => Promise<void>
}

/**
 * The pause between two attempts to connect, ms, doubled each time up to this limit. Everything needs the primary, so
 * its limit is short and finds it soon after it is back.
 */
const backoff = { least: 50, primary: 4_000, standby: 32_000 }

/** How long a connection to a standby may take, ms: the primary can answer as well. */
const standbyPatience = 1_000

export function poolOf(
  pg: PostgresDriver,
  url: string,
  { connections = 20, sleep, chance, ticks }: PostgresOpening,
  kind: 'primary' | 'standby',
): Pool {
  const config: Pg.PoolConfig = {
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: kind === 'primary' ? patience : standbyPatience,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: 'shipx',
    ...limits,
    query_timeout: answerTimeouts.usual,
    types: {
      // Counts and row values fit a double: they are ms, paise, milligrams and row numbers.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  }
  let pool: Pg.Pool
  try {
    pool = new pg.Pool(config)
  } catch (error) {
    throw new ShipxError('invalid_input', 'the address of the database is not valid', { cause: error })
  }
  // An idle connection that breaks is not an error of any caller.
  pool.on('error', () => undefined)
  let [failures, notBefore] = [0, 0]
  /** Returns a connection. While the database is away, the attempts get rarer, for all waiting callers together. */
  const connected = async (): Promise<Pg.PoolClient> => {
    const until = ticks() + patience
    for (;;) {
      const wait = notBefore - ticks()
      if (kind === 'standby' && wait > 0) throw unavailable(undefined)
      if (wait > 0) await sleep(Math.min(wait, Math.max(0, until - ticks())))
      if (ticks() >= until) throw unavailable(undefined)
      try {
        const client = await pool.connect()
        failures = 0
        notBefore = 0
        return client
      } catch (error) {
        const full = /timeout exceeded when trying to connect/.test(String((error as Error).message))
        if (full || (!isLost(error) && codeOf(error) !== '53300')) throw full ? unavailable(error) : translated(error)
        if (ticks() >= notBefore) {
          const pause = Math.min(backoff[kind], backoff.least * 2 ** failures++)
          notBefore = ticks() + pause * (0.5 + chance() / 2)
        }
      }
    }
  }
  return {
    use: async (work) => {
      const client = await connected()
      let broken: Error | undefined
      // Without this listener, a connection that breaks between two statements would end the process.
      const lost = (error: Error): void => {
        broken = error
      }
      client.on('error', lost)
      try {
        return await work(client)
      } catch (error) {
        if (isLost(error) || !(error instanceof ShipxError || codeOf(error) !== '')) broken ??= error as Error
        throw error
      } finally {
        client.removeListener('error', lost)
        client.release(broken)
      }
    },
    end: () => pool.end(),
  }
}
