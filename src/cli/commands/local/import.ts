// `shipx local import`: records from a JSON Lines file into the database of this computer.
import { count } from '../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { notOneOf } from '../../../domain/values.ts'
import {
  checkRecord,
  importChunk,
  importKinds,
  importRecords,
  type ImportKind,
} from '../../../engine/transfer/imports.ts'
import type { saveRecords } from '../../../engine/records/records.ts'
import type { Outcome } from '../../../engine/records/entry.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine, type Engine } from '../../source/engine.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { shrinkHeap } from '../../terminal/heap.ts'
import { readRecords } from '../../files/jsonlines.ts'
import { printOne } from '../../output/printer.ts'
import { progress } from '../../output/progress.ts'
import { safe } from '../../terminal/safe.ts'
import { here } from '../../source/place.ts'

type Seeded = Parameters<typeof saveRecords>[3][number]

export const importFile = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [kind, file] = context.args
  const faults: Fault[] = []
  if (kind === undefined) faults.push({ field: '<kind>', message: `is required: ${importKinds.join(', ')}` })
  else if (!importKinds.includes(kind as ImportKind))
    faults.push({ field: '<kind>', message: notOneOf(kind, importKinds, 'kind of record') })
  if (file === undefined)
    faults.push({ field: '<file>', message: 'is required: a file of JSON Lines, or - for standard input' })
  refuse(context, faults)
  shrinkHeap()
  // Opens the file before the database: a missing one is the first thing to say.
  const asked = { kind: kind as ImportKind, file: file!, records: readRecords(context.io, file!, '<file>') }
  const { read, last, counts, stopped } = dry
    ? await importAll(context, asked, undefined)
    : await withEngine(context, 'bulk', (engine) => importAll(context, asked, engine))
  if (stopped)
    throw new ShipxError('interrupted', `stopped after line ${count(last)} (${summaryOf(counts)})`, { hint: goOn })
  if (dry) return wouldDo(context, `import ${count(read)} ${kind!} ${here(context)}`, { import: kind, records: read })
  await done(context, `${count(read)} ${kind!} read ${here(context)}: ${summaryOf(counts)}`)
  await printOne(context, counts, kind!)
  return 0
})

const goOn = 'run the same command again to go on: what is there already stays as it is'

/** What to import. */
interface Asked {
  readonly kind: ImportKind
  readonly file: string
  readonly records: ReturnType<typeof readRecords>
}

/** What an import did: the records read, the last line that was applied, and the outcomes. */
interface Imported {
  read: number
  last: number
  readonly counts: Record<Outcome, number>
  stopped: boolean
}

/** Imports the records of a file in chunks, until the end or a signal; without an engine it only checks them. */
async function importAll(
  context: Context,
  { kind, file, records }: Asked,
  engine: Engine | undefined,
): Promise<Imported> {
  const { io } = context
  const bar = await progress(context, 'Importing', undefined)
  const so: Imported = { read: 0, last: 0, counts: { created: 0, updated: 0, unchanged: 0 }, stopped: false }
  const quiet = io.onInterrupt(() => {
    so.stopped = true
  })
  let chunk: { readonly line: number; readonly record: Seeded }[] = []
  const save = async (): Promise<void> => {
    const full = chunk.map((entry) => entry.record)
    if (engine !== undefined && full.length > 0) {
      const { database, account } = engine
      const outcomes: readonly Outcome[] = await database.write(() =>
        importRecords(database.dialect, account, kind, full, io.host.now()),
      )
      for (const outcome of outcomes) so.counts[outcome]++
    }
    so.last = chunk.at(-1)?.line ?? so.last
    chunk = []
    await bar.advance(full.length)
    await new Promise(setImmediate)
  }
  try {
    for await (const { line, value } of records) {
      const checked = checkRecord(kind, value)
      if ('fault' in checked) throw lineFault(line, checked.fault)
      chunk.push({ line, record: checked.record as Seeded })
      so.read++
      if (chunk.length >= importChunk) await save()
      if (so.stopped) break
    }
    await save()
    return so
  } catch (error) {
    throw error instanceof ShipxError ? withApplied(error, file, so, engine === undefined) : error
  } finally {
    await bar.end()
    quiet()
  }
}

const lineFault = (row: number, message: string): ShipxError =>
  new ShipxError('invalid_file', `line ${row}: ${message}`, { details: [{ field: null, message, row }] })

/** The error that ended an import, with what was applied before it. */
function withApplied(error: ShipxError, file: string, { counts, last }: Imported, dry: boolean): ShipxError {
  const applied = counts.created + counts.updated + counts.unchanged
  const what = dry
    ? 'nothing was changed'
    : applied === 0
      ? 'nothing was applied'
      : `lines up to ${count(last)} were applied (${summaryOf(counts)}); nothing after them was`
  return new ShipxError(error.code, `${file === '-' ? 'standard input' : safe(file)}, ${error.message}; ${what}`, {
    details: error.details,
    hint: 'fix the line and run the same command again: what is there already stays as it is',
    cause: error,
  })
}

const summaryOf = (counts: Readonly<Record<Outcome, number>>): string =>
  `${count(counts.created)} created, ${count(counts.updated)} updated, ${count(counts.unchanged)} unchanged`
