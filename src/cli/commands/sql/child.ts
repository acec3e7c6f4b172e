// The process that runs a query. It takes as long to start as shipx itself, so bin/early.js starts it before shipx is
// read.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { CommandWords } from '../../source/packagefiles.ts'

let early: ChildProcessWithoutNullStreams | undefined

/** Takes over the process that bin/early.js started, for which shipx does not wait until it is asked for. */
export const useEarly = (child: ChildProcessWithoutNullStreams): void => void (early = child)

/** The process, which waits for a query. Throws the system's error when it cannot start. */
export async function sqlProcess(command: CommandWords): Promise<ChildProcessWithoutNullStreams> {
  if (early !== undefined) {
    const child = early
    early = undefined
    child.ref()
    for (const stream of [child.stdin, child.stdout, child.stderr] as unknown as readonly Socket[]) stream.ref()
    return child
  }
  const [program, ...words] = command
  const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true })
  // A process that did not start has no streams.
  if (child.pid === undefined) throw ((await once(child, 'error')) as readonly unknown[])[0]
  return child
}
