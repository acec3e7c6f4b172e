// A PDF as a printer of 203 dpi draws it (pdfium), and the barcodes on each page as a scanner reads them (ZXing).
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

/** A page: its size in dots, the texts of its barcodes, and its letters. */
export interface DrawnPage {
  readonly width: number
  readonly height: number
  readonly barcodes: readonly string[]
  readonly text: string
  /** The dark dots of a part of the page. */
  readonly ink: (x: number, y: number, width: number, height: number) => number
}

let reader: boolean | undefined

/** Makes ZXing read its WebAssembly from its package, and not from the network. */
function prepareReader(): void {
  if (reader === true) return
  reader = true
  const wasm = readFileSync(fileURLToPath(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')))
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } })
}

/** Draws the first pages of a PDF. Throws where it is broken. */
export async function drawnPages(pdf: Uint8Array, most = 8): Promise<readonly DrawnPage[]> {
  prepareReader()
  const library = await PDFiumLibrary.init()
  try {
    const document = await library.loadDocument(pdf)
    const pages: DrawnPage[] = []
    for (const page of document.pages()) {
      if (pages.length === most) break
      // Drawing closes the page.
      const text = page.getText().replaceAll('\r\n', '\n')
      const { width, height, data } = await page.render({ scale: 203 / 72, render: 'bitmap' })
      const dots = new Uint8ClampedArray(data)
      const found = await readBarcodes(
        { data: dots, width, height, colorSpace: 'srgb' } as Parameters<typeof readBarcodes>[0],
        {
          formats: ['Code128'],
          tryHarder: true,
          maxNumberOfSymbols: 60,
        },
      )
      pages.push({
        width,
        height,
        barcodes: found.map(({ text }) => text),
        text,
        ink: (x, y, w, h) => {
          let dark = 0
          for (let row = y; row < y + h; row++)
            for (let dot = x; dot < x + w; dot++) if (dots[(row * width + dot) * 4]! < 128) dark++
          return dark
        },
      })
    }
    document.destroy()
    return pages
  } finally {
    library.destroy()
  }
}
