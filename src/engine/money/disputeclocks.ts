// The deadlines of disputes as time passes: webhooks hear once that one is near, and once that it is over. `told` of a
// dispute says what they heard: 0 nothing, 1 that it is near, 2 that it is over. Times are ms UTC.
import sql from 'sql-template-tag'
import { nearFor, statusAt } from '../../domain/money/disputes.ts'
import { limitTo, rows, type Dialect, type Work } from '../database/port.ts'
import { listOf } from '../database/inlist.ts'
import { tellDisputes, type DisputeNews } from '../messages/disputenews.ts'
import type { Host } from '../runtime.ts'
import { disputeColumns, disputeFrom, takeTurn, type Dispute, type DisputeRow } from './disputes.ts'

/** Disputes of a transaction. */
const together = 500

const [near, over] = [1, 2]

/** What to tell of a deadline that passed at `now`; nothing where that was told. */
export function lapseOf(dispute: Dispute, now: number): readonly DisputeNews[] {
  const status = statusAt(dispute, now)
  if (dispute.told >= over || status === 'found' || dispute.due_at === null) return []
  return [{ dispute, event: status, at: dispute.due_at, key: String(dispute.due_at), note: null }]
}

/** The disputes whose deadline is near or over, which nobody raised and nobody told; at most some hundreds. */
export function* untoldDeadlines(account: number, now: number): Work<readonly Dispute[]> {
  const found: Dispute[] = []
  for (const [told, before] of [
    [0, now + nearFor],
    [near, now],
  ] as const)
    found.push(
      ...(yield* rows<DisputeRow>(
        sql`select ${disputeColumns} from disputes where account_id = ${account} and status = 'found'
          and due_at is not null and told = ${told} and due_at < ${before} order by due_at, id ${limitTo(together)}`,
      )).map(disputeFrom),
    )
  return found
}

/** Tells webhooks of deadlines that are near or over. Returns how many disputes that was; 0 where all is told. */
export function* tellDeadlines(
  dialect: Dialect,
  account: number,
  now: number,
  { uuid }: Pick<Host, 'uuid'>,
): Work<number> {
  yield* takeTurn(dialect, account)
  const due = yield* untoldDeadlines(account, now)
  if (due.length === 0) return 0
  const isNear = ({ due_at: at }: Dispute): boolean => at! >= now
  const news = due.flatMap((dispute): readonly DisputeNews[] =>
    isNear(dispute)
      ? [{ dispute, event: 'deadline_near', at: now, key: String(dispute.due_at), note: null }]
      : lapseOf(dispute, now),
  )
  yield* tellDisputes(account, news, { now, uuid })
  for (const [told, some] of [
    [near, due.filter(isNear)],
    [over, due.filter((one) => !isNear(one))],
  ] as const)
    if (some.length > 0)
      yield* rows(
        sql`update disputes set told = ${told}
          where account_id = ${account} and id in (${listOf(some.map(({ id }) => id))})`,
      )
  return due.length
}
