// Whether a statement is answered where one account lies: what was sent for whom, and what is wrong with it.
import type { Database, Statement, Work } from '../../src/engine/database/port.ts'
import { touches } from '../support/sqlstatements.ts'

/**
 * Tables that lie in one piece, or whole in every place: an account is found by its name and a key by its hash, both
 * before the account is known. They are small, read by key and hardly ever written.
 */
export const directory: ReadonlySet<string> = new Set(['accounts', 'keys'])

/** No other bound value is equal to these by chance. */
export const accountNumbers = { routed: 700_001, neighbour: 800_003 } as const

/** A statement as the engine sent it, and for which account; undefined where one piece of work goes through all. */
export interface Sent {
  readonly statement: Statement
  readonly account: number | undefined
}

/** The database, and a note of every statement that work for an account sends to it. */
export function noting(database: Database, account: number | undefined, sent: Sent[]): Database {
  function* watched<T>(work: Work<T>): Work<T> {
    let step = work.next()
    while (step.done !== true) {
      sent.push({ statement: step.value, account })
      step = work.next(yield step.value)
    }
    return step.value
  }
  return {
    ...database,
    read: (work, single) => database.read(() => watched(work()), single),
    write: (work) => database.write(() => watched(work())),
  }
}

/** What is wrong with a statement that must be answered in one place: nothing, or a sentence. */
export function fault({ statement: { text, values: bound, more = [] }, account }: Sent): string | undefined {
  const named = new Set<unknown>()
  for (const { table, accounts } of touches(text)) {
    if (directory.has(table)) continue
    if (accounts.length === 0) return `${table} without an account`
    for (const line of [bound, ...more]) for (const n of accounts) named.add(line[n - 1])
  }
  if (named.size > 1) return 'several accounts'
  return [...named].some((found) => (account === undefined ? typeof found !== 'number' : found !== account))
    ? 'another account'
    : undefined
}
