// What webhooks are told of disputes: a message for each change, in the transaction of the change, and one for a
// deadline that is near or over (docs/guides/delivery.md, Dispute webhooks). It sends nothing.
import type { DisputeStatus } from '../../domain/money/disputes.ts'
import { isoOf } from '../../domain/time.ts'
import type { Work } from '../database/port.ts'
import { disputeFields } from '../money/disputefields.ts'
import type { Dispute } from '../money/disputes.ts'
import { growingId } from '../growingids.ts'
import type { Host } from '../runtime.ts'
import { saveMessages, stepsTold, type MessageRow } from './messagerows.ts'
import { webhooksOf } from './webhooks.ts'

/** What happened to a dispute; times are ms UTC. */
export interface DisputeNews {
  /** The dispute after it. */
  readonly dispute: Dispute
  readonly event: DisputeStatus | 'deadline_near'
  readonly at: number
  /** What makes it one: the number of its change, or the deadline. */
  readonly key: string
  readonly note: string | null
}

/** The record by which the messages of a dispute are kept. */
const recordOf = ({ id }: Dispute): string => `dispute:${id}`

/** News that only who heard of the dispute before can use: nobody waits for it. */
const afterOthers: ReadonlySet<DisputeNews['event']> = new Set(['found', 'withdrawn'])

/**
 * Makes the messages about disputes, at `now` (ms UTC): for each webhook that receives them, and once for each change.
 * A webhook hears what happens after it was set. The caller has taken its turn.
 */
export function* tellDisputes(
  account: number,
  news: readonly DisputeNews[],
  { now, uuid }: { readonly now: number } & Pick<Host, 'uuid'>,
): Work<void> {
  if (news.length === 0) return
  const hooks = yield* webhooksOf(account, 'disputes')
  if (hooks.length === 0) return
  const told = yield* stepsTold(account, [...new Set(news.map(({ dispute }) => recordOf(dispute)))])
  const lines: MessageRow[] = []
  for (const one of news) {
    const record = recordOf(one.dispute)
    const steps = told.get(record) ?? new Set<string>()
    if (afterOthers.has(one.event) && steps.size === 0) continue
    const doc = bodyOf(one, uuid())
    for (const { id: hook, created_at: since } of hooks) {
      const step = `dispute:${one.event}:${one.key}:${hook}`
      if (steps.has(step) || one.at < Number(since)) continue
      lines.push({
        id: growingId(uuid(), now, steps.size),
        record_id: record,
        step,
        channel: 'webhook',
        target: hook,
        status: 'waiting',
        tracking_number: one.dispute.awb,
        order_id: one.dispute.order_name,
        doc,
        due: now,
      })
      told.set(record, steps.add(step))
    }
  }
  yield* saveMessages(account, now, lines)
}

/** The body of an event: the dispute as `shipx disputes list --json` has it, rupees. */
const bodyOf = ({ dispute, event, at, note }: DisputeNews, id: string): string =>
  JSON.stringify({
    event: `dispute_${event}`,
    event_id: id,
    event_timestamp: isoOf(at),
    data: { ...disputeFields(dispute, event === 'deadline_near' ? 'found' : event), note },
  })
