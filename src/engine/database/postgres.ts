// PostgreSQL behind the storage port (node-postgres). Runs transactions again after a conflict, and finds out the
// outcome of commits that got no answer.
import type Pg from 'pg'
import sql, { join, raw } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import type { Database, Dialect, RecordKind, Statement, Work } from './port.ts'
import { copyRows } from './postgrescopy.ts'
import { codeOf, isLost, translated, unavailable, unknownOutcome } from './errors.ts'
import { poolOf, type Pool, type PostgresDriver, type PostgresOpening } from './pool.ts'
import { prepare, replaced } from './schema.ts'

/** How often a piece of work runs at most, after conflicts. */
const mostTries = 5

/** Conflicts that can go away when the whole transaction runs again (docs/inside/scaling.md). */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '23505'])

/** A column or a table that is not there: a newer program may have changed the schema while this one ran. */
const missing: ReadonlySet<string> = new Set(['42703', '42P01'])

/** The tables of the search text. */
const searchTable = { shipment: 'shipment_search', return: 'return_search' } as const satisfies Record<
  RecordKind,
  string
>

/** The first `seq` of a transaction: the ms since 2024 and 13 random bits, so that no statement has to ask for it. */
const seqEpoch = Date.UTC(2024, 0, 1)
const seqChance = 8192

/** The dialect of PostgreSQL: no hints, search by pg_trgm, row locks, record numbers made by shipx. */
export function postgresDialect({ chance, ticks }: Pick<PostgresOpening, 'chance' | 'ticks'>): Dialect {
  return {
    planning: undefined,
    locking: (strength) =>
      raw(
        { share: ' for share', update: ' for update', skip: ' for update skip locked', rows: ' for update of r' }[
          strength
        ],
      ),
    matching: (kind, account, words) => {
      const holds = words.map((word) => sql`m.text like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`)
      return sql`select m.seq from ${raw(searchTable[kind])} m
        where m.account_id = ${account} and ${join(holds, ' and ')}`
    },
    pairs: (json) => {
      const each = sql`(json_each_text(cast(${json} as json)))`
      return sql`select ${each}.key as name, cast(${each}.value as bigint) as number`
    },
    // oxlint-disable-next-line require-yield -- the number needs no statement
    *newSeqs() {
      let seq = (ticks() - seqEpoch) * seqChance + Math.floor(chance() * seqChance)
      return () => ++seq
    },
  }
}

/**
 * Opens a database, and creates its schema or brings it up to date if allowed. Throws `database_newer`,
 * `database_foreign`, `invalid_input` for a wrong address, or `unavailable`.
 */
export async function openPostgres(pg: PostgresDriver, opening: PostgresOpening): Promise<Database> {
  const primary = poolOf(pg, opening.url, opening, 'primary')
  const standby = opening.readUrl === undefined ? undefined : poolOf(pg, opening.readUrl, opening, 'standby')
  try {
    await primary.use((client) => prepare(client, opening))
    return new PostgresDatabase(primary, standby, opening)
  } catch (error) {
    await Promise.all([primary.end(), standby?.end()])
    throw lockCodes.has(codeOf(error)) || isLost(error) ? unavailable(error) : translated(error)
  }
}

/** Locks that a change of the schema did not get, or lost to another transaction. */
const lockCodes: ReadonlySet<string> = new Set(['55P03', '40P01'])

/** Values as PostgreSQL accepts them: its text cannot contain NUL, so a noncharacter (U+FFFF) replaces it. */
const bound = (values: readonly unknown[]): unknown[] =>
  values.map((value) => {
    if (value instanceof Uint8Array && !Buffer.isBuffer(value)) return Buffer.from(value)
    return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uffff') : value
  })

/** Rows from which COPY is used: it waits for one answer of the server more than an insert. */
const leastCopied = 50

async function run(
  client: Pg.PoolClient,
  { text, values, more = [] }: Statement,
): Promise<readonly Record<string, unknown>[]> {
  const all = [values, ...more].map(bound)
  if (all.length >= leastCopied) {
    await copyRows(client, text, all)
    return []
  }
  return (await client.query<Record<string, unknown>>(withRows(text, values.length, all.length), all.flat())).rows
}

/** An insert of one row as an insert of several. */
function withRows(text: string, width: number, count: number): string {
  if (count === 1) return text
  const marks = (row: number): string => Array.from({ length: width }, (_, n) => `$${row * width + n + 1}`).join(', ')
  const all = Array.from({ length: count }, (_, row) => `(${marks(row)})`)
  return `${text.slice(0, text.lastIndexOf('values'))}values ${all.join(', ')}`
}

/** Sends several statements in one message; returns the answer to each. */
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

/** What identifies a transaction: its number, when it started, and the server's timeline. */
interface Mark {
  readonly xid: string
  readonly at: string
  readonly line: string
}

const history = 'left(pg_walfile_name(pg_current_wal_lsn()), 8)'

/** A commit whose answer got lost after its work was done. The mark lets us ask the server about it later. */
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

/** A primary, with or without a standby, behind the port. */
class PostgresDatabase implements Database {
  readonly dialect: Dialect
  readonly #primary: Pool
  readonly #standby: Pool | undefined
  readonly #opening: PostgresOpening
  /** The place in the log after this process last wrote; a standby that is behind it may not answer. */
  #written: string | undefined

  constructor(primary: Pool, standby: Pool | undefined, opening: PostgresOpening) {
    this.dialect = postgresDialect(opening)
    this.#primary = primary
    this.#standby = standby
    this.#opening = opening
  }

  readonly read: Database['read'] = async (work, kind) => {
    // A page is a single statement here. A standby answers only pages: for example, a key may have been revoked since.
    const single = kind !== undefined
    if (this.#standby !== undefined && kind === 'page' && !(await this.#isBehind(this.#standby))) {
      try {
        return await readOn(this.#standby, work, single)
      } catch (error) {
        if (error instanceof ShipxError && error.code !== 'unavailable') throw error
        // The primary can answer everything that a standby can.
      }
    }
    return this.#repeat(() => readOn(this.#primary, work, single))
  }

  readonly write: Database['write'] = (work) => {
    let doubtful = false
    return this.#repeat(async () => {
      try {
        return await this.#writeOnce(work)
      } catch (error) {
        // An earlier try may have succeeded, and that may cause this refusal.
        if (doubtful && error instanceof ShipxError) throw unknownOutcome(error)
        if (!(error instanceof LostCommit)) throw error
        const outcome = await this.#settle(error)
        if (outcome === 'committed') return error.value as never
        doubtful ||= outcome === 'doubtful'
        throw Object.assign(new Error('the transaction was undone', { cause: error }), { code: '40001' })
      }
    })
  }

  readonly current = (): Promise<void> => this.#repeat(() => this.#primary.use((client) => replaced(client)))

  readonly close = async (): Promise<void> => {
    await Promise.all([this.#primary.end(), this.#standby?.end()])
  }

  /** Runs work again after a conflict or a lost connection; `mostTries` times at most. */
  async #repeat<T>(attempt: () => Promise<T>): Promise<T> {
    const { sleep, chance } = this.#opening
    for (let n = 1; ; n++) {
      try {
        return await attempt()
      } catch (error) {
        if (error instanceof ShipxError) throw error
        const repeatable = conflicts.has(codeOf(error)) || isLost(error)
        if (missing.has(codeOf(error))) await this.#primary.use((client) => replaced(client, error))
        if (!repeatable || n >= mostTries) throw repeatable ? unavailable(error) : translated(error)
        await sleep(20 * 2 ** n * (0.5 + chance() / 2))
      }
    }
  }

  // All statements see one view. Otherwise one could find another transaction's order but not its idempotency key.
  #writeOnce<T>(work: () => Work<T>): Promise<T> {
    return this.#primary.use(async (client) => {
      let mark: Mark
      let value: T
      try {
        const begun = await several<Mark>(
          client,
          'begin isolation level repeatable read; ' +
            `select pg_current_xact_id()::text as xid, now()::text as at, ${history} as line`,
        )
        mark = begun[1]!.rows[0]!
        value = await drive(client, work())
      } catch (error) {
        if (!isLost(error)) await client.query('rollback').catch(() => undefined)
        throw error
      }
      try {
        // Sent as one message: without the place in the log, the commit counts as lost.
        const place = this.#standby === undefined ? "'0/0'" : 'pg_current_wal_insert_lsn()::text'
        const ended = await several<{ at: string }>(client, `commit; select ${place} as at`)
        this.#noteWritten(ended[1]!.rows[0]!.at)
      } catch (error) {
        throw isLost(error) ? new LostCommit(mark, value, error) : error
      }
      return value
    })
  }

  /**
   * The outcome of a commit that got no answer. A server that crashes loses what was not yet in the log, and another
   * transaction gets the number. Then "committed" is `doubtful`; "aborted" is always true.
   */
  async #settle(lost: LostCommit): Promise<'committed' | 'aborted' | 'doubtful'> {
    for (let n = 0; n < 150; n++) {
      const { status, same, place } = await this.#repeat(() => statusOf(this.#primary, lost.mark)).catch(
        (error: unknown) => {
          // A number in the future: after a crash the server no longer knows that it was used.
          if (codeOf(error) === '22023') return { status: 'aborted', same: false, place: '0/0' } as const
          throw unknownOutcome(error)
        },
      )
      this.#noteWritten(place)
      if (status === 'aborted') return status
      if (status === 'committed') return same ? status : 'doubtful'
      if (status === null) break
      // The server has not yet noticed that the connection is gone.
      await this.#opening.sleep(100)
    }
    throw unknownOutcome(lost)
  }

  #noteWritten(at: string): void {
    if (this.#written === undefined || placeOf(at) > placeOf(this.#written)) this.#written = at
  }

  /** Whether a standby lacks something that this process wrote, or does not answer. */
  async #isBehind(standby: Pool): Promise<boolean> {
    const at = this.#written
    if (at === undefined) return false
    try {
      return await standby.use(async (client) => {
        const found = await client.query<{ there: boolean | null }>(
          'select pg_last_wal_replay_lsn() >= $1::pg_lsn as there',
          [at],
        )
        return found.rows[0]!.there !== true
      })
    } catch {
      return true
    }
  }
}

function readOn<T>(pool: Pool, work: () => Work<T>, single: boolean): Promise<T> {
  return pool.use(async (client) => {
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
}

interface TransactionStatus {
  readonly status: string | null
  /** The server has not restarted since. */
  readonly same: boolean
  readonly place: string
}

const statusOf = (pool: Pool, { xid, at, line }: Mark): Promise<TransactionStatus> =>
  pool.use(async (client) => {
    const found = await client.query<TransactionStatus & Pg.QueryResultRow>(
      `select pg_xact_status($1::xid8) as status, pg_current_wal_insert_lsn()::text as place, ${history} = $3
        and greatest(pg_postmaster_start_time(), (select stats_reset from pg_stat_bgwriter)) < $2::timestamptz as same`,
      [xid, at, line],
    )
    return found.rows[0]!
  })
