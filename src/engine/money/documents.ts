// Documents of money as they are kept, such as invoices: found by their content or number, listed, replaced, removed.
import sql, { raw, type Sql } from 'sql-template-tag'
import { ShipxError } from '../../domain/errors.ts'
import { listOf } from '../database/inlist.ts'
import { row, rows, type Work } from '../database/port.ts'

/** The kinds of documents: what couriers bill, and what they remit and what reaches the bank. */
export const billingKinds = ['invoice', 'ledger'] as const
export const codKinds = ['remittance', 'bank'] as const
export type DocumentKind = (typeof billingKinds)[number] | (typeof codKinds)[number]

/**
 * A document: paise, an IST day, ms UTC. Of a remittance, `billed` is what it pays and `expected` what was due of its
 * parcels; of a statement, `billed` is what its credits add up to.
 */
export interface Document extends Record<string, unknown> {
  readonly id: string
  readonly kind: DocumentKind
  /** '' where it names none. */
  readonly courier: string
  readonly number: string
  readonly day: string | null
  readonly form: string
  readonly card: string
  readonly gst: 'included' | 'none'
  readonly sha256: string
  readonly lines: number
  readonly billed: number
  readonly expected: number
  readonly over_paise: number
  readonly over_lines: number
  readonly under_paise: number
  readonly under_lines: number
  readonly unknown_lines: number
  readonly credit_lines: number
  /** JSON: the sums of reasons, the terms of the judgement, wrong totals (src/cli/commands/reconcile/keptterms.ts). */
  readonly reasons: string
  readonly dispute_by: string | null
  readonly created_at: number
  readonly superseded_at: number | null
}

/** What people call a document of a kind. */
export const documentNoun = (kind: DocumentKind): string =>
  kind === 'remittance' ? 'remittance' : kind === 'bank' ? 'statement' : 'invoice'

/** What a document is before its lines are known. */
export type NewDocument = Pick<
  Document,
  'id' | 'kind' | 'courier' | 'number' | 'day' | 'form' | 'card' | 'gst' | 'sha256' | 'dispute_by' | 'created_at'
>

/** What its lines add up to. */
export type DocumentSums = Omit<Document, keyof NewDocument | 'superseded_at'>

const columns = raw(
  'id, kind, courier, number, day, form, card, gst, sha256, lines, billed, expected, over_paise, over_lines, ' +
    'under_paise, under_lines, unknown_lines, credit_lines, reasons, dispute_by, created_at, superseded_at',
)

/** Documents that are whole, of some kinds. */
const kept = (account: number, kinds: readonly DocumentKind[]): Sql =>
  sql`account_id = ${account} and complete = 1 and kind in (${listOf(kinds)})`

/** Whether the account keeps any document of these kinds, invoices unless they say otherwise. */
export function* keepsAny(account: number, kinds: readonly DocumentKind[] = billingKinds): Work<boolean> {
  return (yield* row(sql`select id from documents where ${kept(account, kinds)} limit 1`)) !== undefined
}

/** The kept document with this content, if there is one. */
export function* documentOf(
  account: number,
  sha256: string,
  kinds: readonly DocumentKind[] = billingKinds,
): Work<Document | undefined> {
  return yield* row<Document>(
    sql`select ${columns} from documents
      where ${kept(account, kinds)} and sha256 = ${sha256} and superseded_at is null`,
  )
}

/** Whether two documents of one number have one biller: the same courier in any case, or one of them names none. */
const sameBiller = (a: string, b: string): boolean => a === '' || b === '' || a.toLowerCase() === b.toLowerCase()

/** The documents of a number, those that were replaced last. */
export function* documentsNumbered(
  account: number,
  number: string,
  kinds: readonly DocumentKind[] = billingKinds,
): Work<readonly Document[]> {
  return yield* rows<Document>(
    sql`select ${columns} from documents where ${kept(account, kinds)} and number = ${number}
      order by case when superseded_at is null then 0 else 1 end, created_at desc, id`,
  )
}

/** All documents, the latest first. */
export function* listDocuments(
  account: number,
  kinds: readonly DocumentKind[] = billingKinds,
): Work<readonly Document[]> {
  return yield* rows<Document>(
    sql`select ${columns} from documents where ${kept(account, kinds)}
      order by coalesce(day, '') desc, created_at desc, number,
        case when superseded_at is null then 0 else 1 end, id`,
  )
}

/** An instant for a new document of some kinds, ms UTC: `now`, and later than that of each that is kept. */
export function* nextInstant(account: number, kinds: readonly DocumentKind[], now: number): Work<number> {
  const found = yield* row<{ last: number | null }>(
    sql`select max(created_at) as last from documents where ${kept(account, kinds)}`,
  )
  return Math.max(now, Number(found?.last ?? 0) + 1)
}

/** Begins a document; what an ended run left of the same content is taken away. */
export function* beginDocument(account: number, one: NewDocument): Work<void> {
  const left = yield* rows<{ id: string }>(
    sql`select id from documents
      where account_id = ${account} and complete = 0 and kind = ${one.kind} and sha256 = ${one.sha256}`,
  )
  for (const { id } of left) yield* removeDocument(account, id)
  yield* rows(
    sql`insert into documents (account_id, id, kind, courier, number, day, form, card, gst, sha256, complete, lines,
        billed, expected, over_paise, over_lines, under_paise, under_lines, unknown_lines, credit_lines, reasons,
        dispute_by, created_at)
      values (${account}, ${one.id}, ${one.kind}, ${one.courier}, ${one.number}, ${one.day}, ${one.form}, ${one.card},
        ${one.gst}, ${one.sha256}, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '[]', ${one.dispute_by}, ${one.created_at})`,
  )
}

/** Throws `database_locked` where another run took the document over. */
export function* ownDocument(account: number, id: string): Work<void> {
  const found = yield* row(sql`select id from documents where account_id = ${account} and id = ${id} and complete = 0`)
  if (found === undefined) throw readElsewhere()
}

const readElsewhere = (): ShipxError =>
  new ShipxError('database_locked', 'another shipx reads the same file', { hint: 'run the command again' })

/** The documents that count and have the number and the biller of one. */
export function* sameNumber(
  account: number,
  { kind, courier, number }: Pick<Document, 'kind' | 'courier' | 'number'>,
): Work<readonly Document[]> {
  const numbered = yield* documentsNumbered(account, number, [kind])
  return numbered.filter((one) => one.superseded_at === null && sameBiller(one.courier, courier))
}

/** What `--replace` replaces by a document: those of its biller with its number, and those with its content. */
export function* documentsReplaced(
  account: number,
  one: Pick<Document, 'kind' | 'courier' | 'number'> & { readonly sha256?: string | undefined },
): Work<readonly string[]> {
  const { kind, sha256 = '' } = one
  const numbered = yield* sameNumber(account, one)
  const same =
    sha256 === ''
      ? []
      : yield* rows<{ id: string }>(
          sql`select id from documents
            where ${kept(account, [kind])} and superseded_at is null and sha256 = ${sha256}`,
        )
  return [...new Set([...numbered, ...same].map(({ id }) => id))]
}

/**
 * Makes a document whole, in the place of those with its number or its content where `replace` says so, and returns
 * what it replaced. Throws `document_differs` where another content has its number.
 */
export function* completeDocument(
  account: number,
  one: NewDocument,
  sums: DocumentSums,
  replace: boolean,
): Work<readonly string[]> {
  yield* ownDocument(account, one.id)
  // Two runs that complete the same content at one moment touch the same rows: PostgreSQL lets one of them try again.
  yield* rows(
    sql`update documents set complete = 0
      where account_id = ${account} and complete = 0 and kind = ${one.kind} and sha256 = ${one.sha256}`,
  )
  if (!replace) refuseSame(one, yield* sameNumber(account, one))
  const replaced = replace ? yield* documentsReplaced(account, one) : []
  for (const id of replaced)
    yield* rows(
      sql`update documents set superseded_at = ${one.created_at} where account_id = ${account} and id = ${id}`,
    )
  yield* rows(
    sql`update documents set complete = 1, courier = ${one.courier}, dispute_by = ${one.dispute_by}
      where account_id = ${account} and id = ${one.id}`,
  )
  yield* saveSums(account, one.id, sums)
  return replaced
}

/** Keeps what the lines of a document add up to. */
export function* saveSums(account: number, id: string, sums: DocumentSums): Work<void> {
  yield* rows(
    sql`update documents set lines = ${sums.lines}, billed = ${sums.billed}, expected = ${sums.expected},
        over_paise = ${sums.over_paise}, over_lines = ${sums.over_lines}, under_paise = ${sums.under_paise},
        under_lines = ${sums.under_lines}, unknown_lines = ${sums.unknown_lines},
        credit_lines = ${sums.credit_lines}, reasons = ${sums.reasons}
      where account_id = ${account} and id = ${id}`,
  )
}

/**
 * Throws `document_differs` where other content is kept under the number of a document, and `database_locked` where
 * another run kept this content after it was looked for.
 */
export function refuseSame({ kind, number, sha256 }: NewDocument, same: readonly Pick<Document, 'sha256'>[]): void {
  if (same.some((one) => one.sha256 === sha256)) throw readElsewhere()
  if (same.length > 0)
    throw new ShipxError('document_differs', `another file is kept as ${documentNoun(kind)} ${number}`, {
      hint: '--replace keeps this one in its place; the other one stays as replaced',
    })
}

/** Removes a document with its lines. */
export function* removeDocument(account: number, id: string): Work<void> {
  yield* rows(sql`delete from document_lines where account_id = ${account} and document_id = ${id}`)
  const [first, end] = [`${id}:`, `${id};`]
  yield* rows(sql`delete from remittance_lines where account_id = ${account} and id > ${first} and id < ${end}`)
  yield* rows(sql`delete from bank_credits where account_id = ${account} and id > ${first} and id < ${end}`)
  yield* rows(sql`delete from documents where account_id = ${account} and id = ${id}`)
}
