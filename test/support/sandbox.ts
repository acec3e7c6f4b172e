// The built command as tests run it: in a folder and a home of its own, with a clock that stands still, to its end or until a signal.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codeEnv, program, writeLauncher } from './program.ts'

/** What a command came to. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | string
  /** ms. */
  readonly took: number
}

/** How a command is run besides its words. */
export interface Run {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Where it runs, if not in the sandbox's folder. */
  readonly cwd?: string
}

/** A command that has been started. */
export interface Running {
  readonly child: ChildProcessWithoutNullStreams
  readonly ended: Promise<Outcome>
}

/** A folder in which commands run, with nothing of the user's own. */
export interface Sandbox {
  readonly folder: string
  /** The environment of its commands. */
  readonly env: Readonly<Record<string, string>>
  /** Writes a file into the folder, and gives its path. */
  readonly file: (name: string, content: string | Uint8Array) => string
  /** Starts shipx, to be looked at or stopped while it runs. */
  readonly begin: (args: readonly string[], run?: Run) => Running
  readonly shipx: (args: readonly string[], run?: Run) => Promise<Outcome>
  readonly bash: (line: string, run?: Run) => Promise<Outcome>
  readonly remove: () => void
}

/** Makes a folder to run commands in; their clock stands at Tuesday 29 September 2026, 14:00 in India. */
export function sandbox(): Sandbox {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-tests-')))
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')]
  mkdirSync(home)
  mkdirSync(bin)
  writeLauncher(bin)
  const own = {
    PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: home,
    ...codeEnv(),
    SHIPX_DATA_DIR: join(folder, 'data'),
    TZ: 'UTC',
    LC_ALL: 'C.UTF-8',
    SHIPX_NOW: '2026-09-29T08:30:00Z',
  }
  const start = (
    command: string,
    args: readonly string[],
    { env = {}, input = '', cwd = folder }: Run = {},
  ): Running => {
    const began = performance.now()
    const child = spawn(command, args, { cwd, env: { ...own, ...env } })
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
  const begin: Sandbox['begin'] = (args, run) => start(process.execPath, [program, ...args], run)
  return {
    folder,
    env: own,
    file: (name, content) => {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
    begin,
    shipx: (args, run) => begin(args, run).ended,
    bash: (line, run) => start('bash', ['-c', line], run).ended,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
