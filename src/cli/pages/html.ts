// HTML from a template that escapes every value; the only way from text to a page.
import { safe } from '../terminal/safe.ts'

/** Markup from `html`, or from code that escapes in the same way. */
export interface Html {
  readonly html: string
}

/** The values of a template: text, numbers, markup, lists of those, and undefined or false for nothing. */
type Value = string | number | Html | readonly Value[] | undefined | false

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Any text, escaped for an element or a quoted attribute; controls and bidi characters become visible escapes. */
export const escaped = (text: string): string => safe(text).replace(/[&<>"']/g, (mark) => marks[mark]!)

/** Markup from a template literal; only `Html` values stay unescaped. */
export function html(literal: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: String.raw({ raw: literal }, ...values.map(textOf)) }
}

function textOf(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number') return String(value)
  return 'html' in value ? value.html : value.map(textOf).join('')
}
