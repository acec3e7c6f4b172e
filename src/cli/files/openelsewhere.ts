// Changes of files that another program has open: Windows refuses them until that program lets go.
import { renameSync, rmSync } from 'node:fs'

/** How long to try again, ms. A virus scanner lets go within this time; a spreadsheet that shows the file does not. */
const patience = 2000

/** What a test puts in place of the system. */
interface System {
  readonly platform?: NodeJS.Platform
  readonly pause?: (ms: number) => void
}

/** Whether Windows refused because another program has the file open, or is just closing or deleting it. */
export const openElsewhere = (error: unknown, platform: NodeJS.Platform = process.platform): boolean =>
  platform === 'win32' &&
  error instanceof Error &&
  'code' in error &&
  ['EPERM', 'EACCES', 'EBUSY'].includes(String(error.code))

/**
 * Does `work`. On Windows tries again for 2 s while another program has the file open, then throws an error that says
 * what to do; otherwise throws what the system says.
 */
export function whenFree<T>(work: () => T, { platform = process.platform, pause = sleep }: System = {}): T {
  let waited = 0
  for (let next = 10; ; next = Math.min(next * 2, 200)) {
    try {
      return work()
    } catch (error) {
      if (!openElsewhere(error, platform)) throw error
      if (waited >= patience)
        throw new Error('another program has it open, or it may not be changed; close it there and try again', {
          cause: error,
        })
    }
    pause(next)
    waited += next
  }
}

/** Renames a file over another one. Throws as `whenFree`. */
export const renameOver = (from: string, to: string): void => whenFree(() => renameSync(from, to))

/** Removes a file, unless it is not there. Throws as `whenFree`. */
export const removeFile = (path: string): void => whenFree(() => rmSync(path, { force: true }))

/** Node's own timers would give other work a turn in the middle of a change. */
const sleep = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
