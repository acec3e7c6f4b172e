// Remembers what was read for as long as no connection has changed the database.
import QuickLRU from 'quick-lru'
import type { Database } from './port.ts'

/** Returns what was read under a name before, or reads it. */
export type Remember = <T>(name: string, read: () => Promise<T>) => Promise<T>

/**
 * A memory of this many things, or twice as many at most. Where the database cannot say cheaply that it is unchanged, nothing is
 * remembered, and callers that come at the same time share an answer. The database is asked once in a turn of the event loop: a
 * change by anyone is seen from the next turn on.
 */
export function remembering({ changes }: Pick<Database, 'changes'>, most: number): Remember {
  if (changes === undefined) return sharing()
  const known = new QuickLRU<string, unknown>({ maxSize: most })
  let at: number | undefined
  let turn: number | undefined
  const now = (): number => {
    if (turn === undefined) {
      turn = changes()
      setImmediate(() => {
        turn = undefined
      })
    }
    return turn
  }
  return async <T>(name: string, read: () => Promise<T>): Promise<T> => {
    const before = now()
    if (before !== at) {
      known.clear()
      at = before
    }
    if (known.has(name)) return known.get(name) as T
    const value = await read()
    // It may have changed while it was being read.
    if (at === before && changes() === before) known.set(name, value)
    return value
  }
}

/**
 * One answer for all callers that come while an earlier one is under way. It is read after the last of them came, so that it holds
 * what was there when they asked: the one under way may have looked before.
 */
function sharing(): Remember {
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
