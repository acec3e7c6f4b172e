// R13: an answer cut at each byte of a 4 KB page, and every bad answer of the table: always one of our errors with a calm
// sentence, no stack, nothing that hangs beyond its time limit, and memory that stays in its bounds.
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { ShippingService } from '../../src/domain/contract.ts'
import { ShipxError } from '../../src/domain/errors.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { badAnswers, cutAt, framed, startBadServer, type BadAnswer, type BadServer } from '../support/badanswers.ts'
import { clientOf } from './clients.ts'
import { atOnce, sample, summed, timed, type Finding, type Size } from './row.ts'
import { bareEnv, orderOf, start } from './serving.ts'

const key = 'a-key-of-R13-8a7b'

/** Time limits, ms, where nothing else ends an answer, and where something should; and how long a call may take then. */
const short = { connect: 500, headers: 400, body: 400, attempt: 600 }
const long = { connect: 2000, headers: 8000, body: 8000, attempt: 10_000 }
const longest = { [short.attempt]: 6000, [long.attempt]: 20_000 }

const escape = String.fromCharCode(27)

/** What is wrong with an error as a user would meet it. */
export function faultOf(error: unknown): string | undefined {
  if (!(error instanceof ShipxError))
    return `an unexpected error: ${error instanceof Error ? (error.stack ?? error.message).slice(0, 300) : String(error)}`
  const { message, code } = error
  if (code === 'internal') return `internal: ${message}`
  if (message.trim() === '') return 'says nothing'
  if (message.length > 1100) return `a message of ${message.length} characters`
  if (/\n\s+at |node:internal|node_modules|\bat .*:\d+:\d+/.test(message)) return `a stack in the message: ${message}`
  if (/TypeError|undefined is|is not a function|Cannot read/.test(message) && !/answered 500/.test(message))
    return `talk of the inside: ${message}`
  if (message.includes(key)) return 'the key is in the message'
  return undefined
}

/** The questions that bad answers are given to. */
// prettier-ignore
const calls: Readonly<Record<string, (client: ShippingService) => Promise<unknown>>> = {
  listShipments: (client) => client.listShipments({}),
  listStores: (client) => client.listStores({}),
  getRates: (client) => client.getRates(parseInput('getRates', { journey_type: 'return', origin_pincode: '400001', destination_pincode: '560001', dead_weight: 500, length: 20, width: 15, height: 10 })),
  createStore: (client) => client.createStore(parseInput('createStore', { store_name: 'r13' })),
  createForwardOrder: (client) => client.createForwardOrder(parseInput('createForwardOrder', orderOf('R13-1'))),
}

/** R13: so many of the bytes; the bad answers all, with the command itself only at a size of 0.5 and more. */
export const r13 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const faults: string[] = []
    let [tried, peak] = [0, 0]
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage.rss())), 20)
    const before = process.memoryUsage.rss()
    peak = before

    // An answer cut at each byte, in each framing.
    const cuts = (['length', 'chunked', 'until close'] as const).flatMap((framing) => {
      const answer = framed(framing)
      return sample([...answer.keys()], size, 40).map((at) => ({ framing, answer, at }))
    })
    await withServers(4, async (servers) => {
      await atOnce(servers.length, servers, async (server, lane) => {
        const client = clientOf({ base_url: server.url, key, timeouts: long, sleep: async () => undefined })
        for (const { framing, answer, at } of cuts.filter((_, n) => n % servers.length === lane)) {
          server.play = cutAt(answer, at)
          const shown = `${framing}, cut at ${at} of ${answer.length}`
          tried++
          const [outcome, ms] = await outcomeOf(client.listShipments({}))
          if (outcome === undefined) faults.push(`${shown}: taken for a whole page`)
          else {
            const fault = faultOf(outcome)
            if (fault !== undefined) faults.push(`${shown}: ${fault}`)
          }
          if (ms > longest[long.attempt]!) faults.push(`${shown}: ${Math.round(ms)} ms`)
        }
        // And whole it is a page, so that a cut is what makes the difference.
        for (const framing of ['length', 'chunked', 'until close'] as const) {
          const whole = framed(framing)
          server.play = cutAt(whole, whole.length)
          const [outcome] = await outcomeOf(client.listShipments({}))
          if (outcome !== undefined) faults.push(`${framing}, whole: ${String(outcome)}`)
        }
        await client.close()
      })
    })

    // Every bad answer to every question.
    await withServers(6, async (servers) => {
      // A sample gives each to a listing and, in turn, to one of the others.
      const questions = badAnswers.flatMap((bad, n) =>
        Object.entries(calls)
          .filter((_, m) => size >= 0.5 || m === 0 || m === 1 + (n % (Object.keys(calls).length - 1)))
          .map(([name, call]) => ({ bad, name, call })),
      )
      await atOnce(servers.length, servers, async (server, lane) => {
        for (const { bad, name, call } of questions.filter((_, n) => n % servers.length === lane)) {
          tried++
          faults.push(...(await judged(server, bad, name, call)))
        }
      })
    })
    clearInterval(watch)
    const grown = Math.round((peak - before) / 1024 / 1024)

    // The command itself: its words, its exit code, its memory.
    let most = 0
    const commands = size >= 0.5 ? badAnswers : sample(badAnswers, size, 3)
    await withServers(2, async (servers) => {
      await atOnce(servers.length, servers, async (server, lane) => {
        for (const bad of commands.filter((_, n) => n % servers.length === lane)) {
          tried++
          server.play = bad.play
          const ran = await watched(['shipments', 'list', '--json'], server.url)
          most = Math.max(most, ran.rss)
          const shown = `shipx shipments list, ${bad.name}`
          if (bad.reads === 'error' && ![4, 5, 6].includes(ran.exit))
            faults.push(`${shown}: exit ${ran.exit} ${ran.stderr.slice(0, 200)}`)
          if (bad.reads === 'either' && ![0, 4, 5, 6].includes(ran.exit))
            faults.push(`${shown}: exit ${ran.exit} ${ran.stderr.slice(0, 200)}`)
          if (/\n\s+at |node:internal/.test(ran.stderr)) faults.push(`${shown}: a stack: ${ran.stderr.slice(0, 300)}`)
          if (ran.stderr.includes(escape) || ran.stderr.includes('\u202e'))
            faults.push(`${shown}: control characters on stderr`)
          if (ran.rss > 200) faults.push(`${shown}: RSS ${ran.rss} MB`)
          if (ran.ms > 30_000) faults.push(`${shown}: ${Math.round(ran.ms / 1000)} s`)
        }
      })
    })
    return {
      row: 'R13',
      what: `an answer cut at ${cuts.length} places, ${badAnswers.length} bad answers to ${Object.keys(calls).length} questions`,
      tried,
      result: `${tried} answers, ${faults.length} faults; the command's RSS ${most} MB at most, here + ${grown} MB`,
      target: '0 stack traces, 0 hangs beyond the timeout, RSS ≤ 200 MB',
      faults: summed(faults),
    }
  })

async function withServers(count: number, work: (servers: readonly BadServer[]) => Promise<void>): Promise<void> {
  const servers = await Promise.all(Array.from({ length: count }, () => startBadServer()))
  try {
    await work(servers)
  } finally {
    await Promise.all(servers.map((server) => server.close()))
  }
}

/** What a call came to (undefined for success), and how long it took, ms. */
async function outcomeOf(call: Promise<unknown>): Promise<readonly [unknown, number]> {
  const began = performance.now()
  const outcome = await call.then(
    () => undefined,
    (error: unknown) => error ?? new Error('nothing was thrown'),
  )
  return [outcome, performance.now() - began]
}

async function judged(
  server: BadServer,
  bad: BadAnswer,
  name: string,
  call: (client: ShippingService) => Promise<unknown>,
): Promise<readonly string[]> {
  const shown = `${name}, ${bad.name}`
  server.play = bad.play
  const timeouts = bad.ends ? long : short
  const client = clientOf({ base_url: server.url, key, timeouts, sleep: async () => undefined })
  const [outcome, ms] = await outcomeOf(call(client))
  await client.close()
  const faults: string[] = []
  if (outcome === undefined) {
    // The bodies are those of listings, in which a reader of stores may find its list as well.
    if (bad.reads === 'error') faults.push(`${shown}: taken for an answer`)
  } else {
    const fault = faultOf(outcome)
    if (fault !== undefined) faults.push(`${shown}: ${fault}`)
    const { message } = outcome as Error
    if (name === 'listShipments' && bad.says?.test(message) === false) faults.push(`${shown}: says "${message}"`)
  }
  if (
    name === 'createForwardOrder' &&
    outcome instanceof ShipxError &&
    doneMaybe.has(bad.name) &&
    outcome.code !== 'unknown_outcome'
  )
    faults.push(`${shown}: an order that may be there is told as ${outcome.code}`)
  if (ms > longest[timeouts.attempt]!) faults.push(`${shown}: ${Math.round(ms)} ms`)
  if (({} as { readonly polluted?: unknown }).polluted !== undefined) faults.push(`${shown}: prototypes were polluted`)
  return faults
}

/** Bad answers after which an order may have been made. */
const doneMaybe: ReadonlySet<string> = new Set([
  'an HTML page with 200',
  'an HTML page with 502',
  '500 with a stack trace',
  'an empty body',
  '204',
  'JSON that stops in the middle',
  'a body shorter than its length',
  'chunks that are no chunks',
  'a connection that closes at once',
  'a connection that is reset',
  'a gzip bomb of 1 GB',
  'plain text that is said to be gzip',
  'silence',
  'headers, and then silence',
  'a byte now and then',
  'HTTP/0.9',
  'null',
])

interface Watched {
  readonly stdout: string
  readonly stderr: string
  readonly exit: number
  readonly ms: number
  /** The most memory that the process had, MB; 0 where the system does not tell. */
  readonly rss: number
  /** Lines of its output. */
  readonly lines: number
}

/** Runs the command against a server and watches its memory; it may take so many ms in all, and wait so long for an answer. */
export function watched(
  args: readonly string[],
  url: string,
  { most = 60_000, patience = '2s' }: { readonly most?: number; readonly patience?: string } = {},
): Promise<Watched> {
  return new Promise((resolve, reject) => {
    const began = performance.now()
    const child = spawn(process.execPath, [start, ...args], {
      env: { ...bareEnv(), SHIPX_BASE_URL: url, SHIPX_API_KEY: key, SHIPX_TIMEOUT: patience },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let [stdout, stderr, rss, lines] = ['', '', 0, 0]
    const look = setInterval(() => {
      try {
        rss = Math.max(rss, Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1] ?? 0))
      } catch {
        // It has ended, or this is not Linux.
      }
    }, 10)
    const late = setTimeout(() => child.kill('SIGKILL'), most)
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-1000)
      lines += text.split('\n').length - 1
    })
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text))
    child.on('error', reject)
    child.on('close', (code) => {
      clearInterval(look)
      clearTimeout(late)
      resolve({ stdout, stderr, exit: code ?? -1, ms: performance.now() - began, rss: Math.round(rss / 1024), lines })
    })
  })
}
