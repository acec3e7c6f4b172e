// Changes of disputes: each is kept as an event, and webhooks are told of it in the same transaction.
import { statusAt } from '../../domain/money/disputes.ts'
import type { Work } from '../database/port.ts'
import { tellDisputes, type DisputeNews } from '../messages/disputenews.ts'
import { addEvents, type Change, type Dispute, type DisputeEvent } from './disputes.ts'

/** A change of a dispute: the dispute after it, and how it is kept. */
export interface DisputeChange {
  readonly dispute: Dispute
  readonly event: Omit<DisputeEvent, 'dispute_id'>
  /** Whether webhooks hear of it. */
  readonly told: boolean
}

/** Keeps changes of disputes and tells webhooks of them. The caller has taken its turn. */
export function* recordChanges(account: number, changes: readonly DisputeChange[], by: Change): Work<void> {
  const numbers = yield* addEvents(
    account,
    changes.map(({ dispute, event }) => ({ ...event, dispute_id: dispute.id })),
    by,
  )
  const news = changes.flatMap(({ dispute, event: { note }, told }, n): readonly DisputeNews[] =>
    told ? [{ dispute, event: statusAt(dispute, by.at), at: by.at, key: numbers[n]!, note }] : [],
  )
  yield* tellDisputes(account, news, { now: by.at, uuid: by.uuid })
}
