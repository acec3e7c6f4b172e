// The pull of one kind of record: windows of a deployment's listing into the mirror, a page and how far it has come in one
// transaction, so that it goes on wherever it ended; knows no screen and no file (docs/mirror.md).
import { digestSet } from '../../../client/digests.ts'
import { halves, pagesFrom, questionOf, type Window, type WindowPage } from '../../../client/windows.ts'
import type { RemoteService } from '../../../client/service.ts'
import type { Query } from '../../../domain/contract.ts'
import { ShipxError } from '../../../domain/errors.ts'
import type { Page } from '../../../domain/page.ts'
import { readSent, type SentKind, type SentRecord } from '../../../domain/foreign/records.ts'
import type { Work, Database } from '../../../engine/database/port.ts'
import {
  beginPull,
  countCreated,
  openMoments,
  removeUnseen,
  savePull,
  saveSent,
  type Stretch,
} from '../../../engine/transfer/mirror.ts'
import { ended, newRun, withWindows, type PullState, type Wish } from '../../source/mirrorstate.ts'
import { tallyOf } from './counts.ts'

/** What a pull is made with. */
export interface Pulling {
  readonly kind: SentKind
  readonly remote: RemoteService
  readonly database: Database
  readonly account: number
  /** ms UTC. */
  readonly now: () => number
  /** Ms of a clock that goes on. */
  readonly ticks: () => number
  /** The mark of this pull: another one that begins takes its place. */
  readonly owner: string
  /** Aborted when the user has had enough. */
  readonly stop: AbortSignal
  /** Told of records that were read, and of how many there are where that is known. */
  readonly advance: (records: number, total: number | undefined) => Promise<void>
  /** Something that a person should know. */
  readonly warn: (text: string) => Promise<void>
  /** Work to be done with each page in its transaction. */
  readonly beside: () => Work<void>
}

/** What a pull did: each record is counted once. */
export interface Pulled {
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
}

/** Records are saved when there are so many, or when the first of them has waited so long, ms. */
const [mostHeld, longestHeld] = [500, 1000]
/** A window with no more records than this is read when its count is another one than the mirror's. */
const worthReading = 1000
/** So often in a row a count may be another one before counts are left alone. */
const mostUneven = 3
/** A window is read again so often while its count moves. */
const mostTries = 2

/** Reads everything that the state and the wish ask for. Throws what the client throws, and `interrupted`. */
export async function pullRecords(pulling: Pulling, before: PullState, wish: Wish): Promise<Pulled> {
  const { kind, remote, database, account, owner, stop } = pulling
  const { dialect } = database
  const tally = tallyOf()
  const leftOut = leftOutOf()
  let removed = 0
  let state = before
  const byCursor = before.capabilities.includes('search_after')
  const slack = byCursor ? 0 : 1
  const list = (query: Query): Promise<Page> =>
    remote[kind === 'shipments' ? 'listShipments' : 'listReturns'](query as never)
  const walk = (query: Query) => (kind === 'shipments' ? remote.walkShipments(query) : remote.walkReturns(query))

  const row = (next: PullState) => ({ kind, owner, state: JSON.stringify(next) })

  /** Goes on from another state, after work of the same transaction. */
  async function become(next: PullState, work?: () => Work<void>): Promise<void> {
    if (stop.aborted) throw new ShipxError('interrupted', 'stopped')
    await database.write(function* () {
      if (work !== undefined) yield* work()
      yield* savePull(account, row(next), pulling.now())
      yield* pulling.beside()
    })
    state = next
  }

  /** The state with something else in the place of its first window. */
  const instead = (...windows: readonly Window[]): PullState =>
    withWindows(state, [...windows, ...state.run!.windows.slice(1)])

  /** Saves a page with the state that follows; takes away what the stretch was seen not to hold. Gives the ids, and how many had none. */
  async function save(
    window: Window,
    records: readonly string[],
    next: PullState,
    stretch?: Stretch,
  ): Promise<{ readonly ids: readonly string[]; readonly lost: number }> {
    const { read, lost } = sentOf(kind, records)
    leftOut.note(lost)
    const ids = read.map(({ id }) => id)
    const [first, last] = [window.from * 1000, (window.to + slack) * 1000 + 999]
    const strange = read.some(({ created_at: at }) => at === undefined || at < first || at > last)
    const judged: PullState = strange ? { ...next, countless: true } : next
    await become(carriedOf(judged, read), function* () {
      tally.note(yield* saveSent(dialect, account, kind, read))
      if (stretch !== undefined) yield* clear(stretch, new Set(ids))
    })
    await pulling.advance(records.length, state.run?.total)
    return { ids, lost: lost.length }
  }

  /** Takes away what a stretch was seen not to hold; nothing where times cannot be relied on. */
  function* clear(stretch: Stretch, seen: ReadonlySet<string>): Work<void> {
    if (state.countless !== true) removed += yield* removeUnseen(account, kind, stretch, seen)
  }

  const localCount = (window: Window): Promise<number> =>
    database.read(() => countCreated(account, kind, msOf(window).from, (window.to + slack) * 1000 + 999), 'single')

  /* ---- Along cursors: what lies between two of them is known exactly ---- */

  async function readByCursor(window: Window): Promise<void> {
    const { from, to } = msOf(window)
    const question = questionOf(kind, window, slack)
    const asked =
      window.cursor === undefined ? question : { ...question, search_after: [...window.cursor] as [string, string] }
    const { total, batches } = await walk(asked)
    estimate(total)
    let after = window.cursor === undefined ? undefined : pairOf(window.cursor)
    let cursor = window.cursor
    let held: string[] = []
    let since = pulling.ticks()
    let read = 0
    for await (const { records, next } of batches) {
      // A service that is faster than the disk fills a few pages meanwhile: they share a transaction.
      if (
        cursor !== undefined &&
        (held.length >= mostHeld || (held.length > 0 && pulling.ticks() - since > longestHeld))
      ) {
        const upTo = pairOf(cursor)
        await save(window, held, instead({ ...window, cursor }), { after, from, upTo, to })
        after = upTo
        held = []
        since = pulling.ticks()
      }
      held.push(...records)
      read += records.length
      cursor = next
    }
    // Nothing lies behind the last one.
    await save(window, held, instead(), { after, from, upTo: undefined, to })
    await judge(window, read)
  }

  /** How much there is to read, where one window is all. */
  function estimate(total: number): void {
    const run = state.run!
    if (run.total === undefined && run.windows.length === 1) state = { ...state, run: { ...run, total } }
  }

  /* ---- Page by page: a window counts as read when its count stood still and that many different records came ---- */

  async function readByPages(window: Window): Promise<void> {
    const ids = new Set<string>()
    const begin = window.page ?? 1
    let failed: number | undefined
    let [first, last, nameless] = [0, 0, 0]
    try {
      for await (const page of pagesFrom(list, questionOf(kind, window, slack), begin, (number) => (failed = number))) {
        if (page.number === begin) {
          first = page.total
          if (begin === 1) estimate(page.total)
          if (begin === 1 && page.total > state.most && window.to > window.from) return await split(window, page)
        }
        last = page.total
        const saved = await save(window, page.records, instead({ ...window, page: page.number + 1 }))
        for (const id of saved.ids) ids.add(id)
        nameless += saved.lost
      }
    } catch (error) {
      if (failed === undefined || failed === 1 || !deep(error)) throw error
      return tooDeep(window, failed, error)
    }
    const read = ids.size + nameless
    if (begin === 1 && first === last && read === last) {
      const stretch = { after: undefined, ...msOf(window), upTo: undefined }
      await become(instead(), () => clear(stretch, ids))
      return judge(window, last)
    }
    // After an interruption nobody knows which ids came before it; that as many are there as there should be is as good.
    if (begin > 1 && (await localCount(window)) === last) return become(instead())
    const { page: _, ...again } = window
    const tries = (window.tries ?? 0) + 1
    if (tries <= mostTries) return become(instead({ ...again, tries }))
    // What is on one page, or what is not told apart by time, is not told apart better in shorter windows.
    const divisible = window.to > window.from && last > perPage && state.countless !== true
    if (read < last && divisible) return become(instead(...halves(window)))
    if (read < last) await pulling.warn(`${read} different ${kind} of ${last} could be read`)
    return become(instead())
  }

  /** Halves a window with more records than pages may reach. Throws `bad_answer` where time does not tell records apart. */
  async function split(window: Window, { records }: WindowPage): Promise<void> {
    const { from, to } = msOf(window)
    const strange = sentOf(kind, records).read.find(
      ({ created_at: at }) => at !== undefined && (at < from - day || at > to + day),
    )
    if (strange !== undefined)
      throw new ShipxError(
        'bad_answer',
        `the deployment answers with ${kind} that were not created in the time it is asked for (${strange.id}); more than ${state.most} of them cannot be read`,
      )
    await become(instead(...halves(window)))
  }

  /** Goes on after a page that the service would not give: it lies too deep when the first page is still given. */
  async function tooDeep(window: Window, page: number, error: unknown): Promise<void> {
    if (window.to === window.from) throw error
    try {
      await list({ ...questionOf(kind, window, slack), per_page: 1 })
    } catch {
      throw error
    }
    const most = Math.min(state.most, Math.max(perPage, (page - 1) * perPage))
    await become({ ...instead(...halves(window)), most })
  }

  /* ---- Counts tell where something is amiss that no open status points at ---- */

  async function check(window: Window): Promise<void> {
    const [{ meta }, here] = [await list({ ...questionOf(kind, window, slack), per_page: 1 }), await localCount(window)]
    if (meta.total === here) return become(instead())
    const { check: _, ...read } = window
    if (window.from === window.to || meta.total <= worthReading) return become(instead({ ...read, doubt: true }))
    return become(instead(...halves(window)))
  }

  /** After a window was read because of its count, and held `read` records: where that still differs, counts say nothing. */
  async function judge(window: Window, read: number): Promise<void> {
    if (window.doubt !== true) return
    const { meta } = await list({ ...questionOf(kind, window, slack), per_page: 1 })
    if (meta.total !== read) return
    const { uneven = 0, ...rest } = state
    if ((await localCount(window)) === read) return become(rest)
    if (uneven + 1 < mostUneven) return become({ ...rest, uneven: uneven + 1 })
    await become({
      ...withWindows(
        rest,
        state.run!.windows.filter(({ check: one }) => one !== true),
      ),
      countless: true,
    })
  }

  /* ---- The run ---- */

  async function plan(full: boolean): Promise<PullState> {
    const { covered } = state
    const now = Math.floor(pulling.now() / 1000)
    const asked = { ...wish, full }
    if (covered === undefined || full) return { ...state, run: newRun(state, asked, now, { open: [], gap: 0 }) }
    const range = { from: Math.max(wish.since, covered.from) * 1000, to: covered.until * 1000 + 999 }
    const open = await database.read(
      () => openMoments(dialect, account, kind, { ...range, now: pulling.now() }),
      'single',
    )
    const first = open[0] ?? range.to
    const behind = await database.read(() => countCreated(account, kind, first, range.to), 'single')
    // Between two that lie so near each other there is about one page of others.
    const gap = Math.max(60, Math.min(86_400, (((range.to - first) / 1000) * perPage) / Math.max(1, behind)))
    return { ...state, run: newRun(state, asked, now, { open: open.map((at) => Math.floor(at / 1000)), gap }) }
  }

  /** Throws where the deployment sent records and none can be kept: the next run begins anew. */
  async function refuseNameless(): Promise<void> {
    if (leftOut.count() === 0) return
    if ((await database.read(() => countCreated(account, kind, 0, Number.MAX_SAFE_INTEGER), 'single')) > 0) return
    const { run: _, covered: __, ...rest } = state
    await become(rest)
    throw new ShipxError(
      'bad_answer',
      `none of the ${many(leftOut.count())} ${kind} that the deployment sent has an id and attributes; nothing could be kept`,
    )
  }

  // What an earlier run had read before it was interrupted may have changed since: another round follows.
  const unfinished = state.run !== undefined && (state.run.full || !wish.full)
  let rounds = unfinished ? 2 : 1
  if (!unfinished) state = await plan(wish.full)
  await database.write(() => beginPull(account, row(state), pulling.now()))
  for (;;) {
    const run = state.run!
    const window = run.windows[0]
    if (window !== undefined)
      await (window.check === true ? check(window) : byCursor ? readByCursor(window) : readByPages(window))
    else if (!run.counted && state.countless !== true)
      await become({
        ...state,
        run: { ...run, counted: true, windows: [{ from: run.from, to: run.until, check: true }] },
      })
    else {
      await refuseNameless()
      await become(ended(state, pulling.now()))
      if (--rounds === 0) {
        if (leftOut.count() > 0)
          await pulling.warn(
            `${many(leftOut.count())} ${kind} that the deployment sent had no id or no attributes; they were left out`,
          )
        return { ...tally.counts(), removed }
      }
      await become(await plan(false))
    }
  }
}

const many = (n: number): string => n.toLocaleString('en-IN')

const perPage = 100
const day = 86_400_000

const msOf = ({ from, to }: Window): { readonly from: number; readonly to: number } => ({
  // Records that do not say when they were created are kept at 0, and belong to no window.
  from: Math.max(1, from * 1000),
  to: to * 1000 + 999,
})

const pairOf = ([value, id]: readonly [string, string]): readonly [number, string] => [Number(value), id]

/** Whether a page may lie too deep: everything that another question might be answered after. */
const deep = (error: unknown): boolean =>
  error instanceof ShipxError &&
  ['usage', 'rejected', 'not_found', 'method', 'too_large', 'unavailable'].includes(error.kind)

/** The records that can be kept, and the texts of those that nothing can be told by. */
function sentOf(
  kind: SentKind,
  records: readonly string[],
): { readonly read: readonly SentRecord[]; readonly lost: readonly string[] } {
  const all = records.map((text) => ({ text, record: readSent(kind, text) }))
  return {
    read: all.flatMap(({ record }) => record ?? []),
    lost: all.flatMap(({ text, record }) => (record === undefined ? text : [])),
  }
}

/** Counts records without an id: each once, however often its window is read. */
function leftOutOf(): { readonly note: (texts: readonly string[]) => void; readonly count: () => number } {
  const seen = digestSet()
  let count = 0
  return {
    note: (texts) => {
      // Two that are alike on one page are two.
      const alike = new Map<string, number>()
      for (const text of texts) {
        const nth = (alike.get(text) ?? 0) + 1
        alike.set(text, nth)
        if (seen.add(`${nth} ${text}`)) count++
      }
    },
    count: () => count,
  }
}

function carriedOf(state: PullState, records: readonly SentRecord[]): PullState {
  const known = new Set(state.carried)
  const fresh = records.flatMap(({ carried }) => carried.filter((home) => !known.has(home)))
  return fresh.length === 0 ? state : { ...state, carried: [...known, ...new Set(fresh)] }
}
