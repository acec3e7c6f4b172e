// Disputes out of the lines of kept invoices: one for each line that cost too much, made once.
import sql, { empty, join, type Sql } from 'sql-template-tag'
import { statusAt, urgentAt } from '../../domain/money/disputes.ts'
import type { ReasonCode } from '../../domain/money/billed.ts'
import { courierKey } from '../../domain/money/policies.ts'
import { listOf, listsOf } from '../database/inlist.ts'
import { limitTo, row, rows, type Dialect, type Work } from '../database/port.ts'
import { recordChanges } from './disputechanges.ts'
import {
  addEvents,
  disputeColumns,
  disputeFrom,
  takeTurn,
  type Change,
  type Dispute,
  type DisputeRow,
} from './disputes.ts'

/** A line that a document bills too much. */
export interface OverLine {
  /** Its key among the lines of its document. */
  readonly key: string
  readonly line: number
  readonly awb: string
  readonly order_name: string | null
  readonly courier: string | null
  readonly journey: string
  readonly reason: ReasonCode
  /** Billed less expected, paise. */
  readonly amount: number
}

interface OverRow extends OverLine, Record<string, unknown> {}

/** Which lines are wanted: those of these reasons, from so many paise on. */
export interface LineFilter {
  readonly reasons?: readonly ReasonCode[] | undefined
  readonly min: number
}

const isOver = (account: number, document: string, { reasons, min }: LineFilter): Sql => {
  const named = reasons === undefined ? empty : sql` and category in (${join([...reasons])})`
  return sql`account_id = ${account} and document_id = ${document} and verdict = 'over'
    and category <> 'rounding' and billed - expected >= ${min}${named}`
}

/** How many lines of a document cost too much. */
export function* countOver(account: number, document: string, filter: LineFilter): Work<number> {
  const found = yield* row<{ n: number }>(
    sql`select count(*) as n from document_lines where ${isOver(account, document, filter)}`,
  )
  return Number(found?.n ?? 0)
}

/** The next lines of a document that cost too much, in the order of its file. */
export function* overLines(
  account: number,
  document: string,
  filter: LineFilter,
  after: string,
  most: number,
): Work<readonly OverLine[]> {
  return yield* rows<OverRow>(
    sql`select id as key, line, awb, order_name, courier, journey, category as reason, billed - expected as amount
      from document_lines
      where ${isOver(account, document, filter)} and id > ${after}
      order by id ${limitTo(most)}`,
  )
}

/** A document with the deadline of each of its lines. */
export interface DisputedDocument {
  readonly id: string
  readonly number: string
  readonly day: string | null
  readonly courier: string
  /** Whether it is a passbook: what it bills, it took. */
  readonly ledger: boolean
}

/** A line with the last instant to raise its dispute. */
export interface DueLine extends OverLine {
  readonly due_at: number | null
  /** The IST day on which the courier announced the weight, where the user says it now. */
  readonly announced: string | null
}

/** The last instant to raise the dispute of a line, by the IST day on which its weight was announced, if it was. */
export type DueOf = (line: OverLine, announced: string | null) => number | null

const numberOf = (n: number): string => `D${String(n).padStart(7, '0')}`

/**
 * The lines that no dispute is about yet. A line of an invoice that took the place of another one has the dispute that
 * was made of the first, unless that was withdrawn.
 */
export function* undisputed(
  account: number,
  document: Pick<DisputedDocument, 'id' | 'number' | 'courier'>,
  lines: readonly DueLine[],
): Work<readonly DueLine[]> {
  if (lines.length === 0) return []
  const here = new Set<number>()
  const elsewhere = new Set<string>()
  const byLine = yield* rows<{ line: number }>(
    sql`select line from disputes where account_id = ${account} and document_id = ${document.id}
      and line in (${listOf(lines.map(({ line }) => line))})`,
  )
  for (const { line } of byLine) here.add(Number(line))
  for (const list of listsOf(lines.map(({ awb }) => awb))) {
    const before = yield* rows<{ awb: string; journey: string; reason: string; courier: string }>(
      sql`select awb, journey, reason, courier from disputes where account_id = ${account} and awb in (${list})
        and invoice = ${document.number} and document_id <> ${document.id} and status <> 'withdrawn'`,
    )
    for (const { awb, journey, reason, courier } of before)
      if (courier === document.courier || document.courier === '') elsewhere.add(`${awb}\n${journey}\n${reason}`)
  }
  return lines.filter(
    ({ line, awb, journey, reason }) => !here.has(line) && !elsewhere.has(`${awb}\n${journey}\n${reason}`),
  )
}

/**
 * The IST days on which couriers announced weights, by AWB: those of withdrawn disputes whose invoice was replaced.
 */
export function* announcedBefore(account: number, awbs: readonly string[]): Work<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for (const list of listsOf(awbs)) {
    const days = yield* rows<{ awb: string; announced: string }>(
      sql`select awb, announced from disputes where account_id = ${account} and awb in (${list})
        and reason = 'weight' and status = 'withdrawn' and announced is not null
        and document_id in (select id from documents where account_id = ${account} and superseded_at is not null)
        order by id`,
    )
    for (const { awb, announced } of days) found.set(awb, announced)
  }
  return found
}

/** Makes disputes of lines that have none, and returns those lines with the numbers of their disputes. */
export function* makeDisputes(
  dialect: Dialect,
  account: number,
  document: DisputedDocument,
  lines: readonly DueLine[],
  change: Change,
): Work<readonly (DueLine & { readonly id: string })[]> {
  yield* takeTurn(dialect, account)
  const wanted = yield* undisputed(account, document, lines)
  const last = yield* row<{ id: string | null }>(sql`select max(id) as id from disputes where account_id = ${account}`)
  const from = Number((last?.id ?? 'D0').slice(1))
  const made = wanted.map((line, n) => ({ ...line, id: numberOf(from + n + 1) }))
  for (const one of made) {
    const courier = document.courier === '' ? (one.courier ?? '') : document.courier
    const taken = document.ledger ? 1 : 0
    const urgent = urgentAt('found', one, change.at)
    yield* rows(
      sql`insert into disputes (account_id, id, document_id, line, invoice, invoice_day, courier, courier_key, awb,
          order_name, journey, reason, amount, credited, status, answered, due_at, taken, announced, urgent_at,
          changed_at, created_at)
        values (${account}, ${one.id}, ${document.id}, ${one.line}, ${document.number}, ${document.day}, ${courier},
          ${courierKey(courier)}, ${one.awb}, ${one.order_name}, ${one.journey}, ${one.reason}, ${one.amount}, 0,
          'found', 'found', ${one.due_at}, ${taken}, ${one.announced}, ${urgent}, ${change.at}, ${change.at})`,
    )
  }
  yield* addEvents(
    account,
    made.map(({ id, amount, announced }) => ({
      dispute_id: id,
      status: 'found',
      amount,
      note: announcedOn(announced),
    })),
    change,
  )
  return made
}

const announcedOn = (day: string | null): string | null => (day === null ? null : `announced on ${day}`)

/**
 * Moves the deadlines of disputes that nobody raised to those of their lines: the policy of the courier has changed
 * since, or somebody says the day of the announcement. A day that was said before stays. Webhooks that heard of the
 * deadline before hear of the new one. Returns how many it moved. The caller has taken its turn.
 */
export function* moveDeadlines(
  account: number,
  document: string,
  lines: readonly DueLine[],
  dueOf: DueOf,
  change: Change,
): Work<number> {
  if (lines.length === 0) return 0
  const byLine = new Map(lines.map((line) => [line.line, line]))
  const found = (yield* rows<DisputeRow>(
    sql`select ${disputeColumns} from disputes where account_id = ${account} and document_id = ${document}
      and line in (${listOf([...byLine.keys()])}) and status = 'found' order by id`,
  )).map(disputeFrom)
  const moved = found.flatMap((dispute): readonly Dispute[] => {
    const line = byLine.get(dispute.line)!
    const announced = line.announced ?? dispute.announced
    const due = dueOf(line, announced)
    if (due === dispute.due_at && announced === dispute.announced) return []
    return [
      { ...dispute, announced, due_at: due, urgent_at: urgentAt('found', { ...dispute, due_at: due }, change.at) },
    ]
  })
  for (const { id, announced, due_at: due, urgent_at: urgent } of moved)
    yield* rows(
      sql`update disputes set due_at = ${due}, announced = ${announced}, urgent_at = ${urgent}, told = 0
        where account_id = ${account} and id = ${id}`,
    )
  const note = ({ line }: Dispute): string =>
    announcedOn(byLine.get(line)!.announced) ?? 'its deadline follows the policy'
  yield* recordChanges(
    account,
    moved.map((dispute) => ({
      dispute,
      event: { status: 'found', amount: null, note: note(dispute) },
      told: statusAt(dispute, change.at) === 'found',
    })),
    change,
  )
  return moved.length
}
