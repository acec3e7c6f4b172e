// A set of texts that remembers 64 bits of each: a walk through a million records must know which ones it has returned,
// and a set of their ids would take ten times the memory. Two texts share their digest once in 10^19 pairs.

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
      const [high, low] = digestOf(text)
      const fresh = put(slots, high, low)
      if (fresh) size++
      return fresh
    },
  }
}

/** 64 bits of a text (cyrb53's two halves, whole); never two zeros, which mean an empty slot. */
function digestOf(text: string): readonly [high: number, low: number] {
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return a === 0 && b === 0 ? [0, 1] : [b >>> 0, a >>> 0]
}
