// Which versions of SQLite shipx may use.

/** The first SQLite without the WAL-reset bug, which can damage a database that two processes use. */
export const leastSqlite = '3.51.3'

/** The releases of Node whose own SQLite is one of them. */
export const nodesWithSqlite = 'Node 22.22.3, 24.15 or newer'

/** Whether a version of SQLite is older than the first safe one. */
export function olderSqlite(version: string): boolean {
  const [a, b] = [version, leastSqlite].map((text) => text.split('.').map(Number)) as [number[], number[]]
  for (let i = 0; i < 3; i++) if (a[i] !== b[i]) return (a[i] ?? 0) < (b[i] ?? 0)
  return false
}
