// The parts of a workbook that shipx writes, other than its sheets and styles.
import { escaped, letters, spreadsheet } from './sheetxml.ts'

/** A sheet that was written. */
export interface NamedSheet {
  readonly name: string
  readonly path: string
  readonly columns: number
  readonly lastRow: number
}

const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006'
const kept = 'http://schemas.openxmlformats.org/package/2006'
const types = 'application/vnd.openxmlformats-officedocument'

/** What a workbook says that shipx wrote. */
export const ownApplication = '<Application>shipx</Application>'

const attribute = (text: string): string => escaped(text).replaceAll('"', '&quot;')

/** Sheets of Excel have names of at most 31 characters without these signs. */
const [longestName, forbidden] = [31, /[\\/?*[\]:\p{Cc}]/gu]

/** A name for a sheet that Excel takes and no other sheet has, whatever its capitals. */
export function sheetName(wanted: string, taken: readonly string[]): string {
  // A plain apostrophe may not stand at an end, and is doubled inside of references.
  const cleaned = wanted.replace(forbidden, ' ').replaceAll("'", '’').trim()
  const whole = cleaned === '' || /^history$/i.test(cleaned) ? 'Sheet' : cleaned
  const lower = new Set(taken.map((name) => name.toLowerCase()))
  for (let n = 1; ; n++) {
    const ending = n === 1 ? '' : ` ${n}`
    // Half of a character at the end is left out.
    const name = `${whole
      .slice(0, longestName - ending.length)
      .replace(/\p{Cs}$/u, '')
      .trim()}${ending}`
    if (!lower.has(name.toLowerCase())) return name
  }
}

/** The path of the next sheet inside the file, by its place from 0. */
export const sheetPath = (at: number): string => `xl/worksheets/sheet${at + 1}.xml`

/** All parts that name the sheets, by their paths. */
export function packageParts(
  sheets: readonly NamedSheet[],
  version: string,
  madeAt: string,
): ReadonlyMap<string, string> {
  const override = (path: string, type: string): string => `<Override PartName="/${path}" ContentType="${type}"/>`
  const related = (id: number, type: string, target: string): string =>
    `<Relationship Id="rId${id}" Type="${type}" Target="${target}"/>`
  const filtered = sheets.map(
    ({ name, columns, lastRow }, i) =>
      `<definedName name="_xlnm._FilterDatabase" localSheetId="${i}" hidden="1">` +
      `'${attribute(name)}'!$A$1:$${letters(Math.max(0, columns - 1))}$${lastRow}</definedName>`,
  )
  return new Map([
    [
      '_rels/.rels',
      `${head}<Relationships xmlns="${kept}/relationships">` +
        related(1, `${office}/relationships/officeDocument`, 'xl/workbook.xml') +
        related(2, `${kept}/relationships/metadata/core-properties`, 'docProps/core.xml') +
        related(3, `${office}/relationships/extended-properties`, 'docProps/app.xml') +
        '</Relationships>',
    ],
    [
      'docProps/app.xml',
      `${head}<Properties xmlns="${office}/extended-properties">${ownApplication}` +
        `<AppVersion>${/^\d+\.\d+/.exec(version)?.[0] ?? '0.0'}</AppVersion></Properties>`,
    ],
    [
      'docProps/core.xml',
      `${head}<cp:coreProperties xmlns:cp="${kept}/metadata/core-properties"` +
        ' xmlns:dcterms="http://purl.org/dc/terms/" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
        `<dcterms:created xsi:type="dcterms:W3CDTF">${madeAt}</dcterms:created></cp:coreProperties>`,
    ],
    [
      'xl/workbook.xml',
      `${head}<workbook xmlns="${spreadsheet}" xmlns:r="${office}/relationships">` +
        '<bookViews><workbookView/></bookViews><sheets>' +
        sheets
          .map(({ name }, i) => `<sheet name="${attribute(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
          .join('') +
        `</sheets><definedNames>${filtered.join('')}</definedNames></workbook>`,
    ],
    [
      'xl/_rels/workbook.xml.rels',
      `${head}<Relationships xmlns="${kept}/relationships">` +
        sheets
          .map(({ path }, i) => related(i + 1, `${office}/relationships/worksheet`, path.slice('xl/'.length)))
          .join('') +
        related(sheets.length + 1, `${office}/relationships/styles`, 'styles.xml') +
        '</Relationships>',
    ],
    [
      '[Content_Types].xml',
      `${head}<Types xmlns="${kept}/content-types">` +
        `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        '<Default Extension="xml" ContentType="application/xml"/>' +
        override('xl/workbook.xml', `${types}.spreadsheetml.sheet.main+xml`) +
        sheets.map(({ path }) => override(path, `${types}.spreadsheetml.worksheet+xml`)).join('') +
        override('xl/styles.xml', `${types}.spreadsheetml.styles+xml`) +
        override('docProps/core.xml', 'application/vnd.openxmlformats-package.core-properties+xml') +
        override('docProps/app.xml', `${types}.extended-properties+xml`) +
        '</Types>',
    ],
  ])
}
