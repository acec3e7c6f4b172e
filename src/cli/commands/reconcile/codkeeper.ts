// Keeps a remittance, and the statement that was read with it: whole or not at all.
import { ShipxError } from '../../../domain/errors.ts'
import {
  beginDocument,
  codKinds,
  completeDocument,
  nextInstant,
  refuseSame,
  removeDocument,
  sameNumber,
  type Document,
  type DocumentSums,
  type NewDocument,
} from '../../../engine/money/documents.ts'
import { addCredits, type KeptCredit } from '../../../engine/money/bankcredits.ts'
import { addRemittanceLines, type RemittanceLine } from '../../../engine/money/remittances.ts'
import type { CodMarks } from '../../../engine/money/codmarks.ts'
import type { Context } from '../../command/context.ts'
import type { Maps } from '../../files/mapped.ts'
import type { BesidePlace } from '../../source/beside.ts'
import type { CodOutcome } from './codjudging.ts'
import type { CodLine } from './codlines.ts'
import type { WrongCodTotal } from './coddeductions.ts'

/** How the flags say that the file of a remittance is read; whose it is, the document itself says. */
export interface ReadBy {
  readonly sheet: string | undefined
  readonly amounts: 'gross' | 'net' | undefined
  readonly utr: string | undefined
  readonly date: string | undefined
  readonly maps: Omit<Maps, 'courier'>
}

/** The terms that a remittance was judged by, and what its file says wrongly. */
export interface KeptCod extends CodMarks {
  readonly cycle: string | null
  readonly tolerance: number
  /** ms UTC: what was delivered from here on is looked for. */
  readonly since: number
  /** ms UTC: as of when it was judged. */
  readonly now: number
  readonly wrong: readonly WrongCodTotal[]
  readonly unexplained: number
  /** Whether no flag named a courier: the courier of the document is that of the parcels that it pays. */
  readonly unnamed?: true
  /** Undefined for a remittance that an earlier shipx kept. */
  readonly read?: ReadBy
}

/** What is kept of the terms. */
export const keptCodOf = ({ reasons }: Pick<Document, 'reasons'>): KeptCod => JSON.parse(reasons) as KeptCod

const noSums: DocumentSums = {
  lines: 0,
  billed: 0,
  expected: 0,
  over_paise: 0,
  over_lines: 0,
  under_paise: 0,
  under_lines: 0,
  unknown_lines: 0,
  credit_lines: 0,
  reasons: '[]',
}

/** The lines of a remittance as they are kept, each with the judgement of its AWB. */
export function keptLines(lines: readonly CodLine[], outcomes: readonly CodOutcome[]): readonly RemittanceLine[] {
  const judged = new Map(outcomes.flatMap((one) => one.lines.map((line) => [line, one] as const)))
  return lines.map((line): RemittanceLine => {
    const one = judged.get(line)
    return {
      line: line.line,
      awb: one?.awb ?? line.awb,
      order_name: one?.order ?? (line.order === '' ? null : line.order),
      courier: one?.courier ?? (line.courier === '' ? null : line.courier),
      utr: line.utrs.length === 0 ? null : line.utrs.join(', '),
      batch: line.batch === '' ? null : line.batch,
      remitted_on: line.on ?? null,
      remitted: line.remitted,
      fee: line.fee,
      adjusted: line.adjusted,
      unexplained: line.unexplained,
      entry: line.entry ?? null,
      delivered: one?.delivered ?? null,
      due_date: one?.dueDate ?? null,
      due: one?.due ?? 0,
      paid: one?.paid.amount ?? 0,
      difference: one?.difference ?? 0,
      fee_due: one?.feeDue ?? null,
      verdict: one?.verdict ?? null,
      days_late: one?.daysLate ?? null,
      matched_by: one?.matchedBy ?? null,
    }
  })
}

/** A kept line as the file has it. */
export const lineOfKept = (kept: RemittanceLine): CodLine => ({
  line: kept.line,
  awb: kept.awb,
  order: kept.order_name ?? '',
  courier: kept.courier ?? '',
  utrs: kept.utr === null ? [] : kept.utr.split(', '),
  batch: kept.batch ?? '',
  on: kept.remitted_on ?? undefined,
  remitted: kept.remitted,
  fee: kept.fee,
  adjusted: kept.adjusted,
  unexplained: kept.unexplained,
  bare: kept.unexplained,
  entry: kept.entry ?? undefined,
  fault: undefined,
})

/** What a document adds up to: paise; `reasons` is JSON. */
export interface KeptSums {
  readonly lines: number
  readonly billed: number
  readonly expected: number
  readonly reasons: string
}

/** A document to keep, with its rows. */
export interface Keeping {
  readonly document: NewDocument
  readonly sums: KeptSums
  readonly lines?: readonly RemittanceLine[]
  readonly credits?: readonly KeptCredit[]
}

/** Rows of a transaction. */
const together = 8000

/** Keeps documents, all of them or none. Throws `document_differs` where another content has the number of one. */
export async function keepDocuments(
  { io }: Pick<Context, 'io'>,
  { database, account }: BesidePlace,
  documents: readonly Keeping[],
  replace: boolean,
): Promise<void> {
  const stop = { asked: false }
  const quiet = io.onInterrupt(() => {
    stop.asked = true
  })
  const refuseStopped = (): void => {
    if (stop.asked) throw new ShipxError('interrupted', 'Interrupted, nothing was kept.')
  }
  const begun: string[] = []
  // What was kept before another remittance is told by its instant.
  const now = Math.max(0, ...documents.map(({ document }) => document.created_at))
  const created_at = await database.read(() => nextInstant(account, codKinds, now), 'single')
  const own = documents.map((one) => ({ ...one, document: { ...one.document, created_at } }))
  try {
    for (const { document, lines = [], credits = [] } of own) {
      await database.write(function* () {
        if (!replace) refuseSame(document, yield* sameNumber(account, document))
        yield* beginDocument(account, document)
      })
      begun.push(document.id)
      for (let at = 0; at < lines.length; at += together) {
        refuseStopped()
        await database.write(() => addRemittanceLines(account, document.id, lines.slice(at, at + together), at))
      }
      for (let at = 0; at < credits.length; at += together) {
        refuseStopped()
        await database.write(() => addCredits(account, document.id, credits.slice(at, at + together), at))
      }
    }
    refuseStopped()
    await database.write(function* () {
      for (const { document, sums } of own) yield* completeDocument(account, document, { ...noSums, ...sums }, replace)
    })
  } catch (error) {
    for (const id of begun) await database.write(() => removeDocument(account, id))
    throw error
  } finally {
    quiet()
  }
}
