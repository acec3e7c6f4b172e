// Opens PostgreSQL for a command, with the driver, a running clock and randomness. Loaded only when needed.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../../engine/database/port.ts'
import { openPostgres } from '../../engine/database/postgres.ts'

/** Options for opening a PostgreSQL database. */
export interface Opening {
  readonly url: string
  readonly readUrl?: string | undefined
  readonly partitions?: number
  readonly mayChange?: boolean
}

/** Opens the database at an address. Throws what `openPostgres` throws. */
export function postgresAt({ url, readUrl, partitions, mayChange }: Opening): Promise<Database> {
  return openPostgres(pg, {
    url,
    ...(readUrl === undefined ? {} : { readUrl }),
    ...(partitions === undefined ? {} : { partitions }),
    ...(mayChange === undefined ? {} : { mayChange }),
    chance: Math.random,
    ticks: Date.now,
    sleep: (ms) => pause(ms),
  })
}
