// PostgreSQL behind the storage port (node-postgres): connections, transactions that are run again after a conflict, and
// commits whose outcome was lost; knows nothing of what is in the tables.
import type Pg from 'pg'
import sql, { join, raw } from 'sql-template-tag'
import { ShipxError } from '../domain/errors.ts'
import type { Database, Dialect, RecordKind, Statement, Work } from './database.ts'
import { postgresStep, steps } from './migrations.ts'

/** node-postgres, loaded by whoever opens a database so that nothing else pays for it. */
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
 * How long an answer is waited for, ms: the server has ended every statement before that, unless nobody is there any more,
 * which a connection may not tell for a quarter of an hour. A change of the schema may take longer.
 */
const silence = { usual: 20_000, schema: 3_660_000 }

/** How long a piece of work waits for a connection, ms, and how often it is run again after a conflict. */
const patience = 10_000
const mostTries = 5

/** Conflicts that running the whole transaction again may settle (docs/scaling.md). */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '23505'])

/** A connection that is lost or was never there. */
const isLost = (error: unknown): boolean => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return (
    (typeof code === 'string' && /^(?:08(?!P01)|25006|57P0[1235]|25P0[34]|ECONN|EPIPE|ENOENT|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|EAI_AGAIN)/.test(code)) ||
    (typeof message === 'string' && /Connection terminated|connection timeout|Query read timeout|not queryable|connection error|Client was closed/i.test(message)) // prettier-ignore
  )
}

const codeOf = (error: unknown): string => String((error as { readonly code?: unknown } | undefined)?.code ?? '')

const unavailable = (cause: unknown): ShipxError =>
  new ShipxError('unavailable', 'the database cannot be reached or is too busy', { retry_after_ms: 1000, cause })

const unknownOutcome = (cause: unknown): ShipxError =>
  new ShipxError('unknown_outcome', 'the database does not tell whether the change was made', { retry_after_ms: 1000, cause }) // prettier-ignore

/** What our own tables are named by in the search. */
const searchTable = { shipment: 'shipment_search', return: 'return_search' } as const satisfies Record<
  RecordKind,
  string
>

/** The first `seq` of a transaction: the ms since 2024 and 13 bits of chance, so that nobody has to be asked for it. */
const seqEpoch = Date.UTC(2024, 0, 1)
const seqChance = 8192

/** PostgreSQL as a dialect: no hints, search by pg_trgm, row locks, numbers that the application makes. */
export function postgresDialect({ chance, ticks }: Pick<PostgresOpening, 'chance' | 'ticks'>): Dialect {
  return {
    hint: undefined,
    locking: (strength) =>
      raw({ share: ' for share', update: ' for update', skip: ' for update skip locked' }[strength]),
    matching: (kind, account, words) => {
      const holds = words.map((word) => sql`m.text like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`)
      return sql`select m.seq from ${raw(searchTable[kind])} m where m.account_id = ${account} and ${join(holds, ' and ')}`
    },
    // oxlint-disable-next-line require-yield -- nobody has to be asked
    *newSeqs() {
      let seq = (ticks() - seqEpoch) * seqChance + Math.floor(chance() * seqChance)
      return () => ++seq
    },
    // oxlint-disable-next-line require-yield -- never asked: only hints need it
    *roughCount() {
      return 0
    },
  }
}

/**
 * Opens a database and makes or brings up to date its schema, where that may be. Throws `database_newer`,
 * `database_foreign`, `invalid_input` for an address that is none, or `unavailable`.
 */
export async function openPostgres(pg: PostgresDriver, opening: PostgresOpening): Promise<Database> {
  const primary = poolOf(pg, opening.url, opening, 'primary')
  const standby = opening.readUrl === undefined ? undefined : poolOf(pg, opening.readUrl, opening, 'standby')
  try {
    await primary.use((client) => prepare(client, opening))
    return portOf(primary, standby, opening)
  } catch (error) {
    await Promise.all([primary.end(), standby?.end()])
    throw codeOf(error) === '55P03' || isLost(error) ? unavailable(error) : translated(error)
  }
}

/* ---- Connections ---- */

/** A pool that waits, and gives up in time. */
interface Pool {
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

function poolOf(
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

/* ---- The schema ---- */

/** One process changes the schema at a time; the number is "shpx". */
const schemaLock = 0x73687078

async function prepare(client: Pg.PoolClient, opening: PostgresOpening): Promise<void> {
  const known = await schemaOf(client)
  if (known === steps.length) return
  if (known > steps.length) throw newer(known)
  if (opening.mayChange === false)
    throw new ShipxError('database_read_only', `the database has schema ${known}; this shipx needs ${steps.length}`, {
      hint: 'run a command that may change it, such as shipx local init',
    })
  await migratePostgres(client, opening.partitions ?? 0)
}

const newer = (known: number): ShipxError =>
  new ShipxError('database_newer', `the database has schema ${known}; this shipx knows up to ${steps.length}`, {
    hint: 'npm install -g shipx@latest',
  })

/** The step that a database is at; 0 for one without our tables. Throws `database_foreign` where others have theirs. */
async function schemaOf(client: Pg.ClientBase): Promise<number> {
  const found = await client.query<{ ours: boolean; others: number }>(
    `select to_regclass('shipx_schema') is not null as ours,
       (select count(*) from pg_tables where schemaname = current_schema())::int as others`,
  )
  const { ours, others } = found.rows[0]!
  if (!ours && others > 0)
    throw new ShipxError('database_foreign', 'the database holds tables of another program', {
      hint: 'name an empty database',
    })
  if (!ours) return 0
  return (await client.query<{ version: number }>('select version from shipx_schema')).rows[0]!.version
}

/** A statement that may take long. */
const long = (client: Pg.ClientBase, text: string): Promise<unknown> =>
  client.query({ text, query_timeout: silence.schema } as Pg.QueryConfig)

/** Makes the schema or brings it up to date, in one transaction and under a lock that all replicas know. */
export async function migratePostgres(client: Pg.ClientBase, partitions: number): Promise<void> {
  await client.query('begin')
  try {
    await client.query(`set local lock_timeout = '60s'; set local statement_timeout = '1h'`)
    await long(client, `select pg_advisory_xact_lock(${schemaLock})`)
    // Another process may have done it while this one waited.
    const known = await schemaOf(client)
    if (known > steps.length) throw newer(known)
    let spread = partitions
    if (known === 0) {
      await long(client, 'create extension if not exists pg_trgm; create extension if not exists btree_gin')
      // Without letters beyond ASCII the search index holds nothing of a name in Devanagari or Tamil.
      const letters = await client.query<{ known: boolean }>(`select cardinality(show_trgm('मोबाइल')) > 0 as known`)
      if (letters.rows[0]?.known !== true)
        throw new ShipxError(
          'database_foreign',
          'the database knows no letters beyond ASCII, and could not search them',
          {
            hint: "create database … template template0 encoding 'UTF8' lc_ctype 'C.UTF-8' lc_collate 'C.UTF-8'",
          },
        )
      await client.query(`create table shipx_schema (version bigint not null, partitions bigint not null)`)
      await client.query('insert into shipx_schema (version, partitions) values (0, $1)', [partitions])
    } else
      spread = (await client.query<{ partitions: number }>('select partitions from shipx_schema')).rows[0]!.partitions
    for (const step of steps.slice(known)) await long(client, postgresStep(step, Number(spread)))
    await client.query('update shipx_schema set version = $1', [steps.length])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => undefined)
    throw error
  }
}

/* ---- Transactions ---- */

/** Values as PostgreSQL takes them: text of it holds no NUL, for which a character that is none stands. */
const bound = (values: readonly unknown[]): unknown[] =>
  values.map((value) => {
    if (value instanceof Uint8Array && !Buffer.isBuffer(value)) return Buffer.from(value)
    return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uffff') : value
  })

/** Values in one statement at most: the protocol counts them with 16 bits. */
const mostValues = 60_000

async function run(
  client: Pg.PoolClient,
  { text, values, more = [] }: Statement,
): Promise<readonly Record<string, unknown>[]> {
  if (more.length === 0) return (await client.query<Record<string, unknown>>(text, bound(values))).rows
  const all = [values, ...more]
  const width = values.length
  const step = Math.max(1, Math.floor(mostValues / width))
  const head = text.slice(0, text.lastIndexOf('values'))
  for (let at = 0; at < all.length; at += step) {
    const part = all.slice(at, at + step)
    const marks = part.map(
      (_, i) => `(${Array.from({ length: width }, (__, n) => `$${i * width + n + 1}`).join(', ')})`,
    )
    await client.query(`${head}values ${marks.join(', ')}`, part.flatMap(bound))
  }
  return []
}

/** Several statements in one message, with the answer to each. */
const several = async <R extends Pg.QueryResultRow>(
  client: Pg.PoolClient,
  text: string,
): Promise<Pg.QueryResult<R>[]> => (await client.query(text)) as unknown as Pg.QueryResult<R>[]

async function drive<T>(client: Pg.PoolClient, work: Work<T>): Promise<T> {
  let step = work.next()
  while (step.done !== true) {
    let found: readonly Record<string, unknown>[]
    try {
      found = await run(client, step.value)
    } catch (error) {
      work.return(undefined as T)
      throw error
    }
    step = work.next(found)
  }
  return step.value
}

/** What a transaction is known by: its number, when it began, and the server's line of history. */
interface Mark {
  readonly xid: string
  readonly at: string
  readonly line: string
}

const history = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

/** Work that was done and whose commit got no answer: its mark tells later what became of it. */
class LostCommit extends Error {
  readonly mark: Mark
  readonly value: unknown
  constructor(mark: Mark, value: unknown, cause: unknown) {
    super('the connection was lost while committing', { cause })
    this.mark = mark
    this.value = value
  }
}

/** A place in the log (`16/B374D848`) as a number that can be compared. */
const placeOf = (lsn: string): bigint => {
  const [high, low] = lsn.split('/') as [string, string]
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

function portOf(primary: Pool, standby: Pool | undefined, opening: PostgresOpening): Database {
  const { sleep, chance } = opening
  const dialect = postgresDialect(opening)
  /** How far the log was when this process last wrote: a standby that is behind it may not answer. */
  let written: string | undefined
  const wrote = (at: string): void => {
    if (written === undefined || placeOf(at) > placeOf(written)) written = at
  }

  const again = async <T>(attempt: () => Promise<T>): Promise<T> => {
    for (let n = 1; ; n++) {
      try {
        return await attempt()
      } catch (error) {
        if (error instanceof ShipxError) throw error
        const repeatable = conflicts.has(codeOf(error)) || isLost(error)
        if (!repeatable || n >= mostTries) throw repeatable ? unavailable(error) : translated(error)
        await sleep(20 * 2 ** n * (0.5 + chance() / 2))
      }
    }
  }

  const reading = async <T>(pool: Pool, work: () => Work<T>, single: boolean): Promise<T> =>
    pool.use(async (client) => {
      if (single) return drive(client, work())
      await client.query('begin isolation level repeatable read read only')
      try {
        const value = await drive(client, work())
        await client.query('commit')
        return value
      } catch (error) {
        if (!isLost(error)) await client.query('rollback').catch(() => undefined)
        throw error
      }
    })

  // One view for all of it: else an order could be found as made by somebody whose idempotency key was not yet there.
  const writing = async <T>(work: () => Work<T>): Promise<T> =>
    primary.use(async (client) => {
      let mark: Mark
      let value: T
      try {
        const begun = await several<Mark>(client, `begin isolation level repeatable read; select pg_current_xact_id()::text as xid, now()::text as at, ${history} as line`) // prettier-ignore
        mark = begun[1]!.rows[0]!
        value = await drive(client, work())
      } catch (error) {
        if (!isLost(error)) await client.query('rollback').catch(() => undefined)
        throw error
      }
      try {
        // In one message: when the place is not told, the commit is as good as lost.
        const ended = await several<{ at: string }>(client, `commit; select ${standby === undefined ? "'0/0'" : 'pg_current_wal_insert_lsn()::text'} as at`) // prettier-ignore
        wrote(ended[1]!.rows[0]!.at)
      } catch (error) {
        throw isLost(error) ? new LostCommit(mark, value, error) : error
      }
      return value
    })

  /**
   * What became of a commit that got no answer. What was not yet in the log when a server crashed is gone, and its number
   * is given to another transaction: "committed" is then `doubtful`, while "aborted" is always true.
   */
  const settle = async (lost: LostCommit): Promise<'committed' | 'aborted' | 'doubtful'> => {
    const { xid, at, line } = lost.mark
    for (let n = 0; n < 150; n++) {
      const [status, same, place] = await again(() =>
        primary.use(async (client) => {
          const found = await client.query<{ status: string | null; same: boolean; place: string }>(
            `select pg_xact_status($1::xid8) as status, pg_current_wal_insert_lsn()::text as place, ${history} = $3
               and greatest(pg_postmaster_start_time(), (select stats_reset from pg_stat_bgwriter)) < $2::timestamptz as same`,
            [xid, at, line],
          )
          const { status, same, place } = found.rows[0]!
          return [status, same, place] as const
        }),
      ).catch((error: unknown) => {
        // A number that is still to be given: the server has forgotten that it gave it.
        if (codeOf(error) === '22023') return ['aborted', false, '0/0'] as const
        throw unknownOutcome(error)
      })
      wrote(place)
      if (status === 'aborted') return status
      if (status === 'committed') return same ? status : 'doubtful'
      if (status === null) break
      // The server has not noticed yet that nobody is there any more.
      await sleep(100)
    }
    throw unknownOutcome(lost)
  }

  const behind = async (): Promise<boolean> => {
    if (standby === undefined) return true
    if (written === undefined) return false
    const at = written
    try {
      return await standby.use(async (client) => {
        const found = await client.query<{ there: boolean | null }>('select pg_last_wal_replay_lsn() >= $1::pg_lsn as there', [at]) // prettier-ignore
        return found.rows[0]!.there !== true
      })
    } catch {
      return true
    }
  }

  return {
    dialect,
    read: async (work, kind) => {
      // A page is one statement here, and nothing but a page may be told by a standby: a key may have been revoked.
      const single = kind !== undefined
      if (standby !== undefined && kind === 'page' && !(await behind())) {
        try {
          return await reading(standby, work, single)
        } catch (error) {
          if (error instanceof ShipxError && error.code !== 'unavailable') throw error
          // The primary can answer everything that a standby can.
        }
      }
      return again(() => reading(primary, work, single))
    },
    write: (work) => {
      let doubtful = false
      return again(async () => {
        try {
          return await writing(work)
        } catch (error) {
          // What refuses the work now may be that it was done before.
          if (doubtful && error instanceof ShipxError) throw unknownOutcome(error)
          if (!(error instanceof LostCommit)) throw error
          const outcome = await settle(error)
          if (outcome === 'committed') return error.value as never
          doubtful ||= outcome === 'doubtful'
          throw Object.assign(new Error('the transaction was undone', { cause: error }), { code: '40001' })
        }
      })
    },
    close: async () => {
      await Promise.all([primary.end(), standby?.end()])
    },
  }
}

/** An error of the database as ours; what it says of tables and addresses stays in the cause. */
function translated(error: unknown): unknown {
  const code = codeOf(error)
  if (code === '28P01' || code === '28000' || code === '3D000' || code === 'ENOTFOUND')
    return new ShipxError('database_foreign', `the database refuses the connection (${code === '3D000' ? 'there is no such database' : code === 'ENOTFOUND' ? 'there is no such host' : 'user or password'})`, { cause: error }) // prettier-ignore
  if (code === '57014') return new ShipxError('unavailable', 'the question took the database too long', { retry_after_ms: 1000, cause: error }) // prettier-ignore
  if (code === '53100' || code === '53200') return new ShipxError('database_full', 'the database has no room left', { cause: error }) // prettier-ignore
  if (code === '25006') return new ShipxError('database_read_only', 'the database can only be read', { cause: error })
  if (code === '42501') return new ShipxError('database_read_only', 'the database does not let this user do that', { hint: 'make the user the owner of the database (docs/scaling.md)', cause: error }) // prettier-ignore
  if (code === '54000') return new ShipxError('invalid_file', 'a value is too long to be found by', { cause: error })
  return error
}
