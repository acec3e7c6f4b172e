// Where judged lines go: records in any format, and explanations for people.
import { childOf, printedAwb, type KeptLine } from '../../../engine/money/lines.ts'
import type { Context } from '../../command/context.ts'
import type { Workbook } from '../../command/workbook.ts'
import { writerFor } from '../../output/csvwriter.ts'
import { printer } from '../../output/printer.ts'
import { bookOf } from './book.ts'
import { explained } from './explain.ts'
import type { InvoiceOptions } from './options.ts'
import { lineView } from './lineview.ts'
import type { PageFacts } from './page.ts'
import { cellsOf, jsonOf, recordNames, sheetLines, type RecordTerms } from './records.ts'
import type { Tally } from './tally.ts'

/** Where judged lines go. */
export interface Output {
  /** Takes a line of the document of this number; what it takes is written by the next `flush`. */
  readonly add: (line: KeptLine, number: string, terms: RecordTerms) => void
  readonly flush: () => Promise<void>
  readonly end: () => Promise<void>
  /** Writes what is known of the whole document. */
  readonly finish: (tally: Tally, facts: PageFacts) => Promise<void>
}

/** Which lines are shown; `lines` prints all of them also for people, and into a workbook nothing else. */
export type Wanted = Pick<InvoiceOptions, 'only' | 'explain'> & { readonly lines?: boolean }

const nothing = async (): Promise<void> => undefined

/** No lines. */
export const noOutput: Output = { add: () => undefined, flush: nothing, end: nothing, finish: nothing }

/** Whether a line has a verdict, or a reason among its own. */
const isOf = ({ verdict, reasons }: KeptLine, word: string): boolean =>
  verdict === word || (reasons !== null && reasons.includes(`"code":"${word}"`))

/** The output of a format: records, or explanations for people; the page comes later. */
export function outputOf(context: Context, { only, explain, lines: all = false }: Wanted): Output {
  const { format } = context
  const wanted = (line: KeptLine): boolean =>
    (only === undefined || only.some((word) => isOf(line, word))) &&
    (explain === undefined ||
      explain.some((awb) => line.awb === awb || childOf(line) === awb || printedAwb(line) === awb))
  const plain = format === 'plain' && !all && (explain !== undefined || only === undefined)
  const { add, ...rest } = plain
    ? explanationsOf(context, explain !== undefined)
    : context.workbook === undefined || all
      ? recordsOf(context)
      : bookOutput(context, context.workbook)
  return {
    ...rest,
    add: (line, number, terms) => {
      if (wanted(line)) add(line, number, terms)
    },
  }
}

/** Writes a workbook; the sheet of its lines comes after those that are known in the end. */
function bookOutput(context: Context, workbook: Workbook): Output {
  const book = bookOf(context, workbook)
  const { end, ...rest } = recordsOf(book.context)
  return {
    ...rest,
    end: nothing,
    finish: async (tally, facts) => {
      await book.write(tally, facts)
      await end()
    },
  }
}

/** Writes explanations, where one is wanted. */
function explanationsOf({ io, screen }: Context, wanted: boolean): Output {
  let texts: string[] = []
  return {
    add: (line, _, terms) => {
      if (wanted) texts.push(explained(line, terms, screen))
    },
    flush: async () => {
      for (const text of texts) await io.stdout.write(text)
      texts = []
    },
    end: nothing,
    finish: nothing,
  }
}

/** Writes records: CSV by hand, every other format with its printer. */
function recordsOf(context: Context): Output {
  const { format, io, flags } = context
  let texts: string[] = []
  if ((format === 'csv' || format === 'tsv') && !flags.has('fields')) {
    const writer = writerFor(context)
    const lineOf = sheetLines(writer, format === 'tsv' ? '\t' : ',')
    texts.push(writer.header(recordNames))
    const flush = async (): Promise<void> => {
      const text = texts.join('')
      texts = []
      if (text !== '') await io.stdout.write(text)
    }
    return {
      add: (line, number, terms) => void texts.push(lineOf(cellsOf(line, number, terms))),
      flush,
      end: flush,
      finish: nothing,
    }
  }
  const out = printer(context, lineView)
  return {
    add: (line, number, terms) => void texts.push(jsonOf(cellsOf(line, number, terms))),
    flush: async () => {
      const records = texts
      texts = []
      await out.batch(records)
    },
    end: async () => {
      await out.end()
      // The page comes next.
      if (format === 'plain' && context.screen.tty) await io.stdout.write('\n')
    },
    finish: nothing,
  }
}
