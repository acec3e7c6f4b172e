// Text for people laid out for a width: in help long lines go on below where their second column begins; knows no command.
import type { Io } from './io.ts'

/** The narrowest terminal that text is laid out for, and the widest line that is pleasant to read. */
const [narrowest, widest] = [40, 100]

// oxlint-disable-next-line no-control-regex -- colours are control characters
const colours = /\u001b\[[\d;]*m/g
const lengthOf = (text: string): number => text.replace(colours, '').length

/** Text in lines of at most so many columns; as it is without a width. Command lines (`  $ …`) stay whole, to be copied. */
export function fitted(text: string, columns: number | undefined): string {
  if (columns === undefined) return text
  const width = Math.min(Math.max(columns, narrowest), widest)
  return text
    .split('\n')
    .flatMap((line) => (lengthOf(line) <= width || /^ *\$ /.test(line) ? [line] : folded(line, width)))
    .join('\n')
}

/** Where text goes on that has no room beside its name. */
const shallow = 10

function folded(line: string, width: number): readonly string[] {
  const indent = /^ */.exec(line)![0].length
  // The column after the first gap is where the text of a row begins.
  const gap = /\S {2,}(?=\S)/.exec(line)
  const begin = gap === null ? 0 : gap.index + gap[0].length
  const [name, rest] = [line.slice(0, begin), line.slice(begin)]
  const half = width / 2
  if (name === '') return filled(line.trimStart(), width, indent > half ? shallow : indent)
  if (lengthOf(name) <= half) return filled(rest, width, lengthOf(name), name)
  return [...filled(name.trim(), width, indent), ...filled(rest, width, shallow)]
}

/** Words in lines, the first after `begin`, the others after so many spaces. */
function filled(text: string, width: number, hang: number, begin = ' '.repeat(hang)): readonly string[] {
  const lines: string[] = []
  const [first = '', ...words] = text.split(' ')
  let line = begin + first
  for (const word of words) {
    if (lengthOf(line) + 1 + lengthOf(word) <= width) line += ` ${word}`
    else {
      lines.push(line.trimEnd())
      line = ' '.repeat(hang) + word
    }
  }
  return [...lines, line]
}

/** What is said on stderr, its lines broken at words where that is a terminal (`foldedText`). */
export async function fittedTo({ stderr }: Pick<Io, 'stderr'>, text: string): Promise<string> {
  const width = stderr.width ?? 80
  if (!stderr.tty || text.length <= width / 2) return text
  return (await import('./width.ts')).foldedText(text, width)
}
