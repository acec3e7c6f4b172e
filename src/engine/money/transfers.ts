// What kept bank statements say of the transfers of remittances: which of them they have, and which they lack.
import sql from 'sql-template-tag'
import { utrKey } from '../../domain/money/utr.ts'
import { rows, type Work } from '../database/port.ts'
import { listDocuments, type Document } from './documents.ts'
import { creditsOf } from './remittances.ts'

/** Transfers that were looked for in a statement: their UTRs as a line of a remittance has them, else their batch. */
export interface Sought {
  readonly arrived: readonly string[]
  readonly missing: readonly string[]
}

/** What a kept statement says; nothing is known of one that was kept without it. */
const soughtIn = ({ reasons }: Pick<Document, 'reasons'>): Sought => ({
  arrived: [],
  missing: [],
  ...(JSON.parse(reasons) as Partial<Sought>),
})

/** The text that a statement keeps, with what it said before; undefined where nothing is new. */
export function soughtText(news: Sought, before?: Pick<Document, 'reasons'>): string | undefined {
  const known = before === undefined ? { arrived: [], missing: [] } : soughtIn(before)
  const arrived = [...new Set([...known.arrived, ...news.arrived])].toSorted()
  const missing = [...new Set([...known.missing, ...news.missing])].filter((one) => !arrived.includes(one)).toSorted()
  const text = JSON.stringify({ arrived, missing } satisfies Sought)
  return before === undefined || text !== JSON.stringify(known) ? text : undefined
}

/** Writes down what a kept statement says. */
export function* keepSought(account: number, statement: string, text: string): Work<void> {
  yield* rows(sql`update documents set reasons = ${text} where account_id = ${account} and id = ${statement}`)
}

/** The transfers that a kept statement lacks and no other one has. */
export function* transfersNotInBank(account: number): Work<readonly string[]> {
  const statements = (yield* listDocuments(account, ['bank'])).filter((one) => one.superseded_at === null)
  const said = statements.map(soughtIn)
  const arrived = new Set(said.flatMap((one) => one.arrived))
  const missing = [...new Set(said.flatMap((one) => one.missing))].filter((one) => !arrived.has(one))
  if (missing.length === 0) return []
  const keysOf = (transfer: string): readonly string[] => transfer.split(', ').map(utrKey)
  const credits = yield* creditsOf(account, [...new Set(missing.flatMap(keysOf))], '')
  const there = new Set(credits.map(({ utr }) => utr))
  return missing.filter((one) => !keysOf(one).some((key) => there.has(key)))
}
