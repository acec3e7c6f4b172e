// Functions that the engine's SQL calls on SQLite: they read values inside records as other deployments send them.
import type { Connection } from './sqlitedriver.ts'
import { amountIn, momentIn, truthIn } from '../../domain/foreign/values.ts'

/**
 * The number at a path of a JSON value: reads text; anything that is not an amount is null. To `->>`, true and false
 * are 1 and 0.
 */
export function amountSql(json: string, path: string): string {
  const value = `${json} ->> ${path}`
  const truth = `${value} in (0, 1) and ${json} -> ${path} in ('true', 'false')`
  return `case when typeof(${value}) = 'text' then sent_amount(${value}) when ${truth} then null else ${value} end`
}

/** Adds the functions to a connection. */
export function addFunctions(db: Connection): void {
  const truth = (value: unknown): number | undefined => {
    const found = truthIn(value)
    return found === undefined ? undefined : Number(found)
  }
  const functions = { instant_ms: momentIn, sent_amount: amountIn, sent_truth: truth }
  for (const [name, read] of Object.entries(functions))
    db.function(name, { deterministic: true }, (value: unknown) => read(value) ?? null)
}
