// The pull of one kind of record: reads windows of a deployment's listing into the mirror, and can continue after any
// interruption (docs/guides/mirror.md).
import type { Window } from '../../../client/windows.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { beginPull, countCreated, openMoments } from '../../../engine/transfer/mirror.ts'
import { count } from '../../../domain/count.ts'
import { ended, newRun, withoutName, type PullState, type Wish } from '../../source/mirrorstate.ts'
import { readByCursor } from './bycursor.ts'
import { readByPages } from './bypages.ts'
import { check } from './check.ts'
import { PullRun, perPage, type Pulled, type Pulling } from './pullrun.ts'

/** Reads everything that the state and the request need. Throws what the client throws, and `interrupted`. */
export async function pullRecords(pulling: Pulling, before: PullState, wish: Wish): Promise<Pulled> {
  const { database, account, now, partly, kind } = pulling
  const run = new PullRun(pulling, before)
  // Records that an interrupted run had read may have changed since, so another round follows.
  const unfinished = before.run !== undefined && (before.run.full || !wish.full)
  if (!unfinished) run.state = await plan(run, wish)
  await database.write(() => beginPull(account, run.row(), now()))
  for (let rounds = unfinished ? 2 : 1; rounds > 0; rounds--) {
    await oneRound(run)
    if (rounds > 1) await run.become(await plan(run, { ...wish, full: false }))
  }
  const lost = run.leftOut.count()
  if (lost > 0) await partly(withoutName(lost, kind))
  return run.done()
}

/** Reads the windows of a run, compares counts, and then marks the run as ended. */
async function oneRound(run: PullRun): Promise<void> {
  for (;;) {
    const { state } = run
    const { windows, counted, from, until } = state.run!
    const window = windows[0]
    if (window !== undefined) await readWindow(run, window)
    else if (!counted && state.countless !== true)
      await run.become({
        ...state,
        run: { ...state.run!, counted: true, windows: [{ from, to: until, check: true }] },
      })
    else {
      await refuseNameless(run)
      return run.become(ended(withLeftOut(run), run.pulling.now()))
    }
  }
}

/** The state with how many records the mirror lacks: a run that reads only a part may not meet them again. */
function withLeftOut({ state, leftOut }: PullRun): PullState {
  const { left_out: before = 0, ...rest } = state
  const whole = state.run!.full || state.covered === undefined
  const lost = whole ? leftOut.count() : Math.max(before, leftOut.count())
  return lost === 0 ? rest : { ...rest, left_out: lost }
}

function readWindow(run: PullRun, window: Window): Promise<void> {
  if (window.check === true) return check(run, window)
  return run.byCursor ? readByCursor(run, window) : readByPages(run, window)
}

/** The state with the windows of a new run: everything, or what can have changed since the last one. */
async function plan({ pulling, state }: PullRun, wish: Wish): Promise<PullState> {
  const { database, account, kind } = pulling
  const { covered } = state
  const now = Math.floor(pulling.now() / 1000)
  if (covered === undefined || wish.full) return { ...state, run: newRun(state, wish, now, { open: [], gap: 0 }) }
  const range = { from: Math.max(wish.since, covered.from) * 1000, to: covered.until * 1000 + 999 }
  const open = await database.read(
    () => openMoments(database.dialect, account, kind, { ...range, now: pulling.now() }),
    'single',
  )
  const first = open[0] ?? range.to
  const behind = await database.read(() => countCreated(account, kind, first, range.to), 'single')
  // Between two records this close there is about one page of others.
  const gap = Math.max(60, Math.min(86_400, (((range.to - first) / 1000) * perPage) / Math.max(1, behind)))
  return { ...state, run: newRun(state, wish, now, { open: open.map((at) => Math.floor(at / 1000)), gap }) }
}

/** Throws `bad_answer` when the mirror can keep none of the deployment's records; the next run starts again. */
async function refuseNameless(run: PullRun): Promise<void> {
  const { database, account, kind } = run.pulling
  const lost = run.leftOut.count()
  if (lost === 0) return
  const all = await database.read(() => countCreated(account, kind, 0, Number.MAX_SAFE_INTEGER), 'single')
  if (all > 0) return
  const { run: _, covered: __, ...rest } = run.state
  await run.become(rest)
  const which = `none of the ${count(lost)} ${kind} that the service sent has an id and attributes`
  throw new ShipxError('bad_answer', `${which}; nothing could be kept`)
}
