// Proves that a line of bytes is one JSON object without making its value: a fifth of the time of `JSON.parse`, and no
// garbage (docs/inside/performance.md, P10).

/** The deepest nesting and the longest line, in bytes, that are proven here. */
const deepest = 500
const longest = 65_536

// The codes below are ASCII: 0x22 is ", 0x2c a comma, 0x3a a colon, 0x5b and 0x5d are [ and ], 0x5c is \, 0x7b and 0x7d
// are { and }. The build makes variables of constants, and a variable that is read for each byte takes a third longer.

/** 1 for each byte that may follow a backslash by itself. */
const escapes = Uint8Array.from({ length: 256 }, (_, code) => Number('"\\/bfnrt'.includes(String.fromCharCode(code))))

const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39

const isHex = (code: number): boolean => isDigit(code) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x66)

/** White space within a line. */
const isSpace = (code: number): boolean => code <= 0x20 && (code === 0x20 || code === 0x09 || code === 0x0d)

function space(bytes: Uint8Array, from: number): number {
  let at = from
  while (isSpace(bytes[at]!)) at++
  return at
}

/** The place after a string that begins at `from`, or -1. It reads four bytes at a time. */
function stringEnd(bytes: Uint8Array, words: DataView, from: number): number {
  if (bytes[from] !== 0x22) return -1
  const last = bytes.length - 4
  let at = from + 1
  for (;;) {
    let stops = 0
    for (; stops === 0; at += 4) {
      if (at > last) return -1
      stops = stopsIn(words.getInt32(at, true))
    }
    // The lowest of the four is the first; those above it may be marked wrongly.
    at -= 4 - ((31 - Math.clz32(stops & -stops)) >> 3)
    if (bytes[at] === 0x22) return at + 1
    if (bytes[at] !== 0x5c) return -1
    const code = bytes[++at]!
    if (code === 0x75) {
      for (let digit = 0; digit < 4; digit++) if (!isHex(bytes[++at]!)) return -1
    } else if (escapes[code] === 0) return -1
    at++
  }
}

/**
 * Marks the quotes, backslashes and controls among four bytes, by the highest bit of each. To take 1 from a byte sets
 * that bit only in a 0, so `(x - 1) & ~x` finds the zeros.
 */
function stopsIn(word: number): number {
  const quote = word ^ 0x22222222
  const backslash = word ^ 0x5c5c5c5c
  const found =
    ((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash) | ((word - 0x20202020) & ~word)
  return found & 0x80808080
}

/** The place after some digits, or -1 without any. */
function digitsEnd(bytes: Uint8Array, from: number): number {
  let at = from
  while (isDigit(bytes[at]!)) at++
  return at === from ? -1 : at
}

function numberEnd(bytes: Uint8Array, from: number): number {
  let at = bytes[from] === 0x2d ? from + 1 : from
  at = bytes[at] === 0x30 ? at + 1 : digitsEnd(bytes, at)
  if (at !== -1 && bytes[at] === 0x2e) at = digitsEnd(bytes, at + 1)
  if (at === -1 || (bytes[at]! | 0x20) !== 0x65) return at
  const sign = bytes[at + 1]
  return digitsEnd(bytes, at + (sign === 0x2b || sign === 0x2d ? 2 : 1))
}

function wordEnd(bytes: Uint8Array, from: number, word: string): number {
  for (let n = 0; n < word.length; n++) if (bytes[from + n] !== word.charCodeAt(n)) return -1
  return from + word.length
}

/** The place after a value that is neither an object nor a list, or -1. */
function scalarEnd(bytes: Uint8Array, words: DataView, at: number): number {
  const code = bytes[at]!
  if (code === 0x22) return stringEnd(bytes, words, at)
  if (code === 0x74) return wordEnd(bytes, at, 'true')
  if (code === 0x66) return wordEnd(bytes, at, 'false')
  return code === 0x6e ? wordEnd(bytes, at, 'null') : numberEnd(bytes, at)
}

/** The place of the value after a key that begins at `from`, or -1. */
function keyEnd(bytes: Uint8Array, words: DataView, from: number): number {
  const end = stringEnd(bytes, words, from)
  if (end === -1) return -1
  const at = space(bytes, end)
  return bytes[at] === 0x3a ? space(bytes, at + 1) : -1
}

/** What each open value ends with. */
const closers = new Uint8Array(deepest)

/** The place after an object that begins at `from`, or -1. */
function objectEnd(bytes: Uint8Array, words: DataView, from: number): number {
  const open = closers
  let at = from
  let depth = 0
  while (at !== -1) {
    const code = bytes[at]!
    if (code === 0x7b || code === 0x5b) {
      if (depth === deepest) return -1
      const closer = code + 2
      open[depth++] = closer
      at = space(bytes, at + 1)
      if (bytes[at] !== closer) {
        if (closer === 0x7d) at = keyEnd(bytes, words, at)
        continue
      }
    } else {
      at = scalarEnd(bytes, words, at)
      if (at === -1) return -1
      at = space(bytes, at)
    }
    // A value has ended, and with it perhaps those around it.
    while (bytes[at] === open[depth - 1]) {
      at++
      if (--depth === 0) return at
      at = space(bytes, at)
    }
    if (bytes[at] !== 0x2c) return -1
    at = space(bytes, at + 1)
    if (open[depth - 1] === 0x7d) at = keyEnd(bytes, words, at)
  }
  return -1
}

/**
 * The place of the line break after a JSON object that begins at `from`; -1 for what it cannot prove, which may be JSON
 * all the same (deeper or longer than any record, or at the end of the bytes). `bytes` are UTF-8 and end with a line
 * break; `words` are the same bytes.
 */
export function provenLineEnd(bytes: Uint8Array, words: DataView, from: number): number {
  if (bytes[from] !== 0x7b) return -1
  const end = objectEnd(bytes, words, from)
  return end !== -1 && bytes[end] === 0x0a && end - from <= longest ? end : -1
}
