// The names in a file, each with its first line: a million names in 16 MB.
import { hashText } from '../../domain/texthash.ts'

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

/** An empty set of names, made for `most` of them; it grows when there are more. Lines are at least 1. */
export function namesOf(most: number): Names {
  let slots = slotsFor(most)
  // Three numbers a name: both hashes and the line, which is 0 in a free slot.
  let table = new Uint32Array(3 * slots)
  let held = 0
  const pair = new Uint32Array(2)
  const place = (a: number, b: number, line: number): number => {
    let slot = a % slots
    for (; table[slot * 3 + 2] !== 0; slot = (slot + 1) % slots)
      if (table[slot * 3] === a && table[slot * 3 + 1] === b) return table[slot * 3 + 2]!
    table.set([a, b, line], slot * 3)
    return line
  }
  const grow = (): void => {
    const before = table
    slots = slotsFor(2 * held)
    table = new Uint32Array(3 * slots)
    for (let at = 0; at < before.length; at += 3)
      if (before[at + 2] !== 0) place(before[at]!, before[at + 1]!, before[at + 2]!)
  }
  return {
    claim: (name, line) => {
      hashText(name, pair)
      const found = place(pair[0]!, pair[1]!, line)
      if (found === line && ++held > slots * fullest) grow()
      return found
    },
  }
}

const slotsFor = (names: number): number => Math.ceil((names + 1) / fullest)
