// Writes a PDF page by page: what is written is not kept, so a hundred thousand pages need little memory. Its texts are
// in Helvetica, which every reader has; other scripts in fonts that it embeds at its end.
import { dpi, type Mark, type Page } from './marks.ts'
import { pdfFont, type PdfFont } from './pdffont.ts'
import { contentOf } from './pdfcontent.ts'
import { pdfObjects } from './pdfobjects.ts'
import type { LoadedFont } from './shaper.ts'

/** A PDF that is being written. */
export interface PdfFile {
  /** Writes pages of one size, side by side on one sheet. */
  readonly sheet: (sheet: Sheet) => Promise<void>
  /** Writes what stands at the end of the file. */
  readonly end: () => Promise<void>
}

/** A sheet of paper: its size in dots, and the pages on it with their places. */
export interface Sheet {
  readonly width: number
  readonly height: number
  readonly pages: readonly { readonly page: Page; readonly x: number; readonly y: number }[]
}

/** What a file says about itself. */
export interface PdfAbout {
  readonly title: string
  readonly producer: string
  /** ms UTC. */
  readonly created: number
}

/** Sheets under one node of the tree of pages. */
const branch = 64

/** Points of PDF for one dot. */
const scale = 72 / dpi

/** The numbers of the objects that others name before they are written. */
const names = { catalog: 1, tree: 2, regular: 3, bold: 4, resources: 5 }

/** A text of PDF in UTF-16, for readers of any language. */
const pdfText = (text: string): string => `<feff${Buffer.from(text, 'utf16le').swap16().toString('hex')}>`

const dateOf = (ms: number): string => `(D:${new Date(ms).toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z)`

/** Opens a PDF; `write` takes its bytes in their order. */
export function pdfFile(write: (bytes: Uint8Array) => Promise<void>, about: PdfAbout): PdfFile {
  const objects = pdfObjects(write, Object.keys(names).length)
  const { numbered, object, stream } = objects
  const nodes: number[] = []
  const fonts = new Map<LoadedFont, PdfFont>()
  let [sheets, node]: [number, number] = [0, 0]
  let kids: number[] = []
  const fontOf = (font: LoadedFont): PdfFont => {
    let there = fonts.get(font)
    if (there === undefined) fonts.set(font, (there = pdfFont(font, `F${fonts.size + 3}`, numbered())))
    return there
  }
  const closeNode = (): void => {
    if (kids.length === 0) return
    object(node, `<< /Type /Pages /Parent ${names.tree} 0 R /Count ${kids.length} /Kids [${referred(kids)}] >>`)
    nodes.push(node)
    kids = []
  }
  const writeFonts = (): void => {
    for (const font of fonts.values()) font.write(objects)
    const own = [...fonts.values()].map(({ name, number }) => ` /${name} ${number} 0 R`).join('')
    object(names.regular, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>')
    object(names.bold, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>')
    object(names.resources, `<< /Font << /F1 ${names.regular} 0 R /F2 ${names.bold} 0 R${own} >> >>`)
  }
  return {
    sheet: async ({ width, height, pages }) => {
      if (kids.length === 0) node = numbered()
      const [page, content] = [numbered(), numbered()]
      const body = pages.map((one) => contentOf(moved(one.page.marks, one.x, one.y), height, scale, fontOf)).join('')
      stream(content, '', Buffer.from(body, 'latin1'))
      const box = [width, height].map((dots) => (dots * scale).toFixed(2)).join(' ')
      const parts = `/Resources ${names.resources} 0 R /Contents ${content} 0 R`
      object(page, `<< /Type /Page /Parent ${node} 0 R /MediaBox [0 0 ${box}] ${parts} >>`)
      kids.push(page)
      sheets++
      if (kids.length === branch) closeNode()
      await objects.flow()
    },
    end: async () => {
      closeNode()
      writeFonts()
      object(names.tree, `<< /Type /Pages /Count ${sheets} /Kids [${referred(nodes)}] >>`)
      const info = numbered()
      const created = dateOf(about.created)
      object(info, `<< /Title ${pdfText(about.title)} /Producer ${pdfText(about.producer)} /CreationDate ${created} >>`)
      // Scaled by a printer, bars would no longer be whole dots.
      object(
        names.catalog,
        `<< /Type /Catalog /Pages ${names.tree} 0 R /ViewerPreferences << /PrintScaling /None >> >>`,
      )
      await objects.end(names.catalog, info)
    },
  }
}

/** Objects by their numbers, as a list of PDF has them. */
const referred = (numbers: readonly number[]): string => numbers.map((one) => `${one} 0 R`).join('\n')

const moved = (marks: readonly Mark[], x: number, y: number): readonly Mark[] =>
  x === 0 && y === 0 ? marks : marks.map((mark) => ({ ...mark, x: mark.x + x, y: mark.y + y }))
