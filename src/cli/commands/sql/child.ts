// The process that runs a query. It takes as long to start as shipx itself, so bin/early.js starts it before shipx is
// read.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { CommandWords } from '../../source/packagefiles.ts'

let early: ChildProcessWithoutNullStreams | undefined

/** Keeps the process that bin/early.js started for `sqlProcess`. Until then shipx can end without it. */
export const useEarly = (child: ChildProcessWithoutNullStreams): void => void (early = child)

/** The process, which waits for a query. Throws the system's error when it cannot start. */
export async function sqlProcess(command: CommandWords): Promise<ChildProcessWithoutNullStreams> {
  const child = early
  early = undefined
  // What an ended process said is lost: another one says it again.
  if (child !== undefined && child.exitCode === null && child.signalCode === null) {
    child.ref()
    for (const stream of [child.stdin, child.stdout, child.stderr] as unknown as readonly Socket[]) stream.ref()
    return child
  }
  const [program, ...words] = command
  const started = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
  // A process that did not start has no streams.
  if (started.pid === undefined) throw ((await once(started, 'error')) as readonly unknown[])[0]
  return started
}
