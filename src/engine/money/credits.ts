// What later documents do to disputes: credits pay them, and a passbook takes their money. Worked out from the kept
// lines, so that a document that is taken back takes its credits with it.
import sql, { raw } from 'sql-template-tag'
import { billersOf, ofBiller } from '../../domain/money/billers.ts'
import { agreedOf, isCredited, urgentAt, type DisputeStatus } from '../../domain/money/disputes.ts'
import { listsOf } from '../database/inlist.ts'
import { byIndex, limitTo, rows, type Dialect, type Work } from '../database/port.ts'
import { creditedOf, type ClaimRow } from './claims.ts'
import { recordChanges, type DisputeChange } from './disputechanges.ts'
import {
  disputeColumns,
  disputeFrom,
  disputesOfAwbs,
  takeTurn,
  type Change,
  type Dispute,
  type DisputeRow,
} from './disputes.ts'
import { awbsAwaited, awbsNamed, turnLines, type TurnedLines } from './waitinglines.ts'

/** A credit of an AWB: how much it gives back, by which document, and who gives it. */
interface Credit {
  readonly document_id: string
  readonly day: string | null
  readonly amount: number
  readonly billers: readonly string[]
}

interface LineRow extends ClaimRow {
  readonly document_id: string
  readonly day: string | null
  readonly form: string
  /** The courier of the document, else of the line. */
  readonly courier: string
}

function* creditsOf(
  dialect: Dialect,
  account: number,
  awbs: readonly string[],
): Work<ReadonlyMap<string, readonly Credit[]>> {
  const found = new Map<string, LineRow[]>()
  for (const list of listsOf(awbs))
    for (const line of yield* rows<LineRow>(
      sql`select l.awb, l.document_id, d.day, d.form, coalesce(nullif(d.courier, ''), l.courier, '') as courier,
          l.line, l.matched_by, l.billed, l.expected, l.verdict, l.earlier
        from document_lines l${byIndex(dialect, 'document_lines_awb')}
          join documents d on d.account_id = ${account} and d.id = l.document_id
        where l.account_id = ${account} and l.awb in (${list})
          and d.complete = 1 and d.superseded_at is null
        order by l.awb, coalesce(d.day, '9999'), d.created_at, l.id`,
    ))
      found.set(line.awb, [...(found.get(line.awb) ?? []), line])
  return new Map([...found].map(([awb, lines]) => [awb, creditsIn(lines)]))
}

/** The credits among the lines of an AWB, less what they took off the claims of their own documents. */
function creditsIn(lines: readonly LineRow[]): readonly Credit[] {
  const documents = new Map<string, LineRow[]>()
  for (const line of lines) documents.set(line.document_id, [...(documents.get(line.document_id) ?? []), line])
  return [...documents.values()].flatMap((own) => {
    const credits = own.filter(({ verdict }) => verdict === 'credit')
    if (credits.length === 0) return []
    // What stands before its bill credits nothing of another document.
    const early = own.reduce((sum, { verdict, billed }) => (verdict !== 'credit' && billed < 0 ? sum - billed : sum), 0)
    let used = Math.max(0, creditedOf(own) - early)
    return credits.map(({ document_id, day, billed, form, courier }): Credit => {
      const part = Math.min(used, -billed)
      used -= part
      return { document_id, day, amount: -billed - part, billers: billersOf(form, courier) }
    })
  })
}

/** Whether a document comes after the one that a dispute is about. */
const isLater = ({ document_id, day }: Credit, dispute: Dispute): boolean =>
  document_id !== dispute.document_id && (day === null || dispute.invoice_day === null || day >= dispute.invoice_day)

/** A dispute with who billed. */
interface Claimed extends Dispute {
  readonly billers: readonly string[]
}

/** The disputes of some AWBs by AWB, in their order. */
function* claimedOf(
  dialect: Dialect,
  account: number,
  awbs: readonly string[],
): Work<ReadonlyMap<string, readonly Claimed[]>> {
  const found = yield* disputesOfAwbs(dialect, account, awbs)
  const forms = new Map<string, string>()
  for (const list of listsOf([...new Set(found.map(({ document_id: id }) => id))]))
    for (const { id, form } of yield* rows<{ id: string; form: string }>(
      sql`select id, form from documents where account_id = ${account} and id in (${list})`,
    ))
      forms.set(id, form)
  const byAwb = new Map<string, Claimed[]>()
  for (const one of found) {
    const billers = billersOf(forms.get(one.document_id) ?? '', one.courier)
    byAwb.set(one.awb, [...(byAwb.get(one.awb) ?? []), { ...one, billers }])
  }
  return byAwb
}

/**
 * What the disputes of one AWB get of its credits, in their order: of those with the courier that gives it. The last
 * one that a credit fits has the rest.
 */
function shared(disputes: readonly Claimed[], credits: readonly Credit[]): ReadonlyMap<string, number> {
  const got = new Map(disputes.map(({ id }) => [id, 0]))
  const give = (id: string, amount: number): void => void got.set(id, got.get(id)! + amount)
  for (const credit of credits) {
    const fitting = ofBiller(credit.billers, disputes).filter((dispute) => isLater(credit, dispute))
    let left = credit.amount
    for (const [n, dispute] of fitting.entries()) {
      const open = Math.max(0, agreedOf(dispute) - got.get(dispute.id)!)
      const part = n === fitting.length - 1 ? left : Math.min(left, open)
      give(dispute.id, part)
      left -= part
    }
  }
  return got
}

/** What becomes of a dispute with its credits: nothing is changed of one that ended. */
function settled(dispute: Dispute, credited: number): DisputeStatus {
  if (dispute.status === 'closed' || dispute.status === 'withdrawn') return dispute.status
  // What the courier rejected was not agreed: a credit pays it where it pays the dispute.
  const owed = dispute.answered === 'rejected' ? dispute.amount : agreedOf(dispute)
  if (isCredited(owed, credited)) return 'credited'
  return dispute.status === 'credited' ? dispute.answered : dispute.status
}

/** Disputes that are paid now and were not before, and credits that pay none: those of their AWBs are with others. */
interface Settled {
  readonly paid: readonly string[]
  readonly strange: readonly { readonly document: string; readonly awb: string }[]
}

/** Whether disputes of an AWB are open, and none is with the courier that gives a credit. */
const isStrange = ({ billers, amount }: Credit, disputes: readonly Claimed[]): boolean =>
  amount > 0 && disputes.some(({ status }) => !ended.has(status)) && ofBiller(billers, disputes).length === 0

const ended: ReadonlySet<DisputeStatus> = new Set(['closed', 'withdrawn', 'credited'])

/**
 * Works out anew what the disputes of these AWBs were credited. The statuses follow, with an event for each change.
 */
export function* settleCredits(
  dialect: Dialect,
  account: number,
  awbs: readonly string[],
  change: Change,
): Work<Settled> {
  if (awbs.length === 0) return nothing
  yield* takeTurn(dialect, account)
  const byAwb = yield* claimedOf(dialect, account, [...new Set(awbs)])
  if (byAwb.size === 0) return nothing
  const credits = yield* creditsOf(dialect, account, [...byAwb.keys()])
  const changes: DisputeChange[] = []
  const paid: string[] = []
  const strange: { document: string; awb: string }[] = []
  for (const [awb, disputes] of byAwb) {
    const own = credits.get(awb) ?? []
    const got = shared(disputes, own)
    for (const one of own) if (isStrange(one, disputes)) strange.push({ document: one.document_id, awb })
    for (const dispute of disputes) {
      const credited = got.get(dispute.id)!
      const status = settled(dispute, credited)
      const moved = status !== dispute.status
      if (credited === dispute.credited && !moved) continue
      const since = moved ? change.at : dispute.changed_at
      const urgent = urgentAt(status, dispute, since)
      yield* rows(
        sql`update disputes set credited = ${credited}, status = ${status}, urgent_at = ${urgent}, changed_at = ${since}
          where account_id = ${account} and id = ${dispute.id}`,
      )
      const note = credited > dispute.credited ? (moved ? null : 'credited in part') : 'a credit was taken back'
      const event = { status, amount: credited - dispute.credited, note }
      changes.push({ dispute: { ...dispute, credited, status, changed_at: since }, event, told: moved })
      if (moved && status === 'credited') paid.push(dispute.id)
    }
  }
  yield* recordChanges(account, changes, change)
  return { paid, strange }
}

const nothing: Settled = { paid: [], strange: [] }

/** AWBs that are read at a time. */
const together = 500

/** The AWBs that a document credits. */
function* creditedAwbs(account: number, document: string): Work<readonly string[]> {
  const all: string[] = []
  for (;;) {
    const found = yield* rows<{ awb: string }>(
      sql`select distinct awb from document_lines where account_id = ${account} and document_id = ${document}
        and verdict = 'credit' and awb > ${all.at(-1) ?? ''} order by awb ${limitTo(together)}`,
    )
    all.push(...found.map(({ awb }) => awb))
    if (found.length < together) return all
  }
}

/** What changed with a document: the disputes that it paid, and the lines of others that say something else now. */
export interface Consequences {
  readonly paid: readonly string[]
  /** The AWBs of its credits whose disputes are all with other couriers. */
  readonly strange: readonly string[]
  readonly turned: readonly TurnedLines[]
}

/** What a document that was kept does to disputes and to lines that wait, and those that it replaced no more. */
export function* documentKept(
  dialect: Dialect,
  account: number,
  { id, ledger, replaced }: { readonly id: string; readonly ledger: boolean; readonly replaced: readonly string[] },
  change: Change,
): Work<Consequences> {
  for (const gone of replaced) yield* withdrawFound(dialect, account, gone, change)
  if (ledger) yield* markTaken(dialect, account, id)
  const waiting: string[] = [...(yield* awbsAwaited(dialect, account, id))]
  for (const gone of replaced) waiting.push(...(yield* awbsNamed(dialect, account, gone)))
  const turned = yield* turnLines(dialect, account, [...new Set(waiting)])
  const awbs = waiting
  for (const one of [...replaced, id]) awbs.push(...(yield* creditedAwbs(account, one)))
  const { paid, strange } = yield* settleCredits(dialect, account, awbs, change)
  return { paid, strange: strange.flatMap(({ document, awb }) => (document === id ? [awb] : [])), turned }
}

/** Takes a document back with what it did to disputes and lines; `remove` takes its lines away. */
export function* documentGone(
  dialect: Dialect,
  account: number,
  id: string,
  remove: () => Work<void>,
  change: Change,
): Work<readonly TurnedLines[]> {
  const awbs = yield* creditedAwbs(account, id)
  const named = yield* awbsNamed(dialect, account, id)
  yield* withdrawFound(dialect, account, id, change)
  yield* remove()
  yield* settleCredits(dialect, account, awbs, change)
  return yield* turnLines(dialect, account, named)
}

/**
 * Marks what a passbook took: the disputes about its AWBs that nobody raised. One that lapsed counts as accepted now,
 * and webhooks hear of that.
 */
function* markTaken(dialect: Dialect, account: number, document: string): Work<void> {
  yield* rows(
    sql`update disputes set taken = 1, told = case told when 2 then 1 else told end
      where account_id = ${account} and status = 'found' and taken = 0
      and document_id <> ${document}
      and exists (select 1 from document_lines l${byIndex(dialect, 'document_lines_awb')}
        where l.account_id = ${account} and l.awb = disputes.awb
          and l.document_id = ${document} and l.verdict <> 'credit' and l.billed > 0)`,
  )
}

/** Disputes that nobody raised, also where a credit paid them. */
const unraised = raw(`(status = 'found' or (status = 'credited' and answered = 'found'))`)

/** Withdraws the disputes of a document that counts no more, as far as nobody raised them. */
function* withdrawFound(dialect: Dialect, account: number, document: string, change: Change): Work<void> {
  yield* takeTurn(dialect, account)
  const found = (yield* rows<DisputeRow>(
    sql`select ${disputeColumns} from disputes
      where account_id = ${account} and document_id = ${document} and ${unraised} order by id`,
  )).map(disputeFrom)
  yield* rows(
    sql`update disputes set status = 'withdrawn', answered = 'withdrawn', changed_at = ${change.at}
      where account_id = ${account} and document_id = ${document} and ${unraised}`,
  )
  yield* recordChanges(
    account,
    found.map((one) => ({
      dispute: { ...one, status: 'withdrawn' },
      event: { status: 'withdrawn', amount: null, note: null },
      told: true,
    })),
    change,
  )
}
