// Reads the parts of a longer answer with progress, and ends between two of them when the user interrupts.
import type { Context } from '../command/context.ts'
import { progress } from './progress.ts'
import { nothingWritten, stopping } from './stopping.ts'

/** Takes every part, with progress on stderr; `take` returns how many records a part has. Throws `interrupted`. */
export async function gathered<P>(
  context: Context,
  what: string,
  total: number | undefined,
  parts: AsyncIterable<P>,
  take: (part: P) => number | Promise<number>,
): Promise<void> {
  const stop = stopping(context)
  const shown = await progress(context, what, total)
  try {
    for await (const part of parts) {
      await shown.advance(await take(part))
      await stop.between(() => nothingWritten)
    }
  } finally {
    await shown.end()
    stop.end()
  }
}
