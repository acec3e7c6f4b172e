// `shipx pull`: copies a deployment's records into its mirror, once or repeatedly; run.ts decides what to read.
import { count } from '../../../domain/count.ts'
import { setTimeout as wait } from 'node:timers/promises'
import type { RemoteService } from '../../../client/service.ts'
import { rest } from '../../../client/wait.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { notOneOf } from '../../../domain/values.ts'
import { istMinute, readSpan } from '../../../domain/time.ts'
import { beginPull, pullStates, replaceStores, savePull, countCreated } from '../../../engine/transfer/mirror.ts'
import type { Database, Work } from '../../../engine/database/port.ts'
import { listStores } from '../../../engine/accounts/stores.ts'
import { accountNamed } from '../../../engine/accounts/settings.ts'
import { patience_ms } from '../../source/pace.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { openFile } from '../../source/engine.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { flag, moment, perSecond, type Span, optionKind, sound, faulty } from '../../args/kinds.ts'
import {
  mirrorAccount,
  pullKinds,
  newState,
  type PullKind,
  type PullState,
  type Wish,
} from '../../source/mirrorstate.ts'
import { keyMark, pullTarget } from '../../source/mirrorpath.ts'
import { beStingy } from '../../terminal/heap.ts'
import { keepStores } from '../../help/names.ts'
import { printList } from '../../output/printer.ts'
import { progress, type Progress } from '../../output/progress.ts'
import { pullBudget, type Spent } from './budget.ts'
import type { Pulled } from './pullrun.ts'
import { pullRecords } from './run.ts'
import { remoteFor } from '../../source/remote.ts'
import { jsonText } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'

/** The request for one run, or for each of many. */
interface PullRequest extends Wish {
  readonly kinds: readonly PullKind[]
  readonly per_second: number | undefined
  /** The time between two runs; undefined for one run. */
  readonly every: Span | undefined
}

/** The outcome of a run for one kind. */
interface Line extends Pulled, Record<string, unknown> {
  readonly kind: PullKind
  readonly total: number
}

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
      faults.push({ field: `--${name}`, message: 'is for the embedded engine; pull copies a deployment' })
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
  const { io } = context
  const asked = requestOf(context, options)
  const found = await pullTarget(context)
  if (found === undefined)
    throw new ShipxError('not_supported', 'pull copies a deployment, and none is named', {
      hint: 'shipx auth login, or set SHIPX_BASE_URL and SHIPX_API_KEY',
    })
  const { target, place } = found
  if (options.dry_run)
    return wouldDo(context, {
      pull: { kinds: asked.kinds, from: target.base_url, mirror: place.path, full: asked.full },
    })
  beStingy()
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
    const sleep = (ms: number): Promise<void> => rest(ms, stop.signal)
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
        const lines = await once(run, first)
        await (asked.every === undefined ? print(context, lines, place.name) : printLine(context, lines))
        if (asked.every === undefined && run.refused.length > 0) throw new ShipxError('partial', run.refused.join('; '))
        if (asked.every === undefined) return 0
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
    if (waiting) return 0
    throw new ShipxError('interrupted', 'stopped; what was read is saved', {
      hint: 'run the same command again to go on',
    })
  } finally {
    quieten()
    await Promise.all([remote?.close().catch(() => undefined), database.close()])
  }
})

/** What one run uses. */
interface Run {
  readonly context: Context
  readonly asked: PullRequest
  readonly database: Database
  readonly account: number
  readonly remote: RemoteService
  readonly stop: AbortSignal
  readonly key: string
  readonly spent: () => Spent
  /** Sentences about what the deployment does not let this key read. */
  readonly refused: string[]
}

/** When the deployment refuses one kind of several, the others are still pulled. Throws every other error. */
async function notTaken({ context, asked, refused }: Run, error: unknown): Promise<undefined> {
  const refusal = error instanceof ShipxError && ['forbidden', 'not_found', 'method', 'rejected'].includes(error.kind)
  if (!refusal || asked.kinds.length === 1) throw error
  refused.push(`the deployment does not list its stores: ${error.message}`)
  if (asked.every !== undefined) await context.warn(refused.splice(0).join('; '))
  return undefined
}

async function once(run: Run, first: boolean): Promise<readonly Line[]> {
  const { context, asked, database, account, remote, key, stop } = run
  const { now, uuid } = context.io.host
  const owner = uuid()
  /** Saves the requests of the last minutes, so that the next process also keeps to the budget. */
  function* beside(): Work<void> {
    const spent = run.spent()
    if (spent.length > 0)
      yield* beginPull(account, { kind: 'requests', owner: '', state: JSON.stringify(spent) }, now())
  }
  const rows = await database.read(() => pullStates(account), 'single')
  const states = new Map(rows.map(({ kind, state }) => [kind, JSON.parse(state) as PullState]))
  const capabilities = [...(await remote.learn())]
  const lines: Line[] = []
  for (const kind of asked.kinds) {
    const old = states.get(kind)
    if (kind === 'stores') {
      const stores = await remote.listStores({}).then(
        ({ data }) => data,
        (error: unknown) => notTaken(run, error),
      )
      if (stores === undefined) continue
      const covered = { from: 0, until: Math.floor(now() / 1000) }
      const state = JSON.stringify({ ...newState(key), capabilities, covered, at: now() })
      const counts = await database.write(function* () {
        yield* beginPull(account, { kind, owner, state }, now())
        const replaced = yield* replaceStores(account, stores, now())
        yield* savePull(account, { kind, owner, state }, now())
        yield* beside()
        return replaced
      })
      const total = (await database.read(() => listStores(account), 'single')).length
      keepStores(context, stores)
      lines.push({ kind, ...counts, total })
      continue
    }
    // Another key may belong to another account: then shipx reads everything and removes what the new account does not
    // have.
    const other = old !== undefined && old.key !== key
    if (other) await context.warn(`the key is another one than at the last pull: the ${kind} are read anew`)
    const since = other && old.covered !== undefined ? Math.min(old.covered.from, asked.since) : asked.since
    const { run: unfinished, ...rest } = old ?? newState(key)
    const before: PullState = {
      ...rest,
      ...(other || unfinished === undefined ? {} : { run: unfinished }),
      key,
      capabilities,
    }
    let bar: { readonly progress: Progress; readonly total: number | undefined } | undefined
    try {
      const pulled = await pullRecords(
        {
          kind,
          remote,
          database,
          account,
          now,
          owner,
          stop,
          beside,
          warn: context.warn,
          ticks: () => performance.now(),
          advance: async (n, total) => {
            if (bar === undefined || bar.total !== total) {
              await bar?.progress.end()
              bar = { total, progress: await progress(context, `Pulling ${kind}`, total) }
            }
            await bar.progress.advance(n)
          },
        },
        before,
        { since, full: other || (asked.full && first) },
      )
      const total = await database.read(() => countCreated(account, kind, 0, Number.MAX_SAFE_INTEGER), 'single')
      lines.push({ kind, ...pulled, total })
    } finally {
      await bar?.progress.end()
    }
  }
  return lines
}

function sentence({ kind, total, removed, ...line }: Line): string {
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
