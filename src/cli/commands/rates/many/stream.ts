// Prints the records of long work as they come, with progress, a stop on request, and an error that says how far the
// work came.
import { counted } from '../../../../domain/count.ts'
import { ShipxError } from '../../../../domain/errors.ts'
import type { Context } from '../../../command/context.ts'
import { afterSome } from '../../../output/aftersome.ts'
import { flatPrinter, type FlatRecord } from '../../../output/flatprinter.ts'
import { growHeapSlowly } from '../../../terminal/heap.ts'
import { closed } from '../../../terminal/io.ts'
import type { View } from '../../../output/columns.ts'
import { hiddenColumns } from '../../../output/printer.ts'
import { progress } from '../../../output/progress.ts'

/** Whether the user has asked to stop. */
export interface Stop {
  asked: boolean
}

/** Long work that returns records. */
export interface Pouring {
  readonly view: View<FlatRecord>
  /** Its name in the progress line. */
  readonly doing: string
  readonly noun: readonly [one: string, many: string]
  /** The file to read; `-` is closed when the work must stop. */
  readonly path: string | undefined
  /** The records in batches; no batch starts after a stop. */
  readonly batches: (stop: Stop) => AsyncIterable<Iterable<FlatRecord>>
  /** Whether batches under way end by themselves after a stop. */
  readonly drains?: boolean
  /** How many things have their records so far. */
  readonly done: () => number
  /** Closes the source of the records: at the end, or when the user asks a second time. */
  readonly close: () => Promise<void>
}

/**
 * Prints records until the last one or a stop, and returns whether it was stopped. An error after some records says how
 * many were printed; a file that turns out to be broken is then `partial`.
 */
export async function pour(context: Context, work: Pouring): Promise<boolean> {
  growHeapSlowly()
  const { io } = context
  const stop: Stop = { asked: false }
  const quiet = io.onInterrupt(() => {
    if (stop.asked) void work.close()
    stop.asked = true
    if (work.path === '-') io.stdin.close()
  })
  const out = flatPrinter(context, work.view)
  // Rows that scroll on the terminal show progress already, and a spinner among them would spoil both.
  const bar = io.stdout.tty ? undefined : await progress(context, work.doing, undefined)
  try {
    for await (const batch of work.batches(stop)) {
      const before = work.done()
      await out.batch(batch)
      await bar?.advance(work.done() - before)
      if (stop.asked && work.drains !== true) break
    }
    await bar?.end()
    await out.end()
    if (out.hidden().length > 0) await context.note(`${hiddenColumns(out.hidden())}\n`)
  } catch (error) {
    await bar?.end()
    if (error === closed || (error instanceof ShipxError && error.code === 'output_failed')) throw error
    // A source that was closed for the stop reports an error of its own.
    // A workbook is written whole or not at all.
    const some = work.done() > 0 && context.workbook === undefined
    if (some || stop.asked) await out.end()
    if (!stop.asked) throw some ? afterSome(error, work.done(), work.noun) : error
  } finally {
    quiet()
    await work.close()
  }
  return stop.asked
}

/** The error after the user's stop. */
export function interrupted(n: number, [one, many]: Pouring['noun']): ShipxError {
  return new ShipxError('interrupted', `stopped after ${counted(n, [one, many])}`, {
    hint: 'what is printed is right; run it again for all of them',
  })
}
