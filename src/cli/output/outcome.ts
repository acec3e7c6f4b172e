// The output of a write: a sentence for people, an answer for programs, and what a dry run would do.
import type { Context } from '../command/context.ts'
import { jsonText, safeText } from '../terminal/safe.ts'

/** Reports on stderr what a write did, with the mark of success. */
export async function done(context: Context, text: string): Promise<void> {
  // It contains text from a customer, a server or a file.
  await context.note(`${context.screen.ascii ? '+' : '✓'} ${safeText(text)}`)
}

/** Prints sentences on standard output; on a terminal their lines break at words. */
export async function say({ io, screen }: Context, text: string): Promise<void> {
  const lines = screen.tty ? (await import('../terminal/width.ts')).foldedText(text, screen.width) : text
  await io.stdout.write(`${lines}\n`)
}

/**
 * Reports what a dry run would have done: a sentence for a person on a terminal (`would` is `create store acme on this
 * computer`), the request for a program. Returns the exit code 0.
 */
export async function wouldDo(
  context: Context,
  would: string,
  request: Readonly<Record<string, unknown>>,
): Promise<number> {
  if (context.format === 'plain' && context.screen.tty) {
    await say(context, safeText(`Would ${would}. Nothing was changed.`))
    return 0
  }
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
