// What remittances took off COD without a reason, and what they paid twice, over all that are kept (docs/guides/cod.md,
// What is owed). Paise.
import sql, { empty } from 'sql-template-tag'
import { reusedAfter } from '../../domain/money/parcel.ts'
import { rows, type Dialect, type Work } from '../database/port.ts'
import { countingRemittances, marksOf, transfersByDocument } from './codmarks.ts'
import type { PaidUntil } from './codowed.ts'
import { paymentsOf } from './remittances.ts'
import { transfersInBank, type InBank } from './transfers.ts'

interface LineRow extends Record<string, unknown> {
  /** '' for a deduction of the whole transfer, or of the whole remittance. */
  readonly awb: string
  readonly order_name: string | null
  readonly courier: string | null
  readonly utr: string | null
  readonly remitted_on: string | null
  readonly remitted: number
  readonly due: number
  readonly unexplained: number
  readonly verdict: string | null
  readonly delivered: number | null
}

interface PaidLine extends LineRow {
  /** Whether other remittances pay the parcel, too. */
  readonly again: boolean
}

/** A line of a kept remittance that takes something off without a reason, or pays a parcel again. */
interface DoubtfulLine extends PaidLine {
  readonly number: string
}

/** The doubtful lines of kept remittances, the earliest first. */
function* doubtfulLines(account: number, { short }: Pick<InBank, 'short'>): Work<readonly DoubtfulLine[]> {
  const found: DoubtfulLine[] = []
  const lacking = new Set(short.map(({ transfer }) => transfer))
  const remittances = (yield* countingRemittances(account)).toReversed()
  const asks = lacking.size > 0 && remittances.some((one) => (marksOf(one).unexplained ?? 0) > 0)
  const transfers = asks ? yield* transfersByDocument(account) : undefined
  for (const one of remittances) {
    const { doubtful = true, unexplained = 0, again = [] } = marksOf(one)
    const biller = one.courier === '' ? null : one.courier
    const numbered = { number: one.number }
    const lines = doubtful || again.length > 0 ? yield* linesIn(account, one.id, new Set(again)) : []
    found.push(
      ...lines.map((line) => ({
        ...line,
        ...numbered,
        courier: line.courier ?? biller,
        remitted_on: line.remitted_on ?? one.day,
        remitted: Number(line.remitted),
        due: Number(line.due),
        unexplained: Number(line.unexplained),
        delivered: line.delivered === null ? null : Number(line.delivered),
      })),
    )
    if (unexplained <= 0) continue
    // Of a transfer that is short in the bank, the same money is owed.
    if (transfers?.get(one.id)?.some((transfer) => lacking.has(transfer)) === true) continue
    found.push({
      ...numbered,
      awb: '',
      order_name: null,
      courier: biller,
      utr: null,
      remitted_on: one.day,
      remitted: 0,
      due: 0,
      unexplained,
      verdict: null,
      delivered: null,
      again: false,
    })
  }
  return found
}

function* linesIn(account: number, document: string, again: ReadonlySet<string>): Work<readonly PaidLine[]> {
  const which = again.size === 0 ? sql` and (unexplained <> 0 or verdict = 'twice')` : empty
  const found = yield* rows<LineRow>(
    sql`select awb, order_name, courier, utr, remitted_on, remitted, due, unexplained, verdict, delivered
      from remittance_lines where account_id = ${account} and id > ${`${document}:`} and id < ${`${document};`}${which}
      order by id`,
  )
  return found
    .map((line) => ({ ...line, again: line.verdict === 'twice' || again.has(line.awb) }))
    .filter((line) => line.again || Number(line.unexplained) !== 0)
}

/** What was taken off without a reason, or paid above what is due: paise, an IST day. */
export interface CodDoubt {
  readonly kind: 'unexplained' | 'twice'
  /** Null for a deduction of a whole transfer, or of a whole remittance. */
  readonly awb: string | null
  readonly order: string | null
  readonly courier: string | null
  readonly remittance: string
  readonly utr: string | null
  readonly on: string | null
  readonly due: number
  /** What the line pays; of a parcel that was paid twice, all that was paid. */
  readonly remitted: number
  readonly amount: number
}

/** What was taken off without a reason, and then what was paid twice; with `until`, until the end of a day. */
export function* codDoubts(dialect: Dialect, account: number, until?: PaidUntil): Work<readonly CodDoubt[]> {
  const inTime = (on: string | null): boolean => until === undefined || on === null || on <= until.day
  const lines = (yield* doubtfulLines(account, yield* transfersInBank(account))).filter((one) =>
    inTime(one.remitted_on),
  )
  const doubt = (line: DoubtfulLine, more: Pick<CodDoubt, 'kind' | 'remitted' | 'amount'>): CodDoubt => ({
    awb: line.awb === '' ? null : line.awb,
    order: line.order_name,
    courier: line.courier,
    remittance: line.number,
    utr: line.utr,
    on: line.remitted_on,
    due: line.due,
    ...more,
  })
  const taken = lines
    .filter(({ unexplained }) => unexplained !== 0)
    .map((one) => doubt(one, { kind: 'unexplained', remitted: one.remitted, amount: one.unexplained }))
  // A remittance that pays a parcel again knows what is due for it.
  const again = new Map(lines.flatMap((one) => (one.again ? [[one.awb, one] as const] : [])))
  const payments = yield* paymentsOf(dialect, account, [...again.keys()])
  const twice = [...again.values()].flatMap((line) => {
    const own = payments.filter(
      ({ awb, delivered, remitted_on: on, day }) =>
        awb === line.awb &&
        (delivered === null || line.delivered === null || Math.abs(Number(delivered) - line.delivered) < reusedAfter) &&
        inTime(on ?? day),
    )
    const remitted = own.reduce((sum, one) => sum + Number(one.remitted), 0)
    const amount = remitted - line.due
    if (amount <= 0 || own.length < 2) return []
    const last = own.findLast((one) => Number(one.remitted) > 0)!
    const { number, utr, remitted_on: on } = last
    return [doubt({ ...line, number, utr, remitted_on: on ?? last.day }, { kind: 'twice', remitted, amount })]
  })
  return [...taken, ...twice]
}
