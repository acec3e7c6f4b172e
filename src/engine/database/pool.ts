// Connections to PostgreSQL: how many, how long they are waited for, and when one is given up.
import type Pg from 'pg'
import { ShipxError } from '../../domain/errors.ts'
import { codeOf, isLost, translated, unavailable } from './errors.ts'

/** node-postgres, loaded only where a database is opened. */
export type PostgresDriver = typeof Pg

/** What a database is opened with. */
export interface PostgresOpening {
  /** `postgres://user@host/name`; whatever else node-postgres takes in it. */
  readonly url: string
  /** A hot standby that may answer listings; what this process wrote is read from the primary until the standby has it. */
  readonly readUrl?: string
  /** Partitions of a schema that is made now; 0 for none. */
  readonly partitions?: number
  /** Connections at most, for each of the two. */
  readonly connections?: number
  /** Chance from 0 up to 1, ms of a clock that goes on (also where the host's stands still), and a pause. */
  readonly chance: () => number
  readonly ticks: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** Whether the schema may be made or brought up to date. */
  readonly mayChange?: boolean
}

/** Limits of every connection, ms (docs/reliability.md). */
const limits = { statement_timeout: 15_000, lock_timeout: 5_000, idle_in_transaction_session_timeout: 10_000 }

/**
 * How long to wait for an answer, ms: the server has ended every statement before that, unless it is gone,
 * which a connection may not tell for a quarter of an hour. A change of the schema may take longer.
 */
export const silence = { usual: 20_000, schema: 3_660_000 }

/** How long a piece of work waits for a connection, ms. */
const patience = 10_000

/** A pool that waits, and gives up in time. */
export interface Pool {
  /** Runs work on a connection; one that fails in a way that leaves it unsure is thrown away. */
  readonly use: <T>(work: (client: Pg.PoolClient) => Promise<T>) => Promise<T>
  readonly end: () => Promise<void>
}

/**
 * Between two tries to connect, ms: doubled each time. For the primary, without which nothing goes on, they end at what
 * still finds it soon after it is back.
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
    query_timeout: silence.usual,
    types: {
      // Counts and numbers fit a double: they are ms, paise, milligrams and row numbers.
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === 20 ? Number : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  }
  let pool: Pg.Pool
  try {
    pool = new pg.Pool(config)
  } catch (error) {
    throw new ShipxError('invalid_input', 'the address of the database cannot be read', { cause: error })
  }
  // A connection that breaks while nobody uses it is not an error of anybody.
  pool.on('error', () => undefined)
  let [failures, notBefore] = [0, 0]
  /** A connection; while the database is away, tries are further and further apart, for all who wait together. */
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
      // Else a connection that breaks between two statements would end the process.
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
