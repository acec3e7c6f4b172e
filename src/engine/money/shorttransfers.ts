// Transfers of which the bank got less than remittances say: what did not come, by parcel. The last parcels of a
// transfer bear it, since nobody says whose money is missing (docs/guides/cod.md, What is owed). Integer paise.
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
  for (const { transfer, awb, courier, day, remitted } of lines.toReversed()) {
    const amount = Math.min(left.get(transfer) ?? 0, Number(remitted))
    if (amount <= 0) continue
    left.set(transfer, left.get(transfer)! - amount)
    parts.push({ awb, courier, day, amount })
  }
  return parts
}
