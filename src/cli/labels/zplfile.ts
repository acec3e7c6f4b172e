// Labels as ZPL, the language of label printers. Text is in the printer's own font; what that lacks is a picture.
import { segmentsOf } from '../../domain/labels/code128.ts'
import type { Mark, Page } from './marks.ts'
import { pictureOf } from './raster.ts'

/** The sign that begins a hexadecimal byte in a field (^FH). */
const sign = '_'

/** A text as data of a field: no letter of it is a command, and it ends no field. */
const data = (text: string): string =>
  Array.from(text, (letter) =>
    /^[ !-\]`-}]$/.test(letter)
      ? letter
      : /^[\u00a0-\u{10ffff}]$/u.test(letter)
        ? letter
        : Array.from(Buffer.from(letter), (byte) => `${sign}${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
            '',
          ),
  ).join('')

/** What begins a set of Code 128, at the start of a barcode and within it. */
const starts = { B: '>:', C: '>;' } as const
const changes = { B: '>6', C: '>5' } as const

/** Signs that ZPL writes in another way inside a barcode. */
const barcodeSigns: Readonly<Record<string, string>> = { '>': '>0', '^': '><', '~': '>=' }

const barcodeData = (text: string): string =>
  segmentsOf(text)
    .map(({ set, text: part }, i) => {
      const begun = i === 0 ? starts[set] : changes[set]
      return begun + Array.from(part, (letter) => barcodeSigns[letter] ?? letter).join('')
    })
    .join('')

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase()

function textOf({ x, y, size, line, white }: Extract<Mark, { kind: 'text' }>): string {
  const reversed = white === true ? '^FR' : ''
  let at = x
  let out = ''
  for (const piece of line.pieces) {
    const left = Math.round(at)
    if (piece.kind === 'latin') {
      const text = Buffer.from(piece.codes).toString('latin1')
      const shown = text.replace(/[\u0080-\u009f]/g, (code) => windows.decode(Buffer.from(code, 'latin1')))
      if (shown.trim() !== '') {
        const indent = left + leadingDots(shown, size)
        const font = `^A0N,${size},${Math.round(size * 0.94)}`
        out += `^FT${indent},${y}${font}${reversed}^FH${sign}^FD${data(shown.trim())}^FS\n`
      }
    } else if (piece.kind === 'box') {
      const side = Math.max(3, Math.round(size * 0.5))
      out += `^FO${left},${y - side}^GB${side},${side},2^FS\n`
    } else {
      const { above, rowBytes, rows, bits } = pictureOf(piece, size)
      const bytes = rowBytes * rows
      out += `^FO${left},${Math.max(0, y - above)}${reversed}^GFA,${bytes},${bytes},${rowBytes},${hex(bits)}^FS\n`
    }
    at += (piece.width * size) / 1000
  }
  return out
}

/** The width of the blanks before a text. */
const leadingDots = (text: string, size: number): number =>
  Math.round(((text.length - text.trimStart().length) * 278 * size) / 1000)

const windows = new TextDecoder('windows-1252')

function markText(mark: Mark): string {
  if (mark.kind === 'text') return textOf(mark)
  const { x, y, h } = mark
  if (mark.kind === 'bars')
    return `^BY${mark.module},2,${h}^FO${x},${y}^BCN,${h},N,N,N^FH${sign}^FD${data(barcodeData(mark.text))}^FS\n`
  const { w } = mark
  const thick = mark.kind === 'filled' ? Math.min(w, h) : mark.thick
  return `^FO${x},${y}^GB${w},${h},${thick}^FS\n`
}

/** A page as one label. */
export const zplOf = ({ width, height, marks }: Page): string =>
  `^XA\n^CI28\n^PW${width}\n^LL${height}\n^LH0,0\n${marks.map(markText).join('')}^XZ\n`
