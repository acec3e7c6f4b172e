// JSON text as values that keep the digits of numbers which a number cannot hold (an AWB of 20 digits); knows no record.

/** A number with more digits than a number holds, told by what stands before it: digits inside strings do not count. */
const longNumber = /(?:^|[:[,\s])-?(?:\d{16}|\d+\.\d{15})/

/** Strings, which are passed over, and numbers. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

/** Whether a number's text would be another one after `JSON.parse`. */
const changes = (token: string): boolean => token.length >= 16 && String(Number(token)) !== token

/** The value of a JSON text, in which a whole number that a number cannot hold is the text of its digits. Throws as `JSON.parse`. */
export function parseExact(text: string): unknown {
  if (!longNumber.test(text)) return JSON.parse(text)
  return JSON.parse(text.replace(tokens, (token) => (/^-?\d+$/.test(token) && changes(token) ? `"${token}"` : token)))
}

/** Characters without a meaning, one of which no text of people holds. */
const marks = ['\ue0f1', '\ue0f2', '\ue0f3', '\uf8f1', '\uf8f2', '\uf8f3'] as const

/**
 * The JSON text of what `change` makes of a JSON text's value, in which every number that stays is as it was sent. `indent`
 * is that of `JSON.stringify`.
 */
export function reformed(text: string, change: (value: unknown) => unknown, indent?: number): string {
  const mark = longNumber.test(text)
    ? marks.find((one) => !text.includes(one) && !text.toLowerCase().includes(`\\u${one.charCodeAt(0).toString(16)}`))
    : undefined
  if (mark === undefined) return JSON.stringify(change(JSON.parse(text)), null, indent)
  const marked = text.replace(tokens, (token) =>
    !token.startsWith('"') && changes(token) ? `"${mark}${token}"` : token,
  )
  return JSON.stringify(change(JSON.parse(marked)), null, indent).replace(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1')
}
