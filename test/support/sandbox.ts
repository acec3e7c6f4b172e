// The built command as tests run it: in a folder of its own, with a clock that stands still, to its end or until a signal.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { codeEnv, program as start } from './program.ts'

/** What a command came to. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | string
  /** ms. */
  readonly took: number
}

/** A command that has been started. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<Outcome>
}

/** A place where commands are run. */
export interface Sandbox {
  readonly folder: string
  readonly begin: (
    args: readonly string[],
    over?: { readonly env?: Readonly<Record<string, string>>; readonly input?: string },
  ) => Running
  readonly shipx: (args: readonly string[], over?: Parameters<Sandbox['begin']>[1]) => Promise<Outcome>
  readonly remove: () => void
}

export function sandbox(): Sandbox {
  const folder = mkdtempSync(join(tmpdir(), 'shipx-command-'))
  const begin: Sandbox['begin'] = (args, { env = {}, input = '' } = {}) => {
    const began = performance.now()
    const child = spawn(process.execPath, [start, ...args], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        ...codeEnv(),
        SHIPX_DATA_DIR: folder,
        SHIPX_NOW: '2026-09-29T08:30:00Z',
        ...env,
      } as unknown as NodeJS.ProcessEnv,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
    child.stdin.on('error', () => undefined)
    child.stdin.end(input)
    const ended = new Promise<Outcome>((resolve, reject) => {
      let [stdout, stderr] = ['', '']
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
      child.on('error', reject)
      child.on('close', (code, signal) =>
        resolve({ stdout, stderr, exit: code ?? String(signal), took: performance.now() - began }),
      )
    })
    return { child, ended }
  }
  return {
    folder,
    begin,
    shipx: (args, over) => begin(args, over).ended,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
