// What requests hold in memory while they are under way, by account: their bodies, and answers that wait to be read.
import { ShipxError } from '../domain/errors.ts'

/** What one request holds. */
export interface Holding {
  /** Counts the bytes of its body. Throws `rate_limited` when the account's requests hold too much. */
  readonly body: (bytes: number) => void
  /**
   * Counts the bytes of its answer. Throws `rate_limited` when the account's answers hold too much, `unavailable` when
   * all do.
   */
  readonly answer: (bytes: number) => void
  /** Everything that it held is free. */
  readonly end: () => void
}

/** Holdings of accounts. */
export interface Underway {
  readonly begin: (account: number) => Holding
}

const mb = 1024 * 1024

/** Bytes: the large bodies of one account, the answers of one account that wait, and those of all accounts. */
const most = { bodies: 16 * mb, answers: 16 * mb, all: 64 * mb }

/** Requests of one account under way at most: with small bodies they hold 64 MB. */
const usualRequests = 1000

/**
 * The fewest requests that an account may have under way, however few connections there are: a client sends as many at
 * once.
 */
const fewestRequests = 4

/**
 * Bodies and answers up to this size, bytes, are never refused because of large ones, of other accounts or slow
 * clients.
 */
const small = 64 * 1024

interface Account {
  requests: number
  bodies: number
  answers: number
}

/** Nothing is under way yet. `share` is how many connections one account may take: each holds a request at least. */
export function underway(share: number): Underway {
  const mostRequests = Math.max(fewestRequests, Math.min(usualRequests, share))
  const accounts = new Map<number, Account>()
  let all = 0
  return {
    begin: (number) => {
      const account = accounts.get(number) ?? { requests: 0, bodies: 0, answers: 0 }
      if (account.requests++ === 0) accounts.set(number, account)
      let [body, answer, ended] = [0, 0, false]
      return {
        body: (bytes) => {
          const large = bytes > small ? bytes : 0
          if (account.requests > mostRequests || (large > 0 && account.bodies + large > most.bodies))
            throw tooMuch('too many requests of this account are under way')
          body += large
          account.bodies += large
        },
        answer: (bytes) => {
          // The client has gone.
          if (ended) return
          // A single answer may be larger than the limit: otherwise no request could ever get it.
          if (account.answers > 0 && account.answers + bytes > most.answers)
            throw tooMuch('too many answers of this account are waiting to be read')
          if (all > 0 && all + bytes > most.all && bytes > small)
            throw new ShipxError('unavailable', 'too many answers are waiting to be read', { retry_after_ms: 1000 })
          answer += bytes
          account.answers += bytes
          all += bytes
        },
        end: () => {
          if (ended) return
          ended = true
          account.bodies -= body
          account.answers -= answer
          all -= answer
          if (--account.requests === 0) accounts.delete(number)
        },
      }
    },
  }
}

const tooMuch = (message: string): ShipxError => new ShipxError('rate_limited', message, { retry_after_ms: 1000 })
