// Writes CSV and TSV text and takes off the formula guard again.

/** The exact value of a CSV cell; an absent one is empty. */
export type CsvCell = string | number | boolean | null | undefined

/**
 * How cells are written: `raw` byte for byte, `excel` for Excel, `tsv` between tabs; `shown` for a terminal, if it is
 * one.
 */
export interface CsvOptions {
  readonly raw: boolean
  readonly excel: boolean
  readonly tsv: boolean
  readonly shown?: ((text: string) => string) | undefined
  /** The header is left out; what Excel needs before it stays. */
  readonly headless?: boolean
}

/** Turns names and cells into lines, each ending with a line feed. */
export interface CsvWriter {
  readonly header: (names: readonly string[]) => string
  readonly row: (cells: readonly CsvCell[]) => string
}

// The quotes in front belong to the trigger, so that what people wrote as '=1 comes back as '=1; where tabs separate
// cells, a spreadsheet takes double ones off.
const trigger = /^['"]*[=+\-@\t\r\n]/
const guarded = /^'['"]*[=+\-@\t\r\n]/
const plainNumber = /^-?\d+(?:\.\d+)?$/

// Excel in much of the world splits cells at ; and takes a quote inside a line for a letter, so that what follows a
// separator or a line break inside a cell may start a cell there (OWASP, CSV injection).
const separator = /[;\t\r\n]/
const innerTrigger = /([;\t\r\n])(?=['"]*[=+\-@])/g
const innerGuarded = /([;\t\r\n])'(?=['"]*[=+\-@])/g

/** Digits that Excel would round or strip: eleven or more (also `+91 98…`), or a leading zero. */
const longDigits = /^(?:\+?\d(?:[ -]?\d){10,}|0\d+)$/
/** A formula that is nothing but a text: spreadsheets keep digits so, and programs write every cell so. */
const excelText = /^="([^"]*)"$/

function guard(text: string): string {
  // Most cells have no separator, and a search for one costs a tenth of a replacement.
  const inside = separator.test(text) ? text.replace(innerTrigger, "$1'") : text
  return trigger.test(text) && !plainNumber.test(text) ? `'${inside}` : inside
}

/** A cell as it was before it was written: without the guards of formulas and without Excel's `="…"` around text. */
export function unguard(written: string): string {
  const cell = written.includes("'") ? written.replace(innerGuarded, '$1') : written
  if (guarded.test(cell)) return cell.slice(1)
  return bare(cell)
}

/** A text without Excel's `="…"` around it. */
export const bare = (text: string): string => excelText.exec(text)?.[1] ?? text

/** A text that is neither guarded nor quoted, as most are: one look in place of three. */
const simple = /^(?:[^'"=+\-@,;\t\r\n][^",;\t\r\n]*)?$/

const quoted = (text: string): string => (/[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * A writer of CSV (RFC 4180, line feeds) or TSV (tabs and line breaks inside a cell become spaces). Text that a
 * spreadsheet would run as a formula gets a `'` in front, also behind a separator inside the cell, unless `raw`;
 * `excel` puts a BOM before the header and keeps long digits text.
 */
export function csvWriter({ raw, excel, tsv, shown, headless = false }: CsvOptions): CsvWriter {
  const plain = shown === undefined && !excel
  const cellText = (cell: CsvCell): string => {
    const own = String(cell ?? '')
    const exact = shown === undefined ? own : shown(own)
    const text = tsv ? exact.replace(/\r\n|[\t\r\n]/g, ' ') : exact
    if (raw) return text
    if (excel && longDigits.test(text)) return `="${text}"`
    return typeof cell === 'string' ? guard(text) : text
  }
  const row = (cells: readonly CsvCell[]): string => {
    if (tsv) return cells.map(cellText).join('\t') + '\n'
    const parts: string[] = []
    for (const cell of cells) {
      // A number needs no quotes and is not a formula.
      if (cell == null) parts.push('')
      else if (typeof cell === 'number' && !excel) parts.push(String(cell))
      else if (typeof cell === 'string' && plain && simple.test(cell)) parts.push(cell)
      else parts.push(quoted(cellText(cell)))
    }
    // Joined and not added up, so that a long output is made of lines and not of all their pieces.
    const line = parts.join(',')
    // A lone empty cell would be an empty line, which readers skip.
    return (line === '' && cells.length === 1 ? '""' : line) + '\n'
  }
  return { header: (names) => (excel ? '\ufeff' : '') + (headless ? '' : row(names)), row }
}
