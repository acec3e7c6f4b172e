// What kept bank statements say of the transfers of remittances: which of them they have, which they lack, and which
// are short.
import sql from 'sql-template-tag'
import { utrKey } from '../../domain/money/utr.ts'
import { rows, type Work } from '../database/port.ts'
import { listDocuments, type Document } from './documents.ts'
import { creditsOf } from './remittances.ts'

/** Transfers that were looked for in a statement: their UTRs as a line of a remittance has them, else their batch. */
export interface Sought {
  readonly arrived: readonly string[]
  readonly missing: readonly string[]
  /** Of those of which less arrived: what the remittances say, paise. */
  readonly short: Readonly<Record<string, number>>
}

const nothing: Sought = { arrived: [], missing: [], short: {} }

/** What a kept statement says; nothing is known of one that was kept without it. */
const soughtIn = ({ reasons }: Pick<Document, 'reasons'>): Sought => ({
  ...nothing,
  ...(JSON.parse(reasons) as Partial<Sought>),
})

/** The text that a statement keeps, with what it said before; undefined where nothing is new. */
export function soughtText(news: Sought, before?: Pick<Document, 'reasons'>): string | undefined {
  const known = before === undefined ? nothing : soughtIn(before)
  const arrived = [...new Set([...known.arrived, ...news.arrived])].toSorted()
  const missing = [...new Set([...known.missing, ...news.missing])].filter((one) => !arrived.includes(one)).toSorted()
  const anew = new Set([...news.arrived, ...news.missing])
  const short = [...Object.entries(known.short).filter(([one]) => !anew.has(one)), ...Object.entries(news.short)]
  const sorted = Object.fromEntries(short.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  const text = JSON.stringify({ arrived, missing, short: sorted } satisfies Sought)
  return before === undefined || text !== JSON.stringify(known) ? text : undefined
}

/** Writes down what a kept statement says. */
export function* keepSought(account: number, statement: string, text: string): Work<void> {
  yield* rows(sql`update documents set reasons = ${text} where account_id = ${account} and id = ${statement}`)
}

/** A transfer of which less came than the remittances say: what did not come, paise. */
export interface ShortTransfer {
  readonly transfer: string
  readonly amount: number
}

/** What kept statements say of transfers together. */
export interface InBank {
  /** Those that were looked for in any statement. */
  readonly compared: readonly string[]
  /** Those that a statement lacks and no other one has. */
  readonly missing: readonly string[]
  readonly short: readonly ShortTransfer[]
}

/** The names of a transfer as credits have them. */
const keysOf = (transfer: string): readonly string[] => transfer.split(', ').map(utrKey)

/** What kept statements say of transfers. */
export function* transfersInBank(account: number): Work<InBank> {
  const statements = (yield* listDocuments(account, ['bank'])).filter((one) => one.superseded_at === null)
  const said = statements.map(soughtIn)
  const arrived = new Set(said.flatMap((one) => one.arrived))
  const missing = [...new Set(said.flatMap((one) => one.missing))].filter((one) => !arrived.has(one))
  // The latest statement comes first, and what it compared counts.
  const short = new Map(said.toReversed().flatMap((one) => Object.entries(one.short)))
  const compared = [...new Set([...arrived, ...missing])].toSorted()
  const doubtful = [...missing, ...short.keys()]
  if (doubtful.length === 0) return { compared, missing: [], short: [] }
  const credits = yield* creditsOf(account, [...new Set(doubtful.flatMap(keysOf))], '')
  const there = new Set(credits.map(({ utr }) => utr))
  // Statements of overlapping months have one credit twice.
  const each = new Map(credits.map(({ utr, day, amount }) => [`${utr}\n${day}\n${amount}`, { utr, amount }]))
  const came = (transfer: string): number => {
    const keys = new Set(keysOf(transfer))
    return [...each.values()].reduce((sum, { utr, amount }) => (keys.has(utr) ? sum + Number(amount) : sum), 0)
  }
  return {
    compared,
    missing: missing.filter((one) => !keysOf(one).some((key) => there.has(key))),
    short: [...short]
      .map(([transfer, said]) => ({ transfer, amount: said - came(transfer) }))
      .filter(({ amount }) => amount > 0),
  }
}
