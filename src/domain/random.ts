// Random numbers that are the same for the same seed, and tables of values that are drawn by weight.

/** Words to draw by weight: how often each comes, in any unit. */
export type Shares<T extends string = string> = Readonly<Partial<Record<T, number>>>

/** Random numbers that are the same each time. */
export interface Dice {
  /** Starts the sequence of one record; it depends only on the seed, the stream and the index. */
  readonly aim: (stream: number, index: number) => void
  /** 32 random bits. */
  readonly bits: () => number
  /** From 0 up to and without 1. */
  readonly unit: () => number
  /** An integer from 0 to n - 1. */
  readonly below: (n: number) => number
  readonly between: (low: number, high: number) => number
  readonly chance: (share: number) => boolean
}

/** Chris Doty-Humphrey's sfc32. */
export function diceOf(seed: number): Dice {
  let a = 0
  let b = 0
  let c = 0
  let d = 1
  const bits = (): number => {
    const sum = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    c |= 0
    return sum >>> 0
  }
  const unit = (): number => bits() / 4_294_967_296
  return {
    aim: (stream, index) => {
      a = seed | 0
      b = index | 0
      c = stream ^ (Math.trunc(seed / 4_294_967_296) << 3)
      d = 1
      for (let i = 0; i < 12; i++) bits()
    },
    bits,
    unit,
    below: (n) => Math.floor(unit() * n),
    between: (low, high) => low + unit() * (high - low),
    chance: (share) => unit() < share,
  }
}

/** Values with weights; a draw is one look-up. */
export interface Table<T> {
  readonly values: readonly T[]
  readonly slots: Uint16Array
}

export function tableOf<T>(values: readonly T[], weights: readonly number[]): Table<T> {
  const slots = new Uint16Array(4096)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let at = 0
  let sum = 0
  weights.forEach((weight, value) => {
    sum += weight
    const end = Math.round((sum / total) * slots.length)
    while (at < end) slots[at++] = value
  })
  return { values, slots }
}

/** A table of words by their shares. */
export const sharesTable = <T extends string>(shares: Shares<T>): Table<T> =>
  tableOf(Object.keys(shares) as T[], Object.values<number>(shares as Record<string, number>))

/** Draws a value by its weight. */
export const draw = <T>(dice: Dice, table: Table<T>): T => table.values[table.slots[dice.bits() >>> 20]!]!
/** Draws any of the values, all equally likely. */
export const oneOf = <T>(dice: Dice, values: readonly T[]): T => values[dice.below(values.length)]!
