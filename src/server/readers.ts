// A few worker threads that answer listings, behind the port's own methods; knows no endpoint's path and no request.
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Call, ShippingService } from '../domain/contract.ts'
import { ShipxError } from '../domain/errors.ts'
import type { Page } from '../domain/page.ts'
import type { NearPages } from '../engine/service.ts'
import type { ReaderAnswer, ReaderStart, ReaderTask } from './reader.ts'
import { turnsOf } from './turns.ts'

type Listings = Pick<ShippingService, 'listShipments' | 'listReturns'>

/** The pool of reading threads. */
export interface Readers {
  /** The listings of an account: a page that costs no more than its records is read in this thread, any other by a reader. */
  readonly listings: (account: number, here: NearPages) => Listings
  readonly close: () => Promise<void>
}

/** A question that takes longer gets no answer, ms, and its thread is replaced. */
const patience = 20_000

interface Running {
  readonly task: ReaderTask
  readonly resolve: (page: Page) => void
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

/** As many readers as there are processors, two at least: one account takes all but one of them at most. */
export const usualReaders = (): number => Math.max(2, Math.min(8, availableParallelism()))

/** Starts `count` readers of a database file; `script` is their built file (dist/reader.cjs). */
export function startReaders(script: string, start: ReaderStart, count = usualReaders()): Readers {
  const turns = turnsOf({ places: count, each: Math.max(1, count - 1) })
  let next = 0
  let open = true

  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
  const send = ({ worker, running }: Seat): void => worker?.postMessage(running!.task)
  const settle = (seat: Seat): Running | undefined => {
    const { running } = seat
    clearTimeout(running?.timer)
    seat.running = undefined
    return running
  }
  const tooSlow = (cause?: Error): ShipxError =>
    new ShipxError('unavailable', 'the question took too long or its reader failed', { cause })
  const employ = (seat: Seat): void => {
    const worker = new Worker(script, { workerData: start })
    seat.worker = worker
    worker.on('message', (answer: ReaderAnswer) => {
      const running = settle(seat)
      if (running === undefined) return
      if ('page' in answer) running.resolve(answer.page)
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
      if (!open) return
      // A reader that cannot even start is not started in a circle.
      setTimeout(() => {
        if (!open) return
        employ(seat)
        // The place is free when there is a reader for it again.
        running?.leave()
        if (seat.running !== undefined) send(seat)
      }, 100).unref()
    })
    worker.unref()
  }
  const seats = Array.from({ length: count }, () => {
    const seat: Seat = { worker: undefined, running: undefined }
    employ(seat)
    return seat
  })
  const ask = async (task: Omit<ReaderTask, 'id'>, gone: Call['gone']): Promise<Page> => {
    const leave = await turns.place(task.account, gone)
    // There are as many places as seats.
    const seat = seats.find(({ running }) => running === undefined)!
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        // What SQLite is doing ends when it ends: the asker does not wait for that, the place does.
        reject(tooSlow())
        void seat.worker?.terminate()
      }, patience)
      seat.running = { task: { id: next++, ...task }, resolve, reject, leave, timer }
      send(seat)
    })
  }
  return {
    listings: (account, here) => {
      const listing =
        (name: ReaderTask['name'], kind: 'shipment' | 'return') =>
        async (input: ReaderTask['input'], { gone }: Call = {}): Promise<Page> =>
          (await here.page(kind, input)) ?? here.elsewhere(kind, input, () => ask({ account, name, input }, gone))
      return { listShipments: listing('listShipments', 'shipment'), listReturns: listing('listReturns', 'return') }
    },
    close: async () => {
      open = false
      await Promise.all(seats.map(({ worker }) => worker?.terminate()))
    },
  }
}
