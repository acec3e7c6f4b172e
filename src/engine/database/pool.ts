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
  /** The most connections to each of primary and standby. */
  readonly connections?: number
  /** A random number from 0 up to 1. */
  readonly chance: () => number
  /** A clock in ms that always runs, even if the host's stands still. */
  readonly ticks: () => number
  /** Waits for some ms. */
  readonly sleep: (ms: number) => Promise<void>
  /** Whether the schema may be created or brought up to date. */
  readonly mayChange?: boolean
  /** Receives the progress of an update of the schema. */
  readonly watch?: Watch
}

/** Limits of every connection, ms (docs/inside/reliability.md). */
const limits = { statement_timeout: 15_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 10_000 }

/**
 * How long to wait for an answer, ms. The server ends every statement before that. A connection may take 15 minutes to
 * notice that the server is gone, so shipx stops waiting after this. A change of the schema may take longer.
 */
export const answerTimeouts = { usual: 20_000, schema: 3_660_000 }

/** How long a caller waits for a connection, and how long one attempt may take, ms. */
const connectTimeout = 10_000

/** Runs a statement that may take long. */
export const longQuery = <R extends Pg.QueryResultRow>(
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
 * Pauses between attempts to connect, ms: the first one, which doubles each time, and the longest for each kind.
 * Everything needs the primary, so its longest pause is short: shipx finds it soon after it is back.
 */
const backoff = { least: 50, primary: 4_000, standby: 32_000 }

/** How long an attempt to connect to a standby may take, ms: the primary can answer as well. */
const standbyTimeout = 1_000

/** The connections to one server. Throws `invalid_input` for an address that is not valid. */
export function poolOf(
  pg: PostgresDriver,
  url: string,
  { connections = 20, sleep, chance, ticks }: PostgresOpening,
  kind: 'primary' | 'standby',
): Pool {
  const config: Pg.PoolConfig = {
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: kind === 'primary' ? connectTimeout : standbyTimeout,
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
  const connect = async (): Promise<Pg.PoolClient> => {
    const until = ticks() + connectTimeout
    let last: unknown
    for (;;) {
      const wait = notBefore - ticks()
      if (kind === 'standby' && wait > 0) throw unavailable(undefined)
      if (wait > 0) await sleep(Math.min(wait, Math.max(0, until - ticks())))
      if (ticks() >= until) throw unavailable(last)
      try {
        const client = await pool.connect()
        failures = 0
        notBefore = 0
        return client
      } catch (error) {
        last = error
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
      const client = await connect()
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
