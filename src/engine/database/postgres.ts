// PostgreSQL behind the storage port (node-postgres): transactions that are run again after a conflict, and commits whose
// outcome was lost; knows nothing of what is in the tables.
import type Pg from 'pg'
import sql, { join, raw } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import type { Database, Dialect, RecordKind, Statement, Work } from './port.ts'
import { codeOf, isLost, translated, unavailable, unknownOutcome } from './errors.ts'
import { poolOf, type Pool, type PostgresDriver, type PostgresOpening } from './pool.ts'
import { prepare } from './schema.ts'

/** How often a piece of work is run again after a conflict. */
const mostTries = 5

/** Conflicts that running the whole transaction again may settle (docs/scaling.md). */
const conflicts: ReadonlySet<string> = new Set(['40001', '40P01', '55P03', '23505'])

/** What our own tables are named by in the search. */
const searchTable = { shipment: 'shipment_search', return: 'return_search' } as const satisfies Record<
  RecordKind,
  string
>

/** The first `seq` of a transaction: the ms since 2024 and 13 bits of chance, so that nobody has to be asked for it. */
const seqEpoch = Date.UTC(2024, 0, 1)
const seqChance = 8192

/** Escapes that stand for no text in PostgreSQL, which are rare: only a record that may hold one is looked through. */
const readAttributes = raw(
  `jsonb_extract_path(cast(case when strpos(r.doc, '\\u0000') = 0 and strpos(r.doc, '\\ud') = 0 then r.doc else regexp_replace(r.doc, '(?<!\\\\)((?:\\\\\\\\)*)\\\\u(?:0000|d[89a-f]..)', '\\1\\\\ufffd', 'g') end as jsonb), 'attributes')`,
)

/** PostgreSQL as a dialect: no hints, search by pg_trgm, row locks, numbers that the application makes. */
export function postgresDialect({ chance, ticks }: Pick<PostgresOpening, 'chance' | 'ticks'>): Dialect {
  return {
    planning: undefined,
    locking: (strength) =>
      raw({ share: ' for share', update: ' for update', skip: ' for update skip locked' }[strength]),
    attributes: readAttributes,
    amount: (value) => sql`cast(${value} as double precision)`,
    matching: (kind, account, words) => {
      const holds = words.map((word) => sql`m.text like ${`%${word.replace(/[\\%_]/g, '\\$&')}%`}`)
      return sql`select m.seq from ${raw(searchTable[kind])} m where m.account_id = ${account} and ${join(holds, ' and ')}`
    },
    // oxlint-disable-next-line require-yield -- nobody has to be asked
    *newSeqs() {
      let seq = (ticks() - seqEpoch) * seqChance + Math.floor(chance() * seqChance)
      return () => ++seq
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
        const begun = await several<Mark>(
          client,
          `begin isolation level repeatable read; select pg_current_xact_id()::text as xid, now()::text as at, ${history} as line`,
        )
        mark = begun[1]!.rows[0]!
        value = await drive(client, work())
      } catch (error) {
        if (!isLost(error)) await client.query('rollback').catch(() => undefined)
        throw error
      }
      try {
        // In one message: when the place is not told, the commit is as good as lost.
        const ended = await several<{ at: string }>(
          client,
          `commit; select ${standby === undefined ? "'0/0'" : 'pg_current_wal_insert_lsn()::text'} as at`,
        )
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
