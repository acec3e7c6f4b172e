// The XML of a sheet that shipx writes: its rows one by one, texts inline. A text is never a formula or a number.
import type { WorkbookCell, WorkbookColumn } from '../command/workbook.ts'

/** Characters of a cell at most (UTF-16 units, as Excel counts). */
export const longestText = 32_767

/** The numbers of the styles, in the order of `stylesXml`. */
const style = { header: 1, digits: 2, time: 3, day: 4, money: 5, share: 6 } as const

/** The namespace of sheets. */
export const spreadsheet = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'

const font = (bold: string): string => `<font>${bold}<sz val="11"/><name val="Calibri"/><family val="2"/></font>`
const fill = (pattern: string): string => `<fill>${pattern}</fill>`
const cellFormat = (numFmtId: number): string =>
  `<xf numFmtId="${numFmtId}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`

/** The styles of a workbook that shipx writes; the cell formats are those of `style`. */
export const stylesXml = [
  '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n',
  `<styleSheet xmlns="${spreadsheet}"><numFmts count="3">`,
  '<numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm"/><numFmt numFmtId="165" formatCode="yyyy\\-mm\\-dd"/>',
  '<numFmt numFmtId="166" formatCode="0.0%"/></numFmts>',
  `<fonts count="2">${font('')}${font('<b/>')}</fonts>`,
  '<fills count="3">',
  fill('<patternFill patternType="none"/>'),
  fill('<patternFill patternType="gray125"/>'),
  fill('<patternFill patternType="solid"><fgColor rgb="FFDDEBF7"/><bgColor indexed="64"/></patternFill>'),
  '</fills><borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
  '<cellXfs count="7"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>',
  '<xf numFmtId="0" fontId="1" fillId="2" borderId="0" xfId="0" applyFont="1" applyFill="1"/>',
  ...[49, 164, 165, 4, 166].map(cellFormat),
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
].join('')

/** The letters of a column, 0 for A. */
export function letters(column: number): string {
  let text = ''
  for (let left = column + 1; left > 0; left = Math.floor((left - 1) / 26))
    text = String.fromCharCode(65 + ((left - 1) % 26)) + text
  return text
}

const marked = /[&<>\p{Cc}\ufffe\uffff\p{Cs}]|_x[0-9A-Fa-f]{4}_/u
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** What XML cannot hold, or changes: controls but tab and line feed, halves of a character, two code points. */
const unfit = /(?![\t\n\x7f-\x9f])[\p{Cc}\p{Cs}\ufffe\uffff]/gu

/** A text as the content of an element. What XML cannot hold becomes `_x0007_`, as Excel writes it. */
export function escaped(text: string): string {
  if (!marked.test(text)) return text
  return text
    .replace(/_x(?=[0-9A-Fa-f]{4}_)/g, '_x005F_x')
    .replace(/[&<>]/g, (sign) => entities[sign]!)
    .replace(unfit, (sign) => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
}

/** The longest text of a cell that Excel takes; never half of a character. */
function fitting(text: string): string {
  const end = /[\ud800-\udbff]/.test(text[longestText - 1]!) ? longestText - 1 : longestText
  return text.slice(0, end)
}

/** Texts of digits, which Excel would turn into numbers when a user enters them again. */
const likeNumber = /^[+-]?[\d][\d.,Ee+ -]*$/

/** Spaces that XML readers may take away. */
const spaced = /^\s|\s$|[\n\t]/

function textCell(at: string, text: string, numbered: number): string {
  const [s, space] = [numbered === 0 ? '' : ` s="${numbered}"`, spaced.test(text) ? ' xml:space="preserve"' : '']
  return `<c r="${at}"${s} t="inlineStr"><is><t${space}>${escaped(text)}</t></is></c>`
}

/** Writes rows as XML. */
export interface RowWriter {
  readonly header: () => string
  /** A row by its number in the sheet, 1 for the header. */
  readonly row: (cells: readonly WorkbookCell[], number: number) => string
}

/** A writer for rows of these columns; `cut` is called for each text that is too long for Excel. */
export function rowWriter(columns: readonly WorkbookColumn[], cut: () => void): RowWriter {
  const places = columns.map((_, i) => letters(i))
  const styles = columns.map(({ kind }) => (kind === undefined ? '' : ` s="${style[kind]}"`))
  const text = (at: string, value: string): string => {
    if (value.length <= longestText) return textCell(at, value, likeNumber.test(value) ? style.digits : 0)
    cut()
    return textCell(at, fitting(value), 0)
  }
  const cellAt = (cell: WorkbookCell, i: number, number: number): string => {
    if (cell === null || cell === '') return ''
    const at = `${places[i]!}${number}`
    if (typeof cell === 'string') return text(at, cell)
    if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`
    if (typeof cell === 'object')
      return `<c r="${at}" s="${cell.timed ? style.time : style.day}"><v>${cell.serial}</v></c>`
    // Excel keeps 15 digits.
    if (!(Math.abs(cell) < 1e15)) return text(at, String(cell))
    return `<c r="${at}"${styles[i]!}><v>${cell}</v></c>`
  }
  return {
    header: () => {
      const cells = columns.map(({ header }, i) =>
        textCell(`${places[i]!}1`, header.slice(0, longestText), style.header),
      )
      return `<row r="1">${cells.join('')}</row>`
    },
    row: (cells, number) => {
      let xml = `<row r="${number}">`
      for (let i = 0; i < cells.length; i++) xml += cellAt(cells[i]!, i, number)
      return `${xml}</row>`
    },
  }
}

/** The widths of columns, in characters, at least and at most. */
const [narrowest, widest] = [8, 60]

const longestLine = (text: string): number =>
  text.includes('\n')
    ? Math.max(
        ...text
          .slice(0, 1000)
          .split('\n')
          .map((line) => line.length),
      )
    : text.length

function widthOf(cell: WorkbookCell | undefined, kind: WorkbookColumn['kind']): number {
  if (cell === null || cell === undefined) return 0
  if (typeof cell === 'string') return longestLine(cell)
  if (typeof cell === 'object') return cell.timed ? 16 : 10
  // Two decimals and the signs between thousands.
  return typeof cell === 'number' && kind === 'money' ? Math.trunc(cell).toString().length + 5 : String(cell).length
}

/** What stands before the rows: the frozen header and widths that suit these rows. `first` is the sheet to open. */
export function sheetHead(
  columns: readonly WorkbookColumn[],
  rows: readonly (readonly WorkbookCell[])[],
  first: boolean,
): string {
  const widths = columns.map(({ header, kind }, i) => {
    // The header has an arrow of the filter, and bold letters.
    const longest = rows.reduce((most, row) => Math.max(most, widthOf(row[i], kind)), header.length + 3)
    return Math.min(widest, Math.max(narrowest, longest)) + 2
  })
  const cols = widths.map((width, i) => `<col min="${i + 1}" max="${i + 1}" width="${width}" customWidth="1"/>`)
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    `<worksheet xmlns="${spreadsheet}"><sheetViews>` +
    `<sheetView${first ? ' tabSelected="1"' : ''} workbookViewId="0">` +
    '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft"/>' +
    '</sheetView></sheetViews><sheetFormatPr defaultRowHeight="15"/>' +
    `${cols.length === 0 ? '' : `<cols>${cols.join('')}</cols>`}<sheetData>`
  )
}

/** What stands after the rows: the filter, and no warnings about digits that are text on purpose. */
export function sheetTail(columns: number, lastRow: number): string {
  const all = `A1:${letters(Math.max(0, columns - 1))}${lastRow}`
  return (
    `</sheetData><autoFilter ref="${all}"/>` +
    `<ignoredErrors><ignoredError sqref="${all}" numberStoredAsText="1"/></ignoredErrors></worksheet>`
  )
}
