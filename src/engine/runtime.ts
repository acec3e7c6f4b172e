// What the engine's caller supplies: a clock, random ids and a hash.

/** The time, new ids and a hash. The caller supplies them, so that tests and samples can fix them. */
export interface Host {
  /** Now, ms UTC. */
  readonly now: () => number
  /** A new random UUID. */
  readonly uuid: () => string
  /** `length` random letters from an alphabet. */
  readonly letters: (length: number, alphabet: string) => string
  /** SHA-256 in hexadecimal. */
  readonly digest: (data: string | Uint8Array) => string
}

/** Capital letters and digits, as in `ORD` and ten more (docs/inside/decisions.md, Orders). */
export const capitals = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
/** Digits, as in tracking numbers. */
export const digits = '0123456789'
