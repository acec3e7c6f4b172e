// `shipx disputes list` and `get`: what to dispute and what lapses, the most urgent first; one with what happened to
// it.
import { counted } from '../../../domain/count.ts'
import { ShipxError } from '../../../domain/errors.ts'
import { disputeStatuses, openStatuses, type DisputeStatus } from '../../../domain/money/disputes.ts'
import { paiseOf, rupeesOf } from '../../../domain/money.ts'
import { readSpan } from '../../../domain/read/day.ts'
import { isoOf } from '../../../domain/time.ts'
import {
  eventsOf,
  sumDisputes,
  walkDisputes,
  type Dispute,
  type DisputeFilter,
} from '../../../engine/money/disputes.ts'
import { evidenceOf } from '../../../engine/money/evidence.ts'
import { keepsAny } from '../../../engine/money/documents.ts'
import { listPolicies } from '../../../engine/money/policies.ts'
import { faulty, limit, optionKind, rupees, someOf, sound, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { showMoney, showTime, untilText, words } from '../../output/display.ts'
import { checkShape, hiddenColumns, printer, printRecord } from '../../output/printer.ts'
import { besideOf, type BesidePlace } from '../../source/beside.ts'
import { disputeNamed } from '../../source/disputenames.ts'
import { withSource } from '../../source/open.ts'
import { keepHeapSmall } from '../../terminal/heap.ts'
import { safe } from '../../terminal/safe.ts'
import type { Screen } from '../../terminal/screen.ts'
import { couriersOfDisputes, couriersWanted } from '../reconcile/wantedcouriers.ts'
import { disputeView, recorder } from './record.ts'

/** The exit code of `--due` with `--quiet` where something is due: only a part of the work is done. */
const someDue = 7

const spanAhead = optionKind<number, undefined>(undefined, (given, name) => {
  const ms = readSpan(given)
  return ms === undefined
    ? faulty(undefined, name, `"${given.slice(0, 20)}" is not a length of time; write for example 3d or 12h`)
    : sound(ms)
})

const listOptions = {
  due: spanAhead,
  courier: word,
  status: someOf(disputeStatuses, 'status'),
  min: rupees,
  limit: limit(20),
}

/** Disputes that are read at a time. */
const piece = 500

const list = verb(listOptions, async (context, { due, courier, status, min, limit: most }) => {
  refuse(context, [])
  checkShape(context, disputeView)
  // What a page of records needs is soon garbage.
  if (most > piece) {
    keepHeapSmall(60)
  }
  const now = context.io.host.now()
  const statuses = status ?? openStatuses
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    const filter = {
      couriers:
        courier === undefined
          ? undefined
          : await couriersWanted(context, place, courier, await couriersOfDisputes(place)),
      min: min === undefined ? undefined : paiseOf(min),
      until: due === undefined ? undefined : now + due,
    }
    const out = printer(context, disputeView)
    let [shown, first] = [0, undefined as Dispute | undefined]
    try {
      if (place !== undefined) {
        const { database, account } = place
        const policies = await database.read(() => listPolicies(account), 'single')
        const records = recorder(place, policies, now)
        const walk = walkDisputes(account, statuses, filter, now)
        for (; shown < most;) {
          const wanted = Math.min(piece, most - shown)
          const page = await database.read(walk.next(wanted))
          first ??= page[0]
          await out.batch((await records(page)).map((one) => JSON.stringify(one)))
          shown += page.length
          if (page.length < wanted) break
        }
      }
      if (shown === 0) await context.note(await emptyNote(place, statuses, filter, now))
      await out.end()
      if (out.hidden().length > 0) await context.note(hiddenColumns(out.hidden()))
      if (place !== undefined && first !== undefined) {
        const sum = await place.database.read(() => sumDisputes(place.account, statuses, filter, now))
        const money = (paise: number): string => showMoney(rupeesOf(paise), context.screen)
        await context.note(
          `${counted(sum.disputes, ['dispute', 'disputes'])}, ${money(sum.amount)} claimed` +
            (sum.accepted === 0 ? '' : `, ${money(sum.accepted)} of it accepted`) +
            (shown < sum.disputes ? `; ${shown} shown (--limit)` : '') +
            (first.status === 'found' && first.due_at !== null && first.due_at >= now
              ? `; the first lapses in ${untilText(first.due_at, now)}`
              : ''),
        )
      }
      return due !== undefined && context.flags.has('quiet') && shown > 0 ? someDue : 0
    } finally {
      await place?.close()
    }
  })
})

/** That nothing is listed: with which couriers, and how to open disputes where an invoice may have some. */
async function none(
  place: BesidePlace | undefined,
  statuses: readonly DisputeStatus[],
  { couriers, min }: DisputeFilter,
): Promise<string> {
  const by = couriers === undefined ? '' : ` with ${couriers.map((name) => safe(name)).join(' or ')}`
  if (statuses !== openStatuses || min !== undefined) return `No dispute${by} is like that.`
  if (by !== '') return `No disputes${by} are open.`
  const some = await place?.database.read(() => keepsAny(place.account), 'single')
  const next =
    some === true ? 'To open some: shipx disputes create' : 'They come from invoices: shipx reconcile invoice <file>'
  return `No disputes are open. ${next}`
}

/** The note of an empty list. With --due, it also counts the disputes that have no deadline. */
async function emptyNote(
  place: BesidePlace | undefined,
  statuses: readonly DisputeStatus[],
  { until, ...filter }: DisputeFilter,
  now: number,
): Promise<string> {
  if (until === undefined) return none(place, statuses, filter)
  const sum =
    place === undefined
      ? undefined
      : await place.database.read(() => sumDisputes(place.account, statuses, { ...filter, undated: true }, now))
  const notDue = `No dispute is due within this time.`
  if (sum === undefined || sum.disputes === 0) return notDue
  const others = counted(sum.disputes, ['open dispute has', 'open disputes have'])
  return `${notDue} ${others} no deadline: shipx disputes list`
}

/** One dispute shows what was accepted and credited of it on any screen. */
const oneView: typeof disputeView = {
  ...disputeView,
  columns: disputeView.columns.map((column) => {
    const { wide: _, ...shown } = column
    return column.key === 'credited' ? shown : column
  }),
}

/** The amount of an event: what it names, else of a finding and of a full acceptance that of the dispute. */
function eventAmount(status: DisputeStatus, amount: number | null, whole: number, screen: Screen): string {
  const shown = amount ?? (status === 'found' || status === 'accepted' ? whole : undefined)
  return (shown === undefined ? '' : showMoney(shown, screen)).padStart(10)
}

const get = verb({}, async (context) => {
  const [name] = context.args
  refuse(context, name === undefined ? [missingArgument(context, 'dispute')] : [])
  checkShape(context, disputeView)
  const now = context.io.host.now()
  return withSource(context, 'read', async (source) => {
    const place = await besideOf(context, source, 'read')
    try {
      if (place === undefined) throw new ShipxError('not_found', 'no disputes yet', { hint: 'shipx disputes create' })
      const { database, account } = place
      const dispute = await disputeNamed(place, name!)
      const [policies, events, files] = await database.read(function* () {
        return [
          yield* listPolicies(account),
          yield* eventsOf(database.dialect, account, dispute.id),
          yield* evidenceOf(account, [dispute.awb]),
        ] as const
      })
      const [record] = await recorder(place, policies, now)([dispute])
      const happened = events.map(({ status, amount, at, by_whom: by, source: from, note }) => ({
        at: isoOf(at),
        status,
        amount: amount === null ? null : rupeesOf(amount),
        by,
        source: from,
        note,
      }))
      const evidence = files.map(({ name: file, shows, bytes, sha256 }) => ({ name: file, shows, bytes, sha256 }))
      await printRecord(context, oneView, { ...record!, events: happened, evidence })
      if (context.format === 'plain')
        for (const { at, status, amount, by, source: from, note } of happened)
          await context.note(
            [
              showTime(Date.parse(at), context.screen).padEnd(12),
              words(status).padEnd(14),
              eventAmount(status, amount, record!.amount, context.screen),
              `by ${safe(by)}`,
              safe(from),
              note === null ? '' : safe(note),
            ]
              .filter((part) => part !== '')
              .join('  '),
          )
      return 0
    } finally {
      await place?.close()
    }
  })
})

export const verbs = { 'disputes list': list, 'disputes get': get }
