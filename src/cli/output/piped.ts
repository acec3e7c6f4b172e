// Plain output for other programs: tab-separated lines of exact values; knows nothing of widths, colours or of who reads.

import type { Column } from './columns.ts'
import { safe } from '../terminal/safe.ts'

const breaks = /\r\n|[\t\n\r]/g

/**
 * One line a record, its exact values between tabs, without a header; an absent value is empty, a tab or line break inside
 * a value is a space, and other control characters are visible escapes. Every line ends with a newline.
 */
export function pipedLines<R>(columns: readonly Column<R>[], rows: readonly R[]): string {
  let text = ''
  for (const row of rows) {
    text += columns.map(({ raw }) => safe(String(raw(row) ?? '').replace(breaks, ' '))).join('\t') + '\n'
  }
  return text
}
