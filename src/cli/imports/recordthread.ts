// A thread that reads a file of records, checks them and makes them ready to be saved, beside the thread that saves
// them (docs/inside/performance.md, P7).
import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { ShipxError, type Code, type ErrorParts } from '../../domain/errors.ts'
import type { ImportKind } from '../../engine/transfer/imports.ts'
import { bytesIn, recordsIn } from '../files/jsonlines.ts'
import { batchesOf, packedBatch, type PackedBatch } from './recordbatches.ts'

/** What the thread is started with: the open file, and how many bytes of batches it may be ahead. */
export interface RecordThreadStart {
  readonly descriptor: number
  readonly kind: ImportKind
  readonly ahead: number
}

/** What the thread sends: batches in the order of the file, then its end or the error that ended it. */
export type RecordThreadAnswer =
  | { readonly batch: PackedBatch }
  | { readonly error: { readonly code: Code; readonly message: string; readonly parts: ErrorParts } }
  | 'ended'

const { descriptor, kind, ahead } = workerData as RecordThreadStart
const port = parentPort!

/** Each message from the other thread says how many bytes it has taken. */
const taken = on(port, 'message') as AsyncIterator<[number]>

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
const send = (answer: RecordThreadAnswer, moved: readonly ArrayBuffer[] = []): void => port.postMessage(answer, moved)

async function readAll(): Promise<void> {
  let waiting = 0
  try {
    for await (const batch of batchesOf(recordsIn(bytesIn(descriptor)), kind)) {
      const made = packedBatch(batch)
      const bytes = made.bytes.byteLength
      while (waiting > 0 && waiting + bytes > ahead) waiting -= ((await taken.next()).value as [number])[0]
      waiting += bytes
      send({ batch: made }, [made.bytes.buffer as ArrayBuffer])
    }
    send('ended')
  } catch (error) {
    if (!(error instanceof ShipxError)) throw error
    const { code, message, details, hint } = error
    send({ error: { code, message, parts: hint === undefined ? { details } : { details, hint } } })
  }
  port.close()
}

void readAll()
