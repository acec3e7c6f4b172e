// Returns the CSV writer that a command's flags choose.
import type { Context } from '../command/context.ts'
import { csvWriter, type CsvWriter } from '../files/csv.ts'
import { safe } from '../terminal/safe.ts'

/**
 * CSV, TSV or CSV for Excel, by the format. A terminal shows controls as visible escapes; a `file` gets the exact text
 * and always its header.
 */
export const writerFor = ({ format, flags, io }: Pick<Context, 'format' | 'flags' | 'io'>, file = false): CsvWriter =>
  csvWriter({
    raw: flags.has('raw'),
    excel: format === 'excel',
    tsv: format === 'tsv',
    headless: flags.has('no-header') && !file,
    shown: io.stdout.tty && !file ? safe : undefined,
  })
