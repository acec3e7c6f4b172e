// The rows of remittances and statements: their keys, and the statement that adds them.

/** The key of a row of a document by its place, from 1 on. */
export const lineKey = (document: string, n: number): string => `${document}:${String(n).padStart(9, '0')}`

/** The statement that adds a row to a table, in both styles. */
export function insertInto(table: string, names: readonly string[]): { readonly sql: string; readonly text: string } {
  const all = ['account_id', 'id', 'document_id', ...names]
  const insert = (sign: (n: number) => string): string =>
    `insert into ${table} (${all.join(', ')}) values (${all.map((_, n) => sign(n + 1)).join(', ')})`
  return { sql: insert(() => '?'), text: insert((n) => `$${n}`) }
}
