// The keys of a table.

/** The keys of a table as a list, in its order. */
export function keysOf<T extends Readonly<Record<string, unknown>>>(table: T): readonly (keyof T & string)[] {
  return Object.keys(table) as (keyof T & string)[]
}
