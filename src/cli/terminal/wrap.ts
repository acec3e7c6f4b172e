// Lays out text for people to a width; in help, long lines continue below the start of their second column.
import type { Io } from './io.ts'
import { fillLines, lengthOf } from './lines.ts'

/** The narrowest width for layout, and the widest comfortable line. */
const [narrowest, widest] = [40, 100]

/**
 * Text in lines of at most this many columns; unchanged without a width. Command lines (` $ …`) stay whole, to be
 * copied.
 */
export function fitted(text: string, columns: number | undefined): string {
  if (columns === undefined) return text
  const width = Math.min(Math.max(columns, narrowest), widest)
  return text
    .split('\n')
    .flatMap((line) => (lengthOf(line) <= width || /^ *\$ /.test(line) ? [line] : folded(line, width)))
    .join('\n')
}

/** The column where text continues when there is no room next to its name. */
const shallow = 10

function folded(line: string, width: number): readonly string[] {
  const indent = /^ */.exec(line)![0].length
  // The column after the first gap is where the text of a row starts.
  const gap = /\S {2,}(?=\S)/.exec(line)
  const start = gap === null ? 0 : gap.index + gap[0].length
  const [name, rest] = [line.slice(0, start), line.slice(start)]
  const half = width / 2
  if (name === '') return hanging(line.trimStart(), width, indent > half ? shallow : indent)
  if (lengthOf(name) <= half) return hanging(rest, width, lengthOf(name), name)
  return [...hanging(name.trim(), width, indent), ...hanging(rest, width, shallow)]
}

/** Text in lines that start in one column, the first after `first`. */
const hanging = (text: string, width: number, column: number, first = ' '.repeat(column)): readonly string[] =>
  fillLines(text.split(' '), width, { first, next: ' '.repeat(column) })

/** Writes to stderr; on a terminal it breaks lines at words (`foldedText`). */
export async function fittedTo({ stderr }: Pick<Io, 'stderr'>, text: string): Promise<string> {
  const width = stderr.width ?? 80
  if (!stderr.tty || text.length <= width / 2) return text
  return (await import('./width.ts')).foldedText(text, width)
}
