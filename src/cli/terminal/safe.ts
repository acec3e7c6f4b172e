// Makes untrusted text harmless to print, for people and inside JSON.
import { isAscii } from 'node:buffer'
import { shellWord } from '../../domain/shellword.ts'

// In addition to controls, bidi controls and zero-width characters: the soft hyphen, the Mongolian separator, invisible
// operators, interlinear marks and tag characters. No terminal shows them, and they can carry hidden text.
const unsafeSet =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u061c\\u180e\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f' +
  '\\ufeff\\ufff9-\\ufffb\\ud800-\\udfff\\u{e0000}-\\u{e007f}'
const unsafeOnce = new RegExp(`[${unsafeSet}]`, 'u')
const unsafeAll = new RegExp(`[${unsafeSet}]`, 'gu')

// A joiner shapes Indic names (between letters, or a joiner after a virama: the older Malayalam chillu) and emoji
// families.
const indic = '(?=[\\p{L}\\p{M}])[\\u0900-\\u0dff]'
const virama = '[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d\\u0dca]'
const picture = '(?:\\p{Extended_Pictographic}\\ufe0f?|\\p{Emoji_Modifier})'
let shapingJoiner: RegExp | undefined

/** Whether the joiner at this place shapes the text around it. Made when first needed: it takes long to make. */
function shapes(text: string, at: number): boolean {
  shapingJoiner ??= new RegExp(
    [
      `(?<=${indic})[\\u200c\\u200d](?=${indic})`,
      `(?<=${virama})\\u200d(?![\\u200c\\u200d])`,
      `(?<=${picture})\\u200d(?=\\p{Extended_Pictographic})`,
    ].join('|'),
    'uy',
  )
  shapingJoiner.lastIndex = at
  return shapingJoiner.test(text)
}

const escaped = (char: string): string => `\\u{${char.codePointAt(0)!.toString(16)}}`

/**
 * Text of any origin, safe to show: a newline as ⏎, a tab as a space, every control, bidi, zero-width or otherwise
 * invisible character and lone surrogate as a visible escape (`\u{9b}`). Joiners that shape an Indic name or an emoji
 * stay in a 'line', and are escaped in an 'id'.
 */
export function safe(text: string, use: 'line' | 'id' = 'line'): string {
  if (!unsafeOnce.test(text)) return text
  return text.replace(unsafeAll, (char: string, at: number) => {
    if (char === '\n') return '⏎'
    if (char === '\t') return ' '
    if (use === 'line' && (char === '\u200c' || char === '\u200d') && shapes(text, at)) return char
    return escaped(char)
  })
}

/** Text of several lines, each of them safe to show. */
export const safeText = (text: string): string =>
  text
    .split('\n')
    .map((line) => safe(line))
    .join('\n')

const jsonSet = '\\u007f-\\u009f\\u061c\\u200e\\u200f\\u2028-\\u202e\\u2066-\\u2069\\ud800-\\udfff'
const jsonOnce = new RegExp(`[${jsonSet}]`, 'u')
const jsonAll = new RegExp(`[${jsonSet}]`, 'gu')

/** A JSON text with DEL, C1, bidi controls, U+2028/9 and lone surrogates as `\uXXXX`; it parses to the same data. */
export function safeJson(json: string): string {
  // Nearly every record is plain ASCII, and this check is far faster than a regular expression.
  if (Buffer.byteLength(json) === json.length && !json.includes('\u007f')) return json
  if (!jsonOnce.test(json)) return json
  return json.replace(jsonAll, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A value as JSON text that is safe to print, on several lines when it is `pretty`. */
export const jsonText = (value: unknown, pretty = false): string =>
  safeJson(JSON.stringify(value, null, pretty ? 2 : 0))

/** The characters of `jsonSet` in UTF-8: the first byte, and a test of the bytes after it. */
const unsafeBytes: readonly (readonly [first: number, unsafe: (second: number, third: number) => boolean])[] = [
  [0x7f, () => true],
  [0xc2, (second) => second <= 0x9f],
  [0xd8, (second) => second === 0x9c],
  [
    0xe2,
    (second, third) =>
      (second === 0x80 && (third === 0x8e || third === 0x8f || (third >= 0xa8 && third <= 0xae))) ||
      (second === 0x81 && third >= 0xa6 && third <= 0xa9),
  ],
  [0xed, (second) => second >= 0xa0],
]

/**
 * Bytes that are looked at together. They stay in the processor's nearest memory between the two looks that plain ASCII
 * takes (docs/inside/performance.md, P6).
 */
export const lookedAt = 24_576

/** JSON texts as UTF-8 bytes, with the same escapes as `safeJson`. */
export function safeLines(bytes: Uint8Array): Uint8Array | string {
  for (let from = 0; from < bytes.length; from += lookedAt)
    if (unsafeWithin(bytes, from)) return safeJson(new TextDecoder().decode(bytes))
  return bytes
}

/** Whether an unsafe character begins in the part of the bytes that begins there. */
function unsafeWithin(bytes: Uint8Array, from: number): boolean {
  const part = bytes.subarray(from, from + lookedAt)
  if (isAscii(part)) return part.includes(0x7f)
  return unsafeBytes.some(([first, unsafe]) => {
    for (let at = part.indexOf(first); at !== -1; at = part.indexOf(first, at + 1))
      if (unsafe(bytes[from + at + 1]!, bytes[from + at + 2]!)) return true
    return false
  })
}

/**
 * A word quoted for a shell, safe to print. Joiners that shape it stay: the word that a user copies is the same. What
 * `safe` escapes is another word for a shell (`isTypable`).
 */
export const quoted = (word: string): string => shellWord(safe(word))

/** Whether a word can be printed in a command and copied from there unchanged. */
export const isTypable = (word: string): boolean => safe(word) === word
