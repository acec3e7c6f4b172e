// Opens PostgreSQL for a command, with the driver, a running clock and randomness. Loaded only when needed.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Watch } from '../../engine/database/migrations.ts'
import type { Database } from '../../engine/database/port.ts'
import { openPostgres } from '../../engine/database/postgres.ts'
import type { Context } from '../command/context.ts'
import { watched } from './watched.ts'

/** Options for opening a PostgreSQL database. */
export interface Opening {
  readonly url: string
  readonly readUrl?: string | undefined
  readonly partitions?: number
  readonly mayChange?: boolean
  readonly watch?: Watch
}

/** Opens the database at an address. Throws what `openPostgres` throws. */
export function postgresAt({ url, readUrl, partitions, mayChange, watch }: Opening): Promise<Database> {
  return openPostgres(pg, {
    url,
    ...(readUrl === undefined ? {} : { readUrl }),
    ...(partitions === undefined ? {} : { partitions }),
    ...(mayChange === undefined ? {} : { mayChange }),
    ...(watch === undefined ? {} : { watch }),
    chance: Math.random,
    ticks: Date.now,
    sleep: (ms) => pause(ms),
  })
}

/** The same for a command, which shows progress where the schema is brought up to date. */
export const openServer = (context: Context, opening: Opening): Promise<Database> =>
  watched(context, (watch) => postgresAt({ ...opening, watch }))
