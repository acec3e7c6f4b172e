// What was read is remembered for as long as nobody has changed the database, by any connection; knows no table.
import type { Database } from './database.ts'

/** Gives what was read under a name before, or reads it. */
export type Remember = <T>(name: string, read: () => Promise<T>) => Promise<T>

/**
 * A memory of at most so many things. Where the database cannot tell cheaply that it is unchanged, nothing is remembered.
 * A change is seen by the next question, whoever made it.
 */
export function remembering({ changes }: Pick<Database, 'changes'>, most: number): Remember {
  if (changes === undefined) return (_, read) => read()
  const known = new Map<string, unknown>()
  let at: number | undefined
  return async <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const now = changes()
    if (now !== at) {
      known.clear()
      at = now
    }
    if (known.has(name)) return known.get(name) as T
    const value = await read()
    // Somebody may have changed it while it was being read.
    if (at === now && changes() === now) {
      if (known.size >= most) known.delete(known.keys().next().value!)
      known.set(name, value)
    }
    return value
  }
}
