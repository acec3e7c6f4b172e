// Progress of a change of a database's schema, on stderr.
import { count } from '../../domain/count.ts'
import { ShipxError } from '../../domain/errors.ts'
import type { Watch } from '../../engine/database/migrations.ts'
import type { Context } from '../command/context.ts'
import { progress, type Progress } from '../output/progress.ts'

type Phase = Exclude<Parameters<Watch>[0], 'copy'>

const copying = 'Making a copy of the database before it is updated'

const doing: Readonly<Record<Phase, string>> = {
  wait: 'Waiting for another shipx, which updates the database',
  records: 'Updating the database',
  indexes: 'Updating its indexes',
  search: 'Updating its search',
}

/** From this size on a copy takes seconds, bytes. */
const noticeable = 200_000_000

/**
 * Runs work with progress for what it tells. With `stopped`, which says what then stays, Ctrl-C ends it between two
 * things that it tells, as `interrupted`; otherwise, and while a copy is made, Ctrl-C ends the process.
 */
export async function watched<T>(context: Context, work: (watch: Watch) => Promise<T>, stopped?: string): Promise<T> {
  let bar: { readonly phase: Phase; readonly progress: Progress; done: number } | undefined
  let over = false
  let quiet: (() => void) | undefined
  const watch: Watch = async (phase, done, all) => {
    // Nothing can be drawn while SQLite copies.
    if (phase === 'copy')
      return all < noticeable ? undefined : context.note(`${copying} (${count(Math.ceil(all / 1e6))} MB)`)
    if (bar?.phase !== phase) {
      await bar?.progress.end()
      bar = { phase, progress: await progress(context, doing[phase], all === 0 ? 'uncounted' : all), done: 0 }
    }
    if (stopped !== undefined) quiet ??= context.io.onInterrupt(() => (over = true))
    await bar.progress.advance(done - bar.done)
    bar.done = done
    // Without this wait, no signal would arrive.
    await new Promise(setImmediate)
    if (over) throw new ShipxError('interrupted', `stopped while the database was updated; ${stopped}`)
  }
  try {
    return await work(watch)
  } finally {
    await bar?.progress.end()
    quiet?.()
  }
}
