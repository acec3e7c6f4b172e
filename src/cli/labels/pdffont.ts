// A font of Noto inside a PDF: the glyphs that the document shows, by their numbers.
import { fontFile } from './fontfile.ts'
import type { PdfObjects } from './pdfobjects.ts'
import type { LoadedFont } from './shaper.ts'

/** A font of a document. */
export interface PdfFont {
  /** Its name in the resources of pages. */
  readonly name: string
  readonly number: number
  /** Notes that the document shows a glyph. */
  readonly show: (glyph: number) => void
  /** Writes the font with the glyphs that are shown. */
  readonly write: (objects: Pick<PdfObjects, 'numbered' | 'object' | 'stream'>) => void
}

/** The name of a font that holds a part of its glyphs begins with six letters. */
const mark = 'SHIPXA'

/** A font that a document shows, under a name and the number of its object. */
export function pdfFont(font: LoadedFont, name: string, number: number): PdfFont {
  const shown = new Set<number>()
  return {
    name,
    number,
    show: (glyph) => void shown.add(glyph),
    write: ({ numbered, object, stream }) => {
      const [inner, about, file] = [numbered(), numbered(), numbered()]
      const script = font.script.name
      const base = `/${mark}+NotoSans${script[0]!.toUpperCase()}${script.slice(1)}`
      const widths = [...shown].toSorted((a, b) => a - b).map((glyph) => `${glyph} [${font.widthOf(glyph)}]`)
      const bytes = fontFile(font.file).only(shown)
      object(
        number,
        `<< /Type /Font /Subtype /Type0 /BaseFont ${base} /Encoding /Identity-H /DescendantFonts [${inner} 0 R] >>`,
      )
      object(
        inner,
        `<< /Type /Font /Subtype /CIDFontType2 /BaseFont ${base} /CIDToGIDMap /Identity /DW 1000
/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> /FontDescriptor ${about} 0 R
/W [${widths.join('\n')}] >>`,
      )
      object(
        about,
        `<< /Type /FontDescriptor /FontName ${base} /Flags 4 /FontBBox [-1000 -600 3000 1200] /ItalicAngle 0
/Ascent 1100 /Descent -560 /CapHeight 700 /StemV 80 /FontFile2 ${file} 0 R >>`,
      )
      stream(file, ` /Length1 ${bytes.length}`, bytes)
    },
  }
}
