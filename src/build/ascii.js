// JavaScript in ASCII only, so that any encoding reads the same program. esbuild escapes strings, templates and names,
// but leaves regular expressions as they are. This file escapes those, and refuses any other character.
import { parse } from 'acorn'

const beyond = /[^\0-\x7f]/
const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * A regular expression with `\uXXXX` for non-ASCII characters. A backslash before such a character escapes nothing and
 * is removed.
 */
export const asciiExpression = (text) =>
  text.replace(/\\([\s\S])|[^\0-\x7f]/g, (found, after) => {
    if (after === undefined) return escaped(found)
    return beyond.test(after) ? escaped(after) : found
  })

/** The same program in ASCII. Throws, with the place, for a non-ASCII character outside regular expressions. */
export function asciiProgram(code, name) {
  if (!beyond.test(code)) return code
  const expressions = []
  parse(code, {
    ecmaVersion: 'latest',
    onToken: ({ type, start, end }) => {
      if (type.label === 'regexp' && beyond.test(code.slice(start, end))) expressions.push({ start, end })
    },
  })
  let [ascii, at] = ['', 0]
  for (const { start, end } of expressions) {
    ascii += code.slice(at, start) + asciiExpression(code.slice(start, end))
    at = end
  }
  ascii += code.slice(at)
  const left = beyond.exec(ascii)
  if (left !== null)
    throw new Error(`${name}: not ASCII: ${ascii.slice(Math.max(0, left.index - 40), left.index + 40)}`)
  return ascii
}
