// The records of a JSON Lines file in batches: checked, and ready to be saved together.
import { checkRecord, importChunk, readyRecord, type ImportKind, type Ready } from '../../engine/transfer/imports.ts'
import type { Entry } from '../../engine/records/entry.ts'
import { lineFault, type Numbered } from '../files/jsonlines.ts'
import { lookAt, noneStrange, type Strange } from './strangestatuses.ts'

/** Records that are saved together, in the order of the file, and the line of the last one. */
export interface RecordBatch {
  readonly line: number
  readonly records: readonly Ready[]
  /** What their statuses are that no filter takes. */
  readonly strange: Strange
}

/**
 * The records in batches of one transaction each. Ends early with what it has when `stop` is aborted. Throws
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
