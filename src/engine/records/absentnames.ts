// The names in a question that no record of the account has, and names that it could mean instead; both from existing
// indexes.
import sql, { raw, type Sql } from 'sql-template-tag'
import { row, rows, type Work } from '../database/port.ts'

/** What a name belongs to. A courier's name is its id, and a city's the form that filters compare. */
export type NameKind = 'store' | 'courier' | 'warehouse' | 'channel' | 'sku' | 'tag' | 'city'

/** A column that holds such names, and is the first of an index after the account. */
type Home = readonly [table: string, column: string]

const homes: Readonly<Record<NameKind, readonly Home[]>> = {
  store: [
    ['stores', 'store_name'],
    ['shipments', 'store_name'],
    ['returns', 'store_name'],
  ],
  courier: [
    ['shipments', 'carrier_id'],
    ['returns', 'carrier_id'],
  ],
  warehouse: [
    ['warehouses', 'id'],
    ['shipments', 'warehouse_id'],
    ['returns', 'warehouse_id'],
  ],
  channel: [
    ['shipments', 'channel'],
    ['returns', 'channel'],
  ],
  sku: [
    ['shipment_skus', 'value'],
    ['return_skus', 'value'],
  ],
  tag: [['shipment_tags', 'value']],
  city: [
    ['shipments', 'city'],
    ['returns', 'city'],
  ],
}

/** The names that no record of the account has. */
export function* absentNames(account: number, named: NameKind, names: readonly string[]): Work<readonly string[]> {
  const absent: string[] = []
  for (const name of new Set(names)) {
    let found = false
    for (const [table, column] of homes[named]) {
      const there = sql`t.account_id = ${account} and t.${raw(column)} = ${name}`
      found = (yield* rows(sql`select 1 as one from ${raw(table)} t where ${there} limit 1`)).length > 0
      if (found) break
    }
    if (!found) absent.push(name)
  }
  return absent
}

/** The names of the account in order, at most `most` from each column. Reading each takes one step along an index. */
export function* namesThere(account: number, named: NameKind, most: number): Work<readonly string[]> {
  const found = new Set<string>()
  for (const [table, column] of homes[named]) {
    const next = (after: Sql): Sql =>
      sql`select min(t.${raw(column)}) as name from ${raw(table)} t where t.account_id = ${account}${after}`
    let name = (yield* row<{ name: string | null }>(next(sql` and t.${raw(column)} > ${''}`)))?.name ?? null
    for (let n = 0; name !== null && n < most; n++) {
      found.add(name)
      name = (yield* row<{ name: string | null }>(next(sql` and t.${raw(column)} > ${name}`)))?.name ?? null
    }
  }
  return [...found].toSorted()
}

/** Names of couriers by id, each from one of its records. */
export function* courierNames(account: number, ids: readonly string[]): Work<ReadonlyMap<string, string>> {
  const names = new Map<string, string>()
  for (const id of ids) {
    const found = yield* row<{ name: string | null }>(
      // Its id comes from the index that has couriers: a look at each record would read them all where there is none.
      sql`select r.carrier_name as name from shipments r where r.account_id = ${account} and r.id =
        (select t.id from shipments t where t.account_id = ${account} and t.carrier_id = ${id} limit 1)`,
    )
    if (typeof found?.name === 'string') names.set(id, found.name)
  }
  return names
}
