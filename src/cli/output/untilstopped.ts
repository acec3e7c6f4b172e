// Work on a file that is not in its place yet: when the user stops it, the file goes away.
import { ShipxError } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import { safe } from '../terminal/safe.ts'

/** A file on its way to its place. */
export interface Unfinished {
  /** Whether it is in its place. */
  readonly placed: () => boolean
  /** Takes away what is not in its place. */
  readonly drop: () => void
}

/** The error of a command that the user stopped, with what became of its file. */
export const stoppedError = (path: string, { placed }: Unfinished): ShipxError => {
  const became = placed() ? 'is written, and what follows was not done' : 'was not written'
  return new ShipxError('interrupted', `stopped; ${safe(path)} ${became}`)
}

/** What `work` returns. The file is dropped at the end, and at once when the user stops the work: `interrupted`. */
export async function untilStopped<T>(
  { io }: Pick<Context, 'io'>,
  path: string,
  file: Unfinished,
  work: () => Promise<T>,
): Promise<T> {
  let quieten = (): void => undefined
  const stopped = new Promise<never>((_, reject) => {
    quieten = io.onInterrupt(() => {
      reject(stoppedError(path, file))
      file.drop()
    })
  })
  try {
    return await Promise.race([stopped, work()])
  } finally {
    quieten()
    file.drop()
  }
}
