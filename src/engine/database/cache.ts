// Remembers what was read while no connection changes the database.
import QuickLRU from 'quick-lru'
import type { Database } from './port.ts'

/** Returns the value that was read under a name before, at once, or reads it now. */
export type ReadCache = <T>(name: string, read: () => Promise<T>) => T | Promise<T>

type Changes = NonNullable<Database['changes']>

/**
 * A memory of `most` values, at times up to twice as many. If the database cannot cheaply say that it is unchanged,
 * nothing is remembered, and callers at the same time share an answer. The database is asked once per turn of the event
 * loop: a change by any connection is seen from the next turn on.
 */
export function readCache({ changes }: Pick<Database, 'changes'>, most: number): ReadCache {
  if (changes === undefined) return sharing()
  const known = new QuickLRU<string, { readonly value: unknown }>({ maxSize: most })
  let at: number | undefined
  const newly = async <T>(name: string, read: () => Promise<T>, before: number): Promise<T> => {
    const value = await read()
    // The database may have changed during the read.
    if (at === before && changes() === before) known.set(name, { value })
    return value
  }
  return <T>(name: string, read: () => Promise<T>): T | Promise<T> => {
    const before = inThisTurn(changes)
    if (before !== at) {
      known.clear()
      at = before
    }
    const found = known.get(name) as { readonly value: T } | undefined
    return found === undefined ? newly(name, read, before) : found.value
  }
}

/** What each database said in this turn of the event loop: its memories of keys and of cards ask it once together. */
const said = new Map<Changes, number>()

function inThisTurn(changes: Changes): number {
  let now = said.get(changes)
  if (now === undefined) {
    now = changes()
    if (said.size === 0) setImmediate(() => said.clear())
    said.set(changes, now)
  }
  return now
}

/**
 * Callers that come while a read is under way share the next read. That read starts after the last of them came, so it
 * sees everything that was there when they asked. The read under way may have looked earlier.
 */
function sharing(): ReadCache {
  interface Turn {
    readonly answer: Promise<unknown>
    next?: Promise<unknown>
  }
  const turns = new Map<string, Turn>()
  const begin = (name: string, read: () => Promise<unknown>): Promise<unknown> => {
    const turn: Turn = { answer: read() }
    turns.set(name, turn)
    const ended = (): void => {
      if (turn.next === undefined) turns.delete(name)
    }
    turn.answer.then(ended, ended)
    return turn.answer
  }
  return async <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const turn = turns.get(name)
    if (turn === undefined) return (await begin(name, read)) as T
    turn.next ??= turn.answer.then(
      () => begin(name, read),
      () => begin(name, read),
    )
    return (await turn.next) as T
  }
}
