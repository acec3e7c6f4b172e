// PostgreSQL for the benchmark: a server from npm, and the same records as in the SQLite file, copied by the program itself.
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import type { Database } from '../../src/engine/database/port.ts'
import { openPostgres } from '../../src/engine/database/postgres.ts'
import { startPostgres } from '../support/postgresserver.ts'
import type { PostgresServer } from '../support/postgres.ts'
import { databaseOf } from './data.ts'
import { say } from './report.ts'
import { environment, program, type Setup } from './setup.ts'

/** A server with the data, and the SQLite file that it came from. */
export interface PgData {
  readonly server: PostgresServer
  readonly url: string
  readonly file: string
  readonly open: () => Promise<Database>
}

/** Starts a server and copies the data of so many rows into it. */
export async function postgresData(setup: Setup): Promise<PgData> {
  const file = await databaseOf(setup.folder, setup.rows)
  const server = await startPostgres({
    flags: ['-c', 'shared_buffers=1GB', '-c', 'work_mem=64MB', '-c', 'max_wal_size=8GB'],
  })
  const url = await server.createDatabase('bench')
  say('copying the data to PostgreSQL')
  const from = performance.now()
  execFileSync(process.execPath, [program(setup), 'local', 'copy', '--from', file, '--to', url, '-q', '--json'], {
    env: environment(setup),
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  say(`copied in ${((performance.now() - from) / 1000).toFixed(0)} s`)
  await server.query('vacuum analyze', [], 'bench')
  const open = (): Promise<Database> =>
    openPostgres(pg, {
      url,
      chance: Math.random,
      ticks: Date.now,
      sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    })
  return { server, url, file, open }
}
