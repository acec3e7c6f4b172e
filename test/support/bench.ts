// The built command in a process of its own, in a folder and a home that are gone after the tests of a file.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codeEnv, program as start, writeLauncher } from './program.ts'

/** What a command came to. */
export interface Outcome {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number | string
}

/** How a command is run besides its words. */
export interface Run {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string
  /** Told of the process as soon as it is there. */
  readonly onStart?: (child: ChildProcess) => void
}

/** A folder in which commands run, with nothing of the user's own. */
export interface Bench {
  readonly folder: string
  readonly file: (name: string, text: string) => string
  readonly shipx: (args: readonly string[], run?: Run) => Promise<Outcome>
  readonly bash: (line: string, run?: Run) => Promise<Outcome>
  /** The environment of its commands. */
  readonly env: Readonly<Record<string, string>>
  readonly remove: () => void
}

/** Makes a folder to run commands in; their clock stands at Tuesday 29 September 2026, 14:00 in India. */
export function benchOf(): Bench {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-bench-')))
  mkdirSync(join(folder, 'home'))
  mkdirSync(join(folder, 'bin'))
  writeLauncher(join(folder, 'bin'))
  const own = {
    PATH: `${join(folder, 'bin')}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(folder, 'home'),
    ...codeEnv(),
    SHIPX_DATA_DIR: join(folder, 'data'),
    TZ: 'UTC',
    LC_ALL: 'C.UTF-8',
    SHIPX_NOW: '2026-09-29T08:30:00Z',
  }
  const run = (
    command: string,
    args: readonly string[],
    { env = {}, input = '', onStart }: Run = {},
  ): Promise<Outcome> =>
    new Promise((resolve, reject) => {
      const child = spawn(command, args, {
        cwd: folder,
        env: { ...own, ...env },
        stdio: ['pipe', 'pipe', 'pipe'],
      })
      let [stdout, stderr] = ['', '']
      child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
      child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk))
      child.on('error', reject)
      child.on('close', (code, signal) => resolve({ stdout, stderr, exit: code ?? String(signal) }))
      child.stdin.on('error', () => undefined)
      child.stdin.end(input)
      onStart?.(child)
    })
  return {
    folder,
    file: (name, text) => {
      const path = join(folder, name)
      writeFileSync(path, text)
      return path
    },
    shipx: (args, how) => run(process.execPath, [start, ...args], how),
    bash: (line, how) => run('bash', ['-c', line], how),
    env: own,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
