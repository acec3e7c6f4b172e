// The names in a file, each with its first line: a million names in 16 MB.

/**
 * Lines by name. A hash of 64 bits distinguishes names; about one in forty million files of a million rows has a false
 * match.
 */
export interface Names {
  /** The line that has the name: an earlier one, or else `line`, which claims it. */
  readonly claim: (name: string, line: number) => number
}

/** How full the table gets at most: beyond that, a look-up is slow. */
const fullest = 0.75

/** Writes two 32-bit hashes of a text (cyrb53's mixing) into `pair`. */
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

/** An empty set of names that holds up to `most`. Lines are at least 1. */
export function namesOf(most: number): Names {
  const slots = Math.ceil((most + 1) / fullest)
  // Three numbers a name: both hashes and the line, which is 0 in a free slot.
  const table = new Uint32Array(3 * slots)
  const pair = new Uint32Array(2)
  return {
    claim: (name, line) => {
      hash(name, pair)
      const [a, b] = [pair[0]!, pair[1]!]
      let slot = a % slots
      for (; table[slot * 3 + 2] !== 0; slot = (slot + 1) % slots)
        if (table[slot * 3] === a && table[slot * 3 + 1] === b) return table[slot * 3 + 2]!
      table.set([a, b, line], slot * 3)
      return line
    },
  }
}
