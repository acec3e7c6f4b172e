// A long answer while it is typed. Terminals do not agree on the width of Indic vowel signs and emoji, so nobody knows
// where such text goes on in a second line, and the prompt could not remove what it drew before. It stays in one line:
// the part around the cursor, with a mark where it is cut.
import { stripVTControlCharacters } from 'node:util'
import { safe } from '../terminal/safe.ts'
import { certain, reachOf } from '../terminal/width.ts'

/** A question with the answer so far, and the place of the cursor where the prompt cannot count it itself. */
export interface ShownAnswer {
  readonly content: string
  readonly cursor: { readonly rows: number; readonly cols: number } | undefined
}

/** The least room for an answer next to its question; with less it gets a line of its own. */
const leastRoom = 20

// The prompt counts UTF-16 units in one place and columns in another: neither may pass the end of the line.
const sizeOf = (text: string): number => Math.max(text.length, reachOf(text))

/** As many graphemes as fit, from the first on. */
function fitting(graphemes: readonly string[], room: number): readonly string[] {
  let size = 0
  const end = graphemes.findIndex((one) => (size += sizeOf(one)) > room)
  return end === -1 ? graphemes : graphemes.slice(0, end)
}

let segmenter: Intl.Segmenter | undefined

/** The last or first graphemes of text. A window shows at most as many as it has columns. */
function graphemesOf(text: string): readonly string[] {
  segmenter ??= new Intl.Segmenter()
  return [...segmenter.segment(text)].map(({ segment }) => segment)
}

/** What a prompt of `width` columns shows: `head` is the question with its colours, `at` the cursor in the answer. */
export function shownAnswer(head: string, answer: string, at: number, width: number, mark: string): ShownAnswer {
  const text = safe(answer)
  if (certain(text)) return { content: `${head} ${text}`, cursor: undefined }
  const used = stripVTControlCharacters(head).length + 1
  const apart = width - 1 - (used % width) < leastRoom
  const start = apart ? 0 : used % width
  const room = width - 1 - start
  const place = safe(answer.slice(0, at)).length
  const [before, after] = [text.slice(0, place), text.slice(place)]
  const whole = sizeOf(text) <= room
  // A grapheme has a few units: what is further away than this from the cursor cannot be in the window.
  const near = width * 8
  const right = whole ? [after] : fitting(graphemesOf(after.slice(0, near)), Math.floor(room / 3))
  const rest = room - 2 * mark.length - sizeOf(right.join(''))
  const left = whole ? [before] : fitting(graphemesOf(before.slice(-near)).toReversed(), rest).toReversed()
  const [shown, next] = [left.join(''), right.join('')]
  const cut = (is: boolean): string => (is ? mark : '')
  const typed = `${cut(shown.length < before.length)}${shown}`
  return {
    content: `${head}${apart ? '\n' : ' '}${typed}${next}${cut(next.length < after.length)}`,
    cursor: { rows: apart ? 0 : Math.floor(used / width), cols: start + reachOf(typed) },
  }
}
