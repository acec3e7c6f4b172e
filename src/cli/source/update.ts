// Brings a database file with an older schema up to date, with progress and a word about the copy. Loaded only when
// needed.
import type { Driver } from '../../engine/database/sqlitedriver.ts'
import { updateSqlite } from '../../engine/database/sqliteupdate.ts'
import type { Context } from '../command/context.ts'
import { copiesBeside } from './migrationcopy.ts'
import { watched } from './watched.ts'

/** Brings a file up to date. Throws as `updateSqlite`, and `interrupted`. */
export async function updateFile(context: Context, driver: Driver, path: string): Promise<void> {
  let kept: string | undefined
  const copies = copiesBeside(context.io, (name) => (kept = name))
  const stays = 'nothing is lost, and the next command goes on'
  let whole = false
  try {
    await watched(context, (watch) => updateSqlite(driver, { path, watch, copies }), stays)
    whole = true
  } finally {
    const what = whole ? 'the database was brought up to date; a copy of the old one' : 'a copy of the old database'
    if (kept !== undefined) await context.warn(`${what} is ${kept}`)
  }
}
