// An interruption of work that goes on piece by piece: it ends between two pieces.
import { ShipxError } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'

/** Watches for an interruption until `end`. */
export interface Stopping {
  /** Lets signals arrive. Throws `interrupted` after one, with what to say and what to do next. */
  readonly between: (told: () => Told | Promise<Told>) => Promise<void>
  readonly end: () => void
}

/** What an interrupted command says: what is done and what is not, and how to go on. */
interface Told {
  readonly message: string
  readonly hint?: string
}

/** What a user reads who stops a command that has written nothing so far. */
export const nothingWritten: Told = { message: 'stopped; nothing was written' }

/** Watches for Ctrl-C and SIGTERM. */
export function stopping({ io }: Pick<Context, 'io'>): Stopping {
  let stopped = false
  const end = io.onInterrupt(() => {
    stopped = true
  })
  return {
    between: async (told) => {
      await new Promise(setImmediate)
      if (!stopped) return
      const { message, hint } = await told()
      throw new ShipxError('interrupted', message, hint === undefined ? {} : { hint })
    },
    end,
  }
}
