// Looking at the same thing again and again: when, for how long, and what a failure means; knows nothing of what is seen.
import { rest } from '../../../client/wait.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { bulkPace } from '../../source/pace.ts'
import type { Context } from '../../command/context.ts'
import { sourceOf } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'

/** How a look came out, over and over. */
export interface Looking {
  /** ms from one look to the next. */
  readonly every: number
  /** ms that all of it may take. */
  readonly most?: number
  readonly stop: AbortSignal
  /** Looks once; true is enough. */
  readonly look: (source: Source) => Promise<boolean>
  /** Told of a failure that may pass: the next look follows all the same. */
  readonly failed: (error: ShipxError) => Promise<void>
}

/** Why it ended. */
export type Ending = 'enough' | 'stopped' | 'late'

/**
 * Looks until that is enough, the time is over or it is stopped. A deployment's client is kept and rate limits are waited
 * out; a file is opened anew each time, for it may be made or replaced in between. Throws what does not pass by itself.
 */
export async function lookAgain(context: Context, looking: Looking): Promise<Ending> {
  const { every, most = Infinity, stop, look, failed } = looking
  const began = performance.now()
  const stopped = new Promise<'stopped'>((resolve) => stop.addEventListener('abort', () => resolve('stopped')))
  let kept: Source | undefined
  const once = async (): Promise<boolean> => {
    const source = kept ?? (await sourceOf(context, 'read', bulkPace(undefined, stop)))
    if (source.remote !== undefined) kept = source
    try {
      return await look(source)
    } finally {
      if (source !== kept) await source.close()
    }
  }
  try {
    for (;;) {
      try {
        const seen = once()
        // Once it is stopped, nobody hears of its failure.
        seen.catch(() => undefined)
        const enough = await Promise.race([seen, stopped])
        if (enough === 'stopped') return enough
        if (enough) return 'enough'
      } catch (error) {
        if (stop.aborted) return 'stopped'
        if (!(error instanceof ShipxError && error.retryable)) throw error
        await failed(error)
      }
      const left = began + most - performance.now()
      if (left <= 0) return 'late'
      try {
        await rest(Math.min(every, left, longestTimer), stop)
      } catch {
        return 'stopped'
      }
    }
  } finally {
    await kept?.close()
  }
}

/** A timer of Node takes no more ms than this. */
const longestTimer = 2_147_483_647

/** A signal that is aborted when the user interrupts, and what stops listening for that. */
export function interruption({ io }: Pick<Context, 'io'>): {
  readonly stop: AbortSignal
  readonly quieten: () => void
} {
  const stop = new AbortController()
  const quieten = io.onInterrupt(() => stop.abort())
  return { stop: stop.signal, quieten }
}
