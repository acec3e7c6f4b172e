// Brings an SQLite file with an older schema up to date: keeps a copy, takes the steps in one transaction, and moves
// many records in several (sqlitemove.ts). It may end at any moment, and the next start goes on.
import type { Connection, Driver } from './sqlitedriver.ts'
import { ShipxError } from '../../domain/errors.ts'
import { fillOf } from '../records/filled.ts'
import { moveAt, sqliteStep, steps, withoutIndexes, type Watch } from './migrations.ts'
import { openConnection } from './sqlite.ts'
import { translatedStep } from './sqliteerrors.ts'
import { freeBytes, sameDisk } from './sqlitefile.ts'
import { beginMove, finishMove, isLarge, leftIn, sizeOf } from './sqlitemove.ts'
import { fillSearch } from './sqlitesearch.ts'
import { copySqlite, inspect, mark, standing } from './sqliteschema.ts'
import { isBusy } from './sqlitewait.ts'

/** The backups of older schemas. One process at a time makes one, since it holds the write lock meanwhile. */
export interface Backups {
  /** The path of a new, empty file. It may delete what earlier processes left unfinished. */
  readonly make: (path: string, schema: number) => string
  /** Called when the copy is complete and has that schema. */
  readonly keep: (copy: string, path: string, schema: number) => void
  /** Called when the copy was not finished. */
  readonly drop: (copy: string) => void
}

/** A file to be brought up to date. */
export interface Update {
  readonly path: string
  /** Where the backup of the older schema goes; without it the backup has a fixed name. */
  readonly copies?: Backups
  readonly watch?: Watch
  /** How long to wait for another process while nothing changes in the file, ms (two minutes). */
  readonly patience?: number
}

/** Page cache in KiB: making an index sorts this much at a time. 48,000 save 4 % of the time, and take 43 MB more. */
const cacheKib = 12_000

/**
 * How much of the file's size must be free: for a copy of it, and for what a move writes before it frees what it has
 * moved; a small file is moved in one transaction, whose log holds all of it.
 */
const shares = { copy: 1, large: 0.3, small: 1.5 }

/** The log of one transaction goes into the file before the next one, pages. */
const logPages = 250

/** How long one attempt to lock the file lasts, ms. */
const attempt = 100

/**
 * Brings a file up to date; one that is stays as it is. Waits for another process that does it. Throws as `openSqlite`,
 * `database_full` before anything is written where the disk has too little room, and what `watch` throws: what is moved
 * by then stays moved.
 */
export async function updateSqlite(driver: Driver, update: Update): Promise<void> {
  const { path, copies, watch = async () => {}, patience = 120_000 } = update
  const db = openConnection(driver, { path, cacheKib })
  try {
    db.pragma(`wal_autocheckpoint = ${logPages}`)
    await takeSteps(db, { path, copies, watch, patience }, driver)
  } catch (error) {
    if (db.inTransaction) db.exec('rollback')
    throw translatedStep(path, error)
  } finally {
    db.close()
  }
}

type Wanted = Required<Omit<Update, 'copies'>> & { readonly copies: Backups | undefined }

async function takeSteps(db: Connection, wanted: Wanted, driver: Driver): Promise<void> {
  const { path, copies, watch } = wanted
  await begin(db, wanted)
  // Another process may have done it while this one waited for the lock.
  let { done, begun } = standing(db)
  if (done > 0 && done < steps.length && !begun) {
    await watch('copy', 0, sizeOf(db))
    keepCopy(db, driver, path, done, copies)
  }
  while (done < steps.length) {
    const step = steps[done]!
    if (step.apart === undefined) {
      db.exec(done < moveAt ? withoutIndexes(sqliteStep(step)) : sqliteStep(step))
      if (step.searched === true) await fillSearch(db, watch)
    } else {
      const pause = (): Promise<boolean> => pauseIn(db, wanted)
      if (!begun) beginMove(db)
      // What is begun need not be begun again, nor copied.
      const ours = begun || !isLarge(db) || (await pause())
      if (!ours || !(await finishMove(db, path, { fill: fillOf, watch, pause }))) {
        ;({ done, begun } = standing(db))
        continue
      }
    }
    begun = false
    done++
  }
  mark(db, steps.length)
  db.exec('commit')
}

/** Lets other processes use the file in the middle of the move. Returns whether the move is still to be finished. */
async function pauseIn(db: Connection, wanted: Wanted): Promise<boolean> {
  mark(db, moveAt, true)
  db.exec('commit')
  await begin(db, wanted)
  const { done, begun } = standing(db)
  return begun && done === moveAt
}

/**
 * Begins a transaction that may write. Waits as long as another process gets on with the same work. Throws
 * `database_locked` when nothing has changed for a while, and what `inspect` throws.
 */
async function begin(db: Connection, { path, watch, patience }: Wanted): Promise<void> {
  db.pragma(`busy_timeout = ${attempt}`)
  for (let [n, seen] = [0, '']; !beganNow(db); n++) {
    const { begun } = standing(db)
    const { moved, all } = begun ? leftIn(db) : { moved: 0, all: 0 }
    // Changes with each table and index.
    const now = `${db.pragma('schema_version', { simple: true })} ${moved}`
    if (now !== seen) [n, seen] = [0, now]
    else if (n * attempt >= patience) throw begun ? updating(path, moved, all) : busy(path)
    await watch('wait', moved, all)
  }
  inspect(db, path)
}

const busy = (path: string): ShipxError =>
  new ShipxError('database_locked', `${path} is in use by another process`, {
    hint: 'try again when the other command has finished',
  })

const updating = (path: string, moved: number, all: number): ShipxError => {
  const share = `${Math.floor((moved / Math.max(1, all)) * 100)} %`
  return new ShipxError('database_locked', `another shipx is bringing ${path} up to date (${share})`, {
    hint: 'wait until it has finished, then run the command again',
  })
}

/** Begins a transaction that may write; false while another process writes. */
function beganNow(db: Connection): boolean {
  try {
    db.exec('begin immediate')
    return true
  } catch (error) {
    if (isBusy(error)) return false
    throw error
  }
}

/** Copies the database before a change, on a second connection: the one that holds the lock cannot. */
function keepCopy(db: Connection, driver: Driver, path: string, schema: number, copies: Backups | undefined): void {
  const copy = copies?.make(path, schema) ?? `${path}.schema-${schema}.bak`
  try {
    requireRoom(db, path, copy)
    copySqlite(driver, path, copy)
    copies?.keep(copy, path, schema)
  } catch (error) {
    copies?.drop(copy)
    throw error
  }
}

/** Throws `database_full` when a copy, and the move after it, do not fit on the disk. */
function requireRoom(db: Connection, path: string, copy: string): void {
  const size = sizeOf(db)
  const moved = isLarge(db) ? shares.large : shares.small
  const needs: readonly (readonly [string, number])[] = sameDisk(path, copy)
    ? [[path, shares.copy + moved]]
    : [
        [copy, shares.copy],
        [path, moved],
      ]
  for (const [place, share] of needs) {
    const free = freeBytes(place)
    const missing = size * share - (free ?? Infinity)
    if (missing <= 0) continue
    const [needed, there] = [megabytes(size * share), megabytes(free!)]
    throw new ShipxError(
      'database_full',
      `updating ${path} needs ${needed} of free disk, and ${there} are free; nothing was written`,
      { hint: `free ${megabytes(missing)} on the disk of ${place}` },
    )
  }
}

const megabytes = (bytes: number): string => `${Math.ceil(bytes / 1e6)} MB`
