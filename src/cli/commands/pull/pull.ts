// `shipx pull`: copies a deployment's records into its mirror, once or repeatedly; run.ts decides what to read.
import { setTimeout as wait } from 'node:timers/promises'
import { count } from '../../../domain/count.ts'
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { notOneOf } from '../../../domain/values.ts'
import { istMinute } from '../../../domain/time.ts'
import { readSpan } from '../../../domain/read/day.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { flag, moment, perSecond, optionKind, sound, faulty, type Span } from '../../args/kinds.ts'
import { pullKinds, type PullKind } from '../../source/mirrorstate.ts'
import { shrinkHeap } from '../../terminal/heap.ts'
import { printList } from '../../output/printer.ts'
import { jsonText } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'
import { mirroredTarget, openPull, ownDataFaults, type MirroredTarget, type OpenPull } from './opened.ts'
import { pullRound, type PullRequest, type Line } from './round.ts'

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
  refuse(context, [...faults, ...ownDataFaults(context)])
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
  const found = await mirroredTarget(context)
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
  found: MirroredTarget,
  show: (lines: readonly Line[]) => Promise<void>,
): Promise<void> {
  const { io } = context
  shrinkHeap()
  const stop = new AbortController()
  const quieten = io.onInterrupt(() => stop.abort())
  let opened: OpenPull | undefined
  let waiting = false
  try {
    opened = await openPull(context, asked, found, stop.signal)
    const { run } = opened
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
    await opened?.close()
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
