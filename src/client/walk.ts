// Walks through all matches of a listing: along cursors where the service has them, else page by page up to a fixed
// time, so that new records move no page.
import type { Query } from '../domain/contract.ts'
import { isoOf } from '../domain/time.ts'
import { headers as own, nextFrom } from '../domain/wire.ts'
import type { ReadPage } from './answers.ts'
import { digestSet } from './digests.ts'
import type { JudgedBatch, JudgedWalk } from './matching.ts'
import type { Headers } from './exchange.ts'
import { badAnswer } from './networkerrors.ts'

/** What goes with a later page of a walk. */
interface LaterPage {
  readonly signal: AbortSignal
}

/** Called with the headers of an answer when they have arrived, and again with its bytes. */
type Early = (headers: Headers, bytes: Buffer | undefined) => void

/** What the request for a page of a walk needs. */
export interface WalkPage {
  /** Undefined for the first page. */
  readonly onward: LaterPage | undefined
  /** Called with what has arrived of the answer, before it is read. */
  readonly early: Early
  /** Whether the walk goes along cursors: its question then has no page. */
  readonly cursors: boolean
}

/** What a walk is made with. */
export interface WalkSource {
  readonly kind: 'shipments' | 'returns'
  /** A page as large as the service sends. */
  readonly page: (input: Query, of: WalkPage) => Promise<ReadPage>
  /** Whether the service continues after a cursor, as far as it is known. */
  readonly byCursor: () => Promise<boolean>
  /** ms UTC. */
  readonly now: () => number
  readonly warn: (text: string) => void
  readonly origin: string
}

/** After this many pages in a row without a new record the service must be sending the same page again. */
const mostIdle = 3

/** Pages that are under way or in use at a time: more would only fill memory. */
const ahead = 3

/** A step of a walk: its records, and the next question, if there is one. */
interface Step {
  readonly batch: JudgedBatch
  readonly onward: Query | undefined
}

/**
 * A walk in the order of the question, which ignores its page. The first page is read before the walk is returned;
 * while a batch is in use, the next two pages are on their way. Throws what a read throws, and `bad_answer` for a
 * listing that does not advance.
 */
export function walkerOf(source: WalkSource): (input: Query) => Promise<JudgedWalk> {
  return async (input) => {
    let cursors = await source.byCursor()
    const { page: _, ...rest } = input
    const question = cursors ? rest : { ...fixed(source, rest), page: 1 }
    const stop = new AbortController()
    let [asking, used] = [0, 0]
    /** Pages that were requested as soon as their cursor was seen, before the page before them was read. */
    const guessed = new Map<string, Promise<ReadPage>>()
    const ask = (query: Query, onward?: LaterPage): Promise<ReadPage> => {
      asking++
      let onwards = false
      const early: Early = (headers, bytes) => {
        const next = cursors && !onwards && asking - used < ahead ? cursorIn(headers, bytes) : undefined
        if (next === undefined || next.join(' ') === query.search_after?.join(' ')) return
        onwards = true
        const page = ask({ ...query, search_after: [...next], next_search_after: undefined }, stop)
        guessed.set(next.join(' '), page)
      }
      const answer = source.page(query, { onward, early, cursors })
      // Its failure is thrown when its turn comes.
      answer.catch(() => undefined)
      return answer
    }
    const after = (query: Query): Promise<ReadPage> => {
      const cursor = query.search_after?.join(' ') ?? ''
      const found = guessed.get(cursor)
      guessed.delete(cursor)
      return found ?? ask(query, stop)
    }
    const first = await ask(question)
    // The first answer may be the one that announces cursors.
    cursors ||= await source.byCursor()
    const step = cursors
      ? alongCursors(source, { ...question, page: undefined })
      : byPages(source, question, first.meta.total)
    async function* batches(): JudgedWalk['batches'] {
      let found: ReadPage | undefined = first
      try {
        while (found !== undefined) {
          const { batch, onward }: Step = step(found)
          const coming: Promise<ReadPage> | undefined = onward === undefined ? undefined : after(onward)
          if (batch.lines !== undefined || batch.records.length > 0) yield batch
          used++
          found = await coming
        }
      } finally {
        stop.abort()
      }
    }
    return { total: first.meta.total, batches: batches() }
  }
}

/**
 * The cursor in an answer's header, or at the end of a page's text, where a service writes `meta` last; a guess until
 * the page itself is read.
 */
function cursorIn(headers: Headers, bytes: Buffer | undefined): readonly [string, string] | undefined {
  const said = nextFrom(headers[own.next])
  if (said !== undefined) return said.ended ? undefined : said.next
  if (bytes === undefined) return undefined
  const [, value, id] =
    /"next_search_after":\s?\["([^"\\]{1,40})",\s?"([^"\\]{1,200})"\][^{}[\]]{0,100}\}\s{0,4}\}\s{0,4}$/.exec(
      bytes.toString('utf8', Math.max(0, bytes.length - 600)),
    ) ?? []
  return value === undefined || id === undefined ? undefined : [value, id]
}

/** The question with an end in time, unless it has one: records made during the walk would push pages down. */
function fixed({ kind, now }: WalkSource, input: Query): Query {
  if (kind === 'returns')
    return 'created_at__lte' in input && input.created_at__lte !== undefined
      ? input
      : ({ ...input, created_at__lte: isoOf(now()) } as Query)
  const { end_time, date_field = 'created_at' } = input as { readonly end_time?: number; readonly date_field?: string }
  return end_time !== undefined || date_field !== 'created_at'
    ? input
    : ({ ...input, end_time: Math.floor(now() / 1000) } as Query)
}

function alongCursors({ origin }: WalkSource, question: Query): (page: ReadPage) => Step {
  let read = 0
  const from = question.search_after ?? question.next_search_after
  let last = from?.join(' ')
  const onwardAfter = (next: readonly [string, string]): Query => {
    if (next.join(' ') === last) throw badAnswer(origin, 'sends the same page again after its cursor')
    last = next.join(' ')
    return { ...question, search_after: [...next], next_search_after: undefined }
  }
  return (page) => {
    if (page.ended !== undefined) return lineStep(page, onwardAfter)
    const { records, lines, meta, ignored } = page
    read += records.length
    const [value, id] = meta.next_search_after
    const next = value === undefined || id === undefined ? undefined : ([value, id] as const)
    const batch = { records, next, ignored, ...(lines === undefined ? {} : { lines }) }
    if (next === undefined && from === undefined && records.length > 0 && read < meta.total)
      throw badAnswer(origin, `sent no cursor after ${read} of ${meta.total} records`)
    const short = records.length < meta.per_page && read >= meta.total
    if (records.length === 0 || next === undefined || short) return { batch, onward: undefined }
    return { batch, onward: onwardAfter(next) }
  }
}

/** A step of records one on each line: the service says itself where they end. */
function lineStep(page: ReadPage, onwardAfter: (next: readonly [string, string]) => Query): Step {
  const { lines, release, meta, ended } = page
  const [value, id] = meta.next_search_after
  const next = value === undefined || id === undefined ? undefined : ([value, id] as const)
  const batch = {
    // Whoever passes the lines on never needs them cut up.
    get records() {
      return page.records
    },
    next,
    ...(lines === undefined ? {} : { lines, release }),
  }
  return { batch, onward: ended === true || next === undefined ? undefined : onwardAfter(next) }
}

function byPages({ origin, warn, kind }: WalkSource, question: Query, total: number): (page: ReadPage) => Step {
  const seen = digestSet()
  let [number, read, given, idle, latest] = [1, 0, 0, 0, total]
  return ({ records, ids, meta, counted, ignored }) => {
    const isNew = records.map((_, n) => {
      const id = ids[n]
      if (id === undefined) return true
      return seen.add(id)
    })
    const fresh = records.filter((_, n) => isNew[n])
    read += records.length
    given += fresh.length
    idle = fresh.length === 0 ? idle + 1 : 0
    if (counted) latest = meta.total
    if (records.length > 0 && idle >= mostIdle) throw badAnswer(origin, 'sends the same page again and again')
    const batch = { records: fresh, next: undefined, ignored: ignored?.filter((_, n) => isNew[n]) }
    const more = records.length > 0 && (counted ? read < latest : fresh.length > 0)
    if (more) return { batch, onward: { ...question, page: ++number } }
    tell()
    return { batch, onward: undefined }
  }

  function tell(): void {
    const moved = latest !== total
    if (moved) {
      const missing = `some ${kind} may be missing, and none appears twice`
      warn(`the total changed from ${total} to ${latest} while pages were read; ${missing}`)
    } else if (given < latest)
      warn(`${given} different ${kind} of ${latest} were found while pages were read; records moved between pages`)
  }
}
