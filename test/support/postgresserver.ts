// A real PostgreSQL for tests: the one from npm, started by the run itself on a free loopback port and gone after it.
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { chown, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { childrenOf, signal, isAlive, freePort, within } from './processes.ts'
import type { PostgresOptions, PostgresServer, PostgresStandby } from './postgres.ts'
import { user, address, ask, createDatabase, dropDatabase } from './postgresclient.ts'
import { env, isRoot, makePlace, nativeFolder, run, runAs, type Place } from './postgresprograms.ts'
import { startStandby } from './postgresstandby.ts'

/** How long each is waited for, ms. */
const patience = { start: 60_000, stop: 30_000 }

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
      const { port: _, ...rest } = options
      const own = await makePlace(options.folder)
      const begin = (): Promise<PostgresServer> => serverIn(native, own, password, rest)
      const standby = await startStandby(server, own, begin, () => standbys.delete(standby))
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
