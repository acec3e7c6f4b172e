// A few worker threads that answer listings, behind the port's own methods.
import { availableParallelism } from 'node:os'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Call, Query, ShippingService } from '../domain/contract.ts'
import { ShipxError } from '../domain/errors.ts'
import type { JoinedPage, Page } from '../domain/page.ts'
import type { Lines } from '../engine/records/lines.ts'
import type { LineListings, NearPages } from '../engine/service.ts'
import type { ReaderAnswer, ReaderStart, ReaderTask } from './reader.ts'
import { turnsOf } from './turns.ts'

/** The listings of a service, whose pages may be joined already. */
export type Listings = {
  readonly [N in 'listShipments' | 'listReturns']: (
    ...question: Parameters<ShippingService[N]>
  ) => Promise<Page | JoinedPage>
}

/** The pool of reading threads. */
export interface Readers {
  /**
   * The listings of an account: a page that costs no more than its records is read in this thread, any other by a
   * reader.
   */
  readonly listings: (account: number, here: NearPages) => Listings & { readonly lines: LineListings }
  readonly close: () => Promise<void>
}

/** A question that takes longer gets no answer, ms, and its thread is replaced. */
const patienceMs = 20_000

/** The pause before a thread is replaced, ms: one that cannot even start must not be started in a circle. */
const replaceMs = 100

interface Running {
  readonly task: ReaderTask
  readonly resolve: (found: Page | Lines) => void
  readonly reject: (error: Error) => void
  /** Frees the place of the question. */
  readonly leave: () => void
  readonly timer: NodeJS.Timeout
}

interface Seat {
  /** Absent for the moment in which it is replaced. */
  worker: Worker | undefined
  running: Running | undefined
}

/** The code of a reader, as `new Worker` takes it. */
export interface ReaderCode {
  readonly code: string
  readonly options: WorkerOptions
}

/** What all threads of a pool are started with, and whether they are still replaced. */
interface Pool {
  readonly script: ReaderCode
  readonly start: ReaderStart
  open: boolean
}

/** As many readers as there are processors, two at least: one account takes all but one of them at most. */
export const usualReaders = (): number => Math.max(2, Math.min(8, availableParallelism()))

/** Starts `count` readers of a database file; `script` is their code (dist/reader.cjs). */
export function startReaders(script: ReaderCode, start: ReaderStart, count = usualReaders()): Readers {
  const pool: Pool = { script, start, open: true }
  const turns = turnsOf({ places: count, each: Math.max(1, count - 1) })
  const seats = Array.from({ length: count }, (): Seat => ({ worker: undefined, running: undefined }))
  for (const seat of seats) employ(pool, seat)
  let next = 0
  const ask = async (task: Omit<ReaderTask, 'id'>, gone: Call['gone']): Promise<Page | Lines> => {
    const leave = await turns.place(task.account, gone)
    // There are as many places as seats.
    return answerOf(
      seats.find(({ running }) => running === undefined)!,
      { id: next++, ...task },
      leave,
    )
  }
  return {
    listings: (account, here) => {
      const listing =
        (name: ReaderTask['name'], kind: 'shipment' | 'return') =>
        async (input: ReaderTask['input'], { gone }: Call = {}): Promise<Page | JoinedPage> =>
          (await here.page(kind, input)) ??
          here.elsewhere(kind, input, () => ask({ account, name, input, lines: false }, gone) as Promise<Page>)
      const lines =
        (name: ReaderTask['name']) =>
        (input: Query, { gone }: Call = {}): Promise<Lines> =>
          ask({ account, name, input, lines: true }, gone) as Promise<Lines>
      return {
        listShipments: listing('listShipments', 'shipment'),
        listReturns: listing('listReturns', 'return'),
        lines: { listShipments: lines('listShipments'), listReturns: lines('listReturns') },
      }
    },
    close: async () => {
      pool.open = false
      await Promise.all(seats.map(({ worker }) => worker?.terminate()))
    },
  }
}

/** Starts a thread for a seat, and another whenever that ends, as long as the pool is open. */
function employ(pool: Pool, seat: Seat): void {
  const worker = new Worker(pool.script.code, { ...pool.script.options, workerData: pool.start })
  seat.worker = worker
  worker.on('message', (answer: ReaderAnswer) => {
    const running = settle(seat)
    if (running === undefined) return
    if ('found' in answer) running.resolve(answer.found)
    else {
      const { code, message, details } = answer.error
      running.reject(new ShipxError(code, message, { details }))
    }
    running.leave()
  })
  let reason: Error | undefined
  worker.on('error', (error) => {
    reason = error instanceof Error ? error : new Error(String(error))
  })
  worker.on('exit', () => {
    seat.worker = undefined
    const running = settle(seat)
    running?.reject(tooSlow(reason))
    if (!pool.open) return
    setTimeout(() => {
      if (!pool.open) return
      employ(pool, seat)
      // The place is free when there is a reader for it again.
      running?.leave()
      if (seat.running !== undefined) send(seat)
    }, replaceMs).unref()
  })
  worker.unref()
}

/** Asks the reader of a free seat; `leave` frees the place that the question has. */
function answerOf(seat: Seat, task: ReaderTask, leave: () => void): Promise<Page | Lines> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // SQLite cannot be stopped before it ends: the caller does not wait for that, the place does.
      reject(tooSlow())
      void seat.worker?.terminate()
    }, patienceMs)
    seat.running = { task, resolve, reject, leave, timer }
    send(seat)
  })
}

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
const send = ({ worker, running }: Seat): void => worker?.postMessage(running!.task)

/** Takes the question from a seat, if it has one. */
function settle(seat: Seat): Running | undefined {
  const { running } = seat
  clearTimeout(running?.timer)
  seat.running = undefined
  return running
}

const tooSlow = (cause?: Error): ShipxError =>
  new ShipxError('unavailable', 'the listing took too long, or the thread that answers it failed', { cause })
