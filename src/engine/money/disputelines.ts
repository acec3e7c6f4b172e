// The lines that disputes are about, as they were judged, and how many of a document are disputed.
import { listsOf } from '../database/inlist.ts'
import { byIndex, row, rows, type Dialect, type Work } from '../database/port.ts'
import sql from 'sql-template-tag'
import { wasRaised, type Dispute } from './disputes.ts'

/** What the sheet of a courier says of a line: paise, milligrams; `reasons` is JSON. */
export interface DisputedLine extends Record<string, unknown> {
  readonly document_id: string
  readonly line: number
  readonly awb: string
  readonly zone: string | null
  readonly zone_billed: string | null
  readonly weight: number | null
  readonly weight_billed: number | null
  readonly billed: number
  readonly expected: number | null
  readonly reasons: string | null
}

/** The lines of disputes, by document and line; one whose document is gone is left out. */
export function* linesOfDisputes(
  dialect: Dialect,
  account: number,
  disputes: readonly Pick<Dispute, 'document_id' | 'line' | 'awb'>[],
): Work<ReadonlyMap<string, DisputedLine>> {
  const found = new Map<string, DisputedLine>()
  const wanted = new Set(disputes.map(({ document_id: id, line }) => `${id}\n${line}`))
  for (const list of listsOf([...new Set(disputes.map(({ awb }) => awb))]))
    for (const line of yield* rows<DisputedLine>(
      sql`select document_id, line, awb, zone, zone_billed, weight, weight_billed, billed, expected, reasons
        from document_lines${byIndex(dialect, 'document_lines_awb')}
        where account_id = ${account} and awb in (${list})`,
    )) {
      const key = `${line.document_id}\n${line.line}`
      if (wanted.has(key)) found.set(key, line)
    }
  return found
}

/** How many disputes of a document stay when it goes: those that somebody raised. */
export function* raisedOf(account: number, document: string): Work<number> {
  const found = yield* row<{ n: number }>(
    sql`select count(*) as n from disputes where account_id = ${account} and document_id = ${document}
      and status <> 'withdrawn' and ${wasRaised(account)}`,
  )
  return Number(found?.n ?? 0)
}
