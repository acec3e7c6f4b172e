// Workbooks as the programs write them that people export sheets from: Excel, LibreOffice, Google Sheets, and libraries that
// leave out whatever may be left out.
import { crc32, deflateRawSync } from 'node:zlib'

/** A cell as a test means it. */
export type Cell =
  | string
  | number
  | boolean
  | null
  /** A number under a number format: a day, a percentage, leading zeros. */
  | { readonly number: number; readonly format: string }
  /** A formula, with what it came to; without a value it was never worked out. */
  | { readonly formula: string; readonly value?: string | number | boolean }
  | { readonly error: string }
  /** A day or time in ISO 8601, as few programs write it. */
  | { readonly iso: string }
  /** Text in runs of different fonts, and how it is pronounced. */
  | { readonly runs: readonly string[]; readonly phonetic?: string }

export interface TestSheet {
  readonly name: string
  readonly rows: Iterable<readonly Cell[]>
  readonly state?: 'hidden' | 'veryHidden'
  readonly merged?: readonly string[]
}

export const styles = ['excel', 'google', 'libreoffice', 'bare', 'prefixed'] as const
export type Style = (typeof styles)[number]

/** How one program writes. */
interface Manner {
  /** Inline texts, and no names of cells and rows. */
  readonly bare: boolean
  readonly prefix: string
  readonly row: string
  readonly shared: boolean
  readonly main: string
  readonly sheetPath: (n: number) => string
  readonly target: (path: string) => string
  readonly relations: string
}

const transitional = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

const usual: Manner = {
  bare: false,
  prefix: '',
  row: '',
  shared: true,
  main: 'xl/workbook.xml',
  sheetPath: (n) => `xl/worksheets/sheet${n}.xml`,
  target: (path) => path.replace(/^xl\//, ''),
  relations: transitional,
}

const manners: Readonly<Record<Style, Manner>> = {
  excel: { ...usual, row: ' spans="1:9" x14ac:dyDescent="0.25"' },
  google: { ...usual, row: ' ht="15.75" customHeight="1"' },
  libreoffice: {
    ...usual,
    row: ' customFormat="false" ht="12.8" hidden="false" customHeight="false" outlineLevel="0" collapsed="false"',
  },
  bare: {
    ...usual,
    bare: true,
    shared: false,
    main: 'workbook.xml',
    sheetPath: (n) => `s${n}.xml`,
    target: (path) => `/${path}`,
  },
  prefixed: { ...usual, prefix: 'x:', relations: 'http://purl.oclc.org/ooxml/officeDocument/relationships' },
}

const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Characters that XML cannot hold, as Excel writes them: _x000D_; and a text that looks so. */
const escaped = (text: string): string =>
  text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>"\p{Cc}]/gu, (sign) =>
      sign === '\n' || sign === '\t'
        ? sign
        : (named[sign] ?? `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`),
    )

const letters = (column: number): string =>
  column < 26 ? String.fromCharCode(65 + column) : letters(Math.floor(column / 26) - 1) + letters(column % 26)

/** The texts and formats that sheets share. */
interface Shared {
  readonly texts: Map<string, number>
  readonly formats: Map<string, number>
}

const placeOf = (all: Map<string, number>, key: string): number => {
  if (!all.has(key)) all.set(key, all.size)
  return all.get(key)!
}

function textXml(cell: string | { readonly runs: readonly string[]; readonly phonetic?: string }, p: string): string {
  const t = (text: string): string =>
    `<${p}t${/^\s|\s$|\n/.test(text) ? ' xml:space="preserve"' : ''}>${escaped(text)}</${p}t>`
  if (typeof cell === 'string') return t(cell)
  const runs = cell.runs.map((run) => `<${p}r><${p}rPr><${p}b/></${p}rPr>${t(run)}</${p}r>`).join('')
  return `${runs}${cell.phonetic === undefined ? '' : `<${p}rPh sb="0" eb="1">${t(cell.phonetic)}</${p}rPh>`}`
}

function cellXml(manner: Manner, shared: Shared, cell: Cell, name: string): string {
  const { prefix: p } = manner
  const r = manner.bare ? '' : ` r="${name}"`
  const c = (attributes: string, inner: string): string =>
    inner === '' ? `<${p}c${r}${attributes}/>` : `<${p}c${r}${attributes}>${inner}</${p}c>`
  const v = (value: string | number): string => `<${p}v>${value}</${p}v>`
  if (cell === null || cell === '') return manner.bare ? c('', '') : ''
  if (typeof cell === 'number') return c('', v(cell))
  if (typeof cell === 'boolean') return c(' t="b"', v(Number(cell)))
  if (typeof cell === 'string' || 'runs' in cell) {
    if (!manner.shared) return c(' t="inlineStr"', `<${p}is>${textXml(cell, p)}</${p}is>`)
    return c(' s="0" t="s"', v(placeOf(shared.texts, textXml(cell, p))))
  }
  if ('iso' in cell) return c(' t="d"', v(cell.iso))
  if ('error' in cell) return c(' t="e"', v(cell.error))
  if ('number' in cell) return c(` s="${placeOf(shared.formats, cell.format)}"`, v(cell.number))
  const f = `<${p}f aca="false">${escaped(cell.formula)}</${p}f>`
  if (cell.value === undefined) return c('', f)
  if (typeof cell.value === 'string') return c(' t="str"', f + v(escaped(cell.value)))
  return c(typeof cell.value === 'boolean' ? ' t="b"' : '', f + v(Number(cell.value)))
}

function sheetXml(manner: Manner, shared: Shared, { rows, merged = [] }: TestSheet): string {
  const { prefix: p } = manner
  const xmlns = p === '' ? 'xmlns' : 'xmlns:x'
  const parts = [
    `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n<${p}worksheet ${xmlns}="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><${p}sheetData>`,
  ]
  let number = 0
  for (const cells of rows) {
    number++
    const inner = cells.map((cell, i) => cellXml(manner, shared, cell, `${letters(i)}${number}`)).join('')
    if (inner !== '' || manner.bare)
      parts.push(`<${p}row${manner.bare ? '' : ` r="${number}"${manner.row}`}>${inner}</${p}row>`)
  }
  const ranges = merged.map((range) => `<${p}mergeCell ref="${range}"/>`).join('')
  parts.push(`</${p}sheetData>${ranges === '' ? '' : `<${p}mergeCells>${ranges}</${p}mergeCells>`}</${p}worksheet>`)
  return parts.join('')
}

function stylesXml({ formats }: Shared, p: string): string {
  const codes = [...formats.keys()].map(
    (code, i) => `<${p}numFmt numFmtId="${164 + i}" formatCode="${escaped(code)}"/>`,
  )
  const xfs = [...formats.keys()].map((_, i) => `<${p}xf numFmtId="${164 + i}" xfId="0" applyNumberFormat="1"/>`)
  // The styles of names come first and are not those of cells.
  const named = `<${p}cellStyleXfs><${p}xf numFmtId="14"/></${p}cellStyleXfs>`
  const own = p === '' ? 'xmlns' : 'xmlns:x'
  return `<${p}styleSheet ${own}="m"><${p}numFmts>${codes.join('')}</${p}numFmts>${named}<${p}cellXfs>${xfs.join('')}</${p}cellXfs></${p}styleSheet>`
}

/** A workbook as a program writes it. */
export function workbook(
  sheets: readonly TestSheet[],
  style: Style = 'excel',
  { date1904 = false }: { readonly date1904?: boolean } = {},
): Buffer {
  const manner = manners[style]
  const { prefix: p, main, relations } = manner
  const shared: Shared = { texts: new Map(), formats: new Map([['General', 0]]) }
  const parts = new Map<string, string | Buffer>()
  const own = p === '' ? 'xmlns' : 'xmlns:x'
  for (const [i, sheet] of sheets.entries()) parts.set(manner.sheetPath(i + 1), sheetXml(manner, shared, sheet))
  const link = (id: string, type: string, target: string): string =>
    `<Relationship Id="${id}" Type="${relations}/${type}" Target="${target}"/>`
  const links = [
    ...sheets.map((_, i) => link(`rId${i + 10}`, 'worksheet', manner.target(manner.sheetPath(i + 1)))),
    link('rId2', 'styles', manner.target('xl/styles.xml')),
    ...(manner.shared ? [link('rId3', 'sharedStrings', 'sharedStrings.xml')] : []),
  ]
  const folder = main.includes('/') ? 'xl/' : ''
  const relationships = (inner: string): string =>
    `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${inner}</Relationships>`
  parts.set(`${folder}_rels/workbook.xml.rels`, relationships(links.join('')))
  parts.set('_rels/.rels', relationships(link('rId1', 'officeDocument', manner.bare ? `/${main}` : main)))
  parts.set('[Content_Types].xml', '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>')
  const listed = sheets.map(
    ({ name, state }, i) =>
      `<${p}sheet name="${escaped(name)}" sheetId="${i + 5}"${state === undefined ? '' : ` state="${state}"`} r:id="rId${i + 10}"/>`,
  )
  parts.set(
    main,
    `<?xml version="1.0"?><${p}workbook ${own}="m" xmlns:r="${relations}"><${p}workbookPr${date1904 ? ' date1904="1"' : ''}/><${p}sheets>${listed.join('')}</${p}sheets></${p}workbook>`,
  )
  parts.set('xl/styles.xml', stylesXml(shared, p))
  if (manner.shared) {
    const items = [...shared.texts.keys()].map((text) => `<${p}si>${text}</${p}si>`)
    parts.set('xl/sharedStrings.xml', `<${p}sst ${own}="m" count="9" uniqueCount="9">${items.join('')}</${p}sst>`)
  }
  return zip(parts, { stored: manner.bare, streamed: style === 'prefixed' })
}

/** What a zip file says of its parts. */
export interface Zipping {
  /** Not compressed. */
  readonly stored?: boolean
  /** Sizes behind the bytes, as programs write that do not know them before. */
  readonly streamed?: boolean
  /** Bit 0: a password. */
  readonly encrypted?: boolean
  /** Another size than the true one. */
  readonly claims?: number
}

/** A zip file of parts. */
export function zip(
  parts: ReadonlyMap<string, string | Buffer>,
  { stored = false, streamed = false, encrypted = false, claims }: Zipping = {},
): Buffer {
  const [files, entries]: [Buffer[], Buffer[]] = [[], []]
  let at = 0
  for (const [name, content] of parts) {
    const bytes = Buffer.from(content as string)
    const packed = stored ? bytes : deflateRawSync(bytes)
    const sizes = [crc32(bytes), packed.length, claims ?? bytes.length] as const
    const flags = (encrypted ? 1 : 0) | (streamed ? 8 : 0) | 0x800
    const common = (inPlace: boolean): Buffer => {
      const head = Buffer.alloc(26 - 4)
      head.writeUInt16LE(20, 0)
      head.writeUInt16LE(flags, 2)
      head.writeUInt16LE(stored ? 0 : 8, 4)
      if (inPlace) for (const [i, size] of sizes.entries()) head.writeUInt32LE(size, 10 + 4 * i)
      return head
    }
    const named = Buffer.from(name)
    const lengths = Buffer.alloc(4)
    lengths.writeUInt16LE(named.length, 0)
    const behind = Buffer.alloc(streamed ? 16 : 0)
    if (streamed) for (const [i, size] of [0x08074b50, ...sizes].entries()) behind.writeUInt32LE(size, 4 * i)
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), common(!streamed), lengths, named, packed, behind])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(at, 10)
    entries.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common(true), lengths, rest, named]))
    files.push(file)
    at += file.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(entries.length, 4)
  end.writeUInt16LE(entries.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(at, 12)
  return Buffer.concat([...files, directory, Buffer.from('PK\x05\x06'), end])
}
