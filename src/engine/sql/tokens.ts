// Splits SQL into the tokens that SQLite sees, in one pass over the text, and which of them may be names.

/** A token: a word (a name or a keyword), text in single quotes, a name in one of SQLite's three other quotes, or a sign. */
export interface SqlToken {
  readonly kind: 'word' | 'text' | 'quoted' | 'sign'
  /** What stands in the quotes, or the word or sign itself. */
  readonly text: string
}

/** SQLite takes a byte-order mark for a blank where a token may begin, and for a letter inside a word. */
const byteOrderMark = 0xfeff

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === byteOrderMark
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const startsWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 128
const inWord = (code: number): boolean => startsWord(code) || isDigit(code) || code === 36

/** The closing quote of each opening one. */
const quotes: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '[': ']' }

/** The tokens of a text, without blanks and comments; undefined in the place of a quote that is never closed, the last one. */
export function* sqlTokens(text: string): Generator<SqlToken | undefined> {
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at)
    const sign = text[at]!
    const closing = quotes[sign]
    if (isSpace(code)) at++
    else if (text.startsWith('--', at)) at = after(text.indexOf('\n', at), 1, text)
    else if (text.startsWith('/*', at)) at = after(text.indexOf('*/', at + 2), 2, text)
    else if (closing !== undefined) {
      const end = endOf(text, at, closing)
      if (end === undefined) {
        yield undefined
        return
      }
      const inside = text.slice(at + 1, end)
      yield {
        kind: sign === "'" ? 'text' : 'quoted',
        text: sign === '[' ? inside : inside.replaceAll(closing + closing, closing),
      }
      at = end + 1
    } else if (startsWord(code)) {
      let end = at + 1
      while (end < text.length && inWord(text.charCodeAt(end))) end++
      yield { kind: 'word', text: text.slice(at, end) }
      at = end
    } else {
      yield { kind: 'sign', text: sign }
      at++
    }
  }
}

/** Where to go on after what was found, or the end of the text. */
const after = (found: number, length: number, text: string): number => (found === -1 ? text.length : found + length)

/** Where a quote ends; one that is written twice is a part of the text, but for a bracket. */
function endOf(text: string, start: number, closing: string): number | undefined {
  for (let at = start + 1; ;) {
    const end = text.indexOf(closing, at)
    if (end === -1) return undefined
    if (closing === ']' || text[end + 1] !== closing) return end
    at = end + 2
  }
}

/** Before a table's name, or a text that SQLite takes for one. */
const beforeTable: ReadonlySet<string> = new Set(['from', 'join', 'in', '.'])

/** Reserved words behind which no table of the same FROM can follow. */
const endsTables: ReadonlySet<string> = new Set([
  'select',
  'where',
  'group',
  'having',
  'order',
  'limit',
  'values',
  'union',
  'intersect',
  'except',
])

/**
 * Called with each token in turn, says whether it may be a name: words and quoted names are, and text where a table may stand
 * (`from 'a', 'b'`, `in 'a'`). Where it cannot know it says yes.
 */
export function nameJudge(): (token: SqlToken) => boolean {
  /** Of each open parenthesis: whether tables may stand in it. */
  const tables = [false]
  let before = ''
  return ({ kind, text }) => {
    const [here, word] = [tables.at(-1)!, kind === 'word' || kind === 'sign' ? text.toLowerCase() : '']
    const listed = here && (before === ',' || before === '(')
    if (word === '(') tables.push(listed || before === 'from' || before === 'join')
    else if (word === ')' && tables.length > 1) tables.pop()
    else if (word === 'from') tables[tables.length - 1] = true
    else if (endsTables.has(word)) tables[tables.length - 1] = false
    const named = kind === 'text' ? listed || beforeTable.has(before) : kind !== 'sign'
    before = word
    return named
  }
}
