// A pause that a signal ends early.
import { ShipxError } from '../domain/errors.ts'

export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopped = (): void => {
      clearTimeout(timer)
      reject(new ShipxError('interrupted', 'stopped'))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stopped)
      resolve()
    }, ms)
    signal?.addEventListener('abort', stopped, { once: true })
    if (signal?.aborted === true) stopped()
  })
}
