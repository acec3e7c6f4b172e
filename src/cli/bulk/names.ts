// The names of a file, each with the line that had it first: a million of them in 24 MB; knows nothing of what they name.

/** Lines by name. Names are told apart by 64 bits of a hash, so that one in forty million files of a million rows errs. */
export interface Names {
  /** The line that has the name: an earlier one, or this one, which has it from now on. */
  readonly claim: (name: string, line: number) => number
}

/** How full the table may be: beyond that, looking takes long. */
const fullest = 0.7

/** Two hashes of 32 bits (cyrb53's mixing) of a text, into `pair`. */
function hash(text: string, pair: Uint32Array): void {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  pair[0] = a
  pair[1] = b
}

/** An empty set of names. Lines are at least 1. */
export function namesOf(): Names {
  let mask = 4095
  // Three numbers a name: both hashes and the line, which is 0 where there is none.
  let table = new Uint32Array(3 * (mask + 1))
  let count = 0
  const pair = new Uint32Array(2)

  /** The place of the pair, or the empty one where it belongs. */
  const placeOf = (a: number, b: number): number => {
    for (let slot = a & mask; ; slot = (slot + 1) & mask) {
      const at = slot * 3
      if (table[at + 2] === 0 || (table[at] === a && table[at + 1] === b)) return at
    }
  }

  const grow = (): void => {
    const old = table
    mask = mask * 2 + 1
    table = new Uint32Array(3 * (mask + 1))
    for (let at = 0; at < old.length; at += 3)
      if (old[at + 2] !== 0) table.set(old.subarray(at, at + 3), placeOf(old[at]!, old[at + 1]!))
  }

  return {
    claim: (name, line) => {
      hash(name, pair)
      const at = placeOf(pair[0]!, pair[1]!)
      if (table[at + 2] !== 0) return table[at + 2]!
      table[at] = pair[0]!
      table[at + 1] = pair[1]!
      table[at + 2] = line
      if (++count > (mask + 1) * fullest) grow()
      return line
    },
  }
}
