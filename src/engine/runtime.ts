// What the engine is given by whoever runs it: the clock, chance and a hash; knows no process and no library.

/** The time, new identifiers and a hash. The caller that wires the engine brings them, so that tests and samples can fix them. */
export interface Host {
  /** Now, ms UTC. */
  readonly now: () => number
  /** A new random UUID. */
  readonly uuid: () => string
  /** `length` random letters out of an alphabet. */
  readonly letters: (length: number, alphabet: string) => string
  /** SHA-256 in hexadecimal. */
  readonly digest: (data: string | Uint8Array) => string
}

/** Capital letters and digits, as in `ORD` and ten more (docs/decisions.md, Orders). */
export const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** Digits, as in tracking numbers. */
export const digits = '0123456789'
