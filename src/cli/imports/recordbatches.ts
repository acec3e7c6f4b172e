// The records of a JSON Lines file in batches: checked, and ready to be saved together.
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

/**
 * The records in batches of `importChunk`. Ends early with what it has when `stop` is aborted. Throws
 * `invalid_file` with the line of a record that is not of this kind, and what `records` throws; whole batches before
 * that line come first, and those of its own batch never.
 */
export async function* batchesOf(
  records: AsyncIterable<Numbered>,
  kind: ImportKind,
  stop?: AbortSignal,
): AsyncGenerator<RecordBatch> {
  let [last, batch]: [number, Ready[]] = [0, []]
  let strange = noneStrange()
  for await (const { line, value } of records) {
    const checked = checkRecord(kind, value)
    if ('fault' in checked) throw lineFault(line, checked.fault)
    const ready = readyRecord(kind, checked.record)
    if (kind !== 'stores') lookAt(strange, kind, ready as Entry)
    batch.push(ready)
    last = line
    if (batch.length < importChunk && stop?.aborted !== true) continue
    yield { line, records: batch, strange }
    batch = []
    strange = noneStrange()
    if (stop?.aborted === true) return
  }
  if (batch.length > 0) yield { line: last, records: batch, strange }
}

/** Batches that are saved in one transaction at most. */
export const together = 4

/** From so many characters of records on, a transaction takes no further batch. */
const enoughText = 4_000_000

/**
 * The same records in fewer batches, each of them one transaction: it writes a page once however often it changes, and
 * records of many ids change nearly every page of an index (docs/inside/performance.md, P7). What came before an error
 * is saved before it is thrown; once `stop` is aborted, what is there is saved at once.
 */
export async function* transactionsOf(
  batches: AsyncIterable<RecordBatch>,
  stop: AbortSignal,
): AsyncGenerator<RecordBatch> {
  let waiting: RecordBatch[] = []
  let size = 0
  const taken = (): RecordBatch => {
    const strange = noneStrange()
    for (const batch of waiting) addStrange(strange, batch.strange)
    const joined = { line: waiting.at(-1)!.line, records: waiting.flatMap(({ records }) => records), strange }
    waiting = []
    size = 0
    return joined
  }
  let failure: { readonly error: unknown } | undefined
  try {
    for await (const batch of batches) {
      waiting.push(batch)
      for (const record of batch.records)
        if ('doc' in record && typeof record.doc === 'string') size += record.doc.length
      if (waiting.length === together || size >= enoughText || stop.aborted) yield taken()
    }
  } catch (error) {
    failure = { error }
  }
  if (waiting.length > 0) yield taken()
  if (failure !== undefined) throw failure.error
}
