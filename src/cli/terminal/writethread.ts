// A thread that writes a long output to a file, beside the thread that prepares it (docs/inside/performance.md, P6).
import { writeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { releaser } from './heap.ts'

/** What the thread is started with: the open file. */
export interface WriteThreadStart {
  readonly descriptor: number
}

/** What the thread says: first that it can write, then of each piece of bytes that it is written, or why not. */
export type WriteThreadAnswer = 'ready' | 'written' | { readonly code: string | undefined; readonly message: string }

/**
 * Bytes of one write. Linux finds the memory for a write at once: of writes of 1 or 2 MB, some took five times as long
 * as these.
 */
const size = 65_536

const { descriptor } = workerData as WriteThreadStart
const release = releaser()

// oxlint-disable-next-line unicorn/require-post-message-target-origin -- this is a thread's port, not a window
const send = (answer: WriteThreadAnswer): void => parentPort!.postMessage(answer)

/** The end of the next write: after a line, so that Ctrl-C between two writes leaves whole lines. */
function endOfWrite(bytes: Uint8Array, at: number): number {
  const end = Math.min(at + size, bytes.length)
  const afterLine = end === bytes.length ? end : at + bytes.subarray(at, end).lastIndexOf(10) + 1
  return afterLine > at ? afterLine : end
}

/** Writes bytes, and gives their memory back. */
function writeAll(bytes: Uint8Array): WriteThreadAnswer {
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at, endOfWrite(bytes, at) - at)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    return { code, message }
  }
  release(bytes)
  return 'written'
}

parentPort!.on('message', (bytes: Uint8Array) => send(writeAll(bytes)))
send('ready')
