// The weights and sizes of an account's SKUs, for orders whose sheet has none (docs/guides/sheets.md, SKUs).
import sql from 'sql-template-tag'
import { rows, type Work } from '../database/port.ts'

/** A SKU: milligrams of one piece, and its sides in hundredths of a millimetre; null for a side that is not known. */
export interface Sku {
  readonly sku: string
  readonly weight: number
  readonly length: number | null
  readonly width: number | null
  readonly height: number | null
}

interface SkuRow extends Sku, Record<string, unknown> {}

/** All SKUs of an account, in the order of their names. */
export function* listSkus(account: number): Work<readonly Sku[]> {
  const found = yield* rows<SkuRow>(
    sql`select sku, weight, length, width, height from skus where account_id = ${account} order by sku`,
  )
  return found.map(({ sku, weight, length, width, height }) => ({ sku, weight, length, width, height }))
}

/** Saves SKUs; a name that is there gets the new values. `now` is ms UTC. */
export function* saveSkus(account: number, skus: readonly Sku[], now: number): Work<void> {
  for (const { sku, weight, length, width, height } of skus)
    yield* rows(
      sql`insert into skus (account_id, sku, weight, length, width, height, updated_at)
        values (${account}, ${sku}, ${weight}, ${length}, ${width}, ${height}, ${now})
        on conflict (account_id, sku) do update set weight = excluded.weight, length = excluded.length,
          width = excluded.width, height = excluded.height, updated_at = excluded.updated_at`,
    )
}

/** Removes a SKU; false when there was none. */
export function* removeSku(account: number, sku: string): Work<boolean> {
  const gone = yield* rows(sql`delete from skus where account_id = ${account} and sku = ${sku} returning sku`)
  return gone.length > 0
}
