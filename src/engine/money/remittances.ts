// The lines of kept remittances: written some thousands at a time, read in the order of the file, by AWB and by UTR.
import sql, { empty, raw, type Sql } from 'sql-template-tag'
import { listOf, listsOf } from '../database/inlist.ts'
import { byIndex, limitTo, rows, type Dialect, type Work } from '../database/port.ts'
import { ownDocument } from './documents.ts'
import { insertInto, lineKey } from './moneyrows.ts'

/** A line of a remittance as it is kept: paise, ms UTC, IST days. */
export interface RemittanceLine {
  readonly line: number
  /** '' for a deduction of a transfer. */
  readonly awb: string
  readonly order_name: string | null
  readonly courier: string | null
  /** Several UTRs of one transfer have a comma and a blank between them. */
  readonly utr: string | null
  readonly batch: string | null
  readonly remitted_on: string | null
  readonly remitted: number
  readonly fee: number
  readonly adjusted: number
  readonly unexplained: number
  readonly entry: string | null
  readonly delivered: number | null
  readonly due_date: string | null
  readonly due: number
  /** What was remitted of the AWB over all remittances up to this one. */
  readonly paid: number
  readonly difference: number
  readonly fee_due: number | null
  readonly verdict: string | null
  readonly days_late: number | null
  readonly matched_by: string | null
}
interface LineRow extends RemittanceLine, Record<string, unknown> {}

const lineNames: readonly (keyof RemittanceLine)[] = [
  'line',
  'awb',
  'order_name',
  'courier',
  'utr',
  'batch',
  'remitted_on',
  'remitted',
  'fee',
  'adjusted',
  'unexplained',
  'entry',
  'delivered',
  'due_date',
  'due',
  'paid',
  'difference',
  'fee_due',
  'verdict',
  'days_late',
  'matched_by',
]
const lineInsert = insertInto('remittance_lines', lineNames)

/** Adds lines to a remittance that is not complete; `after` lines are there already. */
export function* addRemittanceLines(
  account: number,
  document: string,
  lines: readonly RemittanceLine[],
  after: number,
): Work<void> {
  yield* ownDocument(account, document)
  const [first, ...more] = lines.map((line, n) => [
    account,
    lineKey(document, after + n + 1),
    document,
    ...lineNames.map((name) => line[name]),
  ])
  if (first !== undefined) yield { ...lineInsert, values: first, more }
}

const columns = raw(lineNames.join(', '))
const ofLine = raw(lineNames.map((name) => `l.${name}`).join(', '))

/** The next lines of a remittance in the order of its file, `after` a number of them. */
export function* remittanceLinesOf(
  account: number,
  document: string,
  after: number,
  most: number,
): Work<readonly RemittanceLine[]> {
  return yield* rows<LineRow>(
    sql`select ${columns} from remittance_lines where account_id = ${account} and id > ${lineKey(document, after)}
      and id < ${`${document};`} order by id ${limitTo(most)}`,
  )
}

/** A payment of an AWB with the remittance that it is from. */
export interface AwbPayment extends RemittanceLine {
  /** The id of the remittance. */
  readonly document: string
  readonly number: string
  readonly day: string | null
  readonly biller: string
  readonly created_at: number
}
interface PaymentRow extends AwbPayment, Record<string, unknown> {}

/** Which remittances count: all but those with the ids `except`. */
export interface Counted {
  readonly except?: readonly string[] | undefined
}

/** The condition of a document `d` that counts. */
export const counts = ({ except = [] }: Counted): Sql =>
  sql`d.complete = 1 and d.superseded_at is null${
    except.length === 0 ? empty : sql` and d.id not in (${listOf(except)})`
  }`

/** Everything that was remitted of some AWBs. */
export function* paymentsOf(
  dialect: Dialect,
  account: number,
  awbs: readonly string[],
  counted: Counted = {},
): Work<readonly AwbPayment[]> {
  const found: AwbPayment[] = []
  for (const list of listsOf(awbs))
    found.push(
      ...(yield* rows<PaymentRow>(
        sql`select ${ofLine}, d.id as document, d.number, d.day, d.courier as biller, d.created_at
          from remittance_lines l${byIndex(dialect, 'remittance_lines_awb')}
            join documents d on d.account_id = ${account} and d.id = l.document_id
          where l.account_id = ${account} and l.awb in (${list}) and ${counts(counted)}
          order by l.awb, coalesce(l.remitted_on, '9999'), d.created_at, d.number, l.id`,
      )),
    )
  return found
}

/** A line, and when its remittance was kept: ms UTC. */
export interface KeptLine extends RemittanceLine {
  readonly created_at: number
}
interface KeptLineRow extends KeptLine, Record<string, unknown> {}

/** What kept remittances say of some UTRs: each line of their transfers, deductions too. */
export function* linesOfUtrs(
  dialect: Dialect,
  account: number,
  utrs: readonly string[],
  counted: Counted = {},
): Work<readonly KeptLine[]> {
  const found: KeptLine[] = []
  for (const list of listsOf(utrs))
    found.push(
      ...(yield* rows<KeptLineRow>(
        sql`select ${ofLine}, d.created_at
          from remittance_lines l${byIndex(dialect, 'remittance_lines_utr')}
            join documents d on d.account_id = ${account} and d.id = l.document_id
          where l.account_id = ${account} and l.utr in (${list}) and ${counts(counted)} order by l.utr, l.id`,
      )),
    )
  return found
}

interface NetRow extends Record<string, unknown> {
  readonly name: string | null
  readonly net: number
}

/** What the remittances that count say of some transfers, net of their deductions: paise. */
export function* netsOfTransfers(account: number, transfers: readonly string[]): Work<ReadonlyMap<string, number>> {
  const documents = new Set<string>()
  for (const list of listsOf(transfers))
    for (const which of [sql`l.utr in (${list})`, sql`l.utr is null and l.batch in (${list})`])
      for (const { id } of yield* rows<{ id: string }>(
        sql`select distinct l.document_id as id
          from remittance_lines l join documents d on d.account_id = ${account} and d.id = l.document_id
          where l.account_id = ${account} and ${which} and ${counts({})}`,
      ))
        documents.add(id)
  const wanted = new Set(transfers)
  const nets = new Map<string, number>()
  for (const id of documents) {
    const found = yield* rows<NetRow>(
      sql`select coalesce(utr, batch) as name, sum(remitted - fee - adjusted - unexplained) as net from remittance_lines
        where account_id = ${account} and id > ${`${id}:`} and id < ${`${id};`} group by coalesce(utr, batch)`,
    )
    const [only, ...others] = found.filter(({ name }) => name !== null)
    // A deduction below the lines of one transfer is of that transfer.
    for (const { name, net } of found) {
      const own = name ?? (others.length === 0 ? only!.name : null)
      if (own !== null && wanted.has(own)) nets.set(own, (nets.get(own) ?? 0) + Number(net))
    }
  }
  return nets
}

/** The remittances that count and pay in one of some transfers. */
export function* remittancesIn(account: number, utrs: readonly string[]): Work<readonly string[]> {
  const found = new Set<string>()
  for (const list of listsOf(utrs))
    for (const { id } of yield* rows<{ id: string }>(
      sql`select distinct l.document_id as id
        from remittance_lines l join documents d on d.account_id = ${account} and d.id = l.document_id
        where l.account_id = ${account} and l.utr in (${list}) and ${counts({})}`,
    ))
      found.add(id)
  return [...found]
}

/** All UTRs that lines of remittances name, of those too that do not count. */
export function* utrsOfLines(account: number): Work<readonly string[]> {
  const found = yield* rows<{ utr: string }>(
    sql`select distinct utr from remittance_lines where account_id = ${account} and utr is not null`,
  )
  return found.map(({ utr }) => utr)
}

/** Those of some UTRs that a remittance which counts names. */
export function* remittedUtrs(
  dialect: Dialect,
  account: number,
  utrs: readonly string[],
  counted: Counted = {},
): Work<readonly string[]> {
  const found: string[] = []
  for (const list of listsOf(utrs)) {
    const some = yield* rows<{ utr: string }>(
      sql`select distinct l.utr
        from remittance_lines l${byIndex(dialect, 'remittance_lines_utr')}
          join documents d on d.account_id = ${account} and d.id = l.document_id
        where l.account_id = ${account} and l.utr in (${list}) and ${counts(counted)}`,
    )
    found.push(...some.map(({ utr }) => utr))
  }
  return found
}
