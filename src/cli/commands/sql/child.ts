// The process that runs a query. It takes as long to start as shipx itself, so it starts before shipx has read the
// command line.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { CommandWords } from '../../source/packagefiles.ts'

let early: ChildProcessWithoutNullStreams | undefined

const started = ([program, ...words]: CommandWords): ChildProcessWithoutNullStreams =>
  spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })

/** What shipx waits for: the process and its streams. */
const waitedFor = (child: ChildProcessWithoutNullStreams): readonly { ref: () => unknown; unref: () => unknown }[] => [
  child,
  ...([child.stdin, child.stdout, child.stderr] as unknown as readonly Socket[]),
]

/** Starts the process before anybody asks for it. shipx does not wait for it, and it ends with shipx. */
export function startEarly(command: CommandWords): void {
  const child = started(command)
  child.on('error', () => undefined)
  if (child.pid === undefined) return
  for (const one of waitedFor(child)) one.unref()
  early = child
}

/** The process, which waits for a query. Throws the system's error when it cannot start. */
export async function sqlProcess(command: CommandWords): Promise<ChildProcessWithoutNullStreams> {
  if (early !== undefined) {
    const child = early
    early = undefined
    for (const one of waitedFor(child)) one.ref()
    return child
  }
  const child = started(command)
  // A process that did not start has no streams.
  if (child.pid === undefined) throw ((await once(child, 'error')) as readonly unknown[])[0]
  return child
}
