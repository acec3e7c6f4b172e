// The records of a JSON Lines file, ready to be saved: a large file is read by a thread beside the one that saves.
import { on } from 'node:events'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { ShipxError } from '../../domain/errors.ts'
import type { ImportKind } from '../../engine/transfer/imports.ts'
import { bytesIn, openFile, recordsIn } from '../files/jsonlines.ts'
import { installed } from '../source/packagefiles.ts'
import { boundNewSpace, growHeapSlowly, releaser, shrinkHeap } from '../terminal/heap.ts'
import type { Io } from '../terminal/io.ts'
import { batchesOf, oneByOne, transactionsOf, type PackedBatch, type Saving } from './recordbatches.ts'
import type { RecordThreadAnswer, RecordThreadStart } from './recordthread.ts'

/** A thread reads a file of this many bytes (about 4,000 records) or more. To start it takes about 0.2 s. */
const largeFile = 8_000_000

/** Bytes of batches that may wait for this thread to take them: nearly the next transaction. */
const ahead = 6_000_000

/** Room for the thread's new values, MB: by itself V8 gives them 48, and nearly all of them are soon garbage. */
const newSpaceMb = 4

/** Where records come from, and what ends the reading early. */
export interface RecordSource {
  readonly path: string
  readonly field: string
  readonly kind: ImportKind
  readonly stop: AbortSignal
}

/** The records, and whether a thread reads them beside this one: such a file is large. */
export interface ReadyRecords {
  readonly savings: AsyncGenerator<Saving>
  readonly beside: boolean
}

/**
 * The records of a file or, for `-`, of standard input, a transaction at a time. The file is opened at once. Throws
 * `invalid_input` naming `field`, and then what `batchesOf` throws. Read them once, to the end or until `return`.
 */
export function readyRecords(io: Io, { path, field, kind, stop }: RecordSource): ReadyRecords {
  const file = path === '-' ? undefined : openFile(path, field)
  if (file !== undefined && file.bytes >= largeFile && availableParallelism() > 1) {
    growHeapSlowly()
    const savings = transactionsOf(batchesBeside({ descriptor: file.descriptor, kind, ahead }), stop, releaser())
    return { savings, beside: true }
  }
  shrinkHeap()
  const bytes = file === undefined ? io.stdin.bytes() : bytesIn(file.descriptor)
  return { savings: oneByOne(batchesOf(recordsIn(bytes), kind, stop)), beside: false }
}

/** The batches of a thread, in the order of the file. */
async function* batchesBeside(start: RecordThreadStart): AsyncGenerator<PackedBatch> {
  const { code, options } = installed().thread('records')
  const worker = new Worker(code, {
    ...options,
    workerData: start,
    resourceLimits: { maxYoungGenerationSizeMb: newSpaceMb },
    // The thread closes the file that this one has opened.
    trackUnmanagedFds: false,
  })
  const endLooking = boundNewSpace()
  try {
    for await (const [answer] of on(worker, 'message', { close: ['exit'] }) as AsyncIterable<[RecordThreadAnswer]>) {
      if (answer === 'ended') return
      if ('error' in answer) throw new ShipxError(answer.error.code, answer.error.message, answer.error.parts)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(answer.batch.bytes.byteLength)
      yield answer.batch
    }
    throw new Error('the thread that reads the file ended before the file')
  } finally {
    endLooking()
    await worker.terminate()
  }
}
