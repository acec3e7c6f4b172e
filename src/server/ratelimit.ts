// How often one key may ask: a bucket of tokens for each key, in this process; knows no request.

/** Takes a token of a key and gives 0, or gives the ms until there is one. */
export interface Buckets {
  readonly take: (key: string) => number
}

/** Keys that are remembered; the one that asked longest ago is forgotten first, and begins with a full bucket again. */
const kept = 10_000

/** Buckets of `perSecond` tokens a second and twice as many at once; 0 is no limit. `now` gives ms that never go back. */
export function bucketsOf(perSecond: number, now: () => number): Buckets {
  if (perSecond === 0) return { take: () => 0 }
  const most = perSecond * 2
  const known = new Map<string, { tokens: number; at: number }>()
  return {
    take: (key) => {
      const time = now()
      const found = known.get(key)
      const tokens = found === undefined ? most : Math.min(most, found.tokens + ((time - found.at) / 1000) * perSecond)
      const enough = tokens >= 1
      known.delete(key)
      if (known.size >= kept) known.delete(known.keys().next().value!)
      known.set(key, { tokens: enough ? tokens - 1 : tokens, at: time })
      return enough ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1000)
    },
  }
}
