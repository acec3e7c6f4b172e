// The marks of a page as operators of PDF, whose y goes upwards.
import type { PdfFont } from './pdffont.ts'
import type { Mark } from './marks.ts'
import type { LoadedFont } from './shaper.ts'
import type { Piece } from './typesetter.ts'

/** A number as PDF has it: no exponent, no more than a thousandth. */
const n = (value: number): string => String(Math.round(value * 1000) / 1000)

/** Codes of Helvetica as a text of PDF. */
const latinText = (codes: readonly number[]): string =>
  `(${String.fromCharCode(...codes).replace(/[\\()]/g, (sign) => `\\${sign}`)})`

/** The bars of a barcode: each second width is a bar. */
function barsOf({ x, y, h, module, bars }: Extract<Mark, { kind: 'bars' }>, up: (y: number) => number): string {
  let at = x
  let body = ''
  for (const [i, width] of bars.entries()) {
    if (i % 2 === 0) body += `${n(at)} ${n(up(y + h))} ${width * module} ${h} re\n`
    at += width * module
  }
  return `${body}f\n`
}

/** Shaped glyphs: one text, with the differences between the font's widths and the places that shaping found. */
function shapedText({ text, glyphs, font }: Extract<Piece, { kind: 'shaped' }>, own: PdfFont, size: number): string {
  let body = ''
  let rise = 0
  let parts = ''
  let kern = 0
  const close = (): void => {
    if (parts !== '') body += `[${parts}] TJ\n`
    parts = ''
  }
  for (const { id, advance, x, y } of glyphs) {
    own.show(id)
    if (y !== rise) {
      if (kern !== 0) parts += n(-kern)
      kern = 0
      close()
      body += `${n((y * size) / 1000)} Ts\n`
      rise = y
    }
    const before = kern + x
    if (before !== 0) parts += n(-before)
    parts += `<${id.toString(16).padStart(4, '0')}>`
    kern = advance - font.widthOf(id) - x
  }
  if (kern !== 0) parts += n(-kern)
  close()
  if (rise !== 0) body += '0 Ts\n'
  // A reader copies and searches what was written, and not the order of glyphs.
  const meant = Buffer.from(text, 'utf16le').swap16().toString('hex')
  return `/Span << /ActualText <feff${meant}> >> BDC\n${body}EMC\n`
}

function textOf(
  { x, y, size, line, white }: Extract<Mark, { kind: 'text' }>,
  up: (y: number) => number,
  fontOf: (font: LoadedFont) => PdfFont,
): string {
  let body = ''
  let boxes = ''
  let at = x
  for (const piece of line.pieces) {
    const width = (piece.width * size) / 1000
    if (piece.kind === 'box')
      boxes += `${n(size * 0.06)} w ${n(at + width * 0.12)} ${n(up(y))} ${n(width * 0.76)} ${n(size * 0.7)} re S\n`
    else {
      const font = piece.kind === 'latin' ? (line.bold ? 'F2' : 'F1') : fontOf(piece.font).name
      body += `/${font} ${n(size)} Tf 1 0 0 1 ${n(at)} ${n(up(y))} Tm\n`
      // The fonts of Noto here have one weight: bold is a letter with its edge drawn.
      const heavy = piece.kind === 'shaped' && line.bold
      if (heavy) body += `2 Tr ${n(size * 0.03)} w\n`
      body += piece.kind === 'latin' ? `${latinText(piece.codes)} Tj\n` : shapedText(piece, fontOf(piece.font), size)
      if (heavy) body += '0 Tr\n'
    }
    at += width
  }
  const text = body === '' ? '' : `BT\n${body}ET\n`
  return white === true ? `1 g 1 G\n${text}${boxes}0 g 0 G\n` : `${text}${boxes}`
}

/** The marks of a page of a height in dots, scaled to points. */
export function contentOf(
  marks: readonly Mark[],
  height: number,
  scale: number,
  fontOf: (font: LoadedFont) => PdfFont,
): string {
  const up = (y: number): number => height - y
  const body = marks.map((mark) => {
    if (mark.kind === 'text') return textOf(mark, up, fontOf)
    if (mark.kind === 'bars') return barsOf(mark, up)
    const { x, y, w, h } = mark
    if (mark.kind === 'filled') return `${n(x)} ${n(up(y + h))} ${n(w)} ${n(h)} re f\n`
    const { thick } = mark
    return `${thick} w ${n(x + thick / 2)} ${n(up(y + h) + thick / 2)} ${n(w - thick)} ${n(h - thick)} re S\n`
  })
  return `q ${scale.toFixed(8)} 0 0 ${scale.toFixed(8)} 0 0 cm\n${body.join('')}Q\n`
}
