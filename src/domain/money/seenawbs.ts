// The AWBs of a document on its way: which journeys a line billed already, the net amount, and the first line. Ten
// million of them must fit into memory, so they lie in flat arrays and not in objects.

/** What was billed of the AWBs of a document so far, one AWB at a time. */
export interface SeenAwbs {
  /** Goes to an AWB, which is made where it is new. */
  readonly goTo: (awb: string) => void
  /** Of this AWB: journeys as bits, net paise, and the first line. */
  readonly bits: () => number
  readonly net: () => number
  readonly line: () => number
  /** Sets them; the first line stays. */
  readonly bill: (bits: number, net: number, line: number) => void
}

/** The number that a text of 1 to 15 digits is, without a zero in front; 0 for any other text. */
function plainNumber(text: string): number {
  if (text.length > 15 || text.charCodeAt(0) === 48) return 0
  let number = 0
  for (let at = 0; at < text.length; at++) {
    const digit = text.charCodeAt(at) - 48
    if (digit < 0 || digit > 9) return 0
    number = number * 10 + digit
  }
  return number
}

/**
 * An AWB as a number: its own where it is a plain one of at most 15 digits, else 52 bits of a hash, below zero. Two
 * texts of a document get the same number once in a thousand documents of a million such AWBs.
 */
function keyOf(awb: string): number {
  const plain = plainNumber(awb)
  if (plain !== 0) return plain
  let [a, b] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < awb.length; at++) {
    const code = awb.charCodeAt(at)
    a = Math.imul(a ^ code, 2654435761)
    b = Math.imul(b ^ code, 1597334677)
  }
  a = Math.imul(a ^ (a >>> 16), 2246822507) ^ Math.imul(b ^ (b >>> 13), 3266489909)
  b = Math.imul(b ^ (b >>> 16), 2246822507) ^ Math.imul(a ^ (a >>> 13), 3266489909)
  return -((b >>> 12) * 4294967296 + (a >>> 0) + 1)
}

/** A part of the table: it grows by itself, so that a large table never lies in memory twice. */
interface Slots {
  readonly size: number
  readonly keys: Float64Array
  readonly bits: Uint8Array
  readonly net: Int32Array
  readonly lines: Uint32Array
  count: number
}

const slotsOf = (size: number): Slots => ({
  size,
  keys: new Float64Array(size),
  bits: new Uint8Array(size),
  net: new Int32Array(size),
  lines: new Uint32Array(size),
  count: 0,
})

const [parts, partBits] = [64, 6]

/** 32 bits of a key: the upper ones are its part of the table, the others its place there. */
function mixed(key: number): number {
  const positive = Math.abs(key)
  const hash = Math.imul((positive % 4294967296) ^ Math.trunc(positive / 4294967296), 2654435761)
  return (hash ^ (hash >>> 15)) >>> 0
}

function placeIn({ keys, size }: Slots, key: number, hash: number): number {
  let place = (hash & (0xffffffff >>> partBits)) % size
  while (keys[place] !== 0 && keys[place] !== key) place = place + 1 === size ? 0 : place + 1
  return place
}

function grown(old: Slots): Slots {
  const next = slotsOf(Math.ceil(old.size * 1.5))
  for (let from = 0; from < old.size; from++) {
    const key = old.keys[from]!
    if (key === 0) continue
    const to = placeIn(next, key, mixed(key))
    next.keys[to] = key
    next.bits[to] = old.bits[from]!
    next.net[to] = old.net[from]!
    next.lines[to] = old.lines[from]!
  }
  next.count = old.count
  return next
}

/** An empty table. */
export function seenAwbs(): SeenAwbs {
  const table = Array.from({ length: parts }, () => slotsOf(64))
  let [slots, place] = [table[0]!, 0]
  return {
    goTo: (awb) => {
      const key = keyOf(awb)
      const hash = mixed(key)
      const part = hash >>> (32 - partBits)
      slots = table[part]!
      place = placeIn(slots, key, hash)
      if (slots.keys[place] === key) return
      if (slots.count * 4 >= slots.size * 3) {
        table[part] = slots = grown(slots)
        place = placeIn(slots, key, hash)
      }
      slots.keys[place] = key
      slots.count++
    },
    bits: () => slots.bits[place]!,
    net: () => slots.net[place]!,
    line: () => slots.lines[place]!,
    bill: (bits, net, line) => {
      slots.bits[place] = bits
      slots.net[place] = net
      if (slots.lines[place] === 0) slots.lines[place] = line
    },
  }
}
