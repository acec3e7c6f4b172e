// Checks of the embedded engine's database: whether it exists and is ours, its schema, damage, who else can read it,
// and free disk space. Opens a file for reading only, and asks a server only whether it answers.
import { execFile } from 'node:child_process'
import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { sqliteDriver } from '../../../engine/database/sqlitechoice.ts'
import { schemaOf } from '../../../engine/database/sqliteschema.ts'
import { dataFolder } from '../../files/folders.ts'
import { databasePath, databaseUrl, shownDatabase } from '../../config/paths.ts'
import { installed } from '../../source/packagefiles.ts'
import { readable } from '../../source/readablefile.ts'
import { quoted } from '../../terminal/safe.ts'
import { fail, ok, patience, warn, type Check, type Finding } from './check.ts'
import { modesOf } from './modes.ts'
import type { Scene } from './scene.ts'

/** Bytes as people read them. */
function size(bytes: number): string {
  const [unit, name] = bytes >= 1e9 ? [1e9, 'GB'] : bytes >= 1e6 ? [1e6, 'MB'] : [1e3, 'kB']
  return `${(bytes / unit).toFixed(bytes >= 1e6 && bytes / unit < 100 ? 1 : 0)} ${name}`
}

/**
 * The file of the database, or undefined for a server's database and where the settings do not say which file it is.
 */
function fileOf({ context, profiles }: Scene): string | undefined {
  if ('error' in profiles || databaseUrl(context) !== undefined) return undefined
  return databasePath(context)
}

const there = (scene: Scene): string | undefined => {
  const file = fileOf(scene)
  return file !== undefined && existsSync(file) ? file : undefined
}

const database: Check = {
  id: 'database',
  title: 'Database',
  look: async (scene): Promise<Finding | undefined> => {
    const { context, profiles } = scene
    if ('error' in profiles) return undefined
    const url = databaseUrl(context)
    if (url !== undefined) return server(url)
    const file = databasePath(context)
    const found = statSync(file, { throwIfNoEntry: false })
    const deployment = scene.deployment()
    if (found === undefined && 'value' in deployment && deployment.value !== undefined) return undefined
    if (found === undefined) return ok(`none yet (${file}); shipx local seed fills one with sample data`)
    if (found.isDirectory()) return fail(`${file} is a folder`, 'name a file with --db')
    const { at, newest } = schemaIn(file)
    const what = `${file}, ${size(found.size)}, schema ${at} of ${newest}`
    return at === newest ? ok(what) : warn(`${what}: the next command that may write updates it`, 'shipx local init')
  },
}

function schemaIn(file: string): ReturnType<typeof schemaOf> {
  const source = readable(file)
  try {
    return schemaOf(sqliteDriver(process), source.path)
  } finally {
    source.close()
  }
}

async function server(url: string): Promise<Finding> {
  const { postgresAt } = await import('../../source/postgres.ts')
  const opened = await postgresAt({ url, mayChange: false })
  await opened.close()
  return ok(`${shownDatabase(url)} answers`)
}

/** A process of its own looks for damage, because SQLite cannot be stopped within its own process. */
const damage: Check = {
  id: 'database_check',
  title: 'Damage',
  look: (scene) => {
    const file = there(scene)
    if (file === undefined) return undefined
    const [program, ...words] = installed().command
    const thorough = `shipx local check --db ${quoted(file)}`
    return new Promise((resolve) => {
      execFile(
        program,
        [...words, 'local', 'check', '--quick', '--json', '--db', file],
        { timeout: patience - 500, killSignal: 'SIGKILL' },
        (error, _, said) => {
          if (error === null) resolve(ok('none found'))
          else if (error.killed === true) resolve(warn('too large to check in a few seconds', thorough))
          else resolve(fail(messageIn(said) ?? 'the check could not run', thorough))
        },
      )
    })
  },
}

/** The message of an error that was printed as JSON. */
function messageIn(said: string): string | undefined {
  try {
    const { error } = JSON.parse(said) as { error: { message: string; details: { message: string }[] } }
    return [error.message, ...error.details.map(({ message }) => message)].join('; ')
  } catch {
    return undefined
  }
}

const modes: Check = {
  id: 'database_modes',
  title: 'Rights of the database',
  look: (scene) => {
    const file = there(scene)
    if (file === undefined) return undefined
    const { io } = scene.context
    const folder = dirname(file)
    // Only the folder that shipx creates is its own: --db may name a file anywhere.
    const own = folder === dataFolder(io) ? [{ path: folder, mode: 0o700 }] : []
    return modesOf(
      io.platform,
      [...['', '-wal', '-shm'].map((end) => ({ path: `${file}${end}`, mode: 0o600 })), ...own],
      "customers' names and phones",
    )
  },
}

/** Free space, bytes: below the first, shipx warns; below the second, it cannot work. */
const [scarce, none] = [500_000_000, 20_000_000]

const disk: Check = {
  id: 'disk',
  title: 'Free disk',
  look: (scene) => {
    const file = fileOf(scene)
    if (file === undefined) return undefined
    let folder = dirname(file)
    while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder)
    const { bavail, bsize } = statfsSync(folder)
    const free = bavail * bsize
    const found = `${size(free)} where the database is`
    return free < none ? fail(found, 'free some space') : free < scarce ? warn(found, 'free some space') : ok(found)
  },
}

export const databaseChecks: readonly Check[] = [database, damage, modes, disk]
