// Compares the counts of a window at the deployment and in the mirror. They reveal changes that no open status points
// to.
import { halves, type Window } from '../../../client/windows.ts'
import { withWindows } from '../../source/mirrorstate.ts'
import type { PullRun } from './pullrun.ts'

/** A window with at most this many records is read when its count differs from the mirror's. */
const worthReading = 1000
/** After this many different counts in a row, counts are no longer compared. */
const mostUneven = 3

/** Compares the counts of a window: reads it, halves it, or leaves it. */
export async function check(run: PullRun, window: Window): Promise<void> {
  const [{ meta }, here] = [await run.list({ ...run.question(window), per_page: 1 }), await run.localCount(window)]
  if (meta.total === here) return run.become(run.instead())
  const { check: _, ...read } = window
  if (window.from === window.to || meta.total <= worthReading) return run.become(run.instead({ ...read, doubt: true }))
  return run.become(run.instead(...halves(window)))
}

/**
 * Runs after a window was read because of its count, and held `read` records. If the count still differs, counts prove
 * nothing.
 */
export async function judge(run: PullRun, window: Window, read: number): Promise<void> {
  if (window.doubt !== true) return
  const { meta } = await run.list({ ...run.question(window), per_page: 1 })
  if (meta.total !== read) return
  const { uneven = 0, ...rest } = run.state
  if ((await run.localCount(window)) === read) return run.become(rest)
  if (uneven + 1 < mostUneven) return run.become({ ...rest, uneven: uneven + 1 })
  await run.become({
    ...withWindows(
      rest,
      run.state.run!.windows.filter(({ check: one }) => one !== true),
    ),
    countless: true,
  })
}
