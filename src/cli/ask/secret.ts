// Reads one secret line from standard input, so that it appears in no process list and no history; never repeats it.
import { ShipxError, invalid } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import { readText } from '../files/userfiles.ts'

/** Reads the line for `flag`. Throws `needs_answer` on a terminal, where others could see it, and `invalid_input`. */
export async function secretLine({ io }: Context, flag: string): Promise<string> {
  if (io.stdin.tty)
    throw new ShipxError('needs_answer', `${flag} reads it from a pipe or a file: others could see it typed here`, {
      hint: `… ${flag} < file`,
    })
  const line = (await readText(io, '-', 10_000, flag)).replace(/^\uFEFF/, '').trim()
  if (line === '') throw invalid([{ field: flag, message: 'found nothing on standard input' }])
  if (/[\r\n]/.test(line)) throw invalid([{ field: flag, message: 'found more than one line on standard input' }])
  return line
}
