// The AWBs of a document on its way: which journeys a line billed already, the net amount, and the first line. They lie
// in flat arrays and not in objects; those too many for memory go elsewhere, and come back when a line has one.

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

/** An AWB by the two numbers that it is, with 32 bits of their hash, and what was billed of it. */
export interface SeenAwb {
  key: number
  more: number
  hash: number
  bits: number
  net: number
  line: number
}

/** Where AWBs go that are too many for memory. */
export interface OlderAwbs {
  /** Two numbers below 2 to the 48th that only this text has: of a text that no number stands for. */
  readonly digest: (text: string) => readonly [number, number]
  /** Takes AWBs; what it took of one before no longer counts. The list can be walked twice, and reuses its object. */
  readonly keep: (count: number, awbs: () => Iterable<SeenAwb>) => void
  /** What it took of an AWB last. */
  readonly find: (key: number, more: number, hash: number) => SeenAwb | undefined
}

/** AWBs in memory at most: about 10 MB. */
const mostInMemory = 300_000

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

const symbols = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_'
const codes = new Uint8Array(128)
for (let at = 0; at < symbols.length; at++) codes[symbols.charCodeAt(at)] = at + 1

/** Up to eight characters as a number, 65 to each; NaN where one of them is no symbol. */
function codeOf(text: string, from: number, to: number): number {
  let number = 0
  for (let at = from; at < to; at++) {
    const code = codes[text.charCodeAt(at)] ?? 0
    if (code === 0) return NaN
    number = number * 65 + code
  }
  return number
}

/** The keys of texts that are known by their digest begin here, and go down. */
const hashed = -(2 ** 50)

/**
 * The numbers that an AWB is: its own where it is a plain one of at most 15 digits; up to 16 letters and digits as two
 * numbers, the first below zero; of any other text its digest.
 */
function keyOf(awb: string, into: { key: number; more: number }, digest: OlderAwbs['digest']): void {
  into.key = plainNumber(awb)
  into.more = 0
  if (into.key !== 0) return
  const middle = Math.min(8, awb.length)
  const [first, second] = [codeOf(awb, 0, middle), codeOf(awb, middle, awb.length)]
  if (awb.length <= 16 && !Number.isNaN(first) && !Number.isNaN(second)) {
    into.key = -1 - first
    into.more = second
    return
  }
  const [one, other] = digest(awb)
  into.key = hashed - one
  into.more = other
}

/** A part of the table: it grows by itself, so that a large table never lies in memory twice. */
interface Slots {
  readonly size: number
  readonly keys: Float64Array
  readonly mores: Float64Array
  readonly bits: Uint8Array
  readonly net: Float64Array
  readonly lines: Uint32Array
  count: number
}

const slotsOf = (size: number): Slots => ({
  size,
  keys: new Float64Array(size),
  mores: new Float64Array(size),
  bits: new Uint8Array(size),
  net: new Float64Array(size),
  lines: new Uint32Array(size),
  count: 0,
})

const [parts, partBits, leastSize] = [64, 6, 64]

/** 32 bits of a key: the upper ones are its part of the table, the others its place there. */
function mixed(key: number, more: number): number {
  const positive = Math.abs(key) + more
  const hash = Math.imul((positive % 4294967296) ^ Math.trunc(positive / 4294967296), 2654435761)
  return (hash ^ (hash >>> 15)) >>> 0
}

function placeIn({ keys, mores, size }: Slots, key: number, more: number, hash: number): number {
  let place = (hash & (0xffffffff >>> partBits)) % size
  while (keys[place] !== 0 && (keys[place] !== key || mores[place] !== more)) place = place + 1 === size ? 0 : place + 1
  return place
}

function grown(old: Slots): Slots {
  const next = slotsOf(Math.ceil(old.size * 1.5))
  for (let from = 0; from < old.size; from++) {
    const [key, more] = [old.keys[from]!, old.mores[from]!]
    if (key === 0) continue
    const to = placeIn(next, key, more, mixed(key, more))
    next.keys[to] = key
    next.mores[to] = more
    next.bits[to] = old.bits[from]!
    next.net[to] = old.net[from]!
    next.lines[to] = old.lines[from]!
  }
  next.count = old.count
  return next
}

/** The AWBs of a table, one after the other in one object. */
function* awbsIn(table: readonly Slots[]): Generator<SeenAwb> {
  const one: SeenAwb = { key: 0, more: 0, hash: 0, bits: 0, net: 0, line: 0 }
  for (const { size, keys, mores, bits, net, lines } of table)
    for (let at = 0; at < size; at++) {
      if (keys[at] === 0) continue
      one.key = keys[at]!
      one.more = mores[at]!
      one.hash = mixed(one.key, one.more)
      one.bits = bits[at]!
      one.net = net[at]!
      one.line = lines[at]!
      yield one
    }
}

/** An empty table; of more AWBs than `most`, what is known goes to the older ones. */
export function seenAwbs(older: OlderAwbs, most = mostInMemory): SeenAwbs {
  const made = (): Slots[] => Array.from({ length: parts }, () => slotsOf(leastSize))
  let table = made()
  let count = 0
  let anyOlder = false
  let [slots, place] = [table[0]!, 0]
  const own = { key: 0, more: 0 }
  const insert = (hash: number, known: SeenAwb | undefined): void => {
    if (count >= most) {
      const full = table
      older.keep(count, () => awbsIn(full))
      anyOlder = true
      table = made()
      count = 0
    }
    const part = hash >>> (32 - partBits)
    slots = table[part]!
    if (slots.count * 4 >= slots.size * 3) table[part] = slots = grown(slots)
    place = placeIn(slots, own.key, own.more, hash)
    slots.keys[place] = own.key
    slots.mores[place] = own.more
    slots.count++
    count++
    if (known === undefined) return
    slots.bits[place] = known.bits
    slots.net[place] = known.net
    slots.lines[place] = known.line
  }
  return {
    goTo: (awb) => {
      keyOf(awb, own, older.digest)
      const hash = mixed(own.key, own.more)
      slots = table[hash >>> (32 - partBits)]!
      place = placeIn(slots, own.key, own.more, hash)
      if (slots.keys[place] === 0) insert(hash, anyOlder ? older.find(own.key, own.more, hash) : undefined)
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
