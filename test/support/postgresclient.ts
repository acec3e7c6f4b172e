// PostgreSQL over a connection of its own: a question, a database that is made or removed, addresses.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

/** The superuser of the servers of tests. */
export const user = 'postgres'

/** How long each is waited for, ms. */
const patience = { connect: 10_000, query: 60_000, busy: 30_000 }

/** The address of a database on a server of this machine. */
export function address(port: number, password: string, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
}

/** The same server's address for another database. */
export function databaseUrl(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(database)}`
  return other.href
}

/** Does something on a connection of its own. */
export async function connected<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: patience.connect,
    query_timeout: patience.query,
  })
  // A connection that is ended from outside is told by its next query.
  client.on('error', () => {})
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end().catch(() => {})
  }
}

/** Asks on a connection of its own. */
export async function ask<R extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  return connected(url, async (client) => (await client.query<R>(sql, [...values])).rows)
}

/** Makes a database as a copy of a template; waits while the template or the server is busy. */
export async function createDatabase(url: string, name: string, template: string): Promise<void> {
  const statement = (strategy: string): string =>
    `create database ${pg.escapeIdentifier(name)} template ${pg.escapeIdentifier(template)} strategy ${strategy}`
  let strategy = 'file_copy'
  for (const deadline = Date.now() + patience.busy; ; await sleep(20 + randomInt(80))) {
    try {
      await ask(url, statement(strategy))
      return
    } catch (error) {
      const { code, message } = error as pg.DatabaseError
      // Somebody is connected to the template, or all connections are taken: both pass.
      const isBusy = code === '55006' || code === '53300'
      // A file system that cannot copy within the kernel.
      const isUncloned = strategy === 'file_copy' && message.includes('could not clone')
      if (isUncloned) strategy = 'wal_log'
      else if (!isBusy || Date.now() > deadline) throw error
    }
  }
}

/** Removes a database, if it is there, and ends its connections. */
export async function dropDatabase(url: string, name: string): Promise<void> {
  await ask(url, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}
