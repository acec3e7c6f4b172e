// The credits of kept bank statements: a row for each UTR that a credit names. The first row has its amount, and the
// others 0, so that the rows add up. A transfer that went back has a row of its own, below 0.
import sql, { empty, raw } from 'sql-template-tag'
import { eachOnce, type BankCredit } from '../../domain/money/bankmatch.ts'
import { listsOf } from '../database/inlist.ts'
import { rows, type Work } from '../database/port.ts'
import { ownDocument } from './documents.ts'
import { insertInto, lineKey } from './moneyrows.ts'

/** A row of a credit as it is kept: paise, an IST day. */
export interface KeptCredit {
  readonly line: number
  readonly day: string | null
  readonly utr: string
  readonly amount: number
  readonly narration: string
  readonly reference: string
}
interface CreditRow extends KeptCredit, Record<string, unknown> {
  readonly id: string
  readonly document_id: string
}

const creditNames: readonly (keyof KeptCredit)[] = ['line', 'day', 'utr', 'amount', 'narration', 'reference']
const creditInsert = insertInto('bank_credits', creditNames)
const ofCredit = raw(['id', 'document_id', ...creditNames].map((name) => `c.${name}`).join(', '))

/** The rows of credits: of those that name a UTR. */
export const creditRows = (credits: readonly Omit<BankCredit, 'statement'>[]): readonly KeptCredit[] =>
  credits.flatMap(({ line, day, amount, narration, reference, utrs }) =>
    utrs.map((utr, n) => ({ line, day: day ?? null, utr, amount: n === 0 ? amount : 0, narration, reference })),
  )

/** Adds rows to a statement that is not complete; `after` rows are there already. */
export function* addCredits(
  account: number,
  document: string,
  credits: readonly KeptCredit[],
  after: number,
): Work<void> {
  yield* ownDocument(account, document)
  yield* insertCredits(account, document, credits, after)
}

function* insertCredits(account: number, document: string, credits: readonly KeptCredit[], after: number): Work<void> {
  const [first, ...more] = credits.map((credit, n) => [
    account,
    lineKey(document, after + n + 1),
    document,
    ...creditNames.map((name) => credit[name]),
  ])
  if (first !== undefined) yield { ...creditInsert, values: first, more }
}

/** A credit, and the ids of its rows. */
interface Group {
  readonly credit: BankCredit
  readonly ids: readonly string[]
}

/** Rows as credits, with all UTRs that they name. */
function groupsOf(found: readonly CreditRow[]): readonly Group[] {
  const groups = new Map<string, CreditRow[]>()
  for (const row of found) {
    const key = [row.document_id, row.line, row.day ?? '', row.narration, row.reference].join('\n')
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  return [...groups.values()].map((group): Group => {
    const [{ document_id: statement, line, day, narration, reference }] = group as [CreditRow]
    const amount = group.reduce((sum, one) => sum + Number(one.amount), 0)
    const utrs = group.map(({ utr }) => utr)
    const credit = { statement, line: Number(line), day: day ?? undefined, amount, narration, reference, utrs }
    return { credit, ids: group.map(({ id }) => id) }
  })
}

const creditsIn = (found: readonly CreditRow[]): readonly BankCredit[] => groupsOf(found).map(({ credit }) => credit)

/** The credits of kept statements that name one of some UTR keys. */
export function* creditsNaming(account: number, keys: readonly string[]): Work<readonly BankCredit[]> {
  const found = new Map<string, CreditRow>()
  const from = sql`from bank_credits c join documents d on d.account_id = ${account} and d.id = c.document_id
    where c.account_id = ${account} and d.complete = 1 and d.superseded_at is null`
  for (const list of listsOf([...new Set(keys)]))
    for (const row of yield* rows<CreditRow>(
      sql`select ${ofCredit} ${from} and c.utr in (${list}) order by d.created_at, c.id`,
    ))
      found.set(row.id, row)
  // The amount of a credit that names several UTRs is in its first row.
  const parts = [...found.values()].filter(({ amount }) => Number(amount) === 0)
  for (const { document_id: document, line } of parts)
    for (const row of yield* rows<CreditRow>(
      sql`select ${ofCredit} from bank_credits c where c.account_id = ${account} and c.id > ${`${document}:`}
        and c.id < ${`${document};`} and c.line = ${line} order by c.id`,
    ))
      found.set(row.id, row)
  return creditsIn([...found.values()])
}

/** The UTRs that kept statements name, or those alone that a row of money out may name. */
export function* utrsInBank(account: number, which: 'all' | 'back'): Work<ReadonlySet<string>> {
  const found = yield* rows<{ utr: string }>(
    sql`select distinct c.utr from bank_credits c join documents d on d.account_id = ${account} and d.id = c.document_id
      where c.account_id = ${account} and d.complete = 1 and d.superseded_at is null${
        which === 'back' ? raw(' and c.amount <= 0') : empty
      }`,
  )
  return new Set(found.map(({ utr }) => utr))
}

/** What kept statements were credited together: what two of them have counts once. Paise. */
export function* creditedTogether(account: number): Work<number> {
  const found = yield* rows<CreditRow>(
    sql`select ${ofCredit} from bank_credits c join documents d on d.account_id = ${account} and d.id = c.document_id
      where c.account_id = ${account} and d.complete = 1 and d.superseded_at is null order by d.created_at, c.id`,
  )
  const credits = eachOnce(creditsIn(found), ({ utrs }) => utrs[0]!)
  return credits.reduce((sum, { amount }) => sum + amount, 0)
}

/** How the rows of a kept statement change. */
export interface CreditChanges {
  /** The ids of the rows that go. */
  readonly gone: readonly string[]
  readonly added: readonly KeptCredit[]
  /** The credits that it did not have. */
  readonly fresh: readonly BankCredit[]
}

/** What a statement that is read again names and its rows do not; nothing that they name is taken away. */
export function* creditChanges(account: number, document: string, read: readonly BankCredit[]): Work<CreditChanges> {
  const placeOf = ({ line, day, amount }: BankCredit): string => `${line}\n${day ?? ''}\n${amount}`
  const kept = new Map<string, Group[]>()
  const found = yield* rows<CreditRow>(
    sql`select ${ofCredit} from bank_credits c where c.account_id = ${account} and c.id > ${`${document}:`}
      and c.id < ${`${document};`} order by c.id`,
  )
  for (const group of groupsOf(found))
    kept.set(placeOf(group.credit), [...(kept.get(placeOf(group.credit)) ?? []), group])
  const gone: string[] = []
  const added: BankCredit[] = []
  const fresh: BankCredit[] = []
  for (const credit of read) {
    // Other columns may be read as its narration now.
    const known = kept
      .get(placeOf(credit))
      ?.find(
        (one) => one.credit.narration === credit.narration || one.credit.utrs.some((utr) => credit.utrs.includes(utr)),
      )
    const names = known?.credit.utrs ?? []
    if (credit.utrs.every((utr) => names.includes(utr))) continue
    if (known === undefined) fresh.push(credit)
    else gone.push(...known.ids)
    added.push({ ...credit, utrs: [...new Set([...credit.utrs, ...names])] })
  }
  return { gone, added: creditRows(added), fresh }
}

/** Changes the rows of a kept statement, and what it adds up to. */
export function* changeCredits(account: number, document: string, { gone, added }: CreditChanges): Work<void> {
  if (added.length === 0) return
  const found = yield* rows<{ id: string }>(
    sql`select id from bank_credits where account_id = ${account} and id > ${`${document}:`} and id < ${`${document};`}
      order by id desc limit 1`,
  )
  const last = Number(found[0]?.id.slice(document.length + 1) ?? 0)
  for (const list of listsOf(gone))
    yield* rows(sql`delete from bank_credits where account_id = ${account} and id in (${list})`)
  yield* insertCredits(account, document, added, last)
  yield* rows(
    sql`update documents set
        lines = (select count(*) from bank_credits c where c.account_id = ${account} and c.document_id = ${document}),
        billed = (select coalesce(sum(c.amount), 0) from bank_credits c
          where c.account_id = ${account} and c.document_id = ${document})
      where account_id = ${account} and id = ${document} and complete = 1`,
  )
}
