// How many requests one key may send, and how much in them: a bucket of tokens for each key, in this process.
import QuickLRU from 'quick-lru'

/** A request costs a token, and its body one more for each 64 KiB after the first. */
export interface Buckets {
  /** Takes the token of a request and returns 0, or returns the ms until there is one. */
  readonly take: (key: string) => number
  /**
   * Takes what a body of this many bytes costs. Missing tokens are a debt: the key waits longer for its next request.
   */
  readonly spend: (key: string, bytes: number) => void
}

/**
 * Keys that are remembered: those that asked last. A forgotten key starts with a full bucket again. Only valid keys
 * have buckets. A key is forgotten after this many others have asked, and its bucket fills in two seconds anyway.
 */
const kept = 10_000

/** Bytes of a body that cost one token. An order has no more. */
const perToken = 65_536

/**
 * Buckets of `perSecond` tokens a second and twice as many at once; 0 is no limit. `now` returns ms that never go back.
 */
export function bucketsOf(perSecond: number, now: () => number): Buckets {
  if (perSecond === 0) return { take: () => 0, spend: () => undefined }
  const most = perSecond * 2
  const known = new QuickLRU<string, { readonly tokens: number; readonly at: number }>({ maxSize: kept })
  const tokensOf = (key: string, time: number): number => {
    const found = known.get(key)
    return found === undefined ? most : Math.min(most, found.tokens + ((time - found.at) / 1000) * perSecond)
  }
  return {
    take: (key) => {
      const time = now()
      const tokens = tokensOf(key, time)
      const enough = tokens >= 1
      known.set(key, { tokens: enough ? tokens - 1 : tokens, at: time })
      return enough ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1000)
    },
    spend: (key, bytes) => {
      const more = Math.ceil(bytes / perToken) - 1
      if (more <= 0) return
      const time = now()
      known.set(key, { tokens: tokensOf(key, time) - more, at: time })
    },
  }
}
