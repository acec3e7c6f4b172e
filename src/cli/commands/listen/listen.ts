// `shipx listen`: receives status webhooks and keeps the mirror current until it is stopped; only connects its parts.
import type { Fault } from '../../../domain/errors.ts'
import { istMinute, isoOf } from '../../../domain/time.ts'
import { isLoopback } from '../../../client/baseurl.ts'
import { readHook } from '../../../delivery/destination.ts'
import { posterOf, type Poster } from '../../../delivery/post.ts'
import { systemResolve } from '../../../delivery/publicaddress.ts'
import { flag, number, perSecond, span, word } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import { refuse } from '../../command/faults.ts'
import type { Context } from '../../command/context.ts'
import { remoteSettings } from '../../config/target.ts'
import { done } from '../../output/outcome.ts'
import { compileWasmOnce } from '../../terminal/wasm.ts'
import { pullKinds } from '../../source/mirrorstate.ts'
import { shrinkHeap } from '../../terminal/heap.ts'
import { jsonText, safe } from '../../terminal/safe.ts'
import { mirroredTarget, openPull, ownDataFaults, type MirroredTarget } from '../pull/opened.ts'
import { listenError } from '../../command/listenerror.ts'
import { sentence } from '../pull/pull.ts'
import type { Line } from '../pull/round.ts'
import { accepting, type Proofs } from './accepting.ts'
import { Inbox } from './inbox.ts'
import { keepCurrent, type Update } from './keeping.ts'
import { proofsOf } from './proofs.ts'
import { startReceiver, type Receiver } from './receiver.ts'

/** How long a forward may take, ms: our own sender waits five seconds for the answer. */
const forwardTime = 4_000

const listenOptions = {
  host: word,
  port: number(8788, 65_535),
  path: word,
  unsigned: flag,
  pull_after: span('15m', 10_000),
  max_rps: perSecond,
  forward: word,
  allow_private: flag,
  quiet: flag,
}

type Options = OptionsOf<typeof listenOptions>

/** What a run listens with, after its checks. */
interface Listening {
  readonly options: Options
  readonly path: string
  readonly proofs: Proofs
  readonly forward: URL | undefined
}

const listen = verb(listenOptions, async (context, options) => {
  const { path = '/webhooks', forward, allow_private: allowPrivate } = options
  const faults: Fault[] = [...ownDataFaults(context)]
  if (!/^\/[\w./~-]{0,199}$/.test(path) || path === '/live')
    faults.push({ field: '--path', message: 'is a path such as /webhooks, of letters, digits and ._~-; not /live' })
  const target = forward === undefined ? undefined : readHook(forward, allowPrivate)
  if (target !== undefined && 'fault' in target) faults.push({ field: '--forward', message: target.fault })
  if (allowPrivate && forward === undefined) faults.push({ field: '--allow-private', message: 'goes with --forward' })
  if (!['plain', 'json', 'jsonl'].includes(context.format))
    faults.push({ field: `--${context.format}`, message: 'has no form for an update; use --json' })
  const proofs = proofsOf(context, options.unsigned)
  refuse(context, [...faults, ...proofs.faults])
  const found = await mirroredTarget(context)
  const url = target !== undefined && 'value' in target ? target.value : undefined
  await listens(context, found, { options, path, proofs: proofs.value, forward: url })
  return 0
})

async function listens(context: Context, found: MirroredTarget, listening: Listening): Promise<void> {
  const { io } = context
  const { options, path, proofs } = listening
  const { host = '127.0.0.1', port, pull_after: silence } = options
  shrinkHeap()
  const stop = new AbortController()
  const quieten = io.onInterrupt(() => stop.abort())
  const unhang = io.onHangup(() => stop.abort())
  const asked = { kinds: pullKinds, since: 0, full: false, per_second: options.max_rps, every: silence }
  const opened = await openPull(context, asked, found, stop.signal)
  const poster = posterFor(context, listening)
  let receiver: Receiver | undefined
  try {
    const { run } = opened
    const { wake, rest } = alarm(stop.signal)
    const inbox = await Inbox.open({ database: run.database, account: run.account, now: io.host.now, wake })
    let heard = performance.now()
    const accept = accepting(proofs, {
      keep: (hint) => inbox.add(hint),
      forward:
        poster === undefined
          ? undefined
          : (body, headers) => poster.post(listening.forward!, body, headers, forwardTime),
      heard: () => {
        heard = performance.now()
      },
      hindered: (why) => void context.warn(why).catch(() => undefined),
      clock: Date.now,
    })
    receiver = await started({ host, port, path }, accept)
    await announce(context, found, receiver.port, listening)
    await keepCurrent({
      run,
      inbox,
      silence: silence.ms,
      heard: () => heard,
      rest,
      updated: (updates) => showUpdates(context, options.quiet, updates),
      pulled: (lines) => showPull(context, options.quiet, lines),
    })
  } finally {
    stop.abort()
    await receiver?.close()
    await Promise.all([opened.close(), poster?.close()])
    quieten()
    unhang()
  }
}

/** The poster of `--forward`. Throws `invalid_input` for a file of certificates. */
function posterFor({ io }: Context, { forward, options }: Listening): Poster | undefined {
  if (forward === undefined) return undefined
  const allowPrivate = options.allow_private
  compileWasmOnce()
  return posterOf({ resolve: systemResolve, allowPrivate, connections: 16, ca: remoteSettings(io).ca })
}

/** A rest that ends early: at a call of `wake`, also one shortly before it, and at a stop. */
function alarm(stop: AbortSignal): { readonly wake: () => void; readonly rest: (ms: number) => Promise<void> } {
  let woken = false
  let end: () => void = () => undefined
  const wake = (): void => {
    woken = true
    end()
  }
  stop.addEventListener('abort', wake)
  const rest = async (ms: number): Promise<void> => {
    if (!woken && !stop.aborted)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, Math.min(ms, longestTimer))
        end = () => {
          clearTimeout(timer)
          resolve()
        }
      })
    woken = false
  }
  return { wake, rest }
}

/** The longest timer of Node, ms. */
const longestTimer = 2_147_483_647

async function started(
  place: { readonly host: string; readonly port: number; readonly path: string },
  accept: ReturnType<typeof accepting>,
): Promise<Receiver> {
  const { host, port } = place
  try {
    return await startReceiver(place, accept)
  } catch (error) {
    throw listenError(error, host, port)
  }
}

/** Says where shipx listens, and what to know about that. */
async function announce(
  context: Context,
  { place }: MirroredTarget,
  port: number,
  { options, path, proofs }: Listening,
): Promise<void> {
  const { host = '127.0.0.1' } = options
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}${path}`
  if (proofs.secrets.length === 0)
    await context.warn(
      proofs.api_key === undefined
        ? 'anyone who reaches this address can name records, which shipx then reads from your account'
        : 'nothing but X-API-Key proves the sender of a webhook',
    )
  if (!isLoopback(host))
    await context.warn(`${host} can be reached by others, without TLS: put a proxy with a certificate in front`)
  if (context.format === 'plain') await done(context, `shipx listens at ${url} and keeps ${place.name} current`)
  else await line(context, { event: 'listening', url, mirror: place.path, pid: context.io.pid })
}

const line = ({ io }: Context, value: object): Promise<void> => io.stdout.write(`${jsonText(value)}\n`)

async function showUpdates(context: Context, quiet: boolean, updates: readonly Update[]): Promise<void> {
  const { io, format } = context
  const now = io.host.now()
  if (format !== 'plain') {
    for (const { awb, ...rest } of updates)
      await line(context, { event: 'update', at: isoOf(now), tracking_number: awb, ...rest })
    return
  }
  if (quiet || updates.length === 0) return
  const shown = updates.map(({ awb, id, status }) => `${istMinute(now)}  ${safe(awb ?? id)}  ${safe(status ?? '-')}\n`)
  await io.stdout.write(shown.join(''))
}

async function showPull(context: Context, quiet: boolean, lines: readonly Line[]): Promise<void> {
  const { io, format } = context
  const now = io.host.now()
  if (format !== 'plain') {
    const byKind = Object.fromEntries(lines.map(({ kind, ...rest }) => [kind, rest]))
    return line(context, { event: 'pull', at: isoOf(now), ...byKind })
  }
  if (!quiet) await io.stdout.write(`${istMinute(now)}  pulled  ${lines.map(sentence).join('; ')}\n`)
}

export const verbs = { listen }
