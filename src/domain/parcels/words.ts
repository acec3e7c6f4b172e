// The short words for what a shipment or a return says: one table from which fields, columns, keys of summaries and
// columns of the SQL views follow (docs/reference/words.md).

/** What a word names. */
export interface Word {
  /** Where a shipment and a return hold it, below their attributes; a return has no payment. */
  readonly shipment: string
  readonly return?: string
  /** The key of summaries. */
  readonly by: string
  /** The column of the SQL views that holds the same under the API's name; none where only the word is a column. */
  readonly sql?: string
  /** What a cell says for each value, where the value itself is not the word. */
  readonly said?: Readonly<Record<string, string>>
}

/** Every word. */
// prettier-ignore
export const words = {
  courier:   { shipment: 'carrier.name',           return: 'shipment.carrier.name',    by: 'carrier',   sql: 'carrier_name' },
  awb:       { shipment: 'tracking_number',        return: 'shipment.tracking_number', by: 'awb',       sql: 'tracking_number' },
  order:     { shipment: 'order.display_id',       return: 'order.display_id',         by: 'order',     sql: 'order_display_id' },
  city:      { shipment: 'shipping_address.city',  return: 'shipping_address.city',    by: 'city',      sql: 'city' },
  state:     { shipment: 'shipping_address.state', return: 'shipping_address.state',   by: 'state',     sql: 'state' },
  pincode:   { shipment: 'shipping_address.zip',   return: 'shipping_address.zip',     by: 'pincode',   sql: 'pincode' },
  payment:   { shipment: 'is_cod',                                                     by: 'payment',   said: { true: 'cod', false: 'prepaid' } },
  status:    { shipment: 'status',                 return: 'status',                   by: 'status',    sql: 'status' },
  warehouse: { shipment: 'warehouse_id',           return: 'warehouse_id',             by: 'warehouse', sql: 'warehouse_id' },
  store:     { shipment: 'order.store_name',       return: 'order.store_name',         by: 'store',     sql: 'store_name' },
  created:   { shipment: 'created_at',             return: 'created_at',               by: 'day',       sql: 'created_at' },
} as const satisfies Readonly<Record<string, Word>>

/** The words of a kind of record and the path that each is short for. */
export const wordPaths = (kind: 'shipment' | 'return'): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries<Word>(words).flatMap(([word, places]) => {
      const path = places[kind]
      return path === undefined ? [] : [[word, path] as const]
    }),
  )

/** The summary key that a word or the API's name for it means; any other name unchanged. */
export function keyMeant(name: string, kind: 'shipment' | 'return'): string {
  const found = Object.entries<Word>(words).find(
    ([word, places]) => word === name || places[kind] === name || places.sql === name,
  )
  return found === undefined ? name : found[1].by
}

/** The keys of summaries as help and messages list them: under their words. */
export const shownKeys = (keys: readonly string[]): readonly string[] =>
  keys.map((key) => (key === words.courier.by ? 'courier' : key))
