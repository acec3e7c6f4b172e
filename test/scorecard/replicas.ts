// Several real `shipx serve` processes on one PostgreSQL database behind a small round-robin, as rows need them: each can be
// killed and started again.
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, createServer, request, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bareEnv, ended, firstUrl, shipx, start, type Ran } from './serving.ts'

/** One process of the service. */
export interface Replica {
  /** Its address, or undefined while it is not there. */
  readonly url: () => string | undefined
  readonly pid: () => number | undefined
  /** Starts it; throws when it does not come to answer. */
  readonly start: () => Promise<void>
  /** Starts it and does not wait: gives the process. */
  readonly launch: () => ChildProcess
  /** Ends it as `kill -9` does. */
  readonly kill: () => Promise<void>
  /** Ends it as it is meant to be ended. */
  readonly stop: () => Promise<void>
  /** What it has said on stderr so far, all starts together. */
  readonly log: () => string
}

/** The header with the number of the replica that an answer of the round-robin is from. */
export const replicaHeader = 'x-replica'

/** Replicas and what stands before them. */
export interface Cluster {
  /** The address of the round-robin. It answers 502 itself, without `x-replica`, where nobody else does. */
  readonly url: string
  readonly replicas: readonly Replica[]
  readonly keyOf: (account: string) => Promise<string>
  /** Runs a command on the database. */
  readonly local: (...args: readonly string[]) => Promise<Ran>
  readonly close: () => Promise<void>
}

/** What replicas are started with. */
export interface ClusterOptions {
  readonly database: string
  readonly replicas?: number
  readonly env?: Readonly<Record<string, string>>
  /** Whether the replicas are started at once. */
  readonly started?: boolean
}

/** Starts so many replicas on a database. */
export async function startCluster({
  database,
  replicas: count = 3,
  env = {},
  started = true,
}: ClusterOptions): Promise<Cluster> {
  const folder = mkdtempSync(join(tmpdir(), 'shipx-replicas-'))
  const own = { ...bareEnv(), HOME: folder, SHIPX_DATABASE_URL: database, ...env }
  const replicas = Array.from({ length: count }, () => replicaIn(folder, own))
  const local = (...args: readonly string[]): Promise<Ran> => shipx(args, { env: own, cwd: folder })
  const balancer = await startBalancer(replicas)
  const close = async (): Promise<void> => {
    await balancer.close()
    await Promise.all(replicas.map((replica) => replica.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    if (started) await Promise.all(replicas.map((replica) => replica.start()))
  } catch (error) {
    await close()
    throw error
  }
  return {
    url: balancer.url,
    replicas,
    local,
    keyOf: async (account) => {
      const made = await local('keys', 'create', account, '--json')
      if (made.exit !== 0) throw new Error(`no key: ${made.stderr}`)
      return (JSON.parse(made.stdout) as { readonly data: { readonly key: string } }).data.key
    },
    close,
  }
}

function replicaIn(cwd: string, env: Readonly<Record<string, string>>): Replica {
  let child: ChildProcess | undefined
  let url: string | undefined
  let log = ''
  const launch = (): ChildProcess => {
    const made = spawn(process.execPath, [start, 'serve', '--port', '0', '--json', '--rate-limit', '0', '--quiet'], {
      env,
      cwd,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    made.stderr.setEncoding('utf8').on('data', (text: string) => {
      log = (log + text).slice(-200_000)
    })
    made.once('exit', () => {
      if (child === made) [child, url] = [undefined, undefined]
    })
    child = made
    return made
  }
  const gone = async (end: (child: ChildProcess) => Promise<void>): Promise<void> => {
    const ending = child
    ;[child, url] = [undefined, undefined]
    if (ending !== undefined) await end(ending)
  }
  return {
    url: () => url,
    pid: () => child?.pid,
    launch,
    start: async () => {
      const made = launch()
      const found = await firstUrl(made, () => log)
      if (child === made) url = found
    },
    kill: () =>
      gone(async (ending) => {
        if (ending.exitCode !== null || ending.signalCode !== null) return
        const over = new Promise((resolve) => ending.once('exit', resolve))
        ending.kill('SIGKILL')
        await over
      }),
    stop: () => gone(ended),
    log: () => log,
  }
}

/** Headers that belong to a connection and not to an answer. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding'])

const passedOn = (headers: IncomingHttpHeaders): IncomingHttpHeaders =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)))

/** A round-robin: each request to the next replica that takes connections. What breaks after that is a 502. */
async function startBalancer(
  replicas: readonly Replica[],
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  let turn = 0
  const server = createServer((asked, answer) => {
    const chunks: Buffer[] = []
    asked.on('error', () => undefined)
    answer.on('error', () => undefined)
    const fail = (): void => {
      if (answer.headersSent) return void answer.destroy()
      answer.writeHead(502, { 'content-type': 'text/plain' }).end('no replica')
    }
    const pass = (tries: number): void => {
      if (tries === 0) return fail()
      const at = turn++ % replicas.length
      const url = replicas[at]!.url()
      if (url === undefined) return pass(tries - 1)
      const { hostname, port } = new URL(url)
      const body = Buffer.concat(chunks)
      const upstream = request(
        {
          hostname,
          port,
          agent,
          method: asked.method,
          path: asked.url,
          headers: { ...passedOn(asked.headers), 'content-length': String(body.length) },
        },
        (got) => {
          answer.writeHead(got.statusCode!, { ...passedOn(got.headers), [replicaHeader]: String(at) })
          got.on('error', () => answer.destroy())
          got.on('aborted', () => answer.destroy())
          got.pipe(answer)
        },
      )
      upstream.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') pass(tries - 1)
        else fail()
      })
      upstream.end(body)
    }
    asked.on('data', (chunk: Buffer) => chunks.push(chunk)).on('end', () => pass(replicas.length))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
        agent.destroy()
      }),
  }
}
