// Keeps a mirror current: asks for the records that webhooks named, and pulls where webhooks may be missing. One
// request at a time, with pauses that grow while the service is away.
import { pause } from '../../../client/wait.ts'
import { ShipxError, type ErrorKind } from '../../../domain/errors.ts'
import type { SentKind } from '../../../domain/foreign/records.ts'
import { pullStates, savePull, saveSent } from '../../../engine/transfer/mirror.ts'
import type { Work } from '../../../engine/database/port.ts'
import type { PullState } from '../../source/mirrorstate.ts'
import { carriedOf, sentOf } from '../pull/records.ts'
import { pullRound, type Line, type Run } from '../pull/round.ts'
import type { Inbox, Waiting } from './inbox.ts'
import { mostAsked, namedIn, recordsOf, type Named } from './lookup.ts'

/** A record that is now in the mirror as the service holds it. */
export interface Update extends Named {
  readonly kind: SentKind
  readonly outcome: 'created' | 'updated'
}

/** What keeping a mirror needs. */
export interface Keeping {
  readonly run: Run
  readonly inbox: Inbox
  /** A pull follows after this long without a webhook, ms. */
  readonly silence: number
  /** The tick of the last webhook. */
  readonly heard: () => number
  /** Resolves at the next webhook, or after this many ms, or at a stop. */
  readonly rest: (ms: number) => Promise<void>
  readonly updated: (updates: readonly Update[]) => Promise<void>
  readonly pulled: (lines: readonly Line[]) => Promise<void>
}

/** At the latest so long after a pull comes the next: no webhook tells of a deleted record or a changed address. */
const longest = 3_600_000

/** shipx asks again for a record that the service does not have: after so many ms, and so many times in all. */
const [again, mostMisses] = [5_000, 2] as const

/** The pauses while the service is away, ms. */
const away = { first: 1_000, most: 300_000 } as const

const ticks = (): number => performance.now()

/** Works until the run is stopped. Throws what is not temporary: a key that is not accepted, a full disk. */
export async function keepCurrent(keeping: Keeping): Promise<void> {
  const { run, inbox, heard, rest } = keeping
  const { stop } = run
  let failures = 0
  let pulled = -Infinity
  let first = true
  while (!stop.aborted) {
    const due = Math.min(Math.max(heard(), pulled) + keeping.silence, pulled + Math.max(longest, keeping.silence))
    try {
      const hints = inbox.due(ticks(), mostAsked)
      if (pulled === -Infinity || inbox.mark.pull || due <= ticks()) {
        const { turn } = inbox.mark
        const lines = await pullRound(run, first)
        await inbox.pulled(turn)
        pulled = ticks()
        first = false
        await keeping.pulled(lines)
      } else if (hints.length > 0) await askForEach(keeping, hints)
      else await rest(Math.max(0, Math.min(due, inbox.nextDue()) - ticks()))
      failures = 0
    } catch (error) {
      if (stop.aborted) return
      if (!(error instanceof ShipxError && error.retryable)) throw error
      const wait = Math.min(away.most, away.first * 2 ** Math.min(20, failures++))
      const waiting = inbox.size === 0 ? '' : `; ${inbox.size} named by webhooks wait`
      await run.context.warn(`${error.message}; next try in ${Math.round(wait / 1000)} s${waiting}`)
      await pause(wait * (0.75 + Math.random() / 2), stop).catch(() => undefined)
    }
  }
}

/** Errors of one question, which another question need not meet. */
const ofQuestion: readonly ErrorKind[] = ['usage', 'rejected', 'not_found', 'method', 'too_large']

/** Asks for hints together, or one by one where the service refuses that: a refused name must not stop the others. */
async function askForEach(keeping: Keeping, waiting: readonly Waiting[]): Promise<void> {
  try {
    await askFor(keeping, waiting)
  } catch (error) {
    if (!(error instanceof ShipxError && ofQuestion.includes(error.kind))) throw error
    if (waiting.length > 1) {
      for (const one of waiting) await askForEach(keeping, [one])
      return
    }
    await keeping.inbox.settle(waiting, function* () {})
    await keeping.run.context.warn(`the service refuses to look for ${nameOf(waiting[0]!)}: ${error.message}`)
  }
}

const nameOf = ({ hint: { awb, id, order } }: Waiting): string => awb ?? id ?? order!

/** Asks for the records of hints and saves them. What the service does not have, it asks for once more, later. */
async function askFor({ run, inbox, updated }: Keeping, waiting: readonly Waiting[]): Promise<void> {
  const { remote, database, account, context } = run
  const done: Waiting[] = []
  const texts: Record<SentKind, string[]> = { shipments: [], returns: [] }
  const unknown: Waiting[] = []
  for (const kind of ['shipments', 'returns'] as const) {
    const own = waiting.filter(({ hint }) => hint.kind === kind)
    if (own.length === 0) continue
    const hints = own.map(({ hint }) => hint)
    const found = await recordsOf(remote, kind, hints)
    for (const one of own) {
      const records = found.get(one.hint)
      texts[kind].push(...(records ?? []))
      if (records !== undefined || one.misses + 1 >= mostMisses) done.push(one)
      else inbox.missed(one, ticks() + again)
      if (records === undefined && one.misses + 1 >= mostMisses) unknown.push(one)
    }
  }
  const updates: Update[] = []
  await inbox.settle(done, function* (): Work<void> {
    updates.length = 0
    const states = new Map((yield* pullStates(account)).map((row) => [row.kind, row]))
    for (const kind of ['shipments', 'returns'] as const) {
      const { read } = sentOf(kind, [...new Set(texts[kind])])
      if (read.length === 0) continue
      const saved = yield* saveSent(database.dialect, account, kind, read)
      for (const [n, { outcome }] of saved.entries())
        if (outcome !== 'unchanged') updates.push({ kind, outcome, ...namedIn(kind, read[n]!.text) })
      const row = states.get(kind)
      const state = row === undefined ? undefined : (JSON.parse(row.state) as PullState)
      const after = state === undefined ? undefined : carriedOf(state, read)
      if (after !== state) yield* savePull(account, { ...row!, state: JSON.stringify(after) }, context.io.host.now())
    }
  })
  await updated(updates)
  for (const one of unknown) await context.warn(`the service has no record ${nameOf(one)}, which a webhook named`)
}
