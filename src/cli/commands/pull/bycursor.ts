// Reads a window along cursors: what lies between two of them is known exactly.
import type { Window } from '../../../client/windows.ts'
import { judge } from './check.ts'
import { msOf, type PullRun } from './pullrun.ts'

/** Saves records when it holds this many, or when the first has waited this long, ms. */
const [mostHeld, longestHeld] = [500, 1000]

/** Reads a window to its end, from its cursor if it has one. */
export async function readByCursor(run: PullRun, window: Window): Promise<void> {
  const { from, to } = msOf(window)
  const question = run.question(window)
  const asked =
    window.cursor === undefined ? question : { ...question, search_after: [...window.cursor] as [string, string] }
  const { total, batches } = await run.walk(asked)
  run.estimate(total)
  let after = window.cursor === undefined ? undefined : pairOf(window.cursor)
  let cursor = window.cursor
  let held: string[] = []
  let since = run.pulling.ticks()
  let read = 0
  for await (const { records, next } of batches) {
    // When the service is faster than the disk, several pages share a transaction.
    if (
      cursor !== undefined &&
      (held.length >= mostHeld || (held.length > 0 && run.pulling.ticks() - since > longestHeld))
    ) {
      const upTo = pairOf(cursor)
      await run.save(window, held, run.instead({ ...window, cursor }), { after, from, upTo, to })
      after = upTo
      held = []
      since = run.pulling.ticks()
    }
    held.push(...records)
    read += records.length
    cursor = next
  }
  // There are no records after the last one.
  await run.save(window, held, run.instead(), { after, from, upTo: undefined, to })
  await judge(run, window, read)
}

const pairOf = ([value, id]: readonly [string, string]): readonly [number, string] => [Number(value), id]
