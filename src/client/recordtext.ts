// Cuts the records from a listing's JSON text without changing a digit of them.
import { isAscii } from 'node:buffer'
import { idIn } from '../domain/foreign/records.ts'
import { lineTexts } from '../domain/linetexts.ts'
import { provenLines } from './lineproof.ts'

/** The deepest nesting of an answer: printing a deeper one later would run out of stack. */
const deepest = 500

/**
 * The elements of the `data` array of a JSON text (or of the array that the text is), each as it was sent but on one
 * line: numbers keep their digits and strings their escapes, only white space between tokens goes. The text must be
 * valid JSON; undefined when there is no such array. Of several `data` the last counts, as in `JSON.parse`. Linear in
 * the text. Throws RangeError when values nest deeper than any answer should.
 */
export function cutRecords(text: string): readonly string[] | undefined {
  let at = space(text, 0)
  if (text[at] === '[') return elements(text, at)
  if (text[at] !== '{') return undefined
  let found: readonly string[] | undefined
  at = space(text, at + 1)
  while (text[at] === '"') {
    const end = stringEnd(text, at)
    const key = text.slice(at, end)
    at = space(text, space(text, end) + 1)
    const isData = key === '"data"' || (key.includes('\\') && JSON.parse(key) === 'data')
    if (isData) found = text[at] === '[' ? elements(text, at) : undefined
    at = space(text, valueEnd(text, at))
    if (text[at] === ',') at = space(text, at + 1)
  }
  return found
}

/** A page cut into its records while it was parsed. */
export interface CutPage {
  /** Each record as it was sent. */
  readonly records: readonly string[]
  /** The same, one on each line, in UTF-8. */
  readonly lines: Uint8Array
  /** The value of the whole. */
  readonly json: { readonly data: readonly object[]; readonly meta: object }
}

/** How the pages of our own service begin, how one record of them follows another, and how they end. */
const [opening, between, closing] = ['{"data":[{"id":"', '}},{"id":"', '],"meta":{'] as const

/** Pages with more records go the slow way, which counts values: no page of the service has this many. */
const mostCut = 200

/** Longer records go the slow way, which checks the nesting: shorter ones cannot nest too deep to be printed. */
const longestCut = 4096

/**
 * A page in the compact form that our own service writes, from its bytes, which are UTF-8: cut where its records seem
 * to follow each other, and each piece parsed by itself. Pieces that are all values make a page of just these.
 * Undefined when that does not hold, and for any other form, which `JSON.parse` and `cutRecords` read in several times
 * the time (docs/inside/performance.md, P10).
 */
export function cutPage(bytes: Buffer): CutPage | undefined {
  const end = bytes.lastIndexOf(closing)
  const begins = bytes.toString('latin1', 0, opening.length) === opening
  if (!begins || end === -1 || bytes.includes(10) || bytes.includes(13)) return undefined
  // Nearly every record is plain ASCII, whose text takes half the room and is parsed in half the time.
  const textOf = (from: number, to: number): string =>
    isAscii(bytes.subarray(from, to)) ? bytes.toString('latin1', from, to) : bytes.toString('utf8', from, to)
  const first = opening.indexOf('[') + 1
  const lines = Buffer.from(bytes.subarray(first, end))
  const records: string[] = []
  const data: object[] = []
  try {
    const meta = JSON.parse(bytes.toString('utf8', end + closing.length - 1, bytes.length - 1)) as object
    if (bytes[bytes.length - 1] !== 0x7d) return undefined
    for (let at = first; at < end;) {
      const next = bytes.indexOf(between, at)
      const to = next === -1 || next > end ? end : next + 2
      if (to - at > longestCut || records.length >= mostCut) return undefined
      const record = textOf(at, to)
      data.push(JSON.parse(record) as object)
      records.push(record)
      if (to < end) lines[to - first] = 10
      at = to + 1
    }
    return { records, lines, json: { data, meta } }
  } catch {
    return undefined
  }
}

/** Records one on each line, each proven to be a JSON object. */
export interface CutLines {
  readonly count: number
  /** Cut up when they are first asked for: an export only passes the lines on. */
  readonly records: readonly string[]
  /** Without the line break at the end. */
  readonly lines: Uint8Array
  /** Takes their memory back, once neither `lines` nor `records` is read any more. */
  readonly release: (() => void) | undefined
}

/** Lines at the beginning of an answer that are proven: how many, and the place after them. */
export interface ProvenLines {
  readonly count: number
  readonly end: number
  /** The line after them has come and cannot be proven: nothing more is tried until all have come. */
  readonly stuck?: boolean
}

/** Proves whole lines as far as it can, after those that are proven. */
export function provenMore(bytes: Buffer, before: ProvenLines): ProvenLines {
  if (before.stuck === true) return before
  const whole = bytes.subarray(0, bytes.lastIndexOf(lineBreak) + 1)
  if (before.end === whole.length) return before
  const { count, end } = provenLines(whole, before.end)
  const proven = { count: before.count + count, end }
  return end === whole.length ? proven : { ...proven, stuck: true }
}

/** The most lines of an answer, twenty times those that the service sends: each becomes a text of its own. */
const mostLines = 100_000

/**
 * Cuts UTF-8 text into lines, without a check of those in `proven`. Says what is wrong: the last line has no end, a
 * line is no record, or there are too many lines.
 */
export function cutLines(
  bytes: Buffer,
  release?: () => void,
  proven: ProvenLines = { count: 0, end: 0 },
): CutLines | 'cut' | 'deep' | 'crowded' | 'other' {
  if (bytes.length > 0 && bytes[bytes.length - 1] !== lineBreak) return 'cut'
  let { count, end: at } = proven
  while (at < bytes.length) {
    ;({ count, end: at } = provenMore(bytes, { count, end: at }))
    if (at === bytes.length) break
    const end = bytes.indexOf(lineBreak, at)
    const fault = faultIn(bytes.subarray(at, end))
    if (fault !== undefined) return fault
    count++
    at = end + 1
    if (count > mostLines) return 'crowded'
  }
  if (count > mostLines) return 'crowded'
  const lines = bytes.subarray(0, Math.max(0, bytes.length - 1))
  let records: readonly string[] | undefined
  return {
    count,
    lines,
    release,
    get records() {
      return (records ??= count === 0 ? [] : lineTexts(lines))
    },
  }
}

/** The id of the last of some lines, each of which is a record, with all its digits; '' where it has none. */
export const lastIdIn = (lines: Uint8Array): string =>
  idIn(Buffer.from(lines.subarray(lines.lastIndexOf(lineBreak) + 1)).toString())

/** What is wrong with a line that is not proven to be a record. */
function faultIn(line: Buffer): 'deep' | 'crowded' | 'other' | undefined {
  if (line[0] !== brace) return 'other'
  const text = line.toString(isAscii(line) ? 'latin1' : 'utf8')
  if (line.length > longestCut) {
    const { cut, deep, crowded } = outline(text)
    if (deep || crowded || cut) return deep ? 'deep' : crowded ? 'crowded' : 'other'
  }
  try {
    JSON.parse(text)
    return undefined
  } catch {
    return 'other'
  }
}

const lineBreak = 10

/** The most objects and lists, values, and long numbers of an answer: parsed, each takes a multiple of its text. */
const [mostBrackets, mostValues, mostLong] = [300_000, 1_000_000, 20_000]

/** Digits of a number that is parsed with its digits kept (src/domain/exactjson.ts), which takes the most memory. */
const longDigits = 16

/** How a JSON text is built, found out without parsing it. */
interface Outline {
  /** It ends inside a string or an open bracket. */
  readonly cut: boolean
  /** Its brackets nest deeper than any answer should. */
  readonly deep: boolean
  /** It has more objects, lists or values than any answer should. */
  readonly crowded: boolean
}

/** The outline of a text, which need not be JSON. */
export function outline(text: string): Outline {
  let depth = 0
  let most = 0
  let [brackets, commas, digits, long] = [0, 0, 0, 0]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code >= 0x30 && code <= 0x39) {
      if (++digits === longDigits) long++
      continue
    }
    digits = 0
    if (code === quote) {
      const end = stringEnd(text, at)
      if (end > text.length) return { cut: true, deep: most > deepest, crowded: false }
      at = end - 1
    } else if (code === brace || code === bracket) {
      depth++
      brackets++
      if (depth > most) most = depth
    } else if (code === braceEnd || code === bracketEnd) depth--
    else if (code === comma) commas++
  }
  return {
    cut: depth > 0,
    deep: most > deepest,
    crowded: brackets > mostBrackets || commas > mostValues || long > mostLong,
  }
}

const [quote, brace, braceEnd, bracket, bracketEnd, comma] = [0x22, 0x7b, 0x7d, 0x5b, 0x5d, 0x2c]

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

function space(text: string, from: number): number {
  let at = from
  while (isSpace(text.charCodeAt(at))) at++
  return at
}

/** The place after a string that begins at `from`; beyond the text when it does not end. */
function stringEnd(text: string, from: number): number {
  let at = from
  for (;;) {
    at = text.indexOf('"', at + 1)
    if (at < 0) return text.length + 1
    let slashes = 0
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++
    if (slashes % 2 === 0) return at + 1
  }
}

/** Whether the last value that `valueEnd` passed has white space between its tokens. */
let spaced = false

function valueEnd(text: string, from: number): number {
  let depth = 0
  let at = from
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else {
      if (Number.isNaN(code)) return at
      if (code === brace || code === bracket) {
        if (++depth > deepest) throw new RangeError('too deep')
      } else if (code === braceEnd || code === bracketEnd) {
        if (depth === 0) return at
        depth--
      } else if (depth === 0 && (code === comma || isSpace(code))) return at
      else if (code <= 0x20) spaced = true
      at++
    }
    if (depth === 0 && at > from && (code === quote || code === braceEnd || code === bracketEnd)) return at
  }
}

function elements(text: string, from: number): readonly string[] {
  const records: string[] = []
  let at = space(text, from + 1)
  while (at < text.length && text[at] !== ']') {
    spaced = false
    const end = valueEnd(text, at)
    records.push(spaced ? oneLine(text, at, end) : text.slice(at, end))
    at = space(text, end)
    if (text[at] === ',') at = space(text, at + 1)
  }
  return records
}

/** A part of the text without the white space between its tokens. */
function oneLine(text: string, from: number, to: number): string {
  let line = ''
  let kept = from
  let at = from
  while (at < to) {
    const code = text.charCodeAt(at)
    if (code === quote) at = stringEnd(text, at)
    else if (isSpace(code)) {
      line += text.slice(kept, at)
      at = space(text, at)
      kept = at
    } else at++
  }
  return kept === from ? text.slice(from, to) : line + text.slice(kept, to)
}
