// Reads a window page by page. The window is complete when its count stayed the same and that many different records
// came.
import { halves, pagesFrom, type Window, type WindowPage } from '../../../client/windows.ts'
import type { Query } from '../../../domain/contract.ts'
import { ShipxError } from '../../../domain/errors.ts'
import type { Page } from '../../../domain/page.ts'
import { judge } from './check.ts'
import { msOf, perPage, type PullRun } from './pullrun.ts'
import { sentOf } from './records.ts'

/** A window is read again this many times while its count changes. */
const mostTries = 2

const day = 86_400_000

/** Reads a window from its first page, or from the page that it reached. */
export async function readByPages(run: PullRun, window: Window): Promise<void> {
  const ids = new Set<string>()
  const begin = window.page ?? 1
  let failed: number | undefined
  let [first, last, nameless] = [0, 0, 0]
  try {
    const list = (query: Query): Promise<Page> => run.list(query)
    for await (const page of pagesFrom(list, run.question(window), begin, (number) => (failed = number))) {
      if (page.number === begin) {
        first = page.total
        if (begin === 1) run.estimate(page.total)
        if (begin === 1 && page.total > run.state.most && window.to > window.from) return await split(run, window, page)
      }
      last = page.total
      const saved = await run.save(window, page.records, run.instead({ ...window, page: page.number + 1 }))
      for (const id of saved.ids) ids.add(id)
      nameless += saved.lost
    }
  } catch (error) {
    if (failed === undefined || failed === 1 || !deep(error)) throw error
    return tooDeep(run, window, failed, error)
  }
  const read = ids.size + nameless
  if (begin === 1 && first === last && read === last) {
    const stretch = { after: undefined, ...msOf(window), upTo: undefined }
    await run.become(run.instead(), () => run.clear(stretch, ids))
    return judge(run, window, last)
  }
  // After an interruption the earlier ids are unknown; the right number of records is enough.
  if (begin > 1 && (await run.localCount(window)) === last) return run.become(run.instead())
  const { page: _, ...again } = window
  const tries = (window.tries ?? 0) + 1
  if (tries <= mostTries) return run.become(run.instead({ ...again, tries }))
  // Shorter windows do not help records on one page, or records that time cannot tell apart.
  const divisible = window.to > window.from && last > perPage && run.state.countless !== true
  if (read < last && divisible) return run.become(run.instead(...halves(window)))
  if (read < last) await run.pulling.warn(`${read} different ${run.pulling.kind} of ${last} could be read`)
  return run.become(run.instead())
}

/**
 * Halves a window with more records than pages may reach. Throws `bad_answer` where time does not tell records apart.
 */
async function split(run: PullRun, window: Window, { records }: WindowPage): Promise<void> {
  const { from, to } = msOf(window)
  const strange = sentOf(run.pulling.kind, records).read.find(
    ({ created_at: at }) => at !== undefined && (at < from - day || at > to + day),
  )
  if (strange !== undefined)
    throw new ShipxError(
      'bad_answer',
      `the service sends ${run.pulling.kind} from outside the requested time (${strange.id}); ` +
        `more than ${run.state.most} of them cannot be read`,
    )
  await run.become(run.instead(...halves(window)))
}

/** Continues after a page that the service refused: it lies too deep if the service still returns the first page. */
async function tooDeep(run: PullRun, window: Window, page: number, error: unknown): Promise<void> {
  if (window.to === window.from) throw error
  try {
    await run.list({ ...run.question(window), per_page: 1 })
  } catch {
    throw error
  }
  const most = Math.min(run.state.most, Math.max(perPage, (page - 1) * perPage))
  await run.become({ ...run.instead(...halves(window)), most })
}

/** Whether a page may lie too deep: true for every error that another request might not meet. */
const deep = (error: unknown): boolean =>
  error instanceof ShipxError &&
  ['usage', 'rejected', 'not_found', 'method', 'too_large', 'unavailable'].includes(error.kind)
