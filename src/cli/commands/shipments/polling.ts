// Looks at something at regular intervals: when, for how long, and what a failure means.
import { pause } from '../../../client/wait.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { bulkPace } from '../../source/pace.ts'
import type { Context } from '../../command/context.ts'
import { sourceOf } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'

/** How to look again and again. */
export interface Looking {
  /** Ms from one look to the next. */
  readonly every: number
  /** The longest time in all, ms. */
  readonly most?: number
  readonly stop: AbortSignal
  /** Looks once; returns true to end. */
  readonly look: (source: Source) => Promise<boolean>
  /** Receives a temporary failure; the next look follows anyway. */
  readonly failed: (error: ShipxError) => Promise<void>
}

/** Why the looks ended. */
export type Ending = 'enough' | 'stopped' | 'late'

/**
 * Looks until `look` returns true, the time is over or the user stops it. Keeps a deployment's client and waits out
 * rate limits. Opens a file anew each time, because another process may create or replace it. Throws every error that
 * is not temporary.
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
        // After a stop, its failure is ignored.
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
        await pause(Math.min(every, left, longestTimer), stop)
      } catch {
        return 'stopped'
      }
    }
  } finally {
    await kept?.close()
  }
}

/** The longest timer of Node, ms. */
const longestTimer = 2_147_483_647

/** A signal that aborts when the user interrupts, and a function that stops listening. */
export function interruption({ io }: Pick<Context, 'io'>): {
  readonly stop: AbortSignal
  readonly quieten: () => void
} {
  const stop = new AbortController()
  const quieten = io.onInterrupt(() => stop.abort())
  return { stop: stop.signal, quieten }
}
