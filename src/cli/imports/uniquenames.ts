// The names of a file, each with the line that had it first: a million of them in 16 MB.

/**
 * Lines by name. Names are distinguished by 64 bits of a hash, so that one in forty million files of a million rows
 * errs.
 */
export interface Names {
  /** The line that has the name: an earlier one, or this one, which has it then. */
  readonly claim: (name: string, line: number) => number
}

/** How full the table gets at most: beyond that, looking takes long. */
const fullest = 0.75

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

/** An empty set of names that takes up to `most`. Lines are at least 1. */
export function namesOf(most: number): Names {
  const slots = Math.ceil((most + 1) / fullest)
  // Three numbers a name: both hashes and the line, which is 0 where there is none.
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
