// Functions that the engine's SQL calls on SQLite: they read values inside records as other deployments send them.
import type BetterSqlite from 'better-sqlite3'
import { amountIn, momentIn, truthIn } from '../../domain/foreign/values.ts'

/** The number in a value of `->>`: reads text; anything that is not an amount is null. */
export const amountSql = (value: string): string =>
  `case typeof(${value}) when 'text' then sent_amount(${value}) else ${value} end`

/** Adds the functions to a connection. */
export function addFunctions(db: BetterSqlite.Database): void {
  const truth = (value: unknown): number | undefined => {
    const found = truthIn(value)
    return found === undefined ? undefined : Number(found)
  }
  const functions = { instant_ms: momentIn, sent_amount: amountIn, sent_truth: truth }
  for (const [name, read] of Object.entries(functions))
    db.function(name, { deterministic: true }, (value: unknown) => read(value) ?? null)
}
