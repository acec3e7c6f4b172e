// A few worker threads that answer listings, behind the port's own methods; knows no endpoint's path and no request.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { ShippingService } from '../domain/contract.ts'
import { ShipxError } from '../domain/errors.ts'
import type { Page } from '../domain/page.ts'
import type { ReaderAnswer, ReaderStart, ReaderTask } from './reader.ts'

type Listings = Pick<ShippingService, 'listShipments' | 'listReturns'>

/** The pool of reading threads. */
export interface Readers {
  /** The listings of an account: what was quick a moment ago is asked of `here`, in this thread, anything else of a reader. */
  readonly listings: (account: number, here: Listings) => Listings
  readonly close: () => Promise<void>
}

/** Questions that may wait; more are told to come again. */
const mostWaiting = 1000

/** A question that takes longer is given up, ms, and its thread is replaced. */
const patience = 30_000

/** A question that took less, ms, is not worth the way to another thread; it is believed for so long, ms. */
const quick = 2
const believed = 60_000
const rememberedQuestions = 1000
/** A question of hundreds of values is not remembered: memory stays small. */
const longestKey = 1000

interface Timed {
  readonly page: Page
  readonly ms: number
}

interface Waiting {
  readonly task: ReaderTask
  readonly resolve: (answer: Timed) => void
  readonly reject: (error: Error) => void
}

interface Seat {
  worker: Worker
  running: Waiting | undefined
  timer: NodeJS.Timeout | undefined
}

/** As many readers as there are processors besides the one that talks, at least one. */
export const usualReaders = (): number => Math.max(1, Math.min(8, availableParallelism() - 1))

/** Starts `count` readers of a database file; `script` is their built file (dist/reader.cjs). */
export function startReaders(script: string, start: ReaderStart, count = usualReaders()): Readers {
  const queue: Waiting[] = []
  const seats: Seat[] = []
  let next = 0
  let open = true

  const settle = (seat: Seat): Waiting | undefined => {
    const { running } = seat
    clearTimeout(seat.timer)
    seat.running = undefined
    return running
  }
  const feed = (seat: Seat): void => {
    if (seat.running !== undefined) return
    const waiting = queue.shift()
    if (waiting === undefined) return
    seat.running = waiting
    seat.timer = setTimeout(() => void seat.worker.terminate(), patience)
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
    seat.worker.postMessage(waiting.task)
  }
  const seatFor = (seat: Seat): void => {
    const worker = new Worker(script, { workerData: start })
    seat.worker = worker
    worker.on('message', (answer: ReaderAnswer) => {
      const waiting = settle(seat)
      if (waiting !== undefined && 'page' in answer) waiting.resolve(answer)
      else if (waiting !== undefined && 'error' in answer) {
        const { code, message, details } = answer.error
        waiting.reject(new ShipxError(code, message, { details }))
      }
      feed(seat)
    })
    let reason: Error | undefined
    worker.on('error', (error) => {
      reason = error instanceof Error ? error : new Error(String(error))
    })
    worker.on('exit', () => {
      settle(seat)?.reject(new ShipxError('unavailable', 'the question took too long or its reader failed', { cause: reason })) // prettier-ignore
      if (!open) return
      // A reader that cannot even start is not started in a circle.
      setTimeout(() => {
        if (!open) return
        seatFor(seat)
        feed(seat)
      }, 100).unref()
    })
    worker.unref()
  }
  for (let i = 0; i < count; i++) {
    const seat = { running: undefined, timer: undefined } as unknown as Seat
    seatFor(seat)
    seats.push(seat)
  }
  const ask = (account: number, name: ReaderTask['name'], input: ReaderTask['input']): Promise<Timed> =>
    new Promise((resolve, reject) => {
      if (queue.length >= mostWaiting) {
        reject(new ShipxError('unavailable', 'too many questions at once', { retry_after_ms: 1000 }))
        return
      }
      queue.push({ task: { id: next++, account, name, input }, resolve, reject })
      const free = seats.find((seat) => seat.running === undefined)
      if (free !== undefined) feed(free)
    })
  /** Until when a question counts as quick, by its account, its listing and everything but its cursor. */
  const quickUntil = new Map<string, number>()
  const remember = (key: string, ms: number): void => {
    quickUntil.delete(key)
    if (ms >= quick || key.length > longestKey) return
    if (quickUntil.size >= rememberedQuestions) quickUntil.delete(quickUntil.keys().next().value!)
    quickUntil.set(key, performance.now() + believed)
  }
  const timed = async (work: () => Promise<Page>): Promise<Timed> => {
    const from = performance.now()
    const page = await work()
    return { page, ms: performance.now() - from }
  }
  return {
    listings: (account, here) => {
      const listing =
        (name: ReaderTask['name']) =>
        async (input: ReaderTask['input']): Promise<Page> => {
          const { search_after: _, next_search_after: __, ...question } = input
          const key = `${account} ${name} ${JSON.stringify(question)}`
          const known = (quickUntil.get(key) ?? 0) > performance.now()
          const { page, ms } = await (known ? timed(() => here[name](input as never)) : ask(account, name, input))
          remember(key, ms)
          return page
        }
      return { listShipments: listing('listShipments'), listReturns: listing('listReturns') }
    },
    close: async () => {
      open = false
      await Promise.all(seats.map(({ worker }) => worker.terminate()))
    },
  }
}
