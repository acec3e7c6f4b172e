// The AWBs of a document on its way: which journeys a line billed already, the net amount, and the first line. Ten
// million of them must fit into memory, so they lie in flat arrays and not in objects.

/** What was billed of the AWBs of a document so far. */
export interface SeenAwbs {
  /** The place of an AWB, made where it is new; places change when another AWB comes. */
  readonly at: (awb: string) => number
  /** Journeys as bits, net paise, and the first line, by place. */
  readonly bits: (place: number) => number
  readonly net: (place: number) => number
  readonly line: (place: number) => number
  readonly bill: (place: number, bits: number, net: number, line: number) => void
}

const plainNumber = /^[1-9]\d{0,14}$/

/**
 * An AWB as a number: its own where it is a plain one of at most 15 digits, else 52 bits of a hash, below zero. Two
 * texts of a document get the same number once in a thousand documents of a million such AWBs.
 */
function keyOf(awb: string): number {
  if (plainNumber.test(awb)) return Number(awb)
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

interface Slots {
  readonly size: number
  readonly keys: Float64Array
  readonly bits: Uint8Array
  readonly net: Int32Array
  readonly lines: Uint32Array
}

const slotsOf = (size: number): Slots => ({
  size,
  keys: new Float64Array(size),
  bits: new Uint8Array(size),
  net: new Int32Array(size),
  lines: new Uint32Array(size),
})

function placeIn({ keys, size }: Slots, key: number): number {
  const low = Math.abs(key) % 4294967296
  let place = (Math.imul(low ^ Math.trunc(Math.abs(key) / 4294967296), 2654435761) >>> 0) & (size - 1)
  while (keys[place] !== 0 && keys[place] !== key) place = (place + 1) & (size - 1)
  return place
}

/** An empty table. */
export function seenAwbs(): SeenAwbs {
  let slots = slotsOf(4096)
  let count = 0
  const grow = (): void => {
    const [old, next] = [slots, slotsOf(slots.size * 2)]
    for (let from = 0; from < old.size; from++) {
      const key = old.keys[from]!
      if (key === 0) continue
      const to = placeIn(next, key)
      next.keys[to] = key
      next.bits[to] = old.bits[from]!
      next.net[to] = old.net[from]!
      next.lines[to] = old.lines[from]!
    }
    slots = next
  }
  return {
    at: (awb) => {
      const key = keyOf(awb)
      const place = placeIn(slots, key)
      if (slots.keys[place] === key) return place
      if (count * 3 < slots.size * 2) {
        slots.keys[place] = key
        count++
        return place
      }
      grow()
      const moved = placeIn(slots, key)
      slots.keys[moved] = key
      count++
      return moved
    },
    bits: (place) => slots.bits[place]!,
    net: (place) => slots.net[place]!,
    line: (place) => slots.lines[place]!,
    bill: (place, bits, net, line) => {
      slots.bits[place] = bits
      slots.net[place] = net
      if (slots.lines[place] === 0) slots.lines[place] = line
    },
  }
}
