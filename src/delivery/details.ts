// The details below an e-mail's text as rows of a table: order, courier, tracking number, amount to pay, items. Code
// makes them, not a template: every page has them, and they would take most of a template's time.
import { escaped } from './liquid.ts'
import type { Words, Labels } from './texts/words.ts'

const labelStyle = 'padding:6px 16px 6px 0;color:#5b6472;vertical-align:top'
const valueStyle = 'padding:6px 0;vertical-align:top;text-align:right;font-weight:600;word-break:break-word'
const tableStyle =
  'margin-top:22px;border-top:1px solid #e1e5eb;border-collapse:separate;padding-top:10px;font-size:15px'

const row = (label: string, value: string): string =>
  `<tr><td class="soft" style="${labelStyle}">${label}</td><td style="${valueStyle}">${value}</td></tr>\n`

const rowOf = (label: string, value: string | null): string => (value === null ? '' : row(label, escaped(value)))

/** The table of the details; every value in it is escaped. */
export function detailsOf(words: Words, labels: Labels): string {
  const { items, more_items: more } = words
  const lines = items.map(({ name, quantity }) => `${escaped(name)}${quantity > 1 ? ` × ${escaped(quantity)}` : ''}`)
  const listed = [...lines, ...(more > 0 ? [escaped(labels.more(more))] : [])].filter((line) => line !== '')
  const rows = [
    rowOf(labels.return, words.return),
    rowOf(labels.order, words.order),
    rowOf(labels.courier, words.courier),
    rowOf(labels.tracking_number, words.tracking_number),
    rowOf(labels.cod, words.cod),
    listed.length === 0 ? '' : row(labels.items, listed.join('<br>')),
  ].join('')
  if (rows === '') return ''
  const opening = `<table class="rule" width="100%" cellpadding="0" cellspacing="0" border="0" style="${tableStyle}">`
  return `${opening}\n${rows}</table>`
}
