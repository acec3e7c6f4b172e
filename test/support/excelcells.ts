// A text of CSV as Excel splits it where the list separator of the system is another one than the file's.

/** The cells of a text as Excel splits it: quotes count where a cell begins with one, and are letters elsewhere. */
export function cellsIn(text: string, separator: string): readonly string[] {
  const cells: string[] = []
  let [cell, begun, quotes] = ['', false, false]
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!
    if (quotes && letter === '"' && text[at + 1] === '"') cell += text[at++]!
    else if (letter === '"' && (quotes || !begun)) quotes = !quotes
    else if (!quotes && (letter === separator || letter === '\n' || letter === '\r')) {
      cells.push(cell)
      ;[cell, begun] = ['', false]
      continue
    } else cell += letter
    begun = true
  }
  return [...cells, cell]
}
