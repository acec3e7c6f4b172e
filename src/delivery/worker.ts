// The worker: claims what is due, sends several at once, and writes down the results in batches; any number of workers, in any
// number of processes, share the work. Each message is sent at least once, under the same id each time.
import { nextTry, type MessageChannel } from '../domain/messages/messages.ts'
import { ShipxError } from '../domain/errors.ts'
import { readRetryAfter } from '../domain/retryafter.ts'
import type { Database } from '../engine/database/port.ts'
import type { Host } from '../engine/runtime.ts'
import { claimMessages, lease, settleMessages, type Message, type Settled } from '../engine/messages/queue.ts'
import type { Send, Tried } from './attempt.ts'

/** The ways there are at the moment. */
export interface Ways {
  /** Channels that have a way; messages of others wait. */
  readonly channels: readonly MessageChannel[]
  readonly send: Send
}

/** One worker's work. */
export interface Job {
  readonly database: Database
  readonly account: number
  readonly host: Host
  /** Called again every now and then: settings change while a worker runs. */
  readonly ways: () => Promise<Ways>
  readonly concurrency: number
  /** The most messages that it sends. */
  readonly limit: number
  /** Go on when nothing is due. Otherwise each message that is due at the start is tried once. */
  readonly watch: boolean
  readonly quiet: boolean
  /** Starts no more sends; those under way are finished. */
  readonly stop: AbortSignal
  /** ms that only grow. */
  readonly ticks: () => number
  readonly random: () => number
  /** Waits this many ms, or until it is stopped. */
  readonly sleep: (ms: number) => Promise<void>
  /** Called with the result of each message. */
  readonly told?: (settled: Settled) => void
  /** Called with a failure of the database that passes, by a worker that goes on. */
  readonly warn: (error: ShipxError) => Promise<void>
}

/** What a worker did. */
export interface Delivered {
  readonly sent: number
  /** Tries that failed and are repeated later. */
  readonly failed: number
  readonly parked: number
  /** Too old to be sent when their turn came. */
  readonly expired: number
}

/** Between two transactions, ms: results of that time are written down together. */
const pause = 50
/** Between two looks for something due, ms; less often when there has been nothing for long. */
const look = { first: 500, most: 5_000 }
/** Ways are read again after this long, ms. */
const waysFor = 2_000
/** The longest a try takes, ms; a message that does not fit into what is left of its claim is released. */
const longest = 12_000
/** How often a worker that does not watch tries a transaction that fails. */
const mostFaults = 5

/** A claimed message, and when it was claimed, ticks. */
interface Held {
  readonly message: Message
  readonly since: number
}

/** Works until nothing is due any more, or with `watch` until it is stopped. Throws what the database throws. */
export async function deliver(job: Job): Promise<Delivered> {
  const run = new Run(job, await job.ways())
  const stop = (): void => run.wake()
  job.stop.addEventListener('abort', stop)
  try {
    return await run.toEnd()
  } finally {
    job.stop.removeEventListener('abort', stop)
  }
}

/** A worker at its work: the messages it holds, the sends under way, and what it has counted. */
class Run {
  readonly #job: Job
  readonly #counts = { sent: 0, failed: 0, parked: 0, expired: 0 }
  readonly #begun: number
  readonly #queue: Held[] = []
  #settled: Settled[] = []
  #ways: Ways
  #waysUntil: number
  /** Messages that it may still claim. */
  #left: number
  #running = 0
  #idle = 0
  #faults = 0
  #wake: () => void = () => undefined

  constructor(job: Job, ways: Ways) {
    this.#job = job
    this.#begun = job.host.now()
    this.#ways = ways
    this.#waysUntil = job.ticks() + waysFor
    this.#left = job.limit
  }

  wake(): void {
    this.#wake()
  }

  async toEnd(): Promise<Delivered> {
    const { stop, ticks, watch } = this.#job
    for (;;) {
      if (ticks() > this.#waysUntil) {
        this.#ways = await this.#job.ways()
        this.#waysUntil = ticks() + waysFor
      }
      const got = await this.#turn()
      if (got) this.#idle = 0
      if (this.#settled.length > 0 && this.#running === 0 && this.#queue.length === 0) continue
      if (this.#running > 0 || this.#queue.length > 0) {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        // A slow receiver does not delay the messages of others.
        if (this.#settled.length === 0) await Promise.race([woken, rest(look.first)])
        await rest(pause)
        continue
      }
      if (got) continue
      if (stop.aborted || this.#left <= 0 || !watch) return this.#counts
      await this.#job.sleep(Math.min(look.most, look.first * 2 ** Math.min(10, this.#idle++)))
    }
  }

  /** Starts to send what it holds, as many at once as it may. */
  #send(): void {
    const { concurrency, stop, ticks } = this.#job
    while (this.#running < concurrency && this.#queue.length > 0 && !stop.aborted) {
      const { message, since } = this.#queue.shift()!
      if (ticks() - since > lease - longest) this.#settled.push({ message, outcome: 'released' })
      else {
        this.#running++
        void trySend(this.#ways.send, message).then((result) => {
          this.#running--
          this.#settled.push(settledAs(this.#job, message, result))
          // The next one starts at once, and does not wait for the database.
          this.#send()
          this.wake()
        })
      }
    }
  }

  /** One transaction: the messages that ended, and the next ones. Returns whether it claimed any, or has to try again. */
  async #turn(): Promise<boolean> {
    const { stop, ticks } = this.#job
    if (stop.aborted)
      while (this.#queue.length > 0) this.#settled.push({ message: this.#queue.shift()!.message, outcome: 'released' })
    const done = this.#settled
    this.#settled = []
    const wanted = this.#wanted()
    if (done.length === 0 && wanted === 0) return false
    const claimed = await this.#exchange(done, wanted)
    if (claimed === undefined) return true
    for (const one of done) {
      if (one.outcome === 'sent') this.#counts.sent++
      else if (one.outcome === 'failed') this.#counts[one.at === undefined ? 'parked' : 'failed']++
      this.#job.told?.(one)
    }
    this.#left -= claimed.length
    const since = ticks()
    for (const message of claimed) this.#queue.push({ message, since })
    this.#send()
    return claimed.length > 0
  }

  /** As many again as are under way, so that no send waits for the database; and half of that at least, or none. */
  #wanted(): number {
    const { concurrency, stop } = this.#job
    const room = Math.min(2 * concurrency - this.#queue.length, this.#left)
    const few = room < concurrency && room < this.#left
    return stop.aborted || this.#ways.channels.length === 0 || few ? 0 : room
  }

  /** Writes down what ended and claims the next ones; undefined after a failure of the database that passes. */
  async #exchange(done: readonly Settled[], wanted: number): Promise<readonly Message[] | undefined> {
    const { database, account, host, watch, quiet } = this.#job
    const now = host.now()
    const claim = { now, until: watch ? now : this.#begun, channels: this.#ways.channels, limit: wanted, quiet }
    try {
      const got = await database.write(function* () {
        if (done.length > 0) yield* settleMessages(account, done)
        return wanted === 0 ? undefined : yield* claimMessages(database.dialect, account, claim)
      })
      this.#faults = 0
      this.#counts.expired += got?.expired ?? 0
      this.#counts.parked += got?.parked ?? 0
      return got?.claimed ?? []
    } catch (error) {
      this.#settled = [...done, ...this.#settled]
      if (!(error instanceof ShipxError && error.retryable) || (!watch && ++this.#faults >= mostFaults)) throw error
      if (watch) await this.#job.warn(error)
      await this.#job.sleep(1_000)
      return undefined
    }
  }
}

const rest = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

/** A sender that throws has a fault; its message is not lost. */
async function trySend(send: Send, message: Message): Promise<Tried> {
  try {
    return await send(message)
  } catch (error) {
    return { ok: false, error: `a fault inside shipx: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function settledAs({ host, random }: Job, message: Message, result: Tried): Settled {
  const now = host.now()
  if (result.ok) return { message, outcome: 'sent', at: now }
  const asked = readRetryAfter(result.retry_after, result.date, now)
  const at = result.final === true ? undefined : nextTry(message, message.attempts + 1, now, asked, random)
  return { message, outcome: 'failed', error: result.error, at }
}
