// A workbook opened: its sheets by name, and the rows of one of them.
import { damaged, refusing, saveAsWorkbook, type Refuse } from './refusal.ts'
import type { CellReading } from './cellvalue.ts'
import { readSharedStrings } from './sharedstrings.ts'
import { spoolOf, type Overflow, type Spool } from './spool.ts'
import { readStyles } from './styles.ts'
import { worksheetRows, type WorkbookRow } from './worksheet.ts'
import { readXml } from './xml.ts'
import { openZip, type Zip } from './zip.ts'

/** A sheet of cells; sheets that hold only a chart are left out. */
export interface SheetName {
  readonly name: string
  readonly hidden: boolean
}

/** An open workbook. */
export interface Workbook {
  readonly sheets: readonly SheetName[]
  /** The rows of a sheet by its place in `sheets`. Throws `invalid_file`. */
  readonly rows: (sheet: number) => Promise<AsyncGenerator<readonly WorkbookRow[]>>
  /** Deletes what was kept of it. */
  readonly close: () => void
}

/** Sheets at most: Excel is limited by memory, and a message lists them. */
const mostSheets = 1000

/** Bytes: an endless pipe must not fill the disk. */
const largestFile = 4_000_000_000

/**
 * Opens a workbook from its bytes, which are read to their end. `overflow` makes a temporary file. Throws
 * `invalid_file` for what is not a workbook, with `name` as messages call the file, and what the bytes throw.
 */
export async function openWorkbook(
  name: string,
  bytes: AsyncIterable<Uint8Array>,
  overflow: () => Overflow,
): Promise<Workbook> {
  const refuse = refusing(name)
  const [file, texts] = [spoolOf(overflow), spoolOf(overflow)]
  const close = (): void => {
    file.close()
    texts.close()
  }
  try {
    for await (const chunk of bytes) {
      file.append(chunk)
      if (file.size() > largestFile) throw refuse('there is more than 4 GB of it', 'split the workbook')
    }
    const zip = await openZip(file.whole(), refuse)
    refuseOthers(zip, refuse)
    const parts = await partsOf(zip, refuse)
    let reading: Promise<CellReading> | undefined
    return {
      sheets: parts.sheets,
      rows: async (sheet) =>
        worksheetRows(
          zip.part(parts.sheets[sheet]!.path),
          await (reading ??= readingOf(zip, parts, texts, refuse)),
          refuse,
        ),
      close,
    }
  } catch (error) {
    close()
    throw error
  }
}

/** Refuses a zip file that is another kind of document. */
function refuseOthers({ names, has }: Zip, refuse: Refuse): void {
  const other = has('xl/workbook.bin')
    ? 'a binary Excel workbook (.xlsb)'
    : has('content.xml')
      ? 'an OpenDocument file (.ods)'
      : names.some((name) => name.endsWith('.iwa'))
        ? 'an Apple document (.numbers)'
        : has('word/document.xml')
          ? 'a Word document (.docx)'
          : undefined
  if (other !== undefined) throw refuse(`it is ${other}`, saveAsWorkbook)
  if (!has('[Content_Types].xml') && !has('_rels/.rels'))
    throw refuse('it is a zip file and not a workbook', 'unpack it and name the file that is in it')
}

/** Where the parts of a workbook are, by their paths in the zip file. */
interface Parts {
  readonly sheets: readonly (SheetName & { readonly path: string })[]
  readonly strings: string | undefined
  readonly styles: string | undefined
  readonly date1904: boolean
}

/** One part's link to another: the last word of its type, and the path in the zip file. */
interface Link {
  readonly type: string
  readonly path: string
}

/** The links of a part (`''` for those of the whole file), by their ids. */
async function linksOf(zip: Zip, part: string, refuse: Refuse): Promise<ReadonlyMap<string, Link>> {
  const folder = part.includes('/') ? part.slice(0, part.lastIndexOf('/') + 1) : ''
  const links = new Map<string, Link>()
  const open = (name: string, attributes: Readonly<Record<string, string>>): void => {
    const { Id: id, Type: type = '', Target: target = '' } = attributes
    if (name !== 'Relationship' || id === undefined || attributes['TargetMode'] === 'External') return
    links.set(id, { type: type.slice(type.lastIndexOf('/') + 1), path: pathFrom(folder, target) })
  }
  await readXml(zip.part(`${folder}_rels/${part.slice(folder.length)}.rels`), { open }, refuse)
  return links
}

/** A target as a path in the zip file, from the folder of the part that names it. */
function pathFrom(folder: string, target: string): string {
  const steps: string[] = []
  for (const step of (target.startsWith('/') ? target : folder + target).split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

async function partsOf(zip: Zip, refuse: Refuse): Promise<Parts> {
  const main = [...(await linksOf(zip, '', refuse)).values()].find(({ type }) => type === 'officeDocument')
  if (main === undefined) throw damaged(refuse, 'nothing in it says which part is the workbook')
  const links = await linksOf(zip, main.path, refuse)
  const linked = (wanted: string): string | undefined =>
    [...links.values()].find(({ type, path }) => type === wanted && zip.has(path))?.path
  const sheets: (SheetName & { readonly path: string })[] = []
  let date1904 = false
  await readXml(
    zip.part(main.path),
    {
      open: (name, attributes) => {
        if (name === 'workbookPr') date1904 = ['1', 'true'].includes(attributes['date1904'] ?? '')
        if (name !== 'sheet') return
        const id = Object.entries(attributes).find(([key]) => /^[^:]+:id$/.test(key))?.[1]
        const link = links.get(id ?? '')
        if (link === undefined) throw damaged(refuse, `the part of its sheet ${attributes['name'] ?? ''} is missing`)
        if (link.type === 'worksheet')
          sheets.push({ name: attributes['name'] ?? '', hidden: hides(attributes['state']), path: link.path })
        if (sheets.length > mostSheets) throw damaged(refuse, `it has more than ${mostSheets} sheets`)
      },
    },
    refuse,
  )
  return { sheets, strings: linked('sharedStrings'), styles: linked('styles'), date1904 }
}

const hides = (state: string | undefined): boolean => state !== undefined && state !== 'visible'

async function readingOf(zip: Zip, parts: Parts, texts: Spool, refuse: Refuse): Promise<CellReading> {
  const part = (path: string | undefined) => (path === undefined ? undefined : zip.part(path))
  const formats = await readStyles(part(parts.styles), refuse)
  return { formats, strings: await readSharedStrings(part(parts.strings), texts, refuse), date1904: parts.date1904 }
}
