// R10: three replicas on one durable PostgreSQL under load while every few seconds something dies: nothing that was
// acknowledged is lost, nothing is there twice, and all goes on soon after the database is back.
import { setTimeout as wait } from 'node:timers/promises'
import { chanceOf } from '../support/chance.ts'
import { startPostgres } from '../support/postgresserver.ts'
import type { PostgresServer } from '../support/postgres.ts'
import { askerOf, type Answered } from './asking.ts'
import { held, keptOrders, kindOf, ordererOf } from './ordering.ts'
import { replicaHeader, startCluster, type Cluster } from './replicas.ts'
import { share, summed, timed, type Finding, type Size } from './row.ts'
import { rateRequest } from '../support/requests.ts'

/** What recovers within this after the database is back, ms. */
const recoverWithin = 5_000

const quoteOf = rateRequest

/** When the database was back, and when each kind of request through each replica was answered for the first time. */
interface Return {
  readonly what: string
  readonly at: number
  readonly first: Map<string, number>
  /** When the next death began. */
  until: number
}

const kinds = ['order', 'listing', 'quote'] as const

/** Whether a kind of request was answered by anybody since. */
const recovered = (last: Pick<Return, 'first'> | undefined, kind: string): boolean =>
  last === undefined || [...last.first.keys()].some((name) => name.startsWith(kind))

/** R10: for so many of 10 minutes. */
export const r10 = (size: Size): Promise<Finding> =>
  timed(async () => {
    const seconds = share(size, 600, 14)
    const pause = seconds < 60 ? 2_000 : 5_000
    const server = await startPostgres({ durable: true })
    try {
      const cluster = await startCluster({ database: await server.createDatabase('r10') })
      try {
        return await under(server, cluster, seconds, pause)
      } finally {
        await cluster.close()
      }
    } finally {
      await server.close()
    }
  })

async function under(
  server: PostgresServer,
  cluster: Cluster,
  seconds: number,
  pause: number,
): Promise<Omit<Finding, 'seconds'>> {
  const key = await cluster.keyOf('r10')
  await cluster.local('local', 'warehouse', 'set', 'WH1', '400001', '--account', 'r10')
  const asker = askerOf(cluster.url, 32)
  const faults: string[] = []
  const returns: Return[] = []
  const heard = (what: string, answer: Answered | undefined): void => {
    if (answer?.status !== 200) return
    const last = returns.at(-1)
    const name = `${what} by ${String(answer.headers[replicaHeader])}`
    // What was asked before the database was back may have been answered from before it went; what comes after the next
    // death tells of that one.
    if (last === undefined || performance.now() > last.until) return
    if (performance.now() - answer.ms >= last.at && !last.first.has(name))
      last.first.set(name, performance.now() - last.at)
  }
  const orderer = ordererOf(asker, key, heard)
  const end = performance.now() + seconds * 1000
  let [n, replays] = [0, 0]
  const over = new AbortController()

  const ordering = async (): Promise<void> => {
    while (!over.signal.aborted) {
      const id = `R10-${n++}`
      // Who was still not answered at the end goes on for a while.
      if (!(await orderer.order(id, end + 60_000))) faults.push('an order was never acknowledged')
      else if (n % 10 === 0) {
        replays++
        await orderer.order(id, end + 60_000)
      }
      await wait(20)
    }
  }
  const reading = async (what: string, path: string, body: object): Promise<void> => {
    while (!over.signal.aborted) {
      const answer = await asker.ask('POST', path, key, body).catch(() => undefined)
      orderer.note(what, answer)
      const kind = kindOf(answer)
      if (!['200', '503', 'away'].includes(kind)) faults.push(`${what}: ${kind}: ${answer!.text.slice(0, 200)}`)
      await wait(kind === '200' ? 30 : Number(answer?.headers['retry-after'] ?? 0.25) * 1000)
    }
  }
  const load = Promise.all([
    ...Array.from({ length: 12 }, ordering),
    ...Array.from({ length: 3 }, () => reading('listing', '/shipments', { per_page: 20 })),
    ...Array.from({ length: 2 }, () => reading('quote', '/rates', quoteOf)),
    reading('search', '/shipments', { per_page: 10, search: 'R10-1' }),
  ])
  const deaths = await dying(server, cluster, end, pause, returns, faults)
  // The last one has its time as well.
  for (let waited = 0; waited < 10_000 && !kinds.every((kind) => recovered(returns.at(-1), kind)); waited += 50)
    await wait(50)
  over.abort()
  await load
  asker.close()

  const kept = await keptOrders((text) => server.query(text, [], 'r10'))
  faults.push(...orderer.faults, ...held(orderer, kept))
  if (kept.orders !== n) faults.push(`${n} orders were sent and ${kept.orders} are there`)
  const longest = returns.map(({ what, at, first, until }) => {
    // What was not seen to recover because the next death came too soon took at least until then.
    const missing = kinds.every((kind) => recovered({ first }, kind)) ? 0 : until - at
    return { what, ms: Math.max(missing, ...first.values()) }
  })
  for (const { what, ms } of longest) if (ms > recoverWithin) faults.push(`after ${what}: ${Math.round(ms)} ms`)
  const worst = longest.toSorted((a, b) => b.ms - a.ms)[0]
  const errors =
    cluster.replicas
      .map((replica) => replica.log())
      .join('')
      .match(/^.*"level":"error".*$/gm) ?? []
  faults.push(...errors.map((line) => `an error in the log: ${line.slice(0, 300)}`))
  const seen = [...orderer.seen]
    .toSorted()
    .map(([kind, times]) => `${times} x ${kind}`)
    .join(', ')
  return {
    row: 'R10',
    what: `${seconds} s of orders, listings and quotes on three replicas while something dies every ${pause / 1000} s`,
    tried: n,
    result: `${orderer.acknowledged.size} orders acknowledged (${replays} asked for again), ${held(orderer, kept).length === 0 ? '0 lost, 0 doubled' : 'not all held'}; ${[...deaths].map(([what, times]) => `${times} x ${what}`).join(', ')}; at most ${worst === undefined ? '-' : `${Math.round(worst.ms)} ms (${worst.what})`} after the database was back; answers: ${seen}`,
    target: '0 acknowledged lost, 0 doubled, recovered ≤ 5 s after the database is back',
    faults: summed(faults),
  }
}

/** Ends something every so often until the time is over; says how often what. Leaves everything running. */
async function dying(
  server: PostgresServer,
  { replicas }: Cluster,
  end: number,
  pause: number,
  returns: Return[],
  faults: string[],
): Promise<ReadonlyMap<string, number>> {
  const chance = chanceOf(10)
  const deaths = new Map<string, number>()
  const back = (what: string): void =>
    void returns.push({ what, at: performance.now(), first: new Map(), until: Infinity })
  const restarted = async (what: string, stop: () => Promise<void>): Promise<void> => {
    await stop()
    await wait(chance() * 1000)
    await server.start()
    back(what)
  }
  const ways: readonly (readonly [what: string, happen: () => Promise<void>])[] = [
    ['backends ended', async () => void (await server.killBackends('r10'))],
    ['server stopped at once', () => restarted('server stopped at once', () => server.stop('immediate'))],
    [
      'replica killed',
      async () => {
        const replica = replicas[Math.floor(chance() * replicas.length)]!
        await replica.kill()
        await wait(chance() * 1000)
        // As whoever runs it would: again and again until it comes up.
        for (let n = 0; n < 5; n++) {
          try {
            return await replica.start()
          } catch (error) {
            if (n === 4) faults.push(`a replica did not start again: ${String(error).slice(0, 300)}`)
          }
        }
      },
    ],
    ['server killed', () => restarted('server killed', () => server.kill())],
    [
      'backend killed',
      async () => {
        const [backend] = await server.query<{ pid: number }>(
          `select pid from pg_stat_activity where datname = 'r10' and pid <> pg_backend_pid() order by state_change desc limit 1`,
        )
        if (backend === undefined) return
        process.kill(backend.pid, 'SIGKILL')
        // The server ends all of them and reads its log anew.
        for (let n = 0; n < 500; n++) {
          await wait(20)
          const answers = await server.query('select 1').then(
            () => true,
            () => false,
          )
          if (answers) return back('backend killed')
        }
        faults.push('the server did not come back after one of its backends was killed')
      },
    ],
    ['server stopped', () => restarted('server stopped', () => server.stop('fast'))],
  ]
  for (let n = 0; performance.now() < end; n++) {
    const next = performance.now() + pause
    const [what, happen] = ways[n % ways.length]!
    for (const before of returns) before.until = Math.min(before.until, performance.now())
    deaths.set(what, (deaths.get(what) ?? 0) + 1)
    await happen()
    await wait(Math.max(0, next - performance.now()))
  }
  return deaths
}
