// Text for people laid out for a width: in help long lines go on below where their second column starts.
import type { Io } from './io.ts'
import { fillLines, lengthOf } from './lines.ts'

/** The narrowest terminal that text is laid out for, and the widest line that is pleasant to read. */
const [narrowest, widest] = [40, 100]

/**
 * Text in lines of at most this many columns; as it is without a width. Command lines (` $ …`) stay whole, to be
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

/** Where text goes on that has no room next to its name. */
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

/** A text in lines that start in one column, the first after `first`. */
const hanging = (text: string, width: number, column: number, first = ' '.repeat(column)): readonly string[] =>
  fillLines(text.split(' '), width, { first, next: ' '.repeat(column) })

/** What is said on stderr, its lines broken at words where that is a terminal (`foldedText`). */
export async function fittedTo({ stderr }: Pick<Io, 'stderr'>, text: string): Promise<string> {
  const width = stderr.width ?? 80
  if (!stderr.tty || text.length <= width / 2) return text
  return (await import('./width.ts')).foldedText(text, width)
}
