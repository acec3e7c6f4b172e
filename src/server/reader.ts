// A worker thread that answers listings from a read-only connection of its own, so that a slow question delays no
// other one (docs/inside/performance.md, P9).
import { parentPort, workerData } from 'node:worker_threads'
import QuickLRU from 'quick-lru'
import type { Query } from '../domain/contract.ts'
import { ShipxError, type Code, type Fault } from '../domain/errors.ts'
import type { Page } from '../domain/page.ts'
import type { Lines } from '../engine/records/lines.ts'
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
}
export type ReaderAnswer =
  | { readonly id: number; readonly found: Page | Lines }
  | {
      readonly id: number
      readonly error: { readonly code: Code; readonly message: string; readonly details: readonly Fault[] }
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

async function answerTo({ id, account, name, input, lines }: ReaderTask): Promise<ReaderAnswer> {
  try {
    const service = serviceOf(account)
    return { id, found: await (lines ? service.lines[name](input) : service[name](input as never)) }
  } catch (error) {
    const known = error instanceof ShipxError ? error : new ShipxError('internal', String(error))
    return { id, error: { code: known.code, message: known.message, details: known.details } }
  }
}

// An answer that cannot be sent ends the thread; the pool starts another.
parentPort!.on('message', (task: ReaderTask) => void answerTo(task).then((answer) => send(answer)))

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
const send = (answer: ReaderAnswer): void => parentPort!.postMessage(answer, handedOver(answer))

/** Lines go to the other thread without being copied. */
const handedOver = (answer: ReaderAnswer): ArrayBuffer[] =>
  'found' in answer && 'lines' in answer.found ? [answer.found.lines.buffer as ArrayBuffer] : []
