// Where judged COD goes: records in any format, the page for people, and the file of UTRs.
import { notInBank, unexplained } from '../../../domain/money/codjudge.ts'
import type { Context } from '../../command/context.ts'
import { csvWriter } from '../../files/csv.ts'
import { writeWhole } from '../../files/userfiles.ts'
import { done } from '../../output/outcome.ts'
import { printer } from '../../output/printer.ts'
import { safe } from '../../terminal/safe.ts'
import type { CodOptions } from './codoptions.ts'
import { codMail } from './codmail.ts'
import { codPage, totalTexts, type CodFacts, type CodTally } from './codpage.ts'
import { bankView, codView, type BankRecord, type CodRecord } from './codrecords.ts'

/** Where judged COD goes. */
export interface CodOutput {
  readonly add: (records: readonly CodRecord[]) => Promise<void>
  /** Prints what is known at the end. */
  readonly finish: (tally: CodTally, facts: CodFacts) => Promise<void>
}

/** Whether a word of --only is true of a record. */
const isOf = ({ verdict, bank, unexplained: taken }: CodRecord, word: string): boolean =>
  word === unexplained ? taken !== 0 : word === notInBank ? bank === notInBank : word === verdict

/** The output of a format: records, and for people a page; with --only, records also for people. */
export function codOutput(context: Context, { only, mail, out_bank: path, force }: CodOptions): CodOutput {
  const { format, io, screen } = context
  const page = format === 'plain' && only === undefined
  const out = page ? undefined : printer(context, codView)
  return {
    add: async (records) => {
      if (out === undefined) return
      const shown = only === undefined ? records : records.filter((record) => only.some((word) => isOf(record, word)))
      if (shown.length > 0) await out.batch(shown.map((record) => JSON.stringify(record)))
    },
    finish: async (tally, facts) => {
      const { bank, deductions, others: left_out } = facts
      if (out !== undefined) await out.end(undefined, format === 'json' ? { bank, deductions, left_out } : {})
      if (page) {
        const { foldedText } = await import('../../terminal/width.ts')
        const text = mail ? codMail(tally, facts, screen) : codPage(tally, facts, screen)
        await io.stdout.write(screen.tty && !mail ? foldedText(text, screen.width) : text)
      }
      // The page says it, and nothing else does.
      if (!page || mail) for (const text of totalTexts(facts, screen)) await context.warn(text)
      if (context.workbook !== undefined && bank.length > 0) {
        const book = printer(context, bankView)
        await book.batch(bank.map((record) => JSON.stringify(record)))
        await book.end()
      }
      if (path === undefined) return
      writeWhole(path, bankText(bank, path), force, '--out-bank')
      await done(context, `Wrote the UTRs to ${safe(path)}`)
    },
  }
}

/** The records of UTRs as CSV or JSON Lines, by the name of the file. */
function bankText(bank: readonly BankRecord[], path: string): string {
  if (/\.jsonl$/i.test(path)) return bank.map((record) => `${JSON.stringify(record)}\n`).join('')
  const { header, row } = csvWriter({ raw: false, excel: false, tsv: false })
  const cells = bank.map((record) =>
    row([
      record.utr,
      record.file,
      record.bank,
      record.difference,
      record.verdict,
      record.date,
      record.narration,
      record.candidates.length === 0 ? '' : JSON.stringify(record.candidates),
      record.returned,
    ]),
  )
  return header(bankView.names) + cells.join('')
}
