// What a run shows of a document in the end: the page for people, and the HTML page of --out.
import type { Context } from '../../command/context.ts'
import { colourWish } from '../../command/flags.ts'
import { done } from '../../output/outcome.ts'
import { pageWriter } from '../../pages/pagefile.ts'
import { paintFor } from '../../terminal/colour.ts'
import { fittedTo } from '../../terminal/wrap.ts'
import { mailText } from './mail.ts'
import { pageText, type PageFacts } from './page.ts'
import type { Shows, Tally } from './tally.ts'

/** What a run shows. */
export interface Shown extends Shows {
  /** Prints and writes it. Throws `output_failed`. */
  readonly finish: (tally: Tally, facts: PageFacts) => Promise<void>
}

/** What a run shows. Throws `invalid_input` for a file of --out that may not be replaced, and `output_failed`. */
export function shownOf(context: Context, out: string | undefined, force: boolean): Shown {
  const { io, format, flags } = context
  const write = out === undefined || out === '-' ? undefined : pageWriter(context, out, 'reconcile invoice', force)
  const pages = format === 'plain' ? !flags.has('explain') && !flags.has('mail') : io.stderr.tty && !flags.has('quiet')
  const book = format === 'xlsx'
  return {
    detailed: out !== undefined || book,
    accrual: out !== undefined || book || pages,
    finish: async (tally, facts) => {
      if (out !== '-') await tell(context, tally, facts)
      if (out === undefined) return
      const { invoicePage } = await import('./invoicepage.ts')
      const page = invoicePage(tally, facts, io.host.now())
      if (write === undefined) return void (await io.stdout.write(page))
      write(page)
      await done(context, `Wrote the page to ${out}`)
    },
  }
}

/** Prints the page: on standard output for people, else on standard error where a person watches. */
async function tell(context: Context, tally: Tally, facts: PageFacts): Promise<void> {
  const { io, format, flags, screen } = context
  if (flags.has('explain') && format === 'plain') return
  if (format === 'plain') {
    const text = flags.has('mail') ? mailText(tally, facts, screen) : pageText(tally, facts, screen)
    const { foldedText } = await import('../../terminal/width.ts')
    await io.stdout.write(screen.tty ? foldedText(text, screen.width) : text)
    return
  }
  if (flags.has('quiet') || !io.stderr.tty) return
  const paint = await paintFor(io.stderr, io, colourWish(flags))
  await io.stderr.write(await fittedTo(io, pageText(tally, facts, { ...screen, paint })))
}
