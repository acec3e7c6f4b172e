// Waits for the lock of another process, and leaves it to others. SQLite's own wait looks at the lock ever less often,
// up to 100 ms apart, so that quick writers can keep one out until it gives up. Here the looks stay close together, a
// writer that writes again and again rests now and then, and the thread is free in between.
import type { Connection } from './sqlitedriver.ts'

/** How long to wait for another process's lock, ms. */
export const busyTimeout = 5000

/** The pause between two looks at the lock, ms; a shorter one after a while, so that the oldest one finds it first. */
const pauses = { first: 4, later: 1 }

/** How long "a while" is, ms. */
const firstLooks = 100

/** The most that a look at the lock counts for, ms: a process that was stopped meanwhile has not waited. */
const longestLook = 25

/** How long a rest lasts, ms: longer than the pause of one that waits, so that it finds the lock free. */
const rest = pauses.first + 1

/** The longest time between two rests, ms: while no other process is seen, and while one is. */
const longestRun = { alone: 400, crowded: 20 }

/** How long others are taken to be there after one was seen, ms. */
const memory = 1000

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Whether an error of SQLite says that another process holds a lock. */
export const isBusy = (error: unknown): boolean =>
  String((error as { readonly code?: unknown } | undefined)?.code).startsWith('SQLITE_BUSY')

/** Runs work under the lock, which the work frees. It runs at once where no other process has the lock. */
export type Turns = <T>(work: () => T) => T | Promise<T>

/**
 * Waits until `begin` succeeds, which throws `SQLITE_BUSY` at once while another process holds the lock, and throws
 * that after `busyTimeout`. Callers that wait in one process take turns, first come, first served: one of them looks at
 * the lock, however many wait.
 */
export function takingTurns(begin: () => void): Turns {
  let waiting = 0
  let last: Promise<void> = Promise.resolve()
  /** When this process freed the lock, when it last left it free for a rest, and when it last saw another one. */
  let [freed, rested, seen] = [-Infinity, -Infinity, -Infinity]
  /** How long this process has looked at a locked file, ms: without the time that it was stopped itself. */
  let looked = 0
  const began = (giveUp: number): boolean => {
    try {
      begin()
      return true
    } catch (error) {
      if (!isBusy(error) || looked >= giveUp) throw error
      seen = performance.now()
      return false
    }
  }
  const lookAgain = async (giveUp: number): Promise<void> => {
    await pause(giveUp - looked > busyTimeout - firstLooks ? pauses.first : pauses.later)
    looked += Math.min(performance.now() - seen, longestLook)
  }
  /** How long to rest before the next look, ms. */
  const owed = (now: number): number => {
    if (now - freed >= rest) rested = now
    return now - rested >= (now - seen < memory ? longestRun.crowded : longestRun.alone) ? freed + rest - now : 0
  }
  const done = <T>(work: () => T): T => {
    try {
      return work()
    } finally {
      freed = performance.now()
    }
  }
  return <T>(work: () => T): T | Promise<T> => {
    const giveUp = looked + busyTimeout
    if (waiting === 0 && owed(performance.now()) === 0 && began(giveUp)) return done(work)
    waiting++
    const turn = last.then(async () => {
      for (let ms; (ms = owed(performance.now())) > 0;) await pause(ms)
      while (!began(giveUp)) await lookAgain(giveUp)
      return done(work)
    })
    const ended = (): void => {
      waiting--
    }
    last = turn.then(ended, ended)
    return turn
  }
}

/**
 * Runs work on a connection that does not wait for locks. Where it meets one, runs it again with SQLite's own wait: so
 * does a reader while another process makes a log usable that a killed one left.
 */
export function patiently<T>(db: Connection, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!isBusy(error)) throw error
  }
  db.pragma(`busy_timeout = ${busyTimeout}`)
  try {
    return work()
  } finally {
    db.pragma('busy_timeout = 0')
  }
}
