// The real `shipx serve` in a process of its own, with accounts, keys and records, for rows that need the service.
import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { codeEnv, program as start } from '../support/program.ts'
import { orderRequest } from '../support/requests.ts'

export { start }

/** What a command came to. */
export interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
}

/** Runs the built command and waits, at most so long. */
export function shipx(
  args: readonly string[],
  {
    env = {},
    cwd,
    timeout = 120_000,
    input = '',
  }: { env?: Readonly<Record<string, string>>; cwd?: string; timeout?: number; input?: string } = {},
): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { env: { ...bareEnv(), ...env }, cwd: cwd ?? tmpdir(), timeout, maxBuffer: 256 * 1024 * 1024 }
    const child = execFile(process.execPath, [start, ...args], options, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1
      resolve({ stdout, stderr, exit: code })
    })
    child.stdin?.on('error', () => undefined).end(input)
  })
}

/** Nothing of the environment that could reach into a run. */
export const bareEnv = (): Record<string, string> => ({
  PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  HOME: '/nonexistent',
  ...codeEnv(),
  TZ: 'UTC',
  LC_ALL: 'C.UTF-8',
})

/** A service at work. */
export interface Serving {
  readonly url: string
  readonly pid: number
  readonly db: string
  readonly folder: string
  /** Makes a key, with the flags of `keys create`; gives it and its id. */
  readonly keyOf: (
    account: string,
    ...flags: readonly string[]
  ) => Promise<{ readonly key: string; readonly id: string }>
  /** Runs a command on the database of the service. */
  readonly local: (...args: readonly string[]) => Promise<Ran>
  /** Whether the process is still there, and what it has said on stderr. */
  readonly alive: () => boolean
  /** Its exit code, or the signal that ended it. */
  readonly ended: Promise<number | string>
  readonly log: () => string
  readonly close: () => Promise<void>
}

/**
 * Starts `shipx serve` on a free port with a database of its own, seeded for the account `default`. `under` is a line of the shell before
 * it, for a limit; `within` an existing folder for the database.
 */
export async function startServing(
  flags: readonly string[] = ['--rate-limit', '0'],
  shipments = 200,
  { under = 'true', within = tmpdir() }: { readonly under?: string; readonly within?: string } = {},
): Promise<Serving> {
  const folder = mkdtempSync(join(within, 'shipx-serving-'))
  const db = join(folder, 'serve.sqlite')
  const local = (...args: readonly string[]): Promise<Ran> =>
    shipx([...args, '--db', db], { env: { HOME: folder }, cwd: folder, timeout: 600_000 })
  const seeded = await local('local', 'seed', '--shipments', String(shipments), '--returns', '60', '--stores', '5')
  if (seeded.exit !== 0) throw new Error(`the database could not be seeded: ${seeded.stderr}`)
  const words = [process.execPath, start, 'serve', '--port', '0', '--json', '--db', db, ...flags]
  const child = spawn('bash', ['-c', `${under} && exec "$0" "$@"`, ...words], {
    env: { ...bareEnv(), HOME: folder },
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = (log + text).slice(-2_000_000)
  })
  const gone = new Promise<number | string>((resolve) =>
    child.once('exit', (code, signal) => resolve(code ?? signal ?? -1)),
  )
  const url = await firstUrl(child, () => log)
  return {
    url,
    pid: child.pid!,
    db,
    folder,
    local,
    keyOf: async (account, ...more) => {
      const made = await local('keys', 'create', account, '--json', ...more)
      if (made.exit !== 0) throw new Error(`no key: ${made.stderr}`)
      return (JSON.parse(made.stdout) as { readonly data: { readonly key: string; readonly id: string } }).data
    },
    ended: gone,
    alive: () => child.exitCode === null && child.signalCode === null,
    log: () => log,
    close: async () => {
      await ended(child)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The address that a service which was started says. */
export function firstUrl(child: ChildProcess, log: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    // A busy machine has a minute; what comes later stays behind as no process.
    const late = setTimeout(() => {
      child.kill('SIGKILL')
      reject(new Error(`shipx serve did not start: ${log()}`))
    }, 60_000)
    child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      said += text
      const url = /"url":"([^"]+)"/.exec(said)?.[1]
      if (url === undefined) return
      clearTimeout(late)
      resolve(url)
    })
    child.once('exit', () => {
      clearTimeout(late)
      reject(new Error(`shipx serve ended: ${log()}`))
    })
  })
}

/** Stops a process that was started here: asked first, made to after 12 s. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 12_000)
  await gone
  clearTimeout(late)
}

/** Brings records into an account of the service's database. */
export async function importInto(serving: Serving, account: string, kind: string, records: readonly object[]) {
  const file = join(serving.folder, `${account}-${kind}.jsonl`)
  writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''))
  const { exit, stderr } = await serving.local('local', 'import', kind, file, '--account', account)
  if (exit !== 0) throw new Error(`${kind} could not be imported: ${stderr}`)
}

/** An order that every rule allows. */
export const orderOf = (order_id: string, over: Readonly<Record<string, unknown>> = {}) =>
  orderRequest({ order_id, order_date: '2026-09-28 16:00', ...over })

const statusOf = (pid: number, line: string): number => {
  try {
    return Math.round(
      Number(new RegExp(`${line}:\\s*(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
    )
  } catch {
    return Number.NaN
  }
}

/** The resident memory of a process now, and the most that it had, MB; NaN where the system does not tell. */
export const residentMb = (pid: number): number => statusOf(pid, 'VmRSS')
export const peakMb = (pid: number): number => statusOf(pid, 'VmHWM')

/** How many files and connections a process has open; 0 where the system does not tell. */
export function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length
  } catch {
    return 0
  }
}
