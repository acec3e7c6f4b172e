// `shipx local backup`, `restore` and `reset`: copies a database file while it is in use; replaces or deletes it while
// it is not.
import {
  accessSync,
  chmodSync,
  chownSync,
  constants,
  existsSync,
  linkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { count } from '../../../domain/count.ts'
import { ShipxError, invalid, type Fault } from '../../../domain/errors.ts'
import { isoOf } from '../../../domain/time.ts'
import { sqliteDriver } from '../../../engine/database/sqlitechoice.ts'
import { checkSqlite } from '../../../engine/database/sqlitecheck.ts'
import { copySqlite, schemaOf } from '../../../engine/database/sqliteschema.ts'
import { deadLink, logBeside, sideFiles } from '../../../engine/database/sqlitefile.ts'
import { holdSqlite, type HeldFile } from '../../../engine/database/sqlitehold.ts'
import { besideOf, type Beside } from './atomicfile.ts'
import { carryEvidence, evidenceBeside, warnMissing, withEvidence, type Carried } from './evidence.ts'
import { confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { refuseUnfit } from '../../source/engine.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { databasePath, databaseThere } from '../../config/paths.ts'
import { evidenceFolder } from '../../files/evidencefiles.ts'
import { renameOver } from '../../files/openelsewhere.ts'
import { holdersOf } from './holders.ts'
import { forgetNames } from '../../help/names.ts'
import { readable } from '../../source/readablefile.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { needDatabase, needFile } from './database.ts'
import { printOne } from '../../output/printer.ts'

const backup = verb({ force: flag }, async (context, { force }) => {
  needFile(context, 'pg_dump or pg_basebackup')
  const [target] = context.args
  refuse(context, target === undefined ? [{ field: '<file>', message: 'is required: the copy to make' }] : [])
  const file = needDatabase(context)
  const folder = dirname(target!)
  refuse(context, targetFaults(target!, file, folder, force))
  if (existsSync(target!)) instead(context, target!, () => undefined)
  // A link keeps pointing to the file.
  const place = existsSync(target!) ? realpathSync(target!) : target!
  // Backups with the date in their names never come to the same place again.
  const beside = besideOf(context.io, place, true)
  const source = readable(file)
  let carried: Carried
  try {
    copySqlite(sqliteDriver(process), source.path, beside.path)
    beside.sync()
    // What was attached since is more than the copy names, and does no harm.
    carried = carryEvidence(source.path, evidenceFolder(context.io), evidenceBeside(place))
    if (existsSync(place)) instead(context, place, () => beside.put())
    else beside.put()
  } finally {
    source.close()
    beside.drop()
  }
  const bytes = statSync(target!).size
  const along = withEvidence(carried, evidenceBeside(place))
  await done(context, `Copied ${file} to ${safe(target!)} (${count(bytes)} bytes)${along}`)
  await warnMissing(context, carried)
  await printOne(context, { path: target, bytes, ...evidenceFields(carried) }, target!)
  return 0
})

const evidenceFields = ({ files, missing }: Carried) => ({ evidence: files, evidence_missing: missing.length })

function targetFaults(target: string, file: string, folder: string, force: boolean): readonly Fault[] {
  const fault = (message: string): readonly Fault[] => [{ field: '<file>', message }]
  const dead = deadLinkFault(target)
  if (dead !== undefined) return fault(dead)
  if (!existsSync(folder)) return fault(`${safe(folder)}: there is no such folder`)
  if (!existsSync(target)) return []
  if (statSync(target).isDirectory()) return fault(`${safe(target)}: it is a folder`)
  if (realpathSync(target) === realpathSync(file))
    return fault(`${safe(target)} is the database itself; name another file`)
  if (!force) return fault(`${safe(target)} is there already; --force replaces it`)
  const log = logBeside(target)
  if (log === undefined) return []
  const restore = `shipx local restore ${quoted(file)} --db ${quoted(target)}`
  const why = `${safe(target)} is a database whose latest changes are in ${safe(log)}`
  return fault(`${why}; to put a copy in its place: ${restore}`)
}

/** Why shipx does not replace a link to a missing file: its disk may not be mounted now. */
function deadLinkFault(path: string): string | undefined {
  const leads = deadLink(path)
  return leads === undefined
    ? undefined
    : `${safe(path)} is a link to ${safe(leads)}, which is not there; name that file, or remove the link`
}

/** Replaces a file that may be a database that other processes use. */
function instead(context: Context, path: string, work: () => void): void {
  try {
    held(context, path, work)
  } catch (error) {
    // With --force the user asked to replace a file of another program.
    if (!(error instanceof ShipxError && error.code === 'database_foreign')) throw error
    work()
  }
}

/**
 * Runs `work` while no other process has the database open. Throws `database_locked` with those that have it open, and
 * `database_read_only`.
 */
function held<T>({ io }: Context, path: string, work: (held: HeldFile) => T): T {
  try {
    accessSync(path, constants.W_OK)
  } catch (error) {
    throw new ShipxError('database_read_only', `${path} cannot be written`, {
      cause: error,
      hint: 'name another file with --db',
    })
  }
  try {
    return holdSqlite(sqliteDriver(process), path, io.platform !== 'win32', work)
  } catch (error) {
    if (!(error instanceof ShipxError && error.code === 'database_locked')) throw error
    const holders = holdersOf(path, io.pid)
    const what = holders.length === 0 ? 'another process' : `process ${holders.join(', ')}`
    throw new ShipxError('database_locked', `${path} is open in ${what}; nothing was changed`, {
      hint: 'stop shipx serve and every command that works on it, then run this again',
      cause: error,
    })
  }
}

const restore = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  needFile(context, 'pg_restore')
  const [copy] = context.args
  refuse(context, copy === undefined ? [{ field: '<file>', message: 'is required: the copy to restore' }] : [])
  const named = databasePath(context)
  refuseUnfit(named)
  const dead = deadLinkFault(named)
  refuse(context, dead === undefined ? [] : [{ field: '--db', message: dead }])
  const there = existsSync(named)
  // The log is next to the file itself, not next to a link to it.
  const file = there ? realpathSync(named) : named
  refuse(context, copyFaults(copy!, file, there))
  const source = readable(copy!)
  try {
    refuseDamaged(source.path, copy!)
    if (dry)
      return await wouldDo(context, `restore ${named} from ${copy!}`, { restore: copy, path: named, replaces: there })
    await confirm(
      context,
      there
        ? `Replace ${named} with ${copy!} (the old database is kept next to it)`
        : `Put ${copy!} in the place of ${named}`,
    )
    if (there) held(context, file, () => undefined)
    const beside = besideOf(context.io, file)
    let kept: string | undefined
    let carried: Carried
    try {
      copySqlite(sqliteDriver(process), source.path, beside.path)
      carried = carryEvidence(source.path, evidenceBeside(realpathSync(copy!)), evidenceFolder(context.io))
      kept = putBack(context, beside, file)
    } finally {
      beside.drop()
    }
    forgetNames({ ...context, own: true })
    const bytes = statSync(file).size
    await done(context, `Restored ${named} from ${safe(copy!)} (${count(bytes)} bytes)${withEvidence(carried)}`)
    await warnMissing(context, carried)
    if (kept !== undefined) await context.note(`the old database is ${safe(kept)}`)
    await printOne(context, { path: named, from: copy, bytes, kept: kept ?? null, ...evidenceFields(carried) }, named)
    return 0
  } finally {
    source.close()
  }
})

function copyFaults(copy: string, file: string, there: boolean): readonly Fault[] {
  const fault = (message: string): readonly Fault[] => [{ field: '<file>', message: `${safe(copy)}: ${message}` }]
  if (!existsSync(copy)) return fault('there is no such file')
  if (statSync(copy).isDirectory()) return fault('it is a folder')
  // A read of a pipe could wait for ever, and a device has no end.
  if (!statSync(copy).isFile()) return fault('it is not a file')
  if (there && realpathSync(copy) === file) return fault('it is the database itself; name the copy')
  return existsSync(dirname(file))
    ? []
    : [{ field: '--db', message: `${safe(dirname(file))}: there is no such folder` }]
}

/** Throws the fault of a damaged copy. The next open of the database updates an older schema. */
function refuseDamaged(path: string, shown: string): void {
  const damaged = (faults: readonly string[], cause?: unknown): ShipxError =>
    new ShipxError('database_corrupt', `${safe(shown)} is damaged; nothing was changed`, {
      details: faults.map((message) => ({ field: null, message })),
      hint: 'name another copy',
      cause,
    })
  try {
    // To SQLite an empty file is an empty database.
    if (schemaOf(sqliteDriver(process), path).at === 0)
      throw invalid([{ field: '<file>', message: `${safe(shown)}: it is empty, not a copy of a database` }])
    const faults = checkSqlite(sqliteDriver(process), path)
    if (faults.length > 0) throw damaged(faults)
  } catch (error) {
    if (!(error instanceof ShipxError && error.code === 'database_corrupt') || error.hint === 'name another copy')
      throw error
    throw damaged([], error)
  }
}

/** Puts a file in the place of a database. Keeps that database with the files next to it, and returns its new name. */
function putBack(context: Context, beside: Beside, file: string): string | undefined {
  beside.sync()
  if (!existsSync(file)) {
    const left = keptName(context, file)
    // A log without its database belongs to nothing, and SQLite would read it into the new one.
    const moved = moveSides(file, left)
    beside.put()
    return moved ? left : undefined
  }
  return held(context, file, ({ whole }) => {
    const kept = keptName(context, file)
    likeBefore(file, beside.path)
    if (!whole) moveSides(file, kept)
    // The old name keeps meaning a whole database until the new file has it.
    keepToo(file, kept)
    if (whole) removeSides(file)
    beside.put()
    return kept
  })
}

/** An unused name for the replaced database. */
function keptName({ io }: Context, file: string): string {
  const start = `${file}.before-restore-${isoOf(io.host.now()).slice(0, 19).replaceAll(':', '-')}Z`
  const taken = (name: string): boolean => ['', ...sideFiles].some((end) => existsSync(`${name}${end}`))
  let name = start
  for (let n = 2; taken(name); n++) name = `${start}-${n}`
  return name
}

/** Moves the files next to the database; returns whether there were any. */
function moveSides(file: string, kept: string): boolean {
  const there = sideFiles.filter((end) => existsSync(`${file}${end}`))
  for (const end of there) renameOver(`${file}${end}`, `${kept}${end}`)
  return there.length > 0
}

function removeSides(file: string): void {
  for (const end of sideFiles) rmSync(`${file}${end}`, { force: true })
}

/** Gives a file a second name; where the file system has no such links, renames it. */
function keepToo(file: string, kept: string): void {
  try {
    linkSync(file, kept)
  } catch {
    renameOver(file, kept)
  }
}

/**
 * Gives the new file the owner and the rights of the old one, as far as this user may. A file that everybody could read
 * was never closed: then the new one is its owner's alone.
 */
function likeBefore(file: string, path: string): void {
  const { mode, uid, gid } = statSync(file)
  try {
    chownSync(path, uid, gid)
    chmodSync(path, (mode & 0o007) === 0 ? mode & 0o777 : 0o600)
  } catch {
    // Without that right, the file belongs to the user alone.
  }
}

const reset = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  refuse(context, [])
  needFile(context, 'dropdb')
  const file = databasePath(context)
  const removed = databaseThere(context)
  if (dry) return wouldDo(context, `delete ${file}`, { remove: file, exists: removed })
  if (removed) {
    refuseUnfit(file)
    await confirm(context, `Delete ${file} and everything in it`)
    // Delete only our own database: a mistyped path must not cost the user another file.
    checkSqlite(sqliteDriver(process), file, true)
    const real = realpathSync(file)
    held(context, real, () => {
      removeSides(real)
      for (const name of new Set([real, file])) rmSync(name, { force: true })
    })
    forgetNames({ ...context, own: true })
  }
  await done(context, removed ? `Deleted ${file}` : `There was no database at ${file}`)
  await printOne(context, { path: file, removed }, file)
  return 0
})

export const verbs = { 'local backup': backup, 'local restore': restore, 'local reset': reset }
