// H1, M1, M2: copies put back after a crash and beside a running service, and copies that are killed on their way.
import { spawn, type ChildProcess } from 'node:child_process'
import { copyFileSync, existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import driver from 'better-sqlite3'
import { applicationId, sqliteStep, steps } from '../../src/engine/database/migrations.ts'
import { openSqlite } from '../../src/engine/database/sqlite.ts'
import { chanceOf } from '../support/chance.ts'
import { deskOf, storesCsv, storesIn, type Desk } from '../support/imports.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { start } from './serving.ts'

const envOf = (desk: Desk): Readonly<Record<string, string>> => ({
  PATH: '/usr/local/bin:/usr/bin:/bin',
  HOME: desk.folder,
  SHIPX_DATA_DIR: desk.path('data'),
})

async function serving(desk: Desk): Promise<ChildProcess> {
  const child = spawn(process.execPath, [start, 'serve', '--port', '0', '--json'], {
    env: envOf(desk),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(child.stdout!, 'data')
  return child
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'exit')
}

/** What is done to the database between the crash and the restore. */
const states: Readonly<Record<string, (desk: Desk) => void>> = {
  'as it was': () => undefined,
  'overwritten by cp': (desk) => copyFileSync(desk.path('copy.sqlite'), desk.database),
  'gone, its log still there': (desk) => rmSync(desk.database),
}

/** H1: so many of 60 crashes with a log left behind, each restored; and of 60 attempts beside a running service. */
export const h1 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const rounds = share(size, 60, 3)
    const faults: string[] = []
    let [logs, refused] = [0, 0]
    for (let n = 0; n < rounds; n++) {
      const desk = deskOf()
      const [state, spoil] = Object.entries(states)[n % 3]!
      desk.write('before.csv', storesCsv(50))
      desk.write('after.csv', storesCsv(500, 50))
      await desk.run(['stores', 'import', 'before.csv', '--yes', '--quiet'])
      await desk.run(['local', 'backup', 'copy.sqlite', '--quiet'])
      const service = await serving(desk)
      try {
        await desk.run(['stores', 'import', 'after.csv', '--yes', '--quiet'])
        const file = statSync(desk.database).ino
        const attempts = [
          ['local', 'restore', 'copy.sqlite', '--yes'],
          ['local', 'reset', '--yes'],
          ['local', 'backup', desk.database, '--force', '--db', 'copy.sqlite'],
        ]
        const { exit } = await desk.run(attempts[n % 3]!)
        if (exit === 0 || statSync(desk.database).ino !== file)
          faults.push(`${attempts[n % 3]!.slice(0, 2).join(' ')} beside a running service: exit ${exit}`)
        else refused++
        await ended(service)
        if (statSync(`${desk.database}-wal`, { throwIfNoEntry: false })?.size ?? 0) logs++
        spoil(desk)
        const restored = await desk.run(['local', 'restore', 'copy.sqlite', '--yes', '--json'])
        const check = await desk.run(['local', 'check', '--quiet'])
        if (restored.exit !== 0 || check.exit !== 0)
          faults.push(`${state}: exit ${restored.exit}, check ${check.exit} ${restored.stderr}`)
        else if (desk.stores().length !== 50) faults.push(`${state}: ${desk.stores().length} of 50 stores`)
        const kept = (JSON.parse(restored.stdout) as { data: { kept: string | null } }).data.kept
        if (state === 'as it was' && (kept === null || storesIn(kept).length !== 550))
          faults.push('what was in the log is lost')
        if (
          kept === null ||
          readdirSync(desk.path('data')).some(
            (name) => /sqlite-(?:wal|journal)$/.test(name) && statSync(desk.path(`data/${name}`)).size > 0,
          )
        )
          faults.push(`${state}: nothing was kept, or a log was left`)
      } finally {
        await ended(service)
        desk.clear()
      }
    }
    if (logs === 0) faults.push('no crash left a log')
    return {
      row: 'H1',
      what: `${rounds} services killed with -9, the copy restored over what was left, and ${rounds} attempts beside a running one`,
      tried: rounds * 2,
      result: `${logs} logs left behind; ${refused} of ${rounds} refused beside a running service`,
      target: 'each sound and equal to the copy, what was there kept, nothing replaced that is in use',
      faults: summed(faults),
    }
  })

/** A database of 40 MB, of the first schema where asked for. */
function fat(path: string, old: boolean): void {
  if (!old) void openSqlite(driver, { path }).close()
  const db = new driver(path)
  db.pragma('journal_mode = WAL')
  if (old) db.exec(sqliteStep(steps[0]!))
  db.exec(
    "insert into accounts select value, 'fat-' || value, 1 from json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]')",
  )
  db.exec(
    "insert into stores (account_id, id, store_name, channel, status, logo, created_at, updated_at) select id, 's', 's', 'manual_order', 'connected', randomblob(2000000), 1, 1 from accounts",
  )
  db.pragma(`application_id = ${applicationId}`)
  if (old) db.pragma('user_version = 1')
  db.close()
}

/** Runs a command, kills it so many ms after half a copy lies there, and gives the rights of every copy that it left. */
async function cut(desk: Desk, args: readonly string[], after: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [start, ...args], { cwd: desk.folder, env: envOf(desk), stdio: 'ignore' })
  const before = new Set(copiesIn(desk))
  while (child.exitCode === null && copiesIn(desk).every((name) => before.has(name))) await wait(1)
  await wait(after)
  await ended(child)
  return copiesIn(desk).map((name) => (statSync(desk.path(name)).mode & 0o777).toString(8))
}

const copiesIn = (desk: Desk): readonly string[] =>
  readdirSync(desk.folder).filter((name) => /\.tmp|\.bak|^copy/.test(name))

/** M1: so many of 60 backups that are killed. */
export const m1 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const kills = share(size, 60, 4)
    const [chance, faults, desk] = [chanceOf(1), [] as string[], deskOf()]
    let left = 0
    try {
      fat(desk.path('fat.sqlite'), false)
      for (let n = 0; n < kills; n++) {
        const rights = await cut(
          desk,
          ['local', 'backup', 'copy.sqlite', '--force', '--db', 'fat.sqlite'],
          n % 2 === 0 ? 0 : chance() * 60,
        )
        for (const right of rights) if (right !== '600') faults.push(`a copy with the rights ${right}`)
        if (copiesIn(desk).some((name) => name.includes('.tmp'))) left++
        if (copiesIn(desk).filter((name) => name.endsWith('.tmp')).length > 1) faults.push('copies pile up')
      }
      const last = await desk.run(['local', 'backup', 'copy.sqlite', '--force', '--db', 'fat.sqlite', '--quiet'])
      if (last.exit !== 0 || copiesIn(desk).join() !== 'copy.sqlite')
        faults.push(`at the end: exit ${last.exit}, ${copiesIn(desk).join(', ')}`)
    } finally {
      desk.clear()
    }
    if (left === 0) faults.push('no kill came while a copy was made')
    return {
      row: 'M1',
      what: `${kills} backups of 40 MB killed with -9`,
      tried: kills,
      result: `${left} left half a copy, which the next run removed`,
      target: 'every copy readable by its owner alone; nothing left at the end',
      faults: summed(faults),
    }
  })

/** M2: so many of 60 migrations that are killed, as if in a container: each leftover names no living process. */
export const m2 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const kills = share(size, 60, 4)
    const [chance, faults] = [chanceOf(2), [] as string[]]
    let [left, most] = [0, 0]
    const desk = deskOf()
    try {
      for (let n = 0; n < kills; n++) {
        if (n % 6 === 0) {
          for (const name of readdirSync(desk.folder)) if (name.startsWith('fat')) rmSync(join(desk.folder, name))
          fat(desk.path('fat.sqlite'), true)
        }
        await cut(desk, ['stores', 'list', '--db', 'fat.sqlite'], n % 2 === 0 ? 0 : chance() * 60)
        const copies = copiesIn(desk).filter((name) => name.endsWith('.tmp')).length
        if (copies > 0) left++
        most = Math.max(most, copies)
        if (n % 6 !== 5) continue
        const { exit, stderr } = await desk.run(['stores', 'list', '--db', 'fat.sqlite', '--quiet'])
        if (exit !== 0) faults.push(`the next start: exit ${exit} ${stderr.slice(0, 200)}`)
        const after = copiesIn(desk)
        if (after.join() !== 'fat.sqlite.schema-1.bak' || !existsSync(desk.path('fat.sqlite')))
          faults.push(`left: ${after.join(', ')}`)
      }
    } finally {
      desk.clear()
    }
    if (most > 1) faults.push(`${most} half copies at once`)
    return {
      row: 'M2',
      what: `${kills} commands killed with -9 while they bring 40 MB of the first schema up to date`,
      tried: kills,
      result: `${left} left half a copy, at most ${most} at once; each sixth start, not killed, succeeded`,
      target: 'the next start succeeds and one copy is kept',
      faults: summed(faults),
    }
  })
