// What kept documents claim of parcels, less what they credit themselves (src/domain/money/claimed.ts). Integer paise.
import sql from 'sql-template-tag'
import { claimsOf, overOf } from '../../domain/money/claimed.ts'
import { listsOf } from '../database/inlist.ts'
import { byIndex, limitTo, rows, type Dialect, type Work } from '../database/port.ts'
import { childOf } from './lines.ts'
import type { OverLine } from './newdisputes.ts'

/** A kept line as claims need it. */
export interface ClaimRow extends Record<string, unknown> {
  readonly line: number
  readonly awb: string
  readonly matched_by: string | null
  readonly billed: number
  readonly expected: number | null
  readonly verdict: string
  readonly earlier: string | null
}

/** What earlier documents billed, as the first line of a parcel has it. */
const billedBefore = ({ earlier }: ClaimRow): number =>
  earlier === null
    ? 0
    : (JSON.parse(earlier) as { readonly amount: number }[]).reduce((sum, one) => sum + Math.round(one.amount * 100), 0)

/** What is left to claim of the lines of a document that cost too much, by line; each box is a parcel of its own. */
function claimsIn(lines: readonly ClaimRow[]): ReadonlyMap<number, number> {
  const parcels = new Map<string, ClaimRow[]>()
  for (const line of lines) {
    const parcel = childOf(line) ?? line.awb
    parcels.set(parcel, [...(parcels.get(parcel) ?? []), line])
  }
  return new Map(
    [...parcels.values()].flatMap((all) => [
      ...claimsOf(
        all.map((one) => ({ line: one.line, billed: one.billed, over: overOf(one) })),
        billedBefore(all[0]!),
      ),
    ]),
  )
}

/** What lines of a document credit of what others of them bill too much. */
export function creditedOf(lines: readonly ClaimRow[]): number {
  const left = [...claimsIn(lines).values()].reduce((sum, amount) => sum + amount, 0)
  return lines.reduce((sum, line) => sum + overOf(line), -left)
}

/** The lines of some AWBs in a document, in its order. */
function* claimRows(
  dialect: Dialect,
  account: number,
  document: string,
  awbs: readonly string[],
): Work<readonly ClaimRow[]> {
  const found: ClaimRow[] = []
  for (const list of listsOf(awbs))
    found.push(
      ...(yield* rows<ClaimRow>(
        sql`select line, awb, matched_by, billed, expected, verdict, earlier
          from document_lines${byIndex(dialect, 'document_lines_awb')}
          where account_id = ${account} and awb in (${list}) and document_id = ${document} order by id`,
      )),
    )
  return found
}

/** Lines of a document that cost too much, each with what is left to claim of it. */
export function* claimedLines(
  dialect: Dialect,
  account: number,
  document: string,
  lines: readonly OverLine[],
): Work<readonly OverLine[]> {
  const awbs = [...new Set(lines.map(({ awb }) => awb))]
  const claims = claimsIn(yield* claimRows(dialect, account, document, awbs))
  return lines.map((one) => ({ ...one, amount: claims.get(one.line) ?? one.amount }))
}

/** Credits that are read at a time. */
const together = 500

/** What a kept document credits of what it bills too much itself. */
export function* creditedIn(dialect: Dialect, account: number, document: string): Work<number> {
  let credited = 0
  for (let after = ''; ;) {
    const found = yield* rows<{ awb: string }>(
      sql`select distinct awb from document_lines where account_id = ${account} and document_id = ${document}
        and verdict in ('credit', 'unknown', 'under') and billed < 0 and awb > ${after}
        order by awb ${limitTo(together)}`,
    )
    if (found.length === 0) return credited
    const awbs = found.map(({ awb }) => awb)
    credited += creditedOf(yield* claimRows(dialect, account, document, awbs))
    after = awbs.at(-1)!
  }
}
