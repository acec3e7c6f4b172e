// Messages as rows: how a new one is saved, what its id is, and which are there.
import sql from 'sql-template-tag'
import type { MessageChannel } from '../../domain/messages/messages.ts'
import { listsOf } from '../database/inlist.ts'
import { rows, type Work } from '../database/port.ts'
import { fixedStatement } from '../records/records.ts'

const insertMessage = fixedStatement(
  'insert into messages (account_id, id, record_id, step, channel, target, status, tracking_number, order_id, ' +
    'store_id, store_name, brand, phone, email, doc, created_at, due_at, next_at, attempts) ' +
    'values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
)

/** A row of `messages`; an absent field is null. */
export interface MessageRow {
  readonly id: string
  readonly record_id: string
  readonly step: string
  readonly channel: MessageChannel
  readonly target?: string
  readonly status: string
  readonly tracking_number: string | null
  readonly order_id: string | null
  readonly store_id?: string | null
  readonly store_name?: string | null
  readonly brand?: string | null
  readonly phone?: string | null
  readonly email?: string | null
  readonly doc: string
  /** When it may go, ms UTC. */
  readonly due: number
}

const valuesOf = (account: number, now: number, line: MessageRow): readonly unknown[] => [
  account,
  line.id,
  line.record_id,
  line.step,
  line.channel,
  line.target ?? null,
  line.status,
  line.tracking_number,
  line.order_id,
  line.store_id ?? null,
  line.store_name ?? null,
  line.brand ?? null,
  line.phone ?? null,
  line.email ?? null,
  line.doc,
  now,
  line.due,
  line.due,
  0,
]

/** Saves messages that are made now, ms UTC. The caller knows that none of them is there. */
export function* saveMessages(account: number, now: number, lines: readonly MessageRow[]): Work<void> {
  const [first, ...more] = lines.map((line) => valuesOf(account, now, line))
  // Their ids grow with the time; their records may lie anywhere.
  if (first !== undefined) yield* rows({ ...insertMessage(first), more, place: ['messages', 2] })
}

/** The steps of each record that already have a message. */
export function* stepsTold(account: number, records: readonly string[]): Work<Map<string, Set<string>>> {
  const told = new Map<string, Set<string>>()
  for (const part of listsOf(records)) {
    const found = yield* rows<{ record_id: string; step: string }>(
      sql`select record_id, step from messages where account_id = ${account} and record_id in (${part})`,
    )
    for (const { record_id, step } of found) {
      const steps = told.get(record_id)
      if (steps === undefined) told.set(record_id, new Set([step]))
      else steps.add(step)
    }
  }
  return told
}

/** Cancels the messages to customers about some records that nobody has sent yet. */
export function* cancelWaiting(account: number, records: readonly string[]): Work<void> {
  for (const part of listsOf(records))
    yield* rows(
      sql`update messages set status = ${'cancelled'}, claimed_until = null
        where account_id = ${account} and record_id in (${part}) and status = ${'waiting'}
          and channel <> ${'webhook'}`,
    )
}
