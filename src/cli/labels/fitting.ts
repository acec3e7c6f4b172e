// Fits texts into the place that a label has for them: broken into lines, made smaller, and cut with a mark at last.
import { joinedLine, labelText, type Line, type Typesetter } from './typesetter.ts'

/** The place for a text, in dots. It is made smaller step by step, down to `least`, until it fits. */
export interface Place {
  readonly width: number
  readonly size: number
  readonly least: number
  readonly lines: number
  readonly bold?: boolean
}

/** A text in its place: its lines, their size in dots, and whether something was cut. */
export interface Fitted {
  readonly lines: readonly Line[]
  readonly size: number
  readonly cut: boolean
}

/** The width of a line at a size, in dots. */
export const dotsOf = ({ width }: Pick<Line, 'width'>, size: number): number => (width * size) / 1000

let segments: Intl.Segmenter | undefined

/** The letters of a word as people see them: none is broken in two. */
function lettersOf(word: string): readonly string[] {
  if (/^[ -~]*$/.test(word)) return [...word]
  segments ??= new Intl.Segmenter('en', { granularity: 'grapheme' })
  return Array.from(segments.segment(word), ({ segment }) => segment)
}

/** The longest beginning of a word that is not wider than a place. */
function beginning(set: Typesetter, word: string, most: number, bold: boolean): string {
  let text = ''
  for (const letter of lettersOf(word)) {
    if (set.line(text + letter, bold).width > most) break
    text += letter
  }
  return text
}

/** The parts of a word that is wider than a line. */
function broken(set: Typesetter, word: string, most: number, bold: boolean): readonly string[] {
  const parts: string[] = []
  for (let rest = word; rest !== '';) {
    const part = set.line(rest, bold).width <= most ? rest : beginning(set, rest, most, bold)
    // A line that is narrower than a letter has it all the same.
    const taken = part === '' ? lettersOf(rest)[0]! : part
    parts.push(taken)
    rest = rest.slice(taken.length)
  }
  return parts
}

/** A text broken into lines of at most so many thousandths of its size. */
function wrapped(set: Typesetter, text: string, most: number, bold: boolean): readonly Line[] {
  const blank = set.line(' ', bold).width
  const lines: Line[] = []
  let [words, width]: [Line[], number] = [[], 0]
  for (const word of text.split(' '))
    for (const part of broken(set, word, most, bold)) {
      const line = set.line(part, bold)
      if (words.length > 0 && width + blank + line.width > most) {
        lines.push(joinedLine(words, bold))
        ;[words, width] = [[], 0]
      }
      width += (words.length === 0 ? 0 : blank) + line.width
      words.push(line)
    }
  return words.length === 0 ? lines : [...lines, joinedLine(words, bold)]
}

/** No label has place for more letters than this: what comes after them is not measured. */
const mostText = 4000

/** A text in its place. */
export function fitted(set: Typesetter, given: string, place: Place): Fitted {
  const { width, lines: most, least, bold = false } = place
  const text = labelText(given.length > mostText ? `${given.slice(0, mostText)}…` : given)
  for (let size = place.size; ; size = Math.max(least, size - 2)) {
    const lines = text === '' ? [] : wrapped(set, text, (width * 1000) / size, bold)
    if (lines.length <= most) return { lines, size, cut: false }
    if (size === least) return { lines: cutTo(set, lines, (width * 1000) / size, most, bold), size, cut: true }
  }
}

/** The first of some lines, with a mark that more was there. */
function cutTo(set: Typesetter, lines: readonly Line[], width: number, most: number, bold: boolean): readonly Line[] {
  const kept = lines.slice(0, most)
  const last = kept.at(-1)!.text
  const mark = set.line('…', bold).width
  const text = beginning(set, last, width - mark, bold)
  return [...kept.slice(0, -1), set.line(`${text.trimEnd()}…`, bold)]
}
