// One round of a pull: the stores at once, the records by run.ts.
import type { SentKind } from '../../../domain/foreign/records.ts'
import type { RemoteService } from '../../../client/service.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { beginPull, pullStates, replaceStores, savePull, countCreated } from '../../../engine/transfer/mirror.ts'
import type { Database, Work } from '../../../engine/database/port.ts'
import { listStores } from '../../../engine/accounts/stores.ts'
import type { Context } from '../../command/context.ts'
import type { Span } from '../../args/kinds.ts'
import { newState, withoutName, type PullKind, type PullState, type Wish } from '../../source/mirrorstate.ts'
import { courierNames, namesThere } from '../../../engine/records/absentnames.ts'
import { keepCouriers, keepStores, mostNames } from '../../help/names.ts'
import { progress, type Progress } from '../../output/progress.ts'
import type { Spent } from './budget.ts'
import type { Pulled } from './pullrun.ts'
import { pullRecords } from './run.ts'

/** The request for one run, or for each of many. */
export interface PullRequest extends Wish {
  readonly kinds: readonly PullKind[]
  readonly per_second: number | undefined
  /** The time between two runs; undefined for one run. */
  readonly every: Span | undefined
}

/** The outcome of a run for one kind. */
export interface Line extends Pulled, Record<string, unknown> {
  readonly kind: PullKind
  readonly total: number
}

/** What one run uses. */
export interface Run {
  readonly context: Context
  readonly asked: PullRequest
  readonly database: Database
  readonly account: number
  readonly remote: RemoteService
  readonly stop: AbortSignal
  readonly key: string
  readonly spent: () => Spent
  /** Sentences about what shipx could not copy: what this key may not read, and records without an id. */
  readonly refused: string[]
}

/** Notes why shipx copied only a part: the exit code says it at the end, and with --watch a warning at once. */
async function partly({ context, asked, refused }: Run, sentence: string): Promise<void> {
  if (asked.every === undefined) refused.push(sentence)
  else await context.warn(sentence)
}

/** When the deployment refuses one kind of several, the others are still pulled. Throws every other error. */
async function notTaken(run: Run, error: unknown): Promise<undefined> {
  const { asked } = run
  const refusal = error instanceof ShipxError && ['forbidden', 'not_found', 'method', 'rejected'].includes(error.kind)
  if (!refusal || asked.kinds.length === 1) throw error
  await partly(run, `the service does not list its stores: ${error.message}`)
  return undefined
}

/** What the kinds of one round share. */
interface Round {
  /** The mark of this round: a pull that starts later takes its place. */
  readonly owner: string
  readonly capabilities: readonly string[]
  /** Saves the requests of the last minutes, so that the next process also keeps to the budget. */
  readonly beside: () => Work<void>
}

/** Pulls every kind once; `first` is whether this is the first round. */
export async function pullRound(run: Run, first: boolean): Promise<readonly Line[]> {
  const { context, asked, database, account, remote } = run
  const { now, uuid } = context.io.host
  const rows = await database.read(() => pullStates(account), 'single')
  const states = new Map(rows.map(({ kind, state }) => [kind, JSON.parse(state) as PullState]))
  const round: Round = {
    owner: uuid(),
    capabilities: [...(await remote.learn())],
    *beside() {
      const spent = run.spent()
      if (spent.length > 0)
        yield* beginPull(account, { kind: 'requests', owner: '', state: JSON.stringify(spent) }, now())
    },
  }
  const lines: Line[] = []
  for (const kind of asked.kinds) {
    const line =
      kind === 'stores' ? await pullStores(run, round) : await pullKind(run, round, kind, states.get(kind), first)
    if (line !== undefined) lines.push(line)
  }
  await keepSeenCouriers(run)
  return lines
}

/** Keeps the names of the couriers in the mirror: `--courier` then finds them at the service by a part of the name. */
async function keepSeenCouriers({ context, database, account }: Run): Promise<void> {
  const couriers = await database.read(function* () {
    return yield* courierNames(account, yield* namesThere(account, 'courier', mostNames))
  })
  const named = [...couriers].map(([carrier_id, carrier_name]) => ({ carrier_id, carrier_name }))
  if (named.length > 0) keepCouriers(context, named, 'some')
}

/** Replaces the stores of the mirror; undefined when the deployment refuses to list them. */
async function pullStores(run: Run, { owner, capabilities, beside }: Round): Promise<Line | undefined> {
  const { context, database, account, remote, key } = run
  const { now } = context.io.host
  const kind = 'stores'
  const stores = await remote.listStores({}).then(
    ({ data }) => data,
    (error: unknown) => notTaken(run, error),
  )
  if (stores === undefined) return undefined
  const lost = remote.storesLeftOut()
  if (lost > 0) await partly(run, withoutName(lost, kind, 'name'))
  const covered = { from: 0, until: Math.floor(now() / 1000) }
  const left = lost === 0 ? {} : { left_out: lost }
  const state = JSON.stringify({ ...newState(key), capabilities, covered, ...left, at: now() })
  const counts = await database.write(function* () {
    yield* beginPull(account, { kind, owner, state }, now())
    const replaced = yield* replaceStores(account, stores, now())
    yield* savePull(account, { kind, owner, state }, now())
    yield* beside()
    return replaced
  })
  const total = (await database.read(() => listStores(account), 'single')).length
  keepStores(context, stores)
  return { kind, ...counts, total }
}

/** Pulls one kind of record, from its state of an earlier pull. */
async function pullKind(
  run: Run,
  { owner, capabilities, beside }: Round,
  kind: SentKind,
  old: PullState | undefined,
  first: boolean,
): Promise<Line> {
  const { context, asked, database, account, remote, key, stop } = run
  const { now } = context.io.host
  // Another key may belong to another account: then shipx reads everything and removes what the new account does not
  // have.
  const other = old !== undefined && old.key !== key
  if (other) await context.warn(`the key has changed since the last pull: shipx reads all ${kind} again`)
  const since = other && old.covered !== undefined ? Math.min(old.covered.from, asked.since) : asked.since
  const { run: unfinished, ...rest } = old ?? newState(key)
  const before: PullState = {
    ...rest,
    ...(other || unfinished === undefined ? {} : { run: unfinished }),
    key,
    capabilities,
  }
  let bar: { readonly progress: Progress; readonly total: number | undefined } | undefined
  const advance = async (n: number, total: number | undefined): Promise<void> => {
    if (bar === undefined || bar.total !== total) {
      await bar?.progress.end()
      bar = { total, progress: await progress(context, `Pulling ${kind}`, total) }
    }
    await bar.progress.advance(n)
  }
  const ticks = (): number => performance.now()
  const { warn } = context
  try {
    const pulled = await pullRecords(
      {
        kind,
        remote,
        database,
        account,
        now,
        ticks,
        owner,
        stop,
        beside,
        warn,
        partly: (sentence) => partly(run, sentence),
        advance,
      },
      before,
      { since, full: other || (asked.full && first) },
    )
    const total = await database.read(() => countCreated(account, kind, 0, Number.MAX_SAFE_INTEGER), 'single')
    return { kind, ...pulled, total }
  } finally {
    await bar?.progress.end()
  }
}
