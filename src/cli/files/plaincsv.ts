// The rows of a CSV up to the first that is not simple, split at their delimiters: most files have no other ones, and
// csv-parse looks at each byte for much more. A cell in quotes is simple when it holds neither a quote nor a line
// break. From the first row with any other cell in quotes, the file is left to csv-parse.
import { isAscii } from 'node:buffer'

/** A row longer than this is left to csv-parse, which refuses the longest ones. */
const mostPlain = 262_144

/** V8 copies a part of a text that is shorter; a longer one would hold the whole piece of the file in memory. */
const leastShared = 13

const [quote, lineFeed, carriageReturn] = [34, 10, 13]

/** Reads a CSV from its beginning to its first row that is not simple. */
export interface PlainRows {
  /** Whether no such row has come yet. */
  readonly open: () => boolean
  /** The rows that end in the next piece. An empty line is a row of one empty cell. */
  readonly take: (piece: Buffer) => string[][]
  /** What is not in a row yet: after `open` ends, it begins with the row that is not simple. */
  readonly left: () => Buffer
}

/** The reader of a CSV with a delimiter; the byte order mark at its beginning is left out. */
export function plainRows(delimiter: string): PlainRows {
  const between = delimiter.charCodeAt(0)
  let [open, begun] = [true, false]
  let rest: Buffer = Buffer.alloc(0)
  const endsCell = (byte: number | undefined): boolean =>
    byte === between || byte === lineFeed || byte === carriageReturn
  /** The rows that end in the bytes, and where the first one that does not end there begins. */
  const split = (bytes: Buffer): { readonly rows: string[][]; readonly from: number } => {
    const rows: string[][] = []
    const cellOf = readerOf(bytes)
    let [from, start] = [0, 0]
    let cells: string[] = []
    for (let at = 0; at < bytes.length; at++) {
      let byte = bytes[at]!
      let end = at
      if (byte === quote) {
        const close = at === start ? simpleEnd(bytes, at) : undefined
        open &&= close !== undefined && (close + 1 >= bytes.length || endsCell(bytes[close + 1]))
        // The rest of the cell may be in the next piece.
        if (!open || close! + 1 >= bytes.length) break
        start = at + 1
        end = close!
        at = end + 1
        byte = bytes[at]!
      }
      if (byte === between) {
        cells.push(cellOf(start, end))
        start = at + 1
      } else if (byte === lineFeed || byte === carriageReturn) {
        // The line feed of a carriage return may be in the next piece.
        if (byte === carriageReturn && at + 1 === bytes.length) break
        if (at - from > mostPlain) {
          open = false
          break
        }
        cells.push(cellOf(start, end))
        rows.push(cells)
        cells = []
        if (byte === carriageReturn && bytes[at + 1] === lineFeed) at++
        start = from = at + 1
      }
    }
    return { rows, from }
  }
  return {
    open: () => open,
    take: (piece) => {
      let bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece])
      rest = bytes
      if (!begun) {
        if (bytes.length < 3) return []
        begun = true
        if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) bytes = bytes.subarray(3)
      }
      const { rows, from } = split(bytes)
      rest = bytes.subarray(from)
      if (rest.length > mostPlain) open = false
      return rows
    },
    left: () => rest,
  }
}

/** Where the quotes of a cell end, or the bytes before they do; undefined when a line break is between them. */
function simpleEnd(bytes: Buffer, begin: number): number | undefined {
  for (let at = begin + 1; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (byte === quote) return at
    if (byte === lineFeed || byte === carriageReturn) return undefined
  }
  return bytes.length
}

/** Reads cells of a piece of UTF-8. */
function readerOf(bytes: Buffer): (start: number, end: number) => string {
  if (!isAscii(bytes)) return (start, end) => bytes.toString('utf8', start, end)
  const text = bytes.toString('latin1')
  return (start, end) => (end - start < leastShared ? text.slice(start, end) : bytes.toString('latin1', start, end))
}
