// The worker: claims what is due, sends so many at once, and writes down in batches what became of it; any number of them, in
// any number of processes, share the work. Each message is sent at least once, under the same id each time. Knows no way to
// send and no text.
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
  /** Asked again every now and then: settings change while a worker runs. */
  readonly ways: () => Promise<Ways>
  readonly concurrency: number
  /** So many messages and no more. */
  readonly limit: number
  /** Go on when nothing is due. Otherwise each message that is due at the beginning is tried once. */
  readonly watch: boolean
  readonly quiet: boolean
  /** No more is begun; what is under way is finished. */
  readonly stop: AbortSignal
  /** ms that only grow. */
  readonly ticks: () => number
  readonly random: () => number
  /** Waits so many ms, or until it is stopped. */
  readonly sleep: (ms: number) => Promise<void>
  /** Told what became of each message. */
  readonly told?: (settled: Settled) => void
  /** Told of a failure of the database that passes, by a worker that goes on. */
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

/** Between two transactions, ms: what ends meanwhile is written down together. */
const pause = 50
/** Between two looks for something due, ms; less often when there has been nothing for long. */
const look = { first: 500, most: 5_000 }
/** Ways are asked for again after so long, ms. */
const waysFor = 2_000
/** A try may take so long, ms; what could not be done within its claim is given back. */
const longest = 12_000
/** A transaction that fails is tried so often by a worker that does not go on for ever. */
const mostFaults = 5

/** A claimed message, and when it was claimed, ticks. */
interface Held {
  readonly message: Message
  readonly since: number
}

/** Works until nothing is due any more, or with `watch` until it is stopped. Throws what the database throws. */
export async function deliver(job: Job): Promise<Delivered> {
  const { database, account, host, concurrency, stop, ticks } = job
  const counts = { sent: 0, failed: 0, parked: 0, expired: 0 }
  const begun = host.now()
  let [ways, waysUntil, left, running, idle, faults] = [await job.ways(), ticks() + waysFor, job.limit, 0, 0, 0]
  let settled: Settled[] = []
  const queue: Held[] = []
  let wake: () => void = () => undefined
  const quieten = onceStopped(stop, () => wake())

  const begin = (): void => {
    while (running < concurrency && queue.length > 0 && !stop.aborted) {
      const { message, since } = queue.shift()!
      if (ticks() - since > lease - longest) settled.push({ message, outcome: 'released' })
      else {
        running++
        void tried(ways.send, message).then((result) => {
          running--
          settled.push(judged(job, message, result))
          // The next one begins at once, and does not wait for the database.
          begin()
          wake()
        })
      }
    }
  }

  /** One transaction: what became of those that ended, and the next ones. Says whether anything was claimed. */
  const turn = async (): Promise<boolean> => {
    if (stop.aborted) while (queue.length > 0) settled.push({ message: queue.shift()!.message, outcome: 'released' })
    const done = settled
    settled = []
    // As many again as run, so that nobody waits while the database is asked; and half of that at least, or none.
    const room = Math.min(2 * concurrency - queue.length, left)
    const wanted = stop.aborted || ways.channels.length === 0 || (room < concurrency && room < left) ? 0 : room
    if (done.length === 0 && wanted === 0) return false
    const now = host.now()
    let claimed: readonly Message[] = []
    try {
      const claim = { now, until: job.watch ? now : begun, channels: ways.channels, limit: wanted, quiet: job.quiet }
      const got = await database.write(function* () {
        if (done.length > 0) yield* settleMessages(account, done)
        return wanted === 0 ? undefined : yield* claimMessages(database.dialect, account, claim)
      })
      faults = 0
      counts.expired += got?.expired ?? 0
      counts.parked += got?.parked ?? 0
      claimed = got?.claimed ?? []
    } catch (error) {
      settled = [...done, ...settled]
      if (!(error instanceof ShipxError && error.retryable) || (!job.watch && ++faults >= mostFaults)) throw error
      if (job.watch) await job.warn(error)
      await job.sleep(1_000)
      return true
    }
    for (const one of done) {
      if (one.outcome === 'sent') counts.sent++
      else if (one.outcome === 'failed') counts[one.at === undefined ? 'parked' : 'failed']++
      job.told?.(one)
    }
    left -= claimed.length
    const since = ticks()
    for (const message of claimed) queue.push({ message, since })
    begin()
    return claimed.length > 0
  }

  try {
    for (;;) {
      if (ticks() > waysUntil) [ways, waysUntil] = [await job.ways(), ticks() + waysFor]
      const got = await turn()
      if (got) idle = 0
      if (settled.length > 0 && running === 0 && queue.length === 0) continue
      if (running > 0 || queue.length > 0) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve
        })
        // A slow receiver does not keep others from being told.
        if (settled.length === 0) await Promise.race([woken, rest(look.first)])
        await rest(pause)
        continue
      }
      if (got) continue
      if (stop.aborted || left <= 0 || !job.watch) return counts
      await job.sleep(Math.min(look.most, look.first * 2 ** Math.min(10, idle++)))
    }
  } finally {
    quieten()
  }
}

const rest = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms)
  })

function onceStopped(stop: AbortSignal, then: () => void): () => void {
  stop.addEventListener('abort', then)
  return () => stop.removeEventListener('abort', then)
}

/** A sender that throws has a fault; the message is not lost for it. */
async function tried(send: Send, message: Message): Promise<Tried> {
  try {
    return await send(message)
  } catch (error) {
    return { ok: false, error: `a fault inside shipx: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function judged({ host, random }: Job, message: Message, result: Tried): Settled {
  const now = host.now()
  if (result.ok) return { message, outcome: 'sent', at: now }
  const asked = readRetryAfter(result.retry_after, result.date, now)
  const at = result.final === true ? undefined : nextTry(message, message.attempts + 1, now, asked, random)
  return { message, outcome: 'failed', error: result.error, at }
}
