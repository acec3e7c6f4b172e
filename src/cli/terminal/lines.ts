// Words filled into lines, for every text that is broken at spaces; how wide a letter is, its caller says.

// oxlint-disable-next-line no-control-regex -- colours are control characters
const colours = /\u001b\[[\d;]*m/g
/** The columns of text whose letters take one each; colours take none. */
export const lengthOf = (text: string): number => text.replace(colours, '').length

/** What stands before the lines of a text, and how their columns are counted: without colours where nothing is said. */
interface Margins {
  readonly first?: string
  readonly next?: string
  readonly measure?: (text: string) => number
}

/**
 * Words in lines of at most `width` columns, as `measure` counts them, the first line after `first` and the others
 * after `next`. A word that is wider than that is a line by itself.
 */
export function fillLines(
  words: readonly string[],
  width: number,
  { first = '', next = '', measure = lengthOf }: Margins = {},
): readonly string[] {
  const lines: string[] = []
  let line = first + (words[0] ?? '')
  for (const word of words.slice(1)) {
    const longer = `${line} ${word}`
    if (measure(longer) <= width) line = longer
    else {
      lines.push(line.trimEnd())
      line = next + word
    }
  }
  return [...lines, line]
}
