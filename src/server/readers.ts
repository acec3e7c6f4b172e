// A few worker threads that answer listings, behind the port's own methods.
import { availableParallelism } from 'node:os'
import { Worker, type WorkerOptions } from 'node:worker_threads'
import type { Call, Query, ShippingService } from '../domain/contract.ts'
import { ShipxError } from '../domain/errors.ts'
import type { JoinedPage, Page } from '../domain/page.ts'
import type { Lines, LinesHead } from '../engine/records/lines.ts'
import type { NearPages } from '../engine/service.ts'
import { limits } from './bodies.ts'
import type { ReaderAnswer, ReaderStart, ReaderTask } from './reader.ts'
import { turnsOf } from './turns.ts'

/** The listings of a service, whose pages may be joined already. */
export type Listings = {
  readonly [N in 'listShipments' | 'listReturns']: (
    ...question: Parameters<ShippingService[N]>
  ) => Promise<Page | JoinedPage>
}

/** An answer in lines: what is known before they are read, and then the lines. */
export interface ComingLines {
  readonly head: LinesHead
  readonly lines: Promise<Uint8Array>
  /** Takes their memory back once they are sent. */
  readonly release?: (lines: Uint8Array) => void
}

/** The listings of an account as lines of JSON. */
export type LineAnswers = Readonly<
  Record<'listShipments' | 'listReturns', (input: Query, call: Call) => Promise<ComingLines>>
>

/** The pool of reading threads. */
export interface Readers {
  /**
   * The listings of an account: a page that costs no more than its records is read in this thread, any other by a
   * reader.
   */
  readonly listings: (account: number, here: NearPages) => Listings & { readonly lines: LineAnswers }
  readonly close: () => Promise<void>
}

/** A question that takes longer gets no answer, ms, and its thread is replaced. */
const patienceMs = 20_000

/** The pause before a thread is replaced, ms: one that cannot even start must not be started in a circle. */
const replaceMs = 100

/** The memory of usual lines, bytes: those of a page with their line breaks. */
const linesMemory = limits.page + 16_384

interface Running {
  readonly task: Omit<ReaderTask, 'memory'>
  readonly begun: ((head: LinesHead) => void) | undefined
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
  /** Memory of answers that were sent, and how many pieces of it stay. */
  readonly spare: { readonly memory: ArrayBuffer[]; readonly most: number }
  open: boolean
}

/**
 * As many readers as there are processors, two at least: one account takes all but one of them at most. A third one for
 * two processors makes a walk a tenth slower (docs/inside/performance.md, P10).
 */
export const usualReaders = (): number => Math.max(2, Math.min(8, availableParallelism()))

/** Starts `count` readers of a database file; `script` is their code (dist/reader.cjs). */
export function startReaders(script: ReaderCode, start: ReaderStart, count = usualReaders()): Readers {
  const pool: Pool = { script, start, spare: { memory: [], most: count }, open: true }
  const turns = turnsOf({ places: count, each: Math.max(1, count - 1) })
  const seats = Array.from({ length: count }, (): Seat => ({ worker: undefined, running: undefined }))
  for (const seat of seats) employ(pool, seat)
  let next = 0
  const release = ({ buffer }: Uint8Array): void => keep(pool, buffer as ArrayBuffer)
  const ask = async (task: Omit<ReaderTask, 'id' | 'memory'>, gone: Call['gone'], begun?: Running['begun']) => {
    const leave = await turns.place(task.account, gone)
    // There are as many places as seats.
    const seat = seats.find(({ running }) => running === undefined)!
    return answerOf(pool, seat, { task: { id: next++, ...task }, leave, begun })
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
        (input: Query, { gone }: Call): Promise<ComingLines> =>
          new Promise((resolve, reject) => {
            const found = ask({ account, name, input, lines: true }, gone, (head) => resolve({ head, lines, release }))
            const lines = found.then((all) => (all as Lines).lines)
            lines.catch(reject)
          })
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
    if ('begun' in answer) {
      seat.running?.begun?.(answer.begun)
      return
    }
    if (answer.unused !== undefined) keep(pool, answer.unused)
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
      if (seat.running !== undefined) send(pool, seat)
    }, replaceMs).unref()
  })
  worker.unref()
}

/** Asks the reader of a free seat. */
function answerOf(pool: Pool, seat: Seat, question: Pick<Running, 'task' | 'begun' | 'leave'>): Promise<Page | Lines> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // SQLite cannot be stopped before it ends: the caller does not wait for that, the place does.
      reject(tooSlow())
      void seat.worker?.terminate()
    }, patienceMs)
    seat.running = { ...question, resolve, reject, timer }
    send(pool, seat)
  })
}

/** Memory for lines goes with their question, and comes with the answer. */
function send({ spare }: Pool, { worker, running }: Seat): void {
  if (worker === undefined) return
  const { task } = running!
  const memory = task.lines ? [spare.memory.pop() ?? new ArrayBuffer(linesMemory)] : []
  worker.postMessage({ ...task, memory: memory[0] } satisfies ReaderTask, memory)
}

function keep({ spare }: Pool, memory: ArrayBuffer): void {
  if (memory.byteLength === linesMemory && spare.memory.length < spare.most) spare.memory.push(memory)
}

/** Takes the question from a seat, if it has one. */
function settle(seat: Seat): Running | undefined {
  const { running } = seat
  clearTimeout(running?.timer)
  seat.running = undefined
  return running
}

const tooSlow = (cause?: Error): ShipxError =>
  new ShipxError('unavailable', 'the listing took too long, or the thread that answers it failed', { cause })
