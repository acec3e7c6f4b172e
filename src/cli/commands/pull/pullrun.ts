// A running pull: its state, which is saved with each page in one transaction, and its counts.
import type { RemoteService } from '../../../client/service.ts'
import { questionOf, type Window } from '../../../client/windows.ts'
import type { Query } from '../../../domain/contract.ts'
import { ShipxError } from '../../../domain/errors.ts'
import type { SentKind } from '../../../domain/foreign/records.ts'
import type { Page } from '../../../domain/page.ts'
import type { Database, Work } from '../../../engine/database/port.ts'
import { countCreated, removeUnseen, savePull, saveSent, type ListingRange } from '../../../engine/transfer/mirror.ts'
import { withWindows, type PullState } from '../../source/mirrorstate.ts'
import { tallyOf } from './counts.ts'
import { carriedOf, leftOutOf, sentOf } from './records.ts'

/** What a pull uses. */
export interface Pulling {
  readonly kind: SentKind
  readonly remote: RemoteService
  readonly database: Database
  readonly account: number
  /** ms UTC. */
  readonly now: () => number
  /** Ms of a clock that never goes back. */
  readonly ticks: () => number
  /** The mark of this pull: a pull that starts later takes its place. */
  readonly owner: string
  /** Aborted when the user stops the pull. */
  readonly stop: AbortSignal
  /** Receives how many records were read, and the total when known. */
  readonly advance: (records: number, total: number | undefined) => Promise<void>
  /** Shows a warning to the user. */
  readonly warn: (text: string) => Promise<void>
  /** Says why only a part could be copied. */
  readonly partly: (text: string) => Promise<void>
  /** Work that runs in the transaction of each page. */
  readonly beside: () => Work<void>
}

/** The result of a pull: each record counts once. */
export interface Pulled {
  readonly new: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
}

/** Records on a page. */
export const perPage = 100

/** The instants of a window, ms. */
export const msOf = ({ from, to }: Window): { readonly from: number; readonly to: number } => ({
  // Records without a creation time are stored at 0, and belong to no window.
  from: Math.max(1, from * 1000),
  to: to * 1000 + 999,
})

/** A running pull. Its state is the last saved one; `become` saves the next. */
export class PullRun {
  readonly pulling: Pulling
  state: PullState
  /** Whether the deployment lists along cursors. */
  readonly byCursor: boolean
  /** Seconds that a request reaches beyond its window: the API takes whole seconds. */
  readonly slack: number
  readonly leftOut = leftOutOf()
  readonly #tally = tallyOf()
  #removed = 0

  constructor(pulling: Pulling, state: PullState) {
    this.pulling = pulling
    this.state = state
    this.byCursor = state.capabilities.includes('search_after')
    this.slack = this.byCursor ? 0 : 1
  }

  /** The result so far. */
  done(): Pulled {
    return { ...this.#tally.counts(), removed: this.#removed }
  }

  list(query: Query): Promise<Page> {
    const { kind, remote } = this.pulling
    return remote[kind === 'shipments' ? 'listShipments' : 'listReturns'](query as never)
  }

  walk(query: Query): ReturnType<RemoteService['walkShipments']> {
    const { kind, remote } = this.pulling
    return kind === 'shipments' ? remote.walkShipments(query) : remote.walkReturns(query)
  }

  /** The query for all records of a window. */
  question(window: Window): ReturnType<typeof questionOf> {
    return questionOf(this.pulling.kind, window, this.slack)
  }

  /** The pull as a row of the mirror. */
  row(state = this.state): { readonly kind: SentKind; readonly owner: string; readonly state: string } {
    return { kind: this.pulling.kind, owner: this.pulling.owner, state: JSON.stringify(state) }
  }

  /** Saves another state, with work in the same transaction. Throws `interrupted`. */
  async become(next: PullState, work?: () => Work<void>): Promise<void> {
    const { stop, database, account, now, beside } = this.pulling
    if (stop.aborted) throw new ShipxError('interrupted', 'stopped')
    const row = this.row(next)
    await database.write(function* () {
      if (work !== undefined) yield* work()
      yield* savePull(account, row, now())
      yield* beside()
    })
    this.state = next
  }

  /** The state with other windows in place of its first one. */
  instead(...windows: readonly Window[]): PullState {
    return withWindows(this.state, [...windows, ...this.state.run!.windows.slice(1)])
  }

  /**
   * Saves a page with the next state, and removes the stretch's records that the deployment no longer has. Returns the
   * ids, and how many records had none.
   */
  async save(
    window: Window,
    texts: readonly string[],
    next: PullState,
    stretch?: ListingRange,
  ): Promise<{ readonly ids: readonly string[]; readonly lost: number }> {
    const { kind, database, account, advance } = this.pulling
    const { read, lost } = sentOf(kind, texts)
    this.leftOut.note(lost)
    const ids = read.map(({ id }) => id)
    const [first, last] = [window.from * 1000, (window.to + this.slack) * 1000 + 999]
    const strange = read.some(({ created_at: at }) => at === undefined || at < first || at > last)
    const judged: PullState = strange ? { ...next, countless: true } : next
    const [tally, clear] = [this.#tally, (seen: ReadonlySet<string>) => this.clear(stretch!, seen)]
    await this.become(carriedOf(judged, read), function* () {
      tally.note(yield* saveSent(database.dialect, account, kind, read))
      if (stretch !== undefined) yield* clear(new Set(ids))
    })
    await advance(texts.length, this.state.run?.total)
    return { ids, lost: lost.length }
  }

  /** Removes the stored records of a stretch that were not seen there; none where times are unreliable. */
  *clear(stretch: ListingRange, seen: ReadonlySet<string>): Work<void> {
    const { database, account, kind } = this.pulling
    if (this.state.countless !== true)
      this.#removed += yield* removeUnseen(database.dialect, account, kind, stretch, seen)
  }

  /** How many records of a window the mirror holds. */
  localCount(window: Window): Promise<number> {
    const { database, account, kind } = this.pulling
    const until = (window.to + this.slack) * 1000 + 999
    return database.read(() => countCreated(account, kind, msOf(window).from, until), 'single')
  }

  /** Saves how many records there are to read, when that is known and one window covers all. */
  estimate(total: number | undefined): void {
    const run = this.state.run!
    if (total !== undefined && run.total === undefined && run.windows.length === 1)
      this.state = { ...this.state, run: { ...run, total } }
  }
}
