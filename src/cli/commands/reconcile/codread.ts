// Reads a COD remittance to its end: its lines and totals, the item rows of one payment counted once.
import { counted as countedNoun } from '../../../domain/count.ts'
import type { Context } from '../../command/context.ts'
import { lackingText } from '../../files/mapped.ts'
import { interrupted } from '../rates/many/stream.ts'
import type { CodFile } from './codfile.ts'
import { codUnreadOf, type CodUnread } from './codunread.ts'
import { codReader, type CodDefaults, type CodLine, type CodTotal } from './codlines.ts'

/** What a remittance says. */
export interface ReadRemittance {
  readonly lines: readonly CodLine[]
  readonly totals: readonly CodTotal[]
  readonly unread: CodUnread
}

/** Reads a file, and says what it noticed. Throws `interrupted`. */
export async function readRemittance(
  context: Context,
  file: CodFile,
  path: string,
  defaults: CodDefaults,
): Promise<ReadRemittance> {
  const read = codReader(file, defaults)
  const stop = { asked: false }
  const quiet = context.io.onInterrupt(() => {
    stop.asked = true
    if (path === '-') context.io.stdin.close()
  })
  const lines: CodLine[] = []
  const totals: CodTotal[] = []
  const unread = codUnreadOf(file)
  let repeated = 0
  const once = file.form?.items === true ? itemRows() : undefined
  try {
    for await (const rows of file.sheet.rows) {
      for (const row of rows) {
        unread.add(row)
        const found = read(row)
        if (found === undefined) continue
        if ('total' in found) totals.push(found.total)
        else {
          const line = once === undefined ? found.line : once(found.line)
          if (line === undefined) repeated++
          else lines.push(line)
        }
      }
      if (stop.asked) throw interrupted(lines.length, ['line', 'lines'])
    }
  } finally {
    quiet()
  }
  for (const text of lackingText(file.sheet)) await context.warn(text)
  for (const note of file.sheet.notes()) await context.note(note)
  if (repeated > 0)
    await context.note(
      `Left out ${countedNoun(repeated, ['row', 'rows'])} that pay nothing, or are further items of an order.`,
    )
  return { lines, totals, unread }
}

/** Takes the item rows of a payment for one; undefined for a row that pays nothing or repeats one. */
function itemRows(): (line: CodLine) => CodLine | undefined {
  const seen = new Map<string, number>()
  return (line) => {
    if (line.fault === undefined && line.batch === '' && line.utrs.length === 0) return undefined
    const key = `${line.awb}\n${line.batch}\n${line.utrs.join()}`
    const amount = seen.get(key)
    if (amount === undefined) {
      seen.set(key, line.remitted)
      return line
    }
    if (amount === line.remitted) return undefined
    return { ...line, fault: 'another row of this AWB and CRF ID has another amount' }
  }
}
