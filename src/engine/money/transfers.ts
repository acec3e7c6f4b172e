// What kept bank statements say of the transfers of remittances: which of them they have, which they lack, and which
// are short.
import sql from 'sql-template-tag'
import { cameOf } from '../../domain/money/bankmatch.ts'
import { utrKey } from '../../domain/money/utr.ts'
import { rows, type Work } from '../database/port.ts'
import { creditsNaming, utrsInBank } from './bankcredits.ts'
import { listDocuments, type Document } from './documents.ts'
import { netsOfTransfers } from './remittances.ts'

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
  /** Those that a statement lacks and no other one has, and those that went back. */
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
  const lacking = [...new Set(said.flatMap((one) => one.missing))].filter((one) => !arrived.has(one))
  // The latest statement comes first, and what it compared counts.
  const short = new Map(said.toReversed().flatMap((one) => Object.entries(one.short)))
  const compared = [...new Set([...arrived, ...lacking])].toSorted()
  // A transfer may have gone back in any statement.
  const back = yield* utrsInBank(account, 'back')
  const returned = back.size === 0 ? [] : compared.filter((one) => keysOf(one).some((key) => back.has(key)))
  const doubtful = new Set([...lacking, ...short.keys(), ...returned])
  if (doubtful.size === 0) return { compared, missing: [], short: [] }
  const credits = yield* creditsNaming(account, [...doubtful].flatMap(keysOf))
  const came = new Map([...doubtful].map((one) => [one, cameOf(keysOf(one), credits).bank]))
  const missing = [...new Set([...lacking, ...returned])].filter((one) => came.get(one) === 0)
  const away = new Set(missing)
  const partly = [...doubtful].filter((one) => !away.has(one))
  const nets = yield* netsOfTransfers(account, partly)
  return {
    compared,
    missing,
    short: partly
      // A remittance that was taken back since pays no part of it any more.
      .map((one) => ({
        transfer: one,
        amount: Math.min(short.get(one) ?? Infinity, nets.get(one) ?? 0) - came.get(one)!,
      }))
      .filter(({ amount }) => amount > 0),
  }
}
