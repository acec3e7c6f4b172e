// A streaming hot standby: a copy of a running server's files, and a server on it that follows.
import { randomBytes } from 'node:crypto'
import { constants } from 'node:fs'
import { appendFile, copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PostgresServer, PostgresStandby } from './postgres.ts'
import { user, connected } from './postgresclient.ts'
import { isRoot, owned, type Place } from './postgresprograms.ts'

/** How long the standby has to follow, ms. */
const patience = 30_000

// What a copy of a running server's files leaves out, by the manual's chapter on the low-level backup.
const notCopied =
  /^(postmaster\.(pid|opts)|pg_(wal|replslot|dynshmem|notify|serial|snapshots|stat_tmp|subtrans)\/.*|(.*\/)?(pgsql_tmp.*|pg_internal\.init.*))$/

/** Starts a server that follows another one: `start` runs one in a place that holds a copy of its files. */
export async function startStandby(
  primary: PostgresServer,
  place: Place,
  start: () => Promise<PostgresServer>,
  closed: () => void,
): Promise<PostgresStandby> {
  const data = join(place.folder, 'data')
  const slot = `standby_${randomBytes(6).toString('hex')}`
  const { password } = new URL(primary.url())
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
    const server = await start()
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
  for (const deadline = Date.now() + patience; ; await sleep(10)) {
    const [row] = await server.query<{ done: boolean }>(sql, values)
    if (row?.done === true) return
    if (Date.now() > deadline) throw new Error(`Not so after ${patience} ms: ${sql}\n${server.log()}`)
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
