// A worker thread that answers listings from a read-only connection of its own, so that a slow question delays no
// other one (docs/inside/performance.md, P9).
import { parentPort, workerData } from 'node:worker_threads'
import QuickLRU from 'quick-lru'
import type { Query } from '../domain/contract.ts'
import { ShipxError, type Code, type Fault } from '../domain/errors.ts'
import type { Page } from '../domain/page.ts'
import type { Lines, LinesHead } from '../engine/records/lines.ts'
import type { Host } from '../engine/runtime.ts'
import { sqliteDriver } from '../engine/database/sqlitechoice.ts'
import { embeddedService, type EmbeddedService } from '../engine/service.ts'
import { openSqlite } from '../engine/database/sqlite.ts'
import { limits } from './bodies.ts'

/** What a reader is started with. */
export interface ReaderStart {
  readonly path: string
}

/** A question to a reader, and what comes back. */
export interface ReaderTask {
  readonly id: number
  readonly account: number
  readonly name: 'listShipments' | 'listReturns'
  readonly input: Query
  /** Whether the answer is wanted as lines of JSON. */
  readonly lines: boolean
  /** Memory for lines that nearly fill it. */
  readonly memory: ArrayBuffer | undefined
}
export type ReaderAnswer =
  /** Which lines will be found, where those are wanted; they follow. */
  | { readonly id: number; readonly begun: LinesHead }
  | (ReaderEnd & { readonly found: Page | Lines })
  | (ReaderEnd & {
      readonly error: { readonly code: Code; readonly message: string; readonly details: readonly Fault[] }
    })
interface ReaderEnd {
  readonly id: number
  /** The memory of the question, if its lines lie elsewhere. */
  readonly unused: ArrayBuffer | undefined
}

const { path } = workerData as ReaderStart
const database = openSqlite(sqliteDriver(process), { path, readOnly: true })
/** Listings use only the time, for the age of a survey. */
const host: Host = {
  now: () => Date.now(),
  uuid: () => crypto.randomUUID(),
  letters: () => '',
  digest: () => '',
}
/** The services of the accounts that asked last. */
const services = new QuickLRU<number, EmbeddedService>({ maxSize: 500 })

function serviceOf(account: number): EmbeddedService {
  const known = services.get(account)
  if (known !== undefined) return known
  const made = embeddedService(database, account, host, { mostBytes: limits.page })
  services.set(account, made)
  return made
}

async function answerTo({ id, account, name, input, lines, memory }: ReaderTask): Promise<ReaderAnswer> {
  let unused = memory
  // Fewer bytes would hold all of it while a slow client reads them, and count as few.
  const room = (bytes: number): Uint8Array => {
    const least = memory === undefined ? Infinity : (memory.byteLength * 7) / 8
    if (memory === undefined || bytes > memory.byteLength || bytes < least) return new Uint8Array(bytes)
    unused = undefined
    return new Uint8Array(memory, 0, bytes)
  }
  const begun = (head: LinesHead): void => send({ id, begun: head })
  try {
    const service = serviceOf(account)
    const found = await (lines ? service.lines[name](input, { begun, room }) : service[name](input as never))
    return { id, unused, found }
  } catch (error) {
    const { code, message, details } = error instanceof ShipxError ? error : new ShipxError('internal', String(error))
    return { id, unused, error: { code, message, details } }
  }
}

// An answer that cannot be sent ends the thread; the pool starts another.
parentPort!.on('message', (task: ReaderTask) => void answerTo(task).then((answer) => send(answer)))

function send(answer: ReaderAnswer): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
  parentPort!.postMessage(answer, handedOver(answer))
}

/** Memory goes to the other thread without being copied. */
function handedOver(answer: ReaderAnswer): ArrayBuffer[] {
  if ('begun' in answer) return []
  const lines = 'found' in answer && 'lines' in answer.found ? [answer.found.lines.buffer as ArrayBuffer] : []
  return answer.unused === undefined ? lines : [...lines, answer.unused]
}
