// Splits SQL into the tokens that SQLite sees, in one pass, and finds those that may be names.

/**
 * A token: a word (name or keyword), text in single quotes, a name in one of SQLite's three other quotes, or a sign.
 */
export interface SqlToken {
  readonly kind: 'word' | 'text' | 'quoted' | 'sign'
  /** The text inside the quotes, or the word or sign itself. */
  readonly text: string
  /** Where it begins in the whole text. */
  readonly at: number
}

/** To SQLite a byte-order mark is a blank where a token may start, and a letter inside a word. */
const byteOrderMark = 0xfeff

const isSpace = (code: number): boolean => code === 32 || (code >= 9 && code <= 13) || code === byteOrderMark
const isDigit = (code: number): boolean => code >= 48 && code <= 57
const startsWord = (code: number): boolean =>
  (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code >= 128
const inWord = (code: number): boolean => startsWord(code) || isDigit(code) || code === 36

/** The closing quote for each opening one. */
const quotes: Readonly<Record<string, string>> = { "'": "'", '"': '"', '`': '`', '[': ']' }

/**
 * The tokens of a text, without blanks and comments. A quote that is never closed yields undefined, as the last token.
 */
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
        at,
      }
      at = end + 1
    } else if (startsWord(code)) {
      let end = at + 1
      while (end < text.length && inWord(text.charCodeAt(end))) end++
      yield { kind: 'word', text: text.slice(at, end), at }
      at = end
    } else {
      yield { kind: 'sign', text: sign, at }
      at++
    }
  }
}

/** The index after what was found, or the end of the text. */
const after = (found: number, length: number, text: string): number => (found === -1 ? text.length : found + length)

/** The index where a quote ends. A doubled quote is part of the text, except a bracket. */
function endOf(text: string, start: number, closing: string): number | undefined {
  for (let at = start + 1; ;) {
    const end = text.indexOf(closing, at)
    if (end === -1) return undefined
    if (closing === ']' || text[end + 1] !== closing) return end
    at = end + 2
  }
}

/** What comes before a table's name, or before text that SQLite reads as one. */
const beforeTable: ReadonlySet<string> = new Set(['from', 'join', 'in', '.'])

/** Reserved words after which no table of the same FROM can follow. */
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
 * Returns a function that is called with each token in turn and says whether it may be a name. Words and quoted names
 * may be; text may be where a table can follow (`from 'a', 'b'`, `in 'a'`). When unsure, the function says yes.
 */
export function nameJudge(): (token: SqlToken) => boolean {
  /** For each open parenthesis: whether it may contain tables. */
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
