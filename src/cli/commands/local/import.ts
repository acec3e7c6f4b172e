// `shipx local import`: records from a JSON Lines file into the database of this computer.
import { count } from '../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { notOneOf } from '../../../domain/values.ts'
import { importKinds, importReady, type ImportKind } from '../../../engine/transfer/imports.ts'
import type { Outcome } from '../../../engine/records/entry.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine, type Engine } from '../../source/engine.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { csvGiven } from '../../files/jsonlines.ts'
import type { Saving } from '../../imports/recordbatches.ts'
import { addStrange, noneStrange, warnStrange, type Strange } from '../../imports/strangestatuses.ts'
import { readyRecords } from '../../imports/readyrecords.ts'
import { printOne } from '../../output/printer.ts'
import { progress } from '../../output/progress.ts'
import { safe } from '../../terminal/safe.ts'
import { here } from '../../source/place.ts'

export const importFile = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [kind, file] = context.args
  const faults: Fault[] = []
  if (kind === undefined) faults.push({ field: '<kind>', message: `is required: ${importKinds.join(', ')}` })
  else if (!importKinds.includes(kind as ImportKind))
    faults.push({ field: '<kind>', message: notOneOf(kind, importKinds, 'kind of record') })
  if (file === undefined)
    faults.push({ field: '<file>', message: 'is required: a file of JSON Lines, or - for standard input' })
  refuse(context, faults)
  const stop = new AbortController()
  // Opens the file before the database: a missing one is the first thing to say.
  const from = { path: file!, field: '<file>', kind: kind as ImportKind, stop: stop.signal }
  const { savings, beside } = readyRecords(context.io, from)
  const asked = { kind: from.kind, file: from.path, savings, stop }
  const { read, last, counts, rewound, strange, stopped } = dry
    ? await importAll(context, asked, undefined)
    : await withEngine(context, beside ? 'records' : 'bulk', (engine) => importAll(context, asked, engine))
  if (from.kind !== 'stores') await warnStrange(context, from.kind, strange)
  if (rewound > 0) await context.warn(rewoundText(rewound, from.kind))
  if (stopped)
    throw new ShipxError('interrupted', `stopped after line ${count(last)} (${summaryOf(counts)})`, { hint: goOn })
  if (dry) return wouldDo(context, `import ${count(read)} ${kind!} ${here(context)}`, { import: kind, records: read })
  await done(context, `${count(read)} ${kind!} read ${here(context)}: ${summaryOf(counts)}`)
  await printOne(context, counts, kind!)
  return 0
})

const goOn = 'run the same command again to go on: what is there already stays as it is'

/** What to import, and what a signal of the user ends. */
interface Asked {
  readonly kind: ImportKind
  readonly file: string
  readonly savings: AsyncGenerator<Saving>
  readonly stop: AbortController
}

/** What an import did: the records read, the last line that was applied, and the outcomes. */
interface Imported {
  read: number
  last: number
  readonly counts: Record<Outcome, number>
  /** Updated records that had later news than the file has. */
  rewound: number
  readonly strange: Strange
  stopped: boolean
}

/** Imports the records of a file batch by batch, until the end or a signal; without an engine they are only checked. */
async function importAll(
  context: Context,
  { kind, file, savings, stop }: Asked,
  engine: Engine | undefined,
): Promise<Imported> {
  const { io } = context
  const bar = await progress(context, 'Importing', undefined)
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const so: Imported = { read: 0, last: 0, counts, rewound: 0, strange: noneStrange(), stopped: false }
  const quiet = io.onInterrupt(() => stop.abort())
  try {
    for await (const { line, count: read, parts, strange } of savings) {
      addStrange(so.strange, strange)
      so.read += read
      if (engine !== undefined) {
        const { database, account } = engine
        const saved = await database.write(() => importReady(database.dialect, account, kind, parts, io.host.now()))
        for (const { outcome, rewound } of saved) {
          so.counts[outcome]++
          if (rewound) so.rewound++
        }
      }
      so.last = line
      await bar.advance(read)
      await new Promise(setImmediate)
      so.stopped = stop.signal.aborted
      if (so.stopped) break
    }
    return so
  } catch (error) {
    throw error instanceof ShipxError ? withApplied(error, file, so, engine === undefined) : error
  } finally {
    await bar.end()
    quiet()
  }
}

const fixHint = 'fix the line and run the same command again: what is there already stays as it is'
/** The commands that read a CSV. */
const csvHint = 'statuses: shipx local track --file <file>; orders: shipx orders import <file>'

/** The error that ended an import, with what was applied before it. */
function withApplied(error: ShipxError, file: string, { counts, last }: Imported, dry: boolean): ShipxError {
  const applied = counts.created + counts.updated + counts.unchanged
  const what = dry
    ? 'nothing was changed'
    : applied === 0
      ? 'nothing was applied'
      : `lines up to ${count(last)} were applied (${summaryOf(counts)}); nothing after them was`
  // Of the whole file, or of a line of it.
  const between = error.message.startsWith('line ') ? ', ' : ': '
  return new ShipxError(
    error.code,
    `${file === '-' ? 'standard input' : safe(file)}${between}${error.message}; ${what}`,
    {
      details: error.details,
      hint: error.hint ?? (error.message === csvGiven ? csvHint : fixHint),
      cause: error,
    },
  )
}

/** A file that was exported before the last scans takes them away. */
const rewoundText = (records: number, kind: ImportKind): string =>
  records === 1
    ? `1 ${kind.slice(0, -1)} had later news here than in the file, and is now as in the file`
    : `${count(records)} ${kind} had later news here than in the file, and are now as in the file`

const summaryOf = (counts: Readonly<Record<Outcome, number>>): string =>
  `${count(counts.created)} created, ${count(counts.updated)} updated, ${count(counts.unchanged)} unchanged`
