// A set of texts that remembers 64 bits of each: a walk through a million records must know which ones it has returned,
// and a set of their ids would take ten times the memory. Two texts share their digest once in 10^19 pairs.
import { hashText } from '../domain/texthash.ts'

/** A set that only grows. */
export interface DigestSet {
  /** Adds a text; returns whether it was new. */
  readonly add: (text: string) => boolean
}

/** Slots at first; always a power of two, of which three quarters may be taken. */
const leastSlots = 1024

/** An empty set: 8 bytes for each slot, and never more than three slots for each text once it has grown. */
export function digestSet(): DigestSet {
  let slots = new Uint32Array(2 * leastSlots)
  let size = 0
  const pair = new Uint32Array(2)

  /** Puts a digest where it belongs; false when it is there. */
  const put = (into: Uint32Array, high: number, low: number): boolean => {
    const mask = into.length / 2 - 1
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const [firstHalf, secondHalf] = [into[2 * at]!, into[2 * at + 1]!]
      if (firstHalf === high && secondHalf === low) return false
      if (firstHalf !== 0 || secondHalf !== 0) continue
      into[2 * at] = high
      into[2 * at + 1] = low
      return true
    }
  }

  const grow = (): void => {
    const larger = new Uint32Array(slots.length * 2)
    for (let at = 0; at < slots.length; at += 2) {
      const [high, low] = [slots[at]!, slots[at + 1]!]
      if (high !== 0 || low !== 0) put(larger, high, low)
    }
    slots = larger
  }

  return {
    add: (text) => {
      if (size >= (slots.length / 2) * 0.75) grow()
      hashText(text, pair)
      const [low, high] = [pair[0]!, pair[1]!]
      // Two zeros mean an empty slot.
      const fresh = put(slots, high, low === 0 && high === 0 ? 1 : low)
      if (fresh) size++
      return fresh
    },
  }
}
