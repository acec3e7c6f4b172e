// Headers of a file as messages show them, and what a header lacks.
import { count } from '../../domain/count.ts'
import { shortened } from '../../domain/messages/plaintext.ts'
import { safe } from '../terminal/safe.ts'

/** The longest header, UTF-16 units, and the most of them that a message holds. */
const [longestShown, mostShown] = [60, 20]

/** A header as people see it: a long one is cut. */
export const shownHeader = (header: string): string => safe(shortened(header, longestShown))

/** Headers as people see them: the first ones, and how many more there are. */
export function shownHeaders(headers: readonly string[]): string {
  const more = headers.length - mostShown
  const first = headers.slice(0, mostShown).map(shownHeader).join(', ')
  return more > 0 ? `${first} … and ${count(more)} more` : first
}

/** What a header lacks, and the way out. */
export function lacksColumns(missing: readonly string[], headers: readonly string[]): string {
  const lacks = `the header lacks ${missing.join(', ')}; it has: ${shownHeaders(headers)}`
  return `${lacks}. Where another header means one of them: --map "<header>=${missing[0]}"`
}
