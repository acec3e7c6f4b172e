// Windows of time that a listing is read by, so that no page lies deeper than a service allows (docs/guides/mirror.md).
import type { Query } from '../domain/contract.ts'
import { maxPerPage, type Page } from '../domain/page.ts'
import type { SentKind } from '../domain/foreign/records.ts'
import { isoOf } from '../domain/time.ts'

/** Records created in these seconds (Unix time, both inclusive), and how much of them has been read. */
export interface Window {
  readonly from: number
  readonly to: number
  /** Only counted, and read where the count is not what the mirror has. */
  readonly check?: true
  /** Read because its count differed. */
  readonly doubt?: true
  /** How often the records read were not as many as were counted. */
  readonly tries?: number
  /** The next page. */
  readonly page?: number
  /** The cursor to continue after. */
  readonly cursor?: readonly [string, string]
}

/**
 * The question whose answers are the records of a window, oldest first. The question covers `slack` seconds beyond its
 * end: a service may leave the fraction of the last second out.
 */
export function questionOf(kind: SentKind, { from, to }: Window, slack: number): Query {
  const until = to + slack
  const common = { sort_order: 'asc', per_page: maxPerPage } as const
  return kind === 'shipments'
    ? { ...common, ...(from > 0 ? { start_time: from } : {}), end_time: until }
    : {
        ...common,
        ...(from > 0 ? { created_at__gte: isoOf(from * 1000) } : {}),
        created_at__lte: isoOf(until * 1000 + 999),
      }
}

/** Both halves of a window that is longer than a second. */
export function halves({ from, to, check, doubt }: Window): readonly [Window, Window] {
  const middle = Math.floor((from + to) / 2)
  const kept = { ...(check === undefined ? {} : { check }), ...(doubt === undefined ? {} : { doubt }) }
  return [
    { from, to: middle, ...kept },
    { from: middle + 1, to, ...kept },
  ]
}

/** Windows around these moments (seconds, in order): those that lie no further apart than `gap` seconds share one. */
export function windowsAround(moments: readonly number[], gap: number): readonly Window[] {
  const windows: { from: number; to: number }[] = []
  for (const at of moments) {
    const last = windows.at(-1)
    if (last !== undefined && at - last.to <= gap) last.to = at
    else windows.push({ from: at, to: at })
  }
  return windows
}

/** The same seconds in windows that do not overlap, in order. */
export function mergeWindows(windows: readonly Window[]): readonly Window[] {
  const merged: { from: number; to: number }[] = []
  for (const { from, to } of windows.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1)
    if (last !== undefined && from <= last.to + 1) last.to = Math.max(last.to, to)
    else merged.push({ from, to })
  }
  return merged
}

/** A page of a window: its number, its records, how many the service says there are, and whether it is the last one. */
export interface WindowPage {
  readonly number: number
  readonly records: readonly string[]
  readonly total: number
  readonly last: boolean
}

/**
 * The pages of a question from one on; while one is in use, the next is on its way. `failed` is called with the number
 * of the page that could not be read, before its error is thrown.
 */
export async function* pagesFrom(
  list: (query: Query) => Promise<Page>,
  question: Query,
  first: number,
  failed: (page: number) => void,
): AsyncGenerator<WindowPage> {
  const ask = (page: number): Promise<Page> => {
    const asked = list({ ...question, page })
    // Its failure is thrown when its turn comes.
    asked.catch(() => undefined)
    return asked
  }
  let coming = ask(first)
  let read: number | undefined
  let counted = false
  for (let number = first; ; number++) {
    let found: Page
    try {
      found = await coming
    } catch (error) {
      failed(number)
      throw error
    }
    const { records, meta } = found
    read = (read ?? (first - 1) * meta.per_page) + records.length
    // A service that does not count has a total of what it has shown so far.
    counted ||= meta.total > read
    const last = records.length === 0 || (counted ? read >= meta.total : records.length < meta.per_page)
    if (!last) coming = ask(number + 1)
    yield { number, records, total: meta.total, last }
    if (last) return
  }
}
