// `shipx local simulate`: moves open parcels in the engine's own database as couriers move real ones, chunk by chunk.
import { count, counted } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import type { InitialStatus } from '../../../engine/messages/outbox.ts'
import {
  moveSome,
  noMoveCounts,
  parcelsWith,
  planSome,
  sceneOf,
  type SimulationPlan,
  type Cursor,
  type MoveCounts,
  type SimulatedPart,
  type ParcelSelection,
} from '../../../engine/sample/simulation.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { withEngine, type Engine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { growHeapSlowly } from '../../terminal/heap.ts'
import { progress } from '../../output/progress.ts'
import { safe } from '../../terminal/safe.ts'
import { flag, number } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { tellingOf } from './track.ts'
import { here } from '../../source/place.ts'

/** Tracking numbers in one query. */
const numbersAtOnce = 50

const simulateOptions = {
  days: number(7, 90, 1),
  seed: number(42, 999_999_999),
  no_messages: flag,
  dry_run: flag,
}

const simulate = verb(simulateOptions, async (context, { days, seed, no_messages: silent, dry_run: dry }) => {
  const empty = context.args.some((arg) => arg.trim() === '')
  refuse(context, empty ? [{ field: '<tracking number>', message: 'is empty' }] : [])
  const numbers = [...new Set(context.args.map((arg) => arg.trim()))]
  const course: SimulationPlan = { seed, days, now: context.io.host.now() }
  growHeapSlowly()
  return withEngine(context, dry ? 'read' : 'bulk', async (engine) => {
    await needNumbers(engine, numbers)
    const { moves, stopped } = await walk(context, engine, course, numbers, dry ? undefined : tellingOf(silent))
    if (stopped)
      throw new ShipxError('interrupted', `stopped after ${movesText(moves)}`, {
        hint: 'what has moved stays moved; the same command again moves everything that is open',
      })
    if (dry) {
      const { messages: _, ...would } = moves
      return wouldDo(context, `move parcels ${here(context)}: ${movesText(moves)}`, {
        simulate: { seed: course.seed, days: course.days, ...would },
      })
    }
    await tell(context, moves)
    return 0
  })
})

/** Throws `not_found` for a tracking number without a parcel, before anything moves. */
async function needNumbers({ database, account }: Engine, numbers: readonly string[]): Promise<void> {
  for (const part of parts(numbers)) {
    const there = await database.read(() => parcelsWith(account, part), 'single')
    const unknown = part.find((number) => !there.has(number))
    if (unknown !== undefined)
      throw new ShipxError('not_found', `no parcel has the tracking number ${safe(unknown)}`, {
        hint: 'shipx shipments list',
      })
  }
}

function* parts(numbers: readonly string[]): Generator<readonly string[]> {
  for (let at = 0; at < numbers.length; at += numbersAtOnce) yield numbers.slice(at, at + numbersAtOnce)
}

/** Moves the parcels, one transaction a chunk, until the end or a signal; without `telling` it only plans. */
async function walk(
  context: Context,
  { database, account }: Engine,
  course: SimulationPlan,
  numbers: readonly string[],
  telling: InitialStatus | undefined,
): Promise<{ readonly moves: MoveCounts; readonly stopped: boolean }> {
  const { io } = context
  const { dialect } = database
  const scene = await database.read(() => sceneOf(account, context.io.host.now()))
  const bar = await progress(context, 'Moving', undefined)
  let stopped = false
  const quieten = io.onInterrupt(() => {
    stopped = true
  })
  const moves: Record<keyof MoveCounts, number> = { ...noMoveCounts }
  const chunk = async (wanted: ParcelSelection): Promise<Cursor | undefined> => {
    const some: SimulatedPart =
      telling === undefined
        ? await database.read(() => planSome(dialect, account, io.host, course, scene, wanted))
        : await database.write(() => moveSome(dialect, account, io.host, course, scene, wanted, telling))
    for (const name of Object.keys(noMoveCounts) as (keyof MoveCounts)[]) moves[name] += some.moves[name]
    await bar.advance(some.seen)
    // Lets signals in: SQLite answers synchronously.
    await new Promise(setImmediate)
    return some.next
  }
  try {
    for (const first of numbers.length > 0 ? [...parts(numbers)].map((part) => ({ numbers: part })) : everything)
      for (let wanted: ParcelSelection | undefined = first; wanted !== undefined;) {
        if (stopped) return { moves, stopped }
        const next: Cursor | undefined = await chunk(wanted)
        wanted = 'kind' in wanted && next !== undefined ? { ...wanted, after: next } : undefined
      }
  } finally {
    quieten()
    await bar.end()
  }
  return { moves, stopped: false }
}

/** All parcels, from the first of each kind. */
const everything: readonly ParcelSelection[] = [
  { kind: 'shipment', after: undefined },
  { kind: 'return', after: undefined },
]

function movesText({
  shipments,
  returns,
  events,
  delivered,
  rto,
  returned,
  not_returned,
  lost,
  messages,
}: MoveCounts): string {
  if (shipments + returns === 0) return 'No parcel moved'
  const moved = [
    ...(shipments > 0 ? [counted(shipments, ['shipment', 'shipments'])] : []),
    ...(returns > 0 ? [counted(returns, ['return', 'returns'])] : []),
  ]
  const ends = [
    ...(delivered === 0 ? [] : [`${count(delivered)} delivered`]),
    ...(rto === 0 ? [] : [`${count(rto)} back at the seller`]),
    ...(returned === 0 ? [] : [`${count(returned)} returned`]),
    ...(not_returned === 0 ? [] : [`${count(not_returned)} not picked up from the customer`]),
    ...(lost === 0 ? [] : [`${count(lost)} lost`]),
  ]
  const open = shipments + returns - delivered - rto - returned - not_returned - lost
  const how = [...ends, ...(open === 0 ? [] : [`${count(open)} under way`])].join(', ')
  const sent = `${counted(messages, ['message', 'messages'])} to customers`
  return `${moved.join(' and ')}, ${counted(events, ['event', 'events'])}: ${how}; ${sent}`
}

async function tell(context: Context, moves: MoveCounts): Promise<void> {
  const { waiting, shared, too_new: fresh } = moves
  await answer(context, `${movesText(moves)}, ${here(context)}`, moves, true)
  if (waiting > 0)
    await context.note(
      `${counted(waiting, ['parcel has', 'parcels have'])} no tracking number yet: shipx local assign <order>`,
    )
  if (fresh > 0) {
    const since = `no time has passed for ${fresh === 1 ? 'it' : 'them'} yet.`
    await context.note(`${counted(fresh, ['parcel is', 'parcels are'])} new; ${since}`)
  }
  if (shared > 0)
    await context.warn(`${counted(shared, ['parcel', 'parcels'])} left alone: another one has the same tracking number`)
}

export const verbs = { 'local simulate': simulate }
