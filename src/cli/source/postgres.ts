// Opens PostgreSQL for a command: the driver, a clock that goes on, chance; loaded only where it is needed.
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import type { Database } from '../../engine/database/port.ts'
import { openPostgres } from '../../engine/database/postgres.ts'

/** How a PostgreSQL database is opened. */
export interface Opening {
  readonly url: string
  readonly readUrl?: string | undefined
  readonly partitions?: number
  readonly mayChange?: boolean
}

/** The database at an address. Throws what `openPostgres` throws. */
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
