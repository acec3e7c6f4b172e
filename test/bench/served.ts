// Servers that the benchmark starts as programs of their own, and the load that it puts on them.
import { spawn } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Pool } from 'undici'
import { median } from './timing.ts'
import { environment, program, type Setup } from './setup.ts'

/** A server that runs. */
export interface Running {
  readonly url: string
  readonly stop: () => Promise<void>
}

function started(args: readonly string[], env: NodeJS.ProcessEnv): Promise<Running> {
  const child = spawn(process.execPath, [...args], { env, stdio: ['ignore', 'pipe', 'ignore'] })
  return new Promise((resolve, reject) => {
    let said = ''
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      said += chunk
      if (!said.includes('\n')) return
      const { url } = JSON.parse(said) as { readonly url: string }
      const stop = (): Promise<void> =>
        new Promise((ended) => {
          child.removeAllListeners('exit').on('exit', () => ended())
          child.kill('SIGTERM')
        })
      resolve({ url, stop })
    })
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
}

/** `shipx serve` on a database (a file, or the address of a PostgreSQL one), and a key for the account that everything is asked of. */
export async function served(setup: Setup, path: string): Promise<Running & { readonly key: string }> {
  const env = {
    ...environment(setup),
    ...(path.startsWith('postgres') ? { SHIPX_DATABASE_URL: path } : { SHIPX_DB: path }),
  }
  const script = program(setup)
  const key = execFileSync(process.execPath, [script, 'keys', 'create', 'default', '-q'], {
    env,
    encoding: 'utf8',
  }).trim()
  const running = await started([script, 'serve', '--port', '0', '--json', '--rate-limit', '0'], env)
  return { ...running, key }
}

/** The bare routes on a database. */
export function bare(setup: Setup, path: string): Promise<Running> {
  const file = fileURLToPath(new URL('bare.ts', import.meta.url))
  return started(['--import', 'tsx', file, path], environment(setup))
}

/** One request that is sent again and again. */
export interface Request {
  readonly url: string
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** What a load was answered with: requests a second and the ms within which 99 of 100 came. */
export interface Load {
  readonly perSecond: number
  readonly p99: number
}

/** Sends a request over 16 connections for so many ms. Throws for any answer but 200. */
export async function load(request: Request, ms: number, connections = 16): Promise<Load> {
  const { origin, pathname } = new URL(request.url)
  const pool = new Pool(origin, { connections, pipelining: 1 })
  const times: number[] = []
  const from = performance.now()
  const one = async (): Promise<void> => {
    while (performance.now() - from < ms) {
      const begun = performance.now()
      const { statusCode, body } = await pool.request({
        path: pathname,
        method: request.method,
        headers: request.headers,
        ...(request.body === undefined ? {} : { body: request.body }),
      })
      await body.dump({ limit: 10_000_000 })
      if (statusCode !== 200) throw new Error(`${request.url} answered ${statusCode}`)
      times.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: connections }, one))
  const seconds = (performance.now() - from) / 1000
  await pool.destroy()
  times.sort((a, b) => a - b)
  return { perSecond: times.length / seconds, p99: times[Math.min(times.length - 1, Math.floor(times.length * 0.99))]! }
}

/** Loads two servers in turn and gives the medians of each. */
export async function inTurn(runs: number, ms: number, ours: Request, theirs: Request): Promise<readonly [Load, Load]> {
  await load(ours, ms)
  await load(theirs, ms)
  const [a, b]: [Load[], Load[]] = [[], []]
  for (let i = 0; i < runs; i++) {
    a.push(await load(ours, ms))
    b.push(await load(theirs, ms))
  }
  const middle = (loads: readonly Load[]): Load => ({
    perSecond: median(loads.map((one) => one.perSecond)),
    p99: median(loads.map((one) => one.p99)),
  })
  return [middle(a), middle(b)]
}
