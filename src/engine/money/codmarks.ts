// What kept remittances say of themselves beside their lines: deductions without a reason, parcels that were paid
// again, and transfers that an earlier remittance had compared with the bank and this one had not. Paise.
import sql, { raw } from 'sql-template-tag'
import { rows, type Work } from '../database/port.ts'
import { listDocuments, type Document } from './documents.ts'
import type { InBank } from './transfers.ts'

/** The marks of a remittance, in the JSON of its `reasons`; one that an earlier shipx kept has none. */
export interface CodMarks {
  /** Whether a line has a deduction without a reason, or pays what was paid before. */
  readonly doubtful?: boolean
  /** Parcels that remittances of a later place pay again: no line of this one says that. */
  readonly again?: readonly string[]
  /** What the printed net total lacks beside that, paise. */
  readonly unexplained?: number
  /** Transfers that were compared with a statement before this remittance added to them. */
  readonly unseen?: readonly string[]
}

/** The marks that a document has. */
export const marksOf = ({ reasons }: Pick<Document, 'reasons'>): CodMarks => JSON.parse(reasons) as CodMarks

/** The remittances that count. */
export function* countingRemittances(account: number): Work<readonly Document[]> {
  return (yield* listDocuments(account, ['remittance'])).filter((one) => one.superseded_at === null)
}

/** The transfers of a document that nobody compared with the bank, although another document's part of them was. */
export interface UnseenPart {
  readonly document: string
  readonly transfer: string
}

/** The unseen parts of transfers that are in the bank. */
export function* unseenParts(account: number, { compared, missing }: InBank): Work<readonly UnseenPart[]> {
  const there = new Set(compared)
  for (const one of missing) there.delete(one)
  return (yield* countingRemittances(account)).flatMap((one) =>
    (marksOf(one).unseen ?? []).flatMap((transfer) => (there.has(transfer) ? [{ document: one.id, transfer }] : [])),
  )
}

/** Takes transfers that were compared now off the marks of remittances, those with the ids `except` aside. */
export function* markSeen(account: number, transfers: readonly string[], except: readonly string[] = []): Work<void> {
  const seen = new Set(transfers)
  const aside = new Set(except)
  for (const { id, reasons } of yield* countingRemittances(account)) {
    if (aside.has(id)) continue
    const { unseen = [], ...others } = JSON.parse(reasons) as CodMarks
    const left = unseen.filter((one) => !seen.has(one))
    if (left.length === unseen.length) continue
    const text = JSON.stringify(left.length === 0 ? others : { ...others, unseen: left })
    yield* rows(sql`update documents set reasons = ${text} where account_id = ${account} and id = ${id}`)
  }
}

/** The transfers of each remittance. */
export function* transfersByDocument(account: number): Work<ReadonlyMap<string, readonly string[]>> {
  const found = yield* rows<{ document: string; transfer: string }>(
    sql`select distinct l.document_id as document, ${raw(`coalesce(l.utr, l.batch, '')`)} as transfer
      from remittance_lines l where l.account_id = ${account} and l.awb <> ''`,
  )
  const transfers = new Map<string, string[]>()
  for (const { document, transfer } of found)
    if (transfer !== '') transfers.set(document, [...(transfers.get(document) ?? []), transfer])
  return transfers
}
