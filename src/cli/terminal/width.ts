// Measures, pads and cuts text by its columns on a terminal.

import stringWidth from 'string-width'
import { fillLines } from './lines.ts'

// Our own marks and the rupee sign are in nearly every cell and one column wide, so they share the fast path.
const plain = /^[\u{20}-\u{7e}\u00a0-\u00ac\u00ae-\u02ff₹–—•…·⏎✓✗]*$/u
const escape = String.fromCharCode(27)
// Colours, and the codes that place the cursor.
const colour = new RegExp(`${escape}\\[[\\d;]*[mG]`)
const colourParts = new RegExp(`(${escape}\\[[\\d;]*[mG])`)

/** A way to count the columns that text takes: `widthOf` or `reachOf`. */
export type Measure = (text: string) => number

/** Whether every terminal agrees on how many columns text takes. */
export const certain = (text: string): boolean => plain.test(text)

let segmenter: Intl.Segmenter | undefined

/**
 * Intl.Segmenter takes quadratic time (seconds for 100,000 characters), so long text goes through it in pieces of this
 * length.
 */
const pieceLength = 500

function piecesOf(text: string): readonly string[] {
  const pieces: string[] = []
  for (let start = 0; start < text.length;) {
    const next = start + pieceLength
    const end = /[\udc00-\udfff]/.test(text.charAt(next)) ? next - 1 : next
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

function* graphemesOf(text: string): Generator<string> {
  segmenter ??= new Intl.Segmenter()
  for (const piece of piecesOf(text)) for (const { segment } of segmenter.segment(piece)) yield segment
}

/** The terminal columns of text; colour codes take none. */
export function widthOf(text: string): number {
  if (plain.test(text)) return text.length
  if (text.length <= pieceLength) return stringWidth(text)
  const uncoloured = text.split(colourParts).filter((part) => !colour.test(part))
  return uncoloured.flatMap(piecesOf).reduce((sum, piece) => sum + stringWidth(piece), 0)
}

// On a terminal that knows no clusters, regional indicators and spacing vowel signs take columns of their own.
const lonely = /^[\p{Mc}\p{Regional_Indicator}]$/u

/** The most columns that any terminal takes for text without colour: some count every character of a cluster. */
export function reachOf(text: string): number {
  if (plain.test(text)) return text.length
  let sum = 0
  for (const char of text) sum += lonely.test(char) ? (char.length === 2 ? 2 : 1) : stringWidth(char)
  return Math.max(widthOf(text), sum)
}

/** Text and the spaces that make it n columns wide; wider text stays unchanged. */
export function padEnd(text: string, n: number): string {
  return text + ' '.repeat(Math.max(0, n - widthOf(text)))
}

/** The spaces that make text n columns wide, and the text; wider text stays unchanged. */
export function padStart(text: string, n: number): string {
  return ' '.repeat(Math.max(0, n - widthOf(text))) + text
}

/**
 * Text of at most n columns, as `measure` counts them: cuts wider text between graphemes and adds the mark. Keeps
 * colour codes after the cut, so that colour is switched off again.
 */
export function cut(text: string, n: number, mark = '…', measure: Measure = widthOf): string {
  if (n <= 0) return ''
  if (text.length <= n && plain.test(text)) return text
  if (measure(text) <= n) return text
  const room = n - widthOf(mark)
  if (room < 0) return mark.slice(0, n)
  if (!colour.test(text)) return takeColumns(text, room, measure).taken + mark
  let out = ''
  let left = room
  let whole = true
  for (const part of text.split(colourParts)) {
    if (colour.test(part)) {
      out += part
    } else if (whole) {
      const { taken, width } = takeColumns(part, left, measure)
      out += taken
      left -= width
      whole = taken.length === part.length
      if (!whole) out += mark
    }
  }
  return out
}

/** The longest start of text, in whole graphemes, of at most n columns, and its width. */
function takeColumns(text: string, n: number, measure: Measure): { readonly taken: string; readonly width: number } {
  if (plain.test(text)) return { taken: text.slice(0, n), width: Math.min(n, text.length) }
  let end = 0
  let width = 0
  for (const segment of graphemesOf(text)) {
    const next = width + measure(segment)
    if (next > n) break
    width = next
    end += segment.length
  }
  return { taken: text.slice(0, end), width }
}

/** Text without colour in parts of at most n columns; a wider grapheme is a part by itself. */
export function wrap(text: string, n: number): readonly string[] {
  const parts: string[] = []
  let part = ''
  let width = 0
  for (const segment of graphemesOf(text)) {
    const more = widthOf(segment)
    if (width + more > n && part !== '') {
      parts.push(part)
      part = ''
      width = 0
    }
    part += segment
    width += more
  }
  return part === '' ? parts : [...parts, part]
}

/** Text in lines of at most n columns, broken at spaces; a wider word is split. Returns at least one line. */
export function folded(text: string, n: number): readonly string[] {
  if (widthOf(text) <= n) return [text]
  const words = text.split(' ').filter((part) => part !== '')
  // Every part of a split word but the last fills its line.
  const parts = words.flatMap((word) => (widthOf(word) <= n ? [word] : wrap(word, n)))
  return fillLines(parts, n, { measure: widthOf })
}

/**
 * Text for people, its lines folded at words to n columns with their own indent. A command (`shipx …`) or flags with
 * values to copy (`--map 'Chg wt=weight_kg'`) at the end of a line stay in one piece.
 */
export const foldedText = (text: string, n: number): string =>
  text
    .split('\n')
    .flatMap((line) => (widthOf(line) <= n ? [line] : foldedLine(line, n)))
    .join('\n')

// A line that is a command, after its indent or after an arrow.
const commandLine = /^ *(?:(?:→|->) )?shipx /
// A command at the end of a sentence follows a colon; elsewhere `shipx` is a word of the sentence.
const commandAfter = /: (?=shipx |--(?:map|map-bank|ignore) )/
function foldedLine(line: string, n: number): readonly string[] {
  if (commandLine.test(line)) return [line]
  const indent = /^ */.exec(line)![0]
  const colon = line.search(commandAfter)
  const at = colon === -1 ? line.length : colon + 2
  const [sentence, command] = [line.slice(0, at).trimEnd(), line.slice(at)]
  // A command wider than the screen wraps anyway, wherever it starts.
  if (widthOf(sentence) <= n && widthOf(command) + indent.length > n) return [line]
  const parts = [...folded(sentence.trimStart(), Math.max(1, n - indent.length)), ...(command === '' ? [] : [command])]
  return parts.map((part) => indent + part)
}
