// Fills words into lines, for every text that breaks at spaces. The caller measures the width of characters.

// oxlint-disable-next-line no-control-regex -- colours are control characters
const colours = /\u001b\[[\d;]*m/g
/** The columns of text whose characters take one each; colours take none. */
export const lengthOf = (text: string): number => text.replace(colours, '').length

/** The text before the lines, and the measure of their columns: by default one without colours. */
interface Margins {
  readonly first?: string
  readonly next?: string
  readonly measure?: (text: string) => number
}

/**
 * Words in lines of at most `width` columns, as `measure` counts them, the first line after `first` and the others
 * after `next`. A wider word is a line by itself.
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
