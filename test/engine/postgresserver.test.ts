// The PostgreSQL that tests run on: that it is one, that it comes back, that it goes away.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { startPostgres } from '../support/postgresserver.ts'
import { testDatabase } from '../support/testdatabase.ts'
import type { PostgresOptions, PostgresServer } from '../support/postgres.ts'

async function server(options?: PostgresOptions): Promise<PostgresServer> {
  const started = await startPostgres(options)
  onTestFinished(() => started.close())
  return started
}

async function ask(url: string, sql: string, values: readonly unknown[] = []): Promise<pg.QueryResultRow[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(sql, [...values])).rows
  } finally {
    await client.end()
  }
}

/** Rows are inserted one by one until the server goes away; the last one that was acknowledged. */
async function insertUntilGone(url: string, told = { acknowledged: 0 }): Promise<number> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    for (;;) {
      await client.query('insert into written values ($1)', [told.acknowledged + 1])
      told.acknowledged++
    }
  } catch {
    return told.acknowledged
  }
}

test('a fresh database compares by bytes, knows letters of all scripts and has pg_trgm', async () => {
  const { url, drop } = await testDatabase()
  onTestFinished(drop)
  await ask(url, 'create extension if not exists pg_trgm')
  await ask(url, 'create extension if not exists btree_gin')
  const [row] = await ask(
    url,
    `select current_setting('server_version_num')::int / 10000 as version, current_setting('server_encoding') as encoding,
      similarity('मोबाइल कवर', 'मोबाइल कवर लाल')::float8 as near, similarity('मोबाइल', 'किताब')::float8 as far,
      cardinality(show_trgm('मोबाइल')) as trigrams, lower('ÀÉ') as folded, 'Z' < 'a' as bytewise`,
  )
  expect(row).toMatchObject({ encoding: 'UTF8', trigrams: 7, folded: 'àé', bytewise: true, far: 0 })
  expect(row!['version']).toBeGreaterThanOrEqual(18)
  expect(row!['near']).toBeGreaterThan(0.6)

  await ask(url, 'create table words (account_id bigint, word text)')
  await ask(url, 'create index on words using gin (account_id, word gin_trgm_ops)')
  await ask(url, `insert into words values (1, 'लाल मोबाइल कवर'), (1, 'किताब'), (2, 'मोबाइल')`)
  expect(await ask(url, `select word from words where account_id = 1 and word like '%बाइल%'`)).toEqual([
    { word: 'लाल मोबाइल कवर' },
  ])
})

test('databases made at the same time are each for themselves', { tags: ['full'] }, async () => {
  const made = await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const { url, drop } = await testDatabase()
      onTestFinished(drop)
      await ask(url, 'create table own (n int)')
      await ask(url, 'insert into own values ($1)', [n])
      return url
    }),
  )
  expect(new Set(made).size).toBe(12)
  expect((await Promise.all(made.map((url) => ask(url, 'select n from own')))).flat()).toEqual(
    made.map((_, n) => ({ n })),
  )
})

test('a database is dropped while somebody is connected', async () => {
  const { url, drop } = await testDatabase()
  const client = new pg.Client({ connectionString: url })
  const ended = new Promise((resolve) => client.on('error', resolve))
  await client.connect()
  await drop()
  await ended
  await expect(ask(url, 'select 1')).rejects.toMatchObject({ code: '3D000' })
})

test(
  'a server waits for who is connected to a template and ends connections when told',
  { tags: ['full'] },
  async () => {
    const db = await server()
    const template = await db.createDatabase('shelf')
    const client = new pg.Client({ connectionString: template })
    const ended = new Promise<Error>((resolve) => client.on('error', resolve))
    await client.connect()
    const copy = db.createDatabase('copy', 'shelf')
    expect(await db.killBackends('shelf')).toBe(1)
    expect(await ended).toMatchObject({ code: '57P01' })
    expect(await ask(await copy, 'select current_database() as name')).toEqual([{ name: 'copy' }])
  },
)

test('nobody gets in without the password', async () => {
  const { url, drop } = await testDatabase()
  onTestFinished(drop)
  const stranger = new URL(url)
  stranger.password = 'guessed'
  await expect(ask(stranger.href, 'select 1')).rejects.toMatchObject({ code: '28P01' })
})

test('what was acknowledged is there after kill -9, immediate and fast stops', { tags: ['full'] }, async () => {
  const db = await server({ durable: true })
  const url = await db.createDatabase('shop')
  expect(await db.query('show fsync')).toEqual([{ fsync: 'on' }])
  await db.query('create table written (n int primary key)', [], 'shop')
  for (const end of [() => db.kill(), () => db.stop('immediate'), () => db.stop()]) {
    await db.query('truncate written', [], 'shop')
    const told = { acknowledged: 0 }
    const inserting = insertUntilGone(url, told)
    // In the middle of the inserts, however slow the machine is.
    await expect.poll(() => told.acknowledged, { timeout: 30_000 }).toBeGreaterThan(5)
    await end()
    const acknowledged = await inserting
    await expect(ask(url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    await db.start()
    const [row] = await db.query<{ n: number }>('select count(*)::int as n from written', [], 'shop')
    // The last one may have been committed without the answer having come through.
    expect(row!.n - acknowledged).toBeOneOf([0, 1])
  }
})

test(
  'a standby follows, shows what it had while paused, and catches up after either of them was away',
  { tags: ['full'] },
  async () => {
    const db = await server()
    await db.createDatabase('shop')
    await db.query('create table orders (n int)', [], 'shop')
    const standby = await db.standby()
    const seen = async (): Promise<number> => {
      const [row] = await standby.query<{ n: number }>('select count(*)::int as n from orders', [], 'shop')
      return row!.n
    }
    const add = (): Promise<unknown> => db.query('insert into orders values (1)', [], 'shop')

    expect(await standby.query('select pg_is_in_recovery() as standby')).toEqual([{ standby: true }])
    await expect(standby.query('insert into orders values (1)', [], 'shop')).rejects.toMatchObject({ code: '25006' })
    await add()
    await standby.caughtUp()
    expect(await seen()).toBe(1)

    await standby.pause()
    await add()
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(await seen()).toBe(1)
    await standby.resume()
    await standby.caughtUp()
    expect(await seen()).toBe(2)

    await standby.kill()
    await add()
    await standby.start()
    await standby.caughtUp()
    expect(await seen()).toBe(3)

    await db.kill()
    expect(await seen()).toBe(3)
    await db.start()
    await add()
    await standby.caughtUp()
    expect(await seen()).toBe(4)

    const { dataFolder } = standby
    await standby.close()
    expect(existsSync(dataFolder)).toBe(false)
    await expect.poll(() => db.query('select slot_name from pg_replication_slots')).toEqual([])
  },
)

test('a standby can be made while the primary is written to', { tags: ['full'] }, async () => {
  const db = await server()
  const url = await db.createDatabase('shop')
  await db.query('create table written (n int primary key)', [], 'shop')
  const inserting = insertUntilGone(url)
  const standby = await db.standby()
  await db.killBackends('shop')
  const acknowledged = await inserting
  await standby.caughtUp()
  const [row] = await standby.query<{ n: number }>('select count(*)::int as n from written', [], 'shop')
  expect(row!.n - acknowledged).toBeOneOf([0, 1])
})

test('settings can be given, and a server that does not start says why', { tags: ['full'] }, async () => {
  const db = await server({ flags: ['-c', 'lock_timeout=5s'] })
  expect(await db.query('show lock_timeout')).toEqual([{ lock_timeout: '5s' }])
  await expect(startPostgres({ flags: ['-c', 'no_such_setting=1'] })).rejects.toThrow(/no_such_setting/)
  await expect(startPostgres({ port: db.port })).rejects.toThrow(/Address already in use/)
})

test(
  'a server is gone with the process that started it, however that ended, and so is its folder',
  { tags: ['full'] },
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'shipx-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const module = fileURLToPath(new URL('../support/postgresserver.ts', import.meta.url))
    for (const signal of ['SIGKILL', 'SIGINT'] as const) {
      const child = spawn(
        process.execPath,
        [
          '--import',
          'tsx',
          '--input-type=module',
          '--eval',
          `const { startPostgres } = await import(${JSON.stringify(module)})
        const db = await startPostgres({ folder: ${JSON.stringify(dirname(folder))} })
        process.stdout.write(JSON.stringify({ port: db.port, url: db.url(), dataFolder: db.dataFolder }))
        setInterval(() => {}, 1000)`,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      const told = await new Promise<string>((resolve) => child.stdout.once('data', (data) => resolve(String(data))))
      const { url, dataFolder } = JSON.parse(told) as { url: string; dataFolder: string }
      expect(await ask(url, 'select 1 as one')).toEqual([{ one: 1 }])
      child.kill(signal)
      await expect.poll(() => existsSync(dirname(dataFolder)), { timeout: 15_000 }).toBe(false)
      await expect(ask(url, 'select 1')).rejects.toMatchObject({ code: 'ECONNREFUSED' })
    }
    expect(readdirSync(folder)).toEqual([])
  },
)
