// The output of a write: a sentence for people, an answer for programs, and what a dry run would do.
import type { Context } from '../command/context.ts'
import { jsonText, safeText } from '../terminal/safe.ts'

/** Reports on stderr what a write did, with the mark of success. */
export async function done(context: Context, text: string): Promise<void> {
  // It contains text from a customer, a server or a file.
  await context.note(`${context.screen.ascii ? '+' : '✓'} ${safeText(text)}`)
}

/** Reports what a dry run would have done. */
export async function wouldDo(context: Context, request: Readonly<Record<string, unknown>>): Promise<number> {
  await context.io.stdout.write(`${jsonText({ dry_run: request }, context.screen.tty)}\n`)
  return 0
}

/**
 * Reports what a write did, and prints `data` as JSON for programs: when the user chose a format, with `piped` also
 * when the output is not a terminal. Returns the exit code 0.
 */
export async function answer(context: Context, sentence: string, data: unknown, piped = false): Promise<number> {
  await done(context, sentence)
  if (context.format !== 'plain' || (piped && !context.screen.tty))
    await context.io.stdout.write(`${jsonText({ data })}\n`)
  return 0
}
