// Imports as tests run them: the built command in a folder of its own, started, cut short and run again.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import driver from 'better-sqlite3'

const start = fileURLToPath(new URL('../bin/shipx.js', import.meta.url))

/** How a command ended. */
export interface Ran {
  readonly exit: number | string
  readonly stdout: string
  readonly stderr: string
  /** From the signal to the end, ms. */
  readonly after: number | undefined
}

/** What a command is run with. */
export interface Running {
  readonly input?: string | Buffer
  readonly env?: Readonly<Record<string, string>>
  /** Sent after so many ms. */
  readonly kill?: { readonly signal: NodeJS.Signals; readonly after: number }
  /** A program that runs it, with its arguments: strace. */
  readonly under?: readonly string[]
  /** Sent when stderr first holds the text. */
  readonly killAt?: { readonly signal: NodeJS.Signals; readonly text: string }
}

/** A folder with files and a data folder, in which the command runs. */
export interface Desk {
  readonly folder: string
  readonly database: string
  readonly path: (name: string) => string
  readonly write: (name: string, content: string | Uint8Array) => string
  readonly read: (name: string) => string
  readonly there: (name: string) => boolean
  readonly run: (args: readonly string[], running?: Running) => Promise<Ran>
  /** Names and brands in the engine's database, by name. */
  readonly stores: () => readonly (readonly [string, string | null])[]
  /** What SQLite's own check says. */
  readonly sound: () => unknown
  readonly clear: () => void
}

/** Makes a desk; `env` goes to every run. */
export function deskOf(env: Readonly<Record<string, string>> = {}): Desk {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'shipx-import-')))
  const path = (name: string): string => join(folder, name)
  const database = path('data/shipx.sqlite')
  const query = <T>(work: (db: InstanceType<typeof driver>) => T): T => {
    const db = new driver(database)
    try {
      return work(db)
    } finally {
      db.close()
    }
  }
  return {
    folder,
    database,
    path,
    write: (name, content) => {
      writeFileSync(path(name), content)
      return name
    },
    read: (name) => readFileSync(path(name), 'utf8'),
    there: (name) => existsSync(path(name)),
    run: (args, { input, env: more = {}, kill, killAt, under = [] } = {}) =>
      new Promise((resolve, reject) => {
        const [program, ...words] = [...under, process.execPath, start, ...args]
        let signalled: number | undefined
        const signal = (name: NodeJS.Signals): void => {
          signalled = performance.now()
          child.kill(name)
        }
        const child = spawn(program!, words, {
          cwd: folder,
          env: { HOME: folder, SHIPX_DATA_DIR: path('data'), SHIPX_CONFIG_DIR: path('config'), LC_ALL: 'C.UTF-8', ...env, ...more }, // prettier-ignore
          stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
        })
        let [stdout, stderr] = ['', '']
        child.stdout!.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk))
        child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
          const before = stderr
          stderr += chunk
          if (killAt !== undefined && stderr.includes(killAt.text) && !before.includes(killAt.text)) signal(killAt.signal) // prettier-ignore
        })
        if (input !== undefined) child.stdin!.on('error', () => undefined).end(input)
        const timer = kill === undefined ? undefined : setTimeout(() => signal(kill.signal), kill.after)
        child.on('error', reject)
        child.on('close', (code, name) => {
          clearTimeout(timer)
          const after = signalled === undefined ? undefined : performance.now() - signalled
          resolve({ exit: code ?? String(name), stdout, stderr, after })
        })
      }),
    stores: () =>
      !existsSync(database)
        ? []
        : query((db) => db.prepare('select store_name, brand_name from stores order by store_name').raw().all() as [string, string | null][]), // prettier-ignore
    sound: () => query((db) => db.pragma('integrity_check', { simple: true })),
    clear: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** A file of so many good stores, `acme-00000` and on. */
export const storesCsv = (count: number, from = 0): string =>
  `store_name,brand_name,logo\n${Array.from({ length: count }, (_, i) => `acme-${String(from + i).padStart(5, '0')},Acme ${from + i},\n`).join('')}`

/** What those are in a database. */
export const storesOf = (count: number): readonly (readonly [string, string])[] =>
  Array.from({ length: count }, (_, i) => [`acme-${String(i).padStart(5, '0')}`, `Acme ${i}`] as const)
