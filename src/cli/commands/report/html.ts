// HTML out of a template in which every value is escaped; the one way from text to a page.
import { safe } from '../../terminal/safe.ts'

/** Markup that was made by `html`, or by something that escapes as it does. */
export interface Html {
  readonly html: string
}

/** What a template takes: text, numbers, markup, lists of those, and nothing for what is not there. */
type Value = string | number | Html | readonly Value[] | undefined | false

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

/** Text of any origin for an element or an attribute in quotes; controls and bidi characters as visible escapes. */
export const escaped = (text: string): string => safe(text).replace(/[&<>"']/g, (mark) => marks[mark]!)

/** Markup out of a literal; only `Html` goes in as it is. */
export function html(literal: TemplateStringsArray, ...values: readonly Value[]): Html {
  return { html: String.raw({ raw: literal }, ...values.map(textOf)) }
}

function textOf(value: Value): string {
  if (value === undefined || value === false) return ''
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'number') return String(value)
  return 'html' in value ? value.html : value.map(textOf).join('')
}
