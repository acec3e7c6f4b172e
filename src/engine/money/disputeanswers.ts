// The answers to disputes: a status that a person gives, with what the courier accepted (src/domain/money/disputes.ts).
// Integer paise, ms UTC.
import sql from 'sql-template-tag'
import { mayBecome, statusAt, urgentAt, type DisputeStatus, type GivenStatus } from '../../domain/money/disputes.ts'
import { rows, type Dialect, type Work } from '../database/port.ts'
import { tellDisputes } from '../messages/disputenews.ts'
import { recordChanges, type DisputeChange } from './disputechanges.ts'
import { addEvents, disputesNumbered, takeTurn, type Change, type Dispute } from './disputes.ts'
import { lapseOf } from './disputeclocks.ts'

/** A status that a person gives a dispute. */
export interface Answer {
  readonly id: string
  readonly status: GivenStatus
  /** What the courier accepted; null for an answer without an amount. */
  readonly settled: number | null
  readonly note: string | null
}

/** What came of an answer: `refused` names the status that the dispute has. */
export type Answered =
  | { readonly dispute: Dispute; readonly was: DisputeStatus; readonly outcome: 'updated' | 'unchanged' | 'refused' }
  | undefined

/** What the courier accepts by an answer without an amount, paise; null where nothing is agreed. */
function agreedBy(status: GivenStatus, { amount, settled }: Dispute): number | null {
  if (status === 'accepted') return amount
  if (status === 'rejected') return 0
  // A rejected dispute that is opened again is about its whole amount.
  return settled === 0 && status !== 'closed' ? null : settled
}

/**
 * Gives disputes the statuses of answers, one after the other. An answer that the table of steps does not have changes
 * nothing. What lapsed before is written down first. Webhooks are told of each change. Returns what came of each;
 * undefined where there is no dispute.
 */
export function* answerDisputes(
  dialect: Dialect,
  account: number,
  answers: readonly Answer[],
  change: Change,
): Work<readonly Answered[]> {
  yield* takeTurn(dialect, account)
  const known = new Map(
    (yield* disputesNumbered(
      account,
      answers.map(({ id }) => id),
    )).map((one) => [one.id, one]),
  )
  const lapses: Dispute[] = []
  const changed: DisputeChange[] = []
  const outcomes: Answered[] = []
  for (const { id, status, settled, note } of answers) {
    const dispute = known.get(id)
    if (dispute === undefined) {
      outcomes.push(undefined)
      continue
    }
    const was = statusAt(dispute, change.at)
    const agreed = settled ?? agreedBy(status, dispute)
    if (was === status && agreed === dispute.settled) {
      outcomes.push({ dispute, was, outcome: 'unchanged' })
      continue
    }
    // The same answer with another amount corrects the one before.
    if (was !== status && !mayBecome(was, status)) {
      outcomes.push({ dispute, was, outcome: 'refused' })
      continue
    }
    if (was !== dispute.status) lapses.push(dispute)
    const urgent = urgentAt(status, dispute, change.at)
    const after = {
      ...dispute,
      status,
      answered: status,
      settled: agreed,
      urgent_at: urgent,
      changed_at: change.at,
    } satisfies Dispute
    yield* rows(
      sql`update disputes set status = ${status}, answered = ${status}, settled = ${agreed}, urgent_at = ${urgent},
          changed_at = ${change.at}
        where account_id = ${account} and id = ${id}`,
    )
    changed.push({ dispute: after, event: { status, amount: settled, note }, told: true })
    known.set(id, after)
    outcomes.push({ dispute: after, was, outcome: 'updated' })
  }
  for (const dispute of lapses) {
    const status = statusAt(dispute, change.at)
    const event = { dispute_id: dispute.id, status, amount: null, note: null }
    yield* addEvents(account, [event], { at: dispute.due_at!, by: 'shipx', source: 'deadline' })
  }
  const lapsed = lapses.flatMap((one) => lapseOf(one, change.at))
  yield* tellDisputes(account, lapsed, { now: change.at, uuid: change.uuid })
  yield* recordChanges(account, changed, change)
  return outcomes
}
