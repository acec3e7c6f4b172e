// Where judged lines go: records in any format, and explanations for people.
import { childOf, type KeptLine } from '../../../engine/money/lines.ts'
import type { Context } from '../../command/context.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { printer } from '../../output/printer.ts'
import { bookOf } from './book.ts'
import { explained } from './explain.ts'
import type { Outcome } from './judging.ts'
import type { InvoiceOptions } from './options.ts'
import { lineView } from './lineview.ts'
import type { PageFacts } from './page.ts'
import { cellsOf, jsonOf, recordNames, sheetLine, type RecordTerms } from './records.ts'
import type { Tally } from './tally.ts'

/** Where judged lines go. */
export interface Output {
  readonly batch: (outcomes: readonly Outcome[], lines: readonly KeptLine[], terms: RecordTerms) => Promise<void>
  /** Lines that were judged before, of the document of this number. */
  readonly again: (lines: readonly KeptLine[], number: string, terms: RecordTerms) => Promise<void>
  readonly end: () => Promise<void>
  /** Writes what is known of the whole document. */
  readonly finish: (tally: Tally, facts: PageFacts) => Promise<void>
}

interface Numbered {
  readonly kept: KeptLine
  readonly number: string
}

/** Which lines are shown; `lines` prints all of them also for people, and into a workbook nothing else. */
export type Wanted = Pick<InvoiceOptions, 'only' | 'explain'> & { readonly lines?: boolean }

const nothing = async (): Promise<void> => undefined

/** No lines. */
export const noOutput: Output = { batch: nothing, again: nothing, end: nothing, finish: nothing }

/** The output of a format: records, or explanations for people; the page comes later. */
export function outputOf(context: Context, { only, explain, lines: all = false }: Wanted): Output {
  const { format, io } = context
  const wanted = (line: KeptLine): boolean =>
    (only === undefined || line.verdict === only) &&
    (explain === undefined || line.awb === explain || childOf(line) === explain)
  if (format === 'plain' && !all && (explain !== undefined || only === undefined)) {
    const write = async (lines: readonly KeptLine[], terms: RecordTerms): Promise<void> => {
      if (explain !== undefined)
        for (const line of lines) if (wanted(line)) await io.stdout.write(explained(line, terms, context.screen))
    }
    return {
      batch: (_, lines, terms) => write(lines, terms),
      again: (lines, _, terms) => write(lines, terms),
      end: nothing,
      finish: nothing,
    }
  }
  const book = context.workbook === undefined || all ? undefined : bookOf(context, context.workbook)
  const { write, end } = recordsOf(book?.context ?? context)
  const some = (lines: readonly Numbered[]): readonly Numbered[] =>
    only === undefined && explain === undefined ? lines : lines.filter(({ kept }) => wanted(kept))
  return {
    batch: (outcomes, lines, terms) =>
      write(some(lines.map((kept, n) => ({ kept, number: outcomes[n]!.line.number }))), terms),
    again: (lines, number, terms) => write(some(lines.map((kept) => ({ kept, number }))), terms),
    // The sheet of the lines comes after those that are known in the end.
    end: book === undefined ? end : nothing,
    finish: async (tally, facts) => {
      if (book === undefined) return
      await book.write(tally, facts)
      await end()
    },
  }
}

/** Writes records: CSV by hand, every other format with its printer. */
function recordsOf(context: Context): {
  readonly write: (lines: readonly Numbered[], terms: RecordTerms) => Promise<void>
  readonly end: () => Promise<void>
} {
  const { format, io, flags } = context
  if ((format === 'csv' || format === 'tsv') && !flags.has('fields')) {
    const writer = writerFor(context)
    let header = writer.header(recordNames)
    const between = format === 'tsv' ? '\t' : ','
    return {
      write: async (lines, terms) => {
        const parts: string[] = [header]
        header = ''
        for (const { kept, number } of lines) parts.push(sheetLine(cellsOf(kept, number, terms), writer, between))
        const text = parts.join('')
        if (text !== '') await io.stdout.write(text)
      },
      end: async () => {
        if (header !== '') await io.stdout.write(header)
      },
    }
  }
  const out = printer(context, lineView)
  return {
    write: (lines, terms) => out.batch(lines.map(({ kept, number }) => jsonOf(cellsOf(kept, number, terms)))),
    end: async () => {
      await out.end()
      // The page comes next.
      if (format === 'plain' && context.screen.tty) await io.stdout.write('\n')
    },
  }
}
