// JSON text as values that keep every digit of numbers too long for a JavaScript number (an AWB of 20 digits).

/** A number with more digits than a JavaScript number holds. What stands before it excludes digits inside strings. */
const longNumber = /(?:^|[:[,\s])-?(?:\d{16}|\d+\.\d{15})/

/** Fifteen digits in a row, which each such number has. Written out, since V8 then looks at every eighth character. */
const manyDigits = /\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/

/** Whether a JSON text has a number that `JSON.parse` may change. Nearly none has as many digits anywhere. */
const hasLongNumber = (text: string): boolean => manyDigits.test(text) && longNumber.test(text)

/** Strings, which are skipped, and numbers. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Whether `JSON.parse` would change a number's text. */
const changes = (token: string): boolean => token.length >= 16 && String(Number(token)) !== token

/**
 * Parses JSON; a whole number too long for a JavaScript number becomes the text of its digits. Throws as `JSON.parse`.
 */
export function parseExact(text: string): unknown {
  if (!hasLongNumber(text)) return JSON.parse(text)
  return JSON.parse(text.replace(tokens, (token) => (/^-?\d+$/.test(token) && changes(token) ? `"${token}"` : token)))
}

/** Private-use characters, at least one of which a text does not contain. */
const marks = ['\ue0f1', '\ue0f2', '\ue0f3', '\uf8f1', '\uf8f2', '\uf8f3'] as const

/**
 * Applies `change` to the value of a JSON text and returns JSON text; every number that stays keeps its digits as sent.
 * `indent` is that of `JSON.stringify`.
 */
export const mapJson = (text: string, change: (value: unknown) => unknown, indent?: number): string =>
  exactTexts(text, (value) => [change(value)], indent)?.[0] ?? JSON.stringify(change(JSON.parse(text)), null, indent)

/**
 * Parts of the value of a JSON text, each as JSON text whose numbers keep their digits; undefined where
 * `JSON.stringify` does the same. Throws as `JSON.parse`.
 */
export function exactTexts(
  text: string,
  partsOf: (value: unknown) => readonly unknown[],
  indent?: number,
): readonly string[] | undefined {
  if (!hasLongNumber(text)) return undefined
  const mark = marks.find(
    (one) => !text.includes(one) && !text.toLowerCase().includes(`\\u${one.charCodeAt(0).toString(16)}`),
  )
  if (mark === undefined) return undefined
  const marked = text.replace(tokens, (token) =>
    !token.startsWith('"') && changes(token) ? `"${mark}${token}"` : token,
  )
  const digits = new RegExp(`"${mark}([^"]*)"`, 'g')
  return partsOf(JSON.parse(marked)).map((part) => JSON.stringify(part, null, indent).replace(digits, '$1'))
}
