// Chance that is the same in every run: equal seeds give equal draws.

/** The generator (mulberry32): numbers from 0 up to and without 1. */
export function chanceOf(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Draws of one seed: `unit` from 0 up to and without 1, a whole number `below` a bound, one of a list. */
export interface Draws {
  readonly unit: () => number
  readonly below: (bound: number) => number
  readonly pick: <T>(list: readonly T[]) => T
}

export function drawsOf(seed: number): Draws {
  const unit = chanceOf(seed)
  const below = (bound: number): number => Math.floor(unit() * bound)
  return { unit, below, pick: (list) => list[below(list.length)]! }
}

/** The first three of many drawn values that are not right: one expectation for all of them. */
export function wrongOf<T>(times: number, draw: () => T, right: (value: T) => boolean): readonly T[] {
  const found: T[] = []
  for (let i = 0; i < times; i++) {
    const value = draw()
    if (!right(value)) found.push(value)
  }
  return found.slice(0, 3)
}
