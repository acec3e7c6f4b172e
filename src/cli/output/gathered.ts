// Reads the parts of a longer answer with progress, and ends between two of them when the user interrupts.
import { ShipxError } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import { progress } from './progress.ts'

/** Takes every part, with progress on stderr; `take` returns how many records a part has. Throws `interrupted`. */
export async function gathered<P>(
  context: Context,
  what: string,
  total: number | undefined,
  parts: AsyncIterable<P>,
  take: (part: P) => number | Promise<number>,
): Promise<void> {
  let stopped = false
  const quieten = context.io.onInterrupt(() => {
    stopped = true
  })
  const shown = await progress(context, what, total)
  try {
    for await (const part of parts) {
      await shown.advance(await take(part))
      if (stopped) throw new ShipxError('interrupted', 'stopped; nothing was written')
    }
  } finally {
    await shown.end()
    quieten()
  }
}
