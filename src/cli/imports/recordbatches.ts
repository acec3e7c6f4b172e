// The records of a JSON Lines file in batches: checked, and ready to be saved together.
import { deserialize, serialize } from 'node:v8'
import { checkRecord, importChunk, readyRecord, type ImportKind, type Ready } from '../../engine/transfer/imports.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { lineFault, type Numbered } from '../files/jsonlines.ts'
import { addStrange, lookAt, noneStrange, type Strange } from './strangestatuses.ts'

/** Records in the order of the file, and the line of the last one. */
export interface RecordBatch {
  readonly line: number
  readonly records: readonly Ready[]
  /** What their statuses are that no filter takes. */
  readonly strange: Strange
}

/** A batch whose records are bytes: they take a third of the memory, and go from thread to thread without a copy. */
export interface PackedBatch extends Omit<RecordBatch, 'records'> {
  readonly count: number
  readonly bytes: Uint8Array
}

/** What one transaction saves: parts of records, each made when its turn comes. */
export interface Saving extends Omit<RecordBatch, 'records'> {
  readonly count: number
  readonly parts: readonly (() => readonly Ready[])[]
}

export const packedBatch = ({ records, ...rest }: RecordBatch): PackedBatch => ({
  ...rest,
  count: records.length,
  bytes: serialize(records),
})

/** Characters of records that fill a batch. */
const enoughText = 4_000_000

/**
 * The records in batches of `importChunk`, or fewer large ones. Ends early with what it has when `stop` is aborted.
 * Throws `invalid_file` with the line of a record that is not of this kind, and what `records` throws; whole batches
 * before that line come first, and those of its own batch never.
 */
export async function* batchesOf(
  records: AsyncIterable<Numbered>,
  kind: ImportKind,
  stop?: AbortSignal,
): AsyncGenerator<RecordBatch> {
  let [last, batch]: [number, Ready[]] = [0, []]
  let strange = noneStrange()
  let size = 0
  for await (const { line, value, text } of records) {
    const checked = checkRecord(kind, value)
    if ('fault' in checked) throw lineFault(line, checked.fault)
    const ready = readyRecord(kind, checked.record, text)
    if (kind !== 'stores') lookAt(strange, kind, ready as Entry)
    size += kind === 'stores' ? JSON.stringify(ready).length : (ready as Entry).doc.length
    batch.push(ready)
    last = line
    if (batch.length < importChunk && size < enoughText && stop?.aborted !== true) continue
    yield { line, records: batch, strange }
    batch = []
    size = 0
    strange = noneStrange()
    if (stop?.aborted === true) return
  }
  if (batch.length > 0) yield { line: last, records: batch, strange }
}

/** Each batch as one transaction: what comes by a pipe is saved soon. */
export async function* oneByOne(batches: AsyncIterable<RecordBatch>): AsyncGenerator<Saving> {
  for await (const { records, ...rest } of batches) yield { ...rest, count: records.length, parts: [() => records] }
}

/** Batches that are saved in one transaction at most. */
export const together = 4

/** Bytes of batches that fill a transaction: twice what four usual batches have. */
const enoughBytes = 12_000_000

/**
 * The same records in fewer transactions: one writes a page once however often it changes, and records of many ids
 * change nearly every page of an index (docs/inside/performance.md, P7). What came before an error is saved before it
 * is thrown; once `stop` is aborted, what is there is saved at once. `release` gets the bytes when they are saved.
 */
export async function* transactionsOf(
  batches: AsyncIterable<PackedBatch>,
  stop: AbortSignal,
  release: (bytes: Uint8Array) => void,
): AsyncGenerator<Saving> {
  let waiting: PackedBatch[] = []
  let size = 0
  const taken = function* (): Generator<Saving> {
    const strange = noneStrange()
    for (const batch of waiting) addStrange(strange, batch.strange)
    const parts = waiting.map(
      ({ bytes }) =>
        () =>
          deserialize(bytes) as readonly Ready[],
    )
    yield { line: waiting.at(-1)!.line, count: waiting.reduce((sum, { count }) => sum + count, 0), parts, strange }
    for (const { bytes } of waiting) release(bytes)
    waiting = []
    size = 0
  }
  let failure: { readonly error: unknown } | undefined
  try {
    for await (const batch of batches) {
      waiting.push(batch)
      size += batch.bytes.byteLength
      if (waiting.length === together || size >= enoughBytes || stop.aborted) yield* taken()
    }
  } catch (error) {
    failure = { error }
  }
  if (waiting.length > 0) yield* taken()
  if (failure !== undefined) throw failure.error
}
