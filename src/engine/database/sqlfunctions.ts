// Functions that SQL of the engine calls on SQLite: values inside records as other deployments send them.
import type BetterSqlite from 'better-sqlite3'
import { amountIn, momentIn, truthIn } from '../../domain/foreign/values.ts'

/** A value that `->>` gave, as a number: text is read, and what is no amount is null. */
export const amountSql = (value: string): string =>
  `case typeof(${value}) when 'text' then sent_amount(${value}) else ${value} end`

/** Makes them known to a connection. */
export function addFunctions(db: BetterSqlite.Database): void {
  const truth = (value: unknown): number | undefined => {
    const found = truthIn(value)
    return found === undefined ? undefined : Number(found)
  }
  const functions = { instant_ms: momentIn, sent_amount: amountIn, sent_truth: truth }
  for (const [name, read] of Object.entries(functions))
    db.function(name, { deterministic: true }, (value: unknown) => read(value) ?? null)
}
