// Turns: questions that share a few places are let in one account after the other.
import { ShipxError } from '../domain/errors.ts'

/** Places that accounts take in turn. */
export interface Turns {
  /**
   * Waits for a place in the account's turn and returns the function that frees it. `gone` says whether the client has
   * left, whose question then gets no place. Throws `rate_limited` when too many questions of the account wait,
   * `unavailable` when no place came in time.
   */
  readonly place: (account: number, gone?: () => boolean) => Promise<() => void>
}

/** How many places there are, and how many of them one account may hold. */
export interface TurnsPlan {
  readonly places: number
  readonly each: number
  /** Questions of one account that may wait. */
  readonly waiting?: number
  /** How long a question waits at most, ms. */
  readonly patienceMs?: number
}

/** Less than a client waits for the headers of an answer, together with what an answer may take. */
const usualPatience = 8_000
const usualWaiting = 64

interface Waiting {
  readonly gone: () => boolean
  readonly admit: () => void
  readonly refuse: (error: ShipxError) => void
}

export function turnsOf({ places, each, waiting = usualWaiting, patienceMs = usualPatience }: TurnsPlan): Turns {
  let free = places
  const held = new Map<number, number>()
  /** Waiting questions by account; the accounts in the order of their turns. */
  const lines = new Map<number, Waiting[]>()

  const mayEnter = (account: number): boolean => free > 0 && (held.get(account) ?? 0) < each
  const enter = (account: number): (() => void) => {
    free--
    held.set(account, (held.get(account) ?? 0) + 1)
    return () => {
      free++
      const left = held.get(account)! - 1
      if (left > 0) held.set(account, left)
      else held.delete(account)
      admitNext()
    }
  }
  /** Drops the questions of an account whose clients have left, and its line when none is left. */
  const stay = (account: number, line: readonly Waiting[]): Waiting[] => {
    const there = line.filter((one) => !one.gone())
    for (const one of line) if (one.gone()) one.refuse(left())
    if (there.length === 0) lines.delete(account)
    else lines.set(account, there)
    return there
  }
  function admitNext(): void {
    for (const [account, line] of lines) {
      if (free === 0) return
      if (!mayEnter(account)) continue
      const [first, ...others] = stay(account, line)
      if (first === undefined) continue
      // The account's next turn comes after all others; the loop meets it again there.
      lines.delete(account)
      if (others.length > 0) lines.set(account, others)
      first.admit()
    }
  }
  return {
    place: (account, gone = () => false) => {
      const line = lines.get(account)
      if (line === undefined && mayEnter(account)) return Promise.resolve(enter(account))
      const there = line === undefined || line.length < waiting ? (line ?? []) : stay(account, line)
      if (there.length >= waiting)
        return Promise.reject(
          new ShipxError('rate_limited', 'too many requests of this account are waiting', { retry_after_ms: 1000 }),
        )
      return new Promise((resolve, reject) => {
        const one: Waiting = {
          gone,
          admit: () => {
            clearTimeout(late)
            resolve(enter(account))
          },
          refuse: (error) => {
            clearTimeout(late)
            reject(error)
          },
        }
        const late = setTimeout(() => {
          const others = (lines.get(account) ?? []).filter((other) => other !== one)
          if (others.length === 0) lines.delete(account)
          else lines.set(account, others)
          one.refuse(
            new ShipxError('unavailable', 'the request waited too long for its turn', { retry_after_ms: 1000 }),
          )
        }, patienceMs)
        lines.set(account, [...there, one])
      })
    },
  }
}

const left = (): ShipxError => new ShipxError('unavailable', 'the client closed the connection')
