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
import { connect } from '../../source/engine.ts'
import { flag } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { refuse } from '../../command/faults.ts'
import { beStingy } from '../../terminal/heap.ts'
import { readRecords } from '../../files/jsonlines.ts'
import { printOne } from '../../output/printer.ts'
import { progress } from '../../output/progress.ts'
import { safe } from '../../terminal/safe.ts'

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
  beStingy()
  const counts = { created: 0, updated: 0, unchanged: 0 }
  const records = readRecords(context.io, file!, '<file>')
  const engine = dry ? undefined : await connect(context, 'bulk')
  const bar = await progress(context, 'Importing', undefined)
  let stopped: 'SIGINT' | 'SIGTERM' | undefined
  const quiet = context.io.onInterrupt((signal) => {
    stopped = signal
  })
  let read = 0
  let last = 0
  try {
    let chunk: { readonly line: number; readonly record: Seeded }[] = []
    const save = async (): Promise<void> => {
      const full = chunk.map((entry) => entry.record)
      if (engine !== undefined && full.length > 0) {
        const outcomes: readonly Outcome[] = await engine.database.write(() =>
          importRecords(engine.database.dialect, engine.account, kind as ImportKind, full, context.io.host.now()),
        )
        for (const outcome of outcomes) counts[outcome]++
      }
      last = chunk.at(-1)?.line ?? last
      chunk = []
      await bar.advance(full.length)
      await new Promise(setImmediate)
    }
    for await (const { line, value } of records) {
      const checked = checkRecord(kind as ImportKind, value)
      if ('fault' in checked)
        throw new ShipxError('invalid_file', `line ${line}: ${checked.fault}`, {
          details: [{ field: null, message: checked.fault, row: line }],
        })
      chunk.push({ line, record: checked.record as Seeded })
      read++
      if (chunk.length >= importChunk) await save()
      if (stopped !== undefined) break
    }
    await save()
  } catch (error) {
    await bar.end()
    if (!(error instanceof ShipxError)) throw error
    const applied = counts.created + counts.updated + counts.unchanged
    const said = dry
      ? 'nothing was changed'
      : applied === 0
        ? 'nothing was applied'
        : `lines up to ${count(last)} were applied (${summaryOf(counts)}); nothing after them was`
    throw new ShipxError(error.code, `${file === '-' ? 'standard input' : safe(file!)}, ${error.message}; ${said}`, {
      details: error.details,
      hint: 'fix the line and run the same command again: what is there already stays as it is',
      cause: error,
    })
  } finally {
    quiet()
    await engine?.database.close()
  }
  await bar.end()
  if (stopped !== undefined) {
    throw new ShipxError('interrupted', `stopped after line ${count(last)} (${summaryOf(counts)})`, {
      hint: 'run the same command again to go on: what is there already stays as it is',
    })
  }
  if (dry) return wouldDo(context, { import: kind, records: read })
  await done(context, `${count(read)} ${kind!} read: ${summaryOf(counts)}`)
  await printOne(context, counts, kind!)
  return 0
})

const summaryOf = (counts: Readonly<Record<Outcome, number>>): string =>
  `${count(counts.created)} created, ${count(counts.updated)} updated, ${count(counts.unchanged)} unchanged`
