// `shipx pull`: copies a deployment's records into its mirror, once or repeatedly; run.ts decides what to read.
import { setTimeout as wait } from 'node:timers/promises'
import { count } from '../../../domain/count.ts'
import type { RemoteService } from '../../../client/service.ts'
import { pause } from '../../../client/wait.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { notOneOf } from '../../../domain/values.ts'
import { istMinute } from '../../../domain/time.ts'
import { readSpan } from '../../../domain/read/day.ts'
import { pullStates } from '../../../engine/transfer/mirror.ts'
import { accountNamed } from '../../../engine/accounts/settings.ts'
import { patience_ms } from '../../source/pace.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { openFile } from '../../source/engine.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { flag, moment, perSecond, optionKind, sound, faulty, type Span } from '../../args/kinds.ts'
import { mirrorAccount, pullKinds, type PullKind } from '../../source/mirrorstate.ts'
import { keyMark, pullTarget } from '../../source/mirrorpath.ts'
import { shrinkHeap } from '../../terminal/heap.ts'
import { printList } from '../../output/printer.ts'
import { pullBudget, type Spent } from './budget.ts'
import { remoteFor } from '../../source/remote.ts'
import { jsonText } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'
import { pullRound, type PullRequest, type Line, type Run } from './round.ts'

const view = plainView<Line>(['pull', 'pulls'], ({ kind }) => kind, [
  'kind',
  'new',
  'changed',
  'unchanged',
  'removed',
  'total',
])

/** The time between two pulls. */
const between = optionKind<Span, undefined>(undefined, (typed, name) => {
  const ms = readSpan(typed) ?? 0
  if (ms >= 1000) return sound({ ms, typed })
  return faulty(undefined, name, `"${typed.slice(0, 20)}" is not a time between two pulls, such as 10m or 1h`)
})

const pullOptions = { since: moment, full: flag, watch: between, max_rps: perSecond, dry_run: flag }

/** The request of a command line. Throws `invalid_input` with every fault. */
function requestOf(context: Context, { since, full, watch, max_rps }: OptionsOf<typeof pullOptions>): PullRequest {
  const [named] = context.args
  const faults: Fault[] = []
  if (named !== undefined && !pullKinds.includes(named as PullKind))
    faults.push({ field: '<kind>', message: notOneOf(named, pullKinds, 'kind of record') })
  for (const name of ['account', 'db', 'database', 'local'])
    if (context.flags.has(name))
      faults.push({ field: `--${name}`, message: 'is for data on this computer; pull copies an account' })
  refuse(context, faults)
  return {
    kinds: named === undefined ? pullKinds : [named as PullKind],
    since: since === undefined ? 0 : Math.floor(since / 1000),
    full,
    per_second: max_rps,
    every: watch,
  }
}

const pull = verb(pullOptions, async (context, options) => {
  const asked = requestOf(context, options)
  const found = await pullTarget(context)
  if (found === undefined)
    throw new ShipxError('not_supported', 'pull copies your account, and shipx knows no address of it', {
      hint: 'shipx auth login, or set SHIPX_BASE_URL and SHIPX_API_KEY',
    })
  const { target, place } = found
  if (options.dry_run)
    return wouldDo(context, `copy ${asked.kinds.join(', ')} from ${target.base_url} to this computer`, {
      pull: { kinds: asked.kinds, from: target.base_url, mirror: place.path, full: asked.full },
    })
  await pullInto(context, asked, found, (lines) =>
    asked.every === undefined ? print(context, lines, place.name) : printLine(context, lines),
  )
  return 0
})

/**
 * Pulls as requested into the mirror of a deployment; `show` gets the lines of each run. Ends with `--watch` when the
 * user interrupts a wait. Throws `partial` for a single run that left something out, `interrupted`, and what the client
 * throws.
 */
export async function pullInto(
  context: Context,
  asked: PullRequest,
  { target, place }: NonNullable<Awaited<ReturnType<typeof pullTarget>>>,
  show: (lines: readonly Line[]) => Promise<void>,
): Promise<void> {
  const { io } = context
  shrinkHeap()
  const database = await openFile(context, place.path, 'write')
  const stop = new AbortController()
  let remote: RemoteService | undefined
  const quieten = io.onInterrupt(() => {
    stop.abort()
    void remote?.close().catch(() => undefined)
  })
  let waiting = false
  try {
    const account = await database.write(() => accountNamed(mirrorAccount, io.host.now()))
    const states = new Map(
      (await database.read(() => pullStates(account), 'single')).map((row) => [row.kind, row.state]),
    )
    const sleep = (ms: number): Promise<void> => pause(ms, stop.signal)
    const spent = JSON.parse(states.get('requests') ?? '[]') as Spent
    const pace = pullBudget({
      per_second: asked.per_second,
      spent,
      now: io.host.now,
      sleep,
      announced: () => remote?.capabilities(),
    })
    const client = (remote = remoteFor(context, target, { budget: pace.budget, patience_ms, sleep }))
    const run: Run = {
      context,
      asked,
      database,
      account,
      remote: client,
      stop: stop.signal,
      key: keyMark(context, target),
      spent: pace.spent,
      refused: [],
    }
    for (let first = true; ; first = false) {
      try {
        const lines = await pullRound(run, first)
        await show(lines)
        if (asked.every === undefined && run.refused.length > 0) throw new ShipxError('partial', run.refused.join('; '))
        if (asked.every === undefined) return
      } catch (error) {
        // With --watch, the user wants the pull to continue once the network is back.
        if (asked.every === undefined || stop.signal.aborted || !(error instanceof ShipxError && error.retryable))
          throw error
        await context.warn(`${error.message}; next try in ${asked.every.typed}`)
      }
      waiting = true
      await wait(asked.every.ms, undefined, { signal: stop.signal })
      waiting = false
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
    if (waiting) return
    throw new ShipxError('interrupted', 'stopped; what was read is saved', {
      hint: 'run the same command again to go on',
    })
  } finally {
    quieten()
    await Promise.all([remote?.close().catch(() => undefined), database.close()])
  }
}

/** What a run did with one kind of record. */
export function sentence({ kind, total, removed, ...line }: Line): string {
  const kept = `${count(line.new)} new, ${count(line.changed)} changed, ${count(line.unchanged)} unchanged`
  return `${kind}: ${kept}${removed === 0 ? '' : `, ${count(removed)} removed`} (${count(total)} in all)`
}

async function print(context: Context, lines: readonly Line[], name: string): Promise<void> {
  await done(context, `Pulled ${name}\n${lines.map((line) => `  ${sentence(line)}`).join('\n')}`)
  if (context.format === 'plain' && context.screen.tty) return
  await printList(context, view, lines)
}

/** One line for each of many runs. */
async function printLine({ io, format }: Context, lines: readonly Line[]): Promise<void> {
  const at = io.host.now()
  const byKind = Object.fromEntries(lines.map(({ kind, ...line }) => [kind, line]))
  const text =
    format === 'plain'
      ? `${istMinute(at)}  ${lines.map(sentence).join('; ')}`
      : jsonText({ at: new Date(at).toISOString(), ...byKind })
  await io.stdout.write(`${text}\n`)
}

export const verbs = { pull }
