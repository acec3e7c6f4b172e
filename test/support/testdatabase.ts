// Databases of the run: each a copy of a template with the schema, on the server that all tests share.
import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { migratePostgres } from '../../src/engine/database/schema.ts'
import { inject } from 'vitest'
import { databaseUrl, connected, ask, createDatabase, dropDatabase } from './postgresclient.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The server of the run (test/support/postgres.setup.ts). */
    readonly postgres: PostgresRun
  }
}

/** The server that the tests of a run share. */
export interface PostgresRun {
  /** Its administrator's address. */
  readonly url: string
  /** What the name of every database of this run begins with. */
  readonly prefix: string
}

/** What a fresh database is made with. */
export interface TestDatabaseOptions {
  /** Into how many hash partitions by account its tables are split; none by default. */
  readonly partitions?: number
}

/** A fresh database on the server of the run. */
export interface TestDatabase {
  readonly url: string
  readonly drop: () => Promise<void>
}

// The one place where the schema comes in.
async function migrateTemplate(url: string, { partitions = 0 }: TestDatabaseOptions): Promise<void> {
  await connected(url, (client) => migratePostgres(client, partitions))
}

/** A database with the schema and nothing in it, for one test alone, on the server that the run shares. */
export async function testDatabase(options: TestDatabaseOptions = {}): Promise<TestDatabase> {
  const { url, prefix } = inject('postgres')
  const template = await templateFor({ url, prefix }, options)
  const name = `${prefix}_${randomBytes(6).toString('hex')}`
  await createDatabase(url, name, template)
  return { url: databaseUrl(url, name), drop: () => dropDatabase(url, name) }
}

const templates = new Map<string, Promise<string>>()

/** The name of the template with these options; whoever of the run asks first makes it. */
export function templateFor({ url, prefix }: PostgresRun, options: TestDatabaseOptions = {}): Promise<string> {
  const name = `${prefix}_template_${createHash('sha256').update(JSON.stringify(options)).digest('hex').slice(0, 8)}`
  const known = templates.get(name)
  if (known !== undefined) return known
  const made = makeTemplate(url, name, options)
  templates.set(name, made)
  made.catch(() => templates.delete(name))
  return made
}

async function makeTemplate(url: string, name: string, options: TestDatabaseOptions): Promise<string> {
  const quoted = pg.escapeIdentifier(name)
  await connected(url, async (client) => {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [name])
    const { rows } = await client.query('select from pg_database where datname = $1 and datistemplate', [name])
    if (rows.length > 0) return
    await client.query(`drop database if exists ${quoted} with (force)`)
    await client.query(`create database ${quoted}`)
    await migrateTemplate(databaseUrl(url, name), options)
    // Nobody can connect any more, and so nobody is in the way of a copy.
    await client.query(`alter database ${quoted} with is_template true allow_connections false`)
  })
  return name
}

/** Removes every database of the run from a server that stays. */
export async function dropDatabases({ url, prefix }: PostgresRun): Promise<void> {
  const names = await ask<{ name: string }>(
    url,
    'select datname as name from pg_database where starts_with(datname, $1)',
    [`${prefix}_`],
  )
  for (const { name } of names) {
    await ask(url, `alter database ${pg.escapeIdentifier(name)} with is_template false`)
    await dropDatabase(url, name)
  }
}
