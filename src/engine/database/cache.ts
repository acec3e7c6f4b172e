// What was read is remembered for as long as nobody has changed the database, by any connection; knows no table.
import type { Database } from './port.ts'

/** Gives what was read under a name before, or reads it. */
export type Remember = <T>(name: string, read: () => Promise<T>) => Promise<T>

/**
 * A memory of at most so many things. Where the database cannot tell cheaply that it is unchanged, nothing is remembered,
 * and whoever asks at the same time shares an answer. The database is asked once in a turn of the event loop, whatever is asked of the memory: a change is seen from the next
 * turn on, whoever made it.
 */
export function remembering({ changes }: Pick<Database, 'changes'>, most: number): Remember {
  if (changes === undefined) return sharing()
  const known = new Map<string, unknown>()
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
    // Somebody may have changed it while it was being read.
    if (at === before && changes() === before) {
      if (known.size >= most) known.delete(known.keys().next().value!)
      known.set(name, value)
    }
    return value
  }
}

/**
 * One answer for all who ask while an earlier one is under way. It is asked for after the last of them came, so that it
 * holds whatever was there when they asked: that which is under way may have looked before.
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
