// Transfers of which the bank got less than remittances say: what did not come, by parcel. The parcels that were
// delivered last bear it, since nobody says whose money is missing (docs/guides/cod.md, What is owed). Integer paise.
import sql, { raw } from 'sql-template-tag'
import { listsOf } from '../database/inlist.ts'
import { byIndex, rows, type Dialect, type Work } from '../database/port.ts'
import { counts } from './remittances.ts'
import type { ShortTransfer } from './transfers.ts'

/** What a transfer lacks of the payment of a parcel: paise, an IST day. */
export interface ShortPart {
  readonly awb: string
  readonly courier: string | null
  readonly day: string | null
  readonly amount: number
}

interface PaidLine extends Record<string, unknown> {
  readonly transfer: string
  readonly awb: string
  readonly courier: string | null
  readonly day: string | null
  readonly remitted: number
}

/** The payments of some transfers in the order in which they were read. */
function* paidBy(dialect: Dialect, account: number, transfers: readonly string[]): Work<readonly PaidLine[]> {
  const found: PaidLine[] = []
  const select = sql`select coalesce(l.utr, l.batch) as transfer, l.awb, l.remitted_on as day, l.remitted,
    ${raw(`coalesce(l.courier, nullif(d.courier, ''))`)} as courier from remittance_lines l`
  const rest = sql`join documents d on d.account_id = ${account} and d.id = l.document_id
    where l.account_id = ${account} and ${counts({})} and l.awb <> '' and l.remitted > 0`
  const order = raw('order by d.created_at, l.id')
  for (const list of listsOf(transfers))
    found.push(
      ...(yield* rows<PaidLine>(
        sql`${select}${byIndex(dialect, 'remittance_lines_utr')} ${rest} and l.utr in (${list}) ${order}`,
      )),
    )
  const there = new Set(found.map(({ transfer }) => transfer))
  for (const list of listsOf(transfers.filter((one) => !there.has(one))))
    found.push(...(yield* rows<PaidLine>(sql`${select} ${rest} and l.utr is null and l.batch in (${list}) ${order}`)))
  return found
}

/** The COD of delivered parcels: when the last one with the AWB was delivered, and what is due for all of them. */
interface DueRow extends Record<string, unknown> {
  readonly awb: string
  readonly at: number
  readonly due: number
}

/** What is due for those of some AWBs that were delivered with COD. */
function* dueOf(dialect: Dialect, account: number, awbs: readonly string[]): Work<ReadonlyMap<string, DueRow>> {
  const found = new Map<string, DueRow>()
  for (const list of listsOf(awbs))
    for (const one of yield* rows<DueRow>(
      sql`select tracking_number as awb, max(delivered_at) as at, sum(coalesce(cod_amount, total_price, 0)) as due
        from shipments${byIndex(dialect, 'shipments_tracking_number')}
        where account_id = ${account} and tracking_number in (${list})
          and is_cod = 1 and status = 'delivered' and delivered_at is not null
        group by tracking_number`,
    ))
      found.set(one.awb, one)
  return found
}

/** What all remittances pay of some AWBs. */
function* paidOf(dialect: Dialect, account: number, awbs: readonly string[]): Work<ReadonlyMap<string, number>> {
  const found = new Map<string, number>()
  for (const list of listsOf(awbs))
    for (const { awb, paid } of yield* rows<{ awb: string; paid: number }>(
      sql`select l.awb, sum(l.remitted) as paid from remittance_lines l${byIndex(dialect, 'remittance_lines_awb')}
          join documents d on d.account_id = ${account} and d.id = l.document_id
        where l.account_id = ${account} and l.awb in (${list}) and ${counts({})} group by l.awb`,
    ))
      found.set(awb, Number(paid))
  return found
}

/**
 * Payments in the order in which they bear what did not come, whatever the order of the rows: first those of which all
 * is due, then those of parcels that were paid too much, then those that nothing is due for; of each, the parcel that
 * was delivered last.
 */
function* bearing(dialect: Dialect, account: number, lines: readonly PaidLine[]): Work<readonly PaidLine[]> {
  const awbs = [...new Set(lines.map(({ awb }) => awb))]
  const due = yield* dueOf(dialect, account, awbs)
  const paid = yield* paidOf(dialect, account, awbs)
  const rank = (awb: string): number => {
    const one = due.get(awb)
    return one === undefined ? 2 : paid.get(awb)! > Number(one.due) ? 1 : 0
  }
  const ranked = lines.map((line) => ({ line, rank: rank(line.awb), at: Number(due.get(line.awb)?.at ?? 0) }))
  return ranked
    .toReversed()
    .toSorted(
      (a, b) => a.rank - b.rank || b.at - a.at || (a.line.awb === b.line.awb ? 0 : a.line.awb > b.line.awb ? -1 : 1),
    )
    .map(({ line }) => line)
}

/** What short transfers lack, by parcel. */
export function* shortParts(
  dialect: Dialect,
  account: number,
  short: readonly ShortTransfer[],
): Work<readonly ShortPart[]> {
  if (short.length === 0) return []
  const lines = yield* paidBy(
    dialect,
    account,
    short.map(({ transfer }) => transfer),
  )
  const left = new Map(short.map(({ transfer, amount }) => [transfer, amount]))
  const parts: ShortPart[] = []
  for (const { transfer, awb, courier, day, remitted } of yield* bearing(dialect, account, lines)) {
    const amount = Math.min(left.get(transfer) ?? 0, Number(remitted))
    if (amount <= 0) continue
    left.set(transfer, left.get(transfer)! - amount)
    parts.push({ awb, courier, day, amount })
  }
  return parts
}
