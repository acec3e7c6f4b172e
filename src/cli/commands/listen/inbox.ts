// The records that webhooks named and that shipx has not asked for yet. They are saved in the mirror before a webhook
// is answered, so that a stopped or killed program forgets none.
import type { Database, Work } from '../../../engine/database/port.ts'
import { beginPull, pullStates } from '../../../engine/transfer/mirror.ts'
import { hintKey, type Hint } from './hint.ts'

/** More records than this are not kept: a pull then reads all that can have changed. */
const mostKept = 2000

/** The row among the states of pulls. */
const kind = 'hints'

/** A hint that waits. */
export interface Waiting {
  readonly hint: Hint
  /** Raised by each webhook about the record: an answer that was asked for earlier does not settle a later hint. */
  readonly turn: number
  /** How often the service did not have the record. */
  readonly misses: number
  /** Not to be asked for before this tick, ms. */
  readonly after: number
}

interface Saved {
  readonly hints: readonly Hint[]
  readonly pull: boolean
}

/** What an inbox works with. */
export interface InboxPlace {
  readonly database: Database
  readonly account: number
  /** ms UTC. */
  readonly now: () => number
  /** Called when there is something new to do. */
  readonly wake: () => void
}

/** The hints of one mirror, in memory and in its file. */
export class Inbox {
  readonly #place: InboxPlace
  readonly #waiting: Map<string, Waiting>
  /** The turn of the last hint that was not kept; 0 for none. */
  #dropped: number
  #turn = 1
  #writing: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  private constructor(place: InboxPlace, { hints, pull }: Saved) {
    this.#place = place
    this.#waiting = new Map(hints.map((hint) => [hintKey(hint), { hint, turn: 0, misses: 0, after: 0 }]))
    this.#dropped = pull ? 1 : 0
  }

  /** The inbox of a mirror with what an earlier program left in it. Throws the database's errors. */
  static async open(place: InboxPlace): Promise<Inbox> {
    const rows = await place.database.read(() => pullStates(place.account), 'single')
    const state = rows.find((row) => row.kind === kind)?.state
    return new Inbox(place, state === undefined ? { hints: [], pull: false } : (JSON.parse(state) as Saved))
  }

  get size(): number {
    return this.#waiting.size
  }

  /** The last turn so far, and whether hints were dropped that only a pull makes good. */
  get mark(): { readonly turn: number; readonly pull: boolean } {
    return { turn: this.#turn, pull: this.#dropped > 0 }
  }

  /** Keeps a hint; resolves once it is in the file. Throws the database's errors. */
  async add(hint: Hint): Promise<void> {
    const key = hintKey(hint)
    const turn = ++this.#turn
    if (this.#waiting.has(key) || this.#waiting.size < mostKept)
      this.#waiting.set(key, { hint, turn, misses: 0, after: 0 })
    else this.#dropped = turn
    await this.#written()
    this.#place.wake()
  }

  /** Hints to ask for at this tick, the longest waiting first. */
  due(ticks: number, most: number): readonly Waiting[] {
    const due: Waiting[] = []
    for (const one of this.#waiting.values()) {
      if (one.after <= ticks) due.push(one)
      if (due.length === most) break
    }
    return due
  }

  /** The tick at which the next hint is to be asked for; Infinity for none. */
  nextDue(): number {
    return Math.min(...[...this.#waiting.values()].map(({ after }) => after), Infinity)
  }

  /** Asks for a hint again, later. */
  missed({ hint, turn, misses }: Waiting, after: number): void {
    if (this.#waiting.get(hintKey(hint))?.turn === turn)
      this.#waiting.set(hintKey(hint), { hint, turn, misses: misses + 1, after })
  }

  /** Forgets hints in the transaction of work that settles them, unless webhooks named them again since. */
  async settle(done: readonly Waiting[], work: () => Work<void>): Promise<void> {
    await this.#place.database.write(() => this.#settling(done, work))
    for (const one of done) if (this.#isSame(one)) this.#waiting.delete(hintKey(one.hint))
  }

  *#settling(done: readonly Waiting[], work: () => Work<void>): Work<void> {
    yield* work()
    yield* this.#save(new Set(done.filter((one) => this.#isSame(one)).map(({ hint }) => hintKey(hint))))
  }

  /** Notes that a pull which began at this turn has ended. */
  async pulled(turn: number): Promise<void> {
    if (this.#dropped === 0 || this.#dropped > turn) return
    this.#dropped = 0
    await this.#written()
  }

  #isSame({ hint, turn }: Waiting): boolean {
    return this.#waiting.get(hintKey(hint))?.turn === turn
  }

  /** Hints that come while a write is under way share the next one. */
  #written(): Promise<void> {
    this.#next ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined
        return (this.#writing = this.#place.database.write(() => this.#save(new Set())))
      })
    return this.#next
  }

  #save(without: ReadonlySet<string>): Work<void> {
    const hints = [...this.#waiting].flatMap(([key, { hint }]) => (without.has(key) ? [] : [hint]))
    const state = JSON.stringify({ hints, pull: this.#dropped > 0 } satisfies Saved)
    return beginPull(this.#place.account, { kind, owner: '', state }, this.#place.now())
  }
}
