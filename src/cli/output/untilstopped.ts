// Work on a file that is not in its place yet: when the user stops it, the file goes away.
import { ShipxError } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'

/**
 * What `work` returns. `drop` takes away what is not in its place: at the end, and at once when the user stops the
 * work. Then this throws `interrupted` with the message `told`.
 */
export async function untilStopped<T>(
  { io }: Pick<Context, 'io'>,
  told: string,
  drop: () => void,
  work: () => Promise<T>,
): Promise<T> {
  let quieten = (): void => undefined
  const stopped = new Promise<never>((_, reject) => {
    quieten = io.onInterrupt(() => {
      reject(new ShipxError('interrupted', told))
      drop()
    })
  })
  try {
    return await Promise.race([stopped, work()])
  } finally {
    quieten()
    drop()
  }
}
