// Writes a long output to a file in a thread of its own, so that this one prepares what comes next meanwhile.
import { Worker } from 'node:worker_threads'
import type { ThreadCode } from './threadcode.ts'
import type { WriteThreadAnswer, WriteThreadStart } from './writethread.ts'

export interface FileWriter {
  /** Whether the thread has started. It may never do so. */
  readonly ready: () => boolean
  /**
   * Takes bytes that have their memory for themselves, writes them and gives the memory back. One call after the other.
   * Rejects with the system's error, or when the thread has ended.
   */
  readonly write: (bytes: Uint8Array) => Promise<void>
}

/** Room for the thread's values, MB: it makes nearly none, and by itself V8 would give them 48. */
const newSpaceMb = 1

/** Starts a thread that writes to a file where its last write ended. It ends with the process. */
export function fileWriter(descriptor: number, { code, options }: ThreadCode): FileWriter {
  const worker = new Worker(code, {
    ...options,
    workerData: { descriptor } satisfies WriteThreadStart,
    resourceLimits: { maxYoungGenerationSizeMb: newSpaceMb },
    // It prints nothing. Node would open both streams of the process for it, and stop a pipe there from blocking.
    stdout: true,
    stderr: true,
  })
  let ready = false
  let failure: Error | undefined
  let settle: ((error?: Error) => void) | undefined
  const end = (error: Error): void => {
    failure ??= error
    ready = false
    settle?.(failure)
  }
  worker.on('message', (answer: WriteThreadAnswer) => {
    if (answer === 'ready') ready = true
    else if (answer === 'written') settle?.()
    else settle?.(Object.assign(new Error(answer.message), { code: answer.code }))
  })
  worker.on('error', end)
  worker.on('exit', () => end(new Error('the thread that writes has ended')))
  // After the listeners: they would make the process wait for the thread again.
  worker.unref()
  const write = (bytes: Uint8Array): Promise<void> =>
    new Promise<void>((resolve, reject) => {
      if (failure !== undefined) return reject(failure)
      worker.ref()
      settle = (error) => {
        settle = undefined
        worker.unref()
        if (error === undefined) resolve()
        else reject(error)
      }
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage(bytes, [bytes.buffer as ArrayBuffer])
    })
  return { ready: () => ready, write }
}
