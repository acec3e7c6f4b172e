// The worker: claims due messages, sends several at once, and saves the results in batches. Any number of workers, in
// any number of processes, share the work. Each message is sent at least once, with the same id each time.
import { nextTry, type MessageChannel } from '../domain/messages/messages.ts'
import { ShipxError } from '../domain/errors.ts'
import { readRetryAfter } from '../domain/retryafter.ts'
import type { Database } from '../engine/database/port.ts'
import { tellDeadlines, untoldDeadlines } from '../engine/money/disputeclocks.ts'
import type { Host } from '../engine/runtime.ts'
import { claimMessages, lease, settleMessages, type Message, type SendOutcome } from '../engine/messages/queue.ts'
import type { Send, SendResult } from './attempt.ts'

/** The ways that exist now. */
export interface OpenChannels {
  /** Channels that have a way; messages of other channels wait. */
  readonly channels: readonly MessageChannel[]
  readonly send: Send
}

/** One worker's work. */
export interface Job {
  readonly database: Database
  readonly account: number
  readonly host: Host
  /** Called again from time to time: settings change while a worker runs. */
  readonly ways: () => Promise<OpenChannels>
  readonly concurrency: number
  /** The most messages that it sends. */
  readonly limit: number
  /** Continue when nothing is due. Otherwise each message that is due at the start is tried once. */
  readonly watch: boolean
  readonly quiet: boolean
  /** When aborted, starts no more sends and finishes those under way. */
  readonly stop: AbortSignal
  /** A clock that never runs backwards, ms. */
  readonly ticks: () => number
  readonly random: () => number
  /** Waits this many ms, or until it is stopped. */
  readonly sleep: (ms: number) => Promise<void>
  /** Called with the result of each message. */
  readonly told?: (settled: SendOutcome) => void
  /** Called with a temporary failure of the database; the worker continues. */
  readonly warn: (error: ShipxError) => Promise<void>
}

/** What a worker did. */
export interface DeliveryCounts {
  readonly sent: number
  /** Failed tries that are repeated later. */
  readonly failed: number
  readonly parked: number
  /** Messages that were too old when their turn came. */
  readonly expired: number
}

/** The pause between two transactions, ms: one transaction saves the results of that time. */
const pause = 50
/** The pause between two checks for due messages, ms; it grows while there are none. */
const look = { first: 500, most: 5_000 }
/** How long until the ways are read again, ms. */
const waysFor = 2_000
/** How long until the deadlines of disputes are looked at again, ms. */
const deadlinesFor = 60_000
/** The longest that a try takes, ms. If less time is left of a message's claim, the message is released. */
const longest = 12_000
/** How many times in a row a transaction may fail in a worker that does not watch. */
const mostFaults = 5

/** A claimed message, and the ticks when it was claimed. */
interface Held {
  readonly message: Message
  readonly since: number
}

/** Works until nothing is due, or with `watch` until it is stopped. Throws the database's errors. */
export async function deliver(job: Job): Promise<DeliveryCounts> {
  const run = new Run(job, await job.ways())
  const stop = (): void => run.wake()
  job.stop.addEventListener('abort', stop)
  try {
    return await run.toEnd()
  } finally {
    job.stop.removeEventListener('abort', stop)
  }
}

/** A running worker: its messages, the sends under way, and its counts. */
class Run {
  readonly #job: Job
  readonly #counts = { sent: 0, failed: 0, parked: 0, expired: 0 }
  readonly #begun: number
  readonly #queue: Held[] = []
  #settled: SendOutcome[] = []
  #ways: OpenChannels
  #waysUntil: number
  #deadlinesAt: number
  /** How many more messages it may claim. */
  #left: number
  #running = 0
  #idle = 0
  #faults = 0
  #wake: () => void = () => undefined

  constructor(job: Job, ways: OpenChannels) {
    this.#job = job
    this.#begun = job.host.now()
    this.#ways = ways
    this.#waysUntil = job.ticks() + waysFor
    this.#deadlinesAt = job.ticks()
    this.#left = job.limit
  }

  wake(): void {
    this.#wake()
  }

  async toEnd(): Promise<DeliveryCounts> {
    const { stop, ticks, watch } = this.#job
    for (;;) {
      if (ticks() > this.#waysUntil) {
        this.#ways = await this.#job.ways()
        this.#waysUntil = ticks() + waysFor
      }
      if (ticks() >= this.#deadlinesAt) await this.#tellDeadlines()
      const got = await this.#turn()
      if (got) this.#idle = 0
      if (this.#settled.length > 0 && this.#running === 0 && this.#queue.length === 0) continue
      if (this.#running > 0 || this.#queue.length > 0) {
        const woken = new Promise<void>((resolve) => {
          this.#wake = resolve
        })
        // A slow receiver must not delay other receivers' messages.
        if (this.#settled.length === 0) await Promise.race([woken, rest(look.first)])
        await rest(pause)
        continue
      }
      if (got) continue
      if (stop.aborted || this.#left <= 0 || !watch) return this.#counts
      await this.#job.sleep(Math.min(look.most, look.first * 2 ** Math.min(10, this.#idle++)))
    }
  }

  /** Makes messages of the deadlines of disputes that are near or over, for webhooks that hear of disputes. */
  async #tellDeadlines(): Promise<void> {
    const { database, account, host, ticks, watch, warn, stop } = this.#job
    this.#deadlinesAt = ticks() + deadlinesFor
    if (!this.#ways.channels.includes('webhook')) return
    const now = watch ? host.now() : this.#begun
    try {
      const some = await database.read(() => untoldDeadlines(account, now), 'single')
      for (let n = some.length; n > 0 && !stop.aborted;)
        n = await database.write(() => tellDeadlines(database.dialect, account, now, host))
    } catch (error) {
      if (!watch || !(error instanceof ShipxError && error.retryable)) throw error
      await warn(error)
    }
  }

  /** Starts to send its messages, as many at once as allowed. */
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
          // The next one starts at once, without waiting for the database.
          this.#send()
          this.wake()
        })
      }
    }
  }

  /**
   * One transaction: saves the results and claims the next messages. Returns whether it claimed any or must try again.
   */
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

  /**
   * How many messages to claim: enough that no send waits for the database. Small claims are not worth a transaction.
   */
  #wanted(): number {
    const { concurrency, stop } = this.#job
    const room = Math.min(2 * concurrency - this.#queue.length, this.#left)
    const few = room < concurrency && room < this.#left
    return stop.aborted || this.#ways.channels.length === 0 || few ? 0 : room
  }

  /** Saves the results and claims the next messages; returns undefined after a temporary failure of the database. */
  async #exchange(done: readonly SendOutcome[], wanted: number): Promise<readonly Message[] | undefined> {
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

/**
 * Tries to send. An exception of the sender is a fault in shipx and becomes a failed try, so that the message is not
 * lost.
 */
async function trySend(send: Send, message: Message): Promise<SendResult> {
  try {
    return await send(message)
  } catch (error) {
    return { ok: false, error: `a fault inside shipx: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function settledAs({ host, random }: Job, message: Message, result: SendResult): SendOutcome {
  const now = host.now()
  if (result.ok) return { message, outcome: 'sent', at: now }
  const asked = readRetryAfter(result.retry_after, result.date, now)
  const at = result.final === true ? undefined : nextTry(message, message.attempts + 1, now, asked, random)
  return { message, outcome: 'failed', error: result.error, at }
}
