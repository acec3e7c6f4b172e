// The merchant's answers to failed deliveries as rows: appended, and marked when they went into a courier's sheet.
import sql from 'sql-template-tag'
import type { KeptAnswer, NdrAnswer } from '../../domain/parcels/ndranswers.ts'
import { listsOf } from '../database/inlist.ts'
import { row, rows, type Dialect, type Work } from '../database/port.ts'

/** A decision about a shipment, before it is kept. Times are ms UTC. */
export interface NewAnswer extends NdrAnswer {
  readonly id: string
  readonly shipment_id: string
  readonly tracking_number: string | null
  readonly order_name: string | null
  readonly courier: string | null
  /** Delivery attempts before the decision, and when the last of them failed. */
  readonly attempts: number
  readonly failed_at: number | null
  readonly decided_by: string
  readonly decided_at: number
}

/** Appends decisions. The last one about a shipment counts; those before it stay. */
export function* keepAnswers(dialect: Dialect, account: number, answers: readonly NewAnswer[]): Work<void> {
  // Two that decide at the same moment take turns, so that one of them is the last.
  yield* rows(sql`select id from accounts where id = ${account}${dialect.locking('update')}`)
  for (const a of answers) {
    const last = yield* row<{ n: number | null }>(
      sql`select max(n) as n from ndr_answers where account_id = ${account} and shipment_id = ${a.shipment_id}`,
    )
    yield* rows(
      sql`insert into ndr_answers (account_id, id, shipment_id, n, tracking_number, order_name, courier, attempts,
          failed_at, answer, reattempt_on, phone, address, pincode, note, decided_by, decided_at)
        values (${account}, ${a.id}, ${a.shipment_id}, ${Number(last?.n ?? 0) + 1}, ${a.tracking_number},
          ${a.order_name}, ${a.courier}, ${a.attempts}, ${a.failed_at}, ${a.answer},
          ${a.reattempt_on}, ${a.phone}, ${a.address},
          ${a.pincode}, ${a.note}, ${a.decided_by}, ${a.decided_at})`,
    )
  }
}

interface AnswerRow extends KeptAnswer, Record<string, unknown> {}

/** The last decision about each of the shipments that has one, by shipment. */
export function* lastAnswers(account: number, shipments: readonly string[]): Work<ReadonlyMap<string, KeptAnswer>> {
  const last = new Map<string, KeptAnswer>()
  for (const list of listsOf(shipments)) {
    const found = yield* rows<AnswerRow>(
      sql`select id, shipment_id, courier, attempts, failed_at, answer, reattempt_on, phone, address, pincode, note,
          decided_by, decided_at, sent_at
        from ndr_answers where account_id = ${account} and shipment_id in (${list}) order by shipment_id, n`,
    )
    for (const kept of found) last.set(kept.shipment_id, kept)
  }
  return last
}

/**
 * The shipments whose last decision is from an instant on (ms UTC) and never went into a sheet, each with its courier's
 * name.
 */
export function* unsentSince(account: number, since: number): Work<ReadonlyMap<string, string | null>> {
  const found = yield* rows<{ shipment_id: string; courier: string | null; sent_at: number | null }>(
    sql`select shipment_id, courier, sent_at from ndr_answers where account_id = ${account} and decided_at >= ${since}
      order by shipment_id, n`,
  )
  const last = new Map(found.map((one) => [one.shipment_id, one]))
  return new Map([...last].flatMap(([id, { courier, sent_at }]) => (sent_at === null ? [[id, courier] as const] : [])))
}

/** Marks decisions as sent to the courier at an instant, ms UTC. */
export function* markSent(account: number, answers: readonly string[], now: number): Work<void> {
  for (const list of listsOf(answers))
    yield* rows(sql`update ndr_answers set sent_at = ${now} where account_id = ${account} and id in (${list})`)
}
