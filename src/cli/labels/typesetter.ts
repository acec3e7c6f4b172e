// Text as pieces that can be drawn: letters of Helvetica, shaped glyphs of the scripts of India, and a box in the place
// of a letter that no font here has.
import { codeIn, widthOf } from './helvetica.ts'
import { goesWithScript, scriptOf, type Script } from './scripts.ts'
import type { Glyph, LoadedFont } from './shaper.ts'

/** A part of a text that one font draws. Widths are thousandths of the size. */
export type Piece =
  | { readonly kind: 'latin'; readonly codes: readonly number[]; readonly width: number }
  | {
      readonly kind: 'shaped'
      readonly font: LoadedFont
      readonly text: string
      readonly glyphs: readonly Glyph[]
      readonly width: number
    }
  | { readonly kind: 'box'; readonly width: number }

/** A text on one line. */
export interface Line {
  readonly text: string
  readonly bold: boolean
  readonly pieces: readonly Piece[]
  readonly width: number
}

/** Makes lines of text. */
export interface Typesetter {
  /** Loads what some texts need: nothing for those in Helvetica. */
  readonly ready: (texts: readonly (string | null)[]) => Promise<void>
  /** A text on one line; its letters are ready. */
  readonly line: (text: string, bold?: boolean) => Line
  /** How many texts have a letter that no font here has. */
  readonly boxed: () => number
}

/** Letters that no one sees, or that turn the direction of text: a label shows the letters of a text in their order. */
const invisible = /[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029\p{Variation_Selector}]/gu

/**
 * A text as a label writes it: on one line, in NFC, without what is invisible. The joiners that shape Indic letters
 * stay between them.
 */
export function labelText(text: string): string {
  if (/^[!-~]*(?: [!-~]+)*$/.test(text)) return text
  const points = text
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\s\u00a0]+/g, ' ')
    .trim()
  return points
    .replace(invisible, (sign, at: number) => {
      const joins = (sign === '\u200c' || sign === '\u200d') && at > 0 && scriptOf(points.codePointAt(at - 1)!)
      return joins === undefined || joins === false ? '' : sign
    })
    .replace(/ {2,}/g, ' ')
    .trim()
}

const boxWidth = 650

/** A run of letters that one font draws. */
interface Run {
  readonly script: Script | 'latin' | 'other'
  text: string
}

function runsOf(text: string): readonly Run[] {
  const runs: Run[] = []
  for (const letter of text) {
    const point = letter.codePointAt(0)!
    const last = runs.at(-1)
    const carried = goesWithScript(point) && typeof last?.script === 'object' ? last.script : undefined
    const script = carried ?? scriptOf(point) ?? (codeIn(letter) === undefined ? 'other' : 'latin')
    if (last?.script === script && script !== 'other') last.text += letter
    else runs.push({ script, text: letter })
  }
  return runs
}

/** Words that are kept: labels say the same ones again and again. */
const mostKept = 2000

/** A typesetter. It loads HarfBuzz and the fonts when a text first needs them. */
export function typesetter(): Typesetter {
  let shaper: typeof import('./shaper.ts') | undefined
  const kept = new Map<string, Line>()
  const boxed = new Set<string>()
  const latin = (text: string, bold: boolean): Piece => {
    const codes = Array.from(text, (letter) => codeIn(letter)!)
    return { kind: 'latin', codes, width: codes.reduce((all, code) => all + widthOf(code, bold), 0) }
  }
  const shaped = (font: LoadedFont, text: string): Piece => {
    const glyphs = font.shape(text)
    return { kind: 'shaped', font, text, glyphs, width: glyphs.reduce((all, { advance }) => all + advance, 0) }
  }
  const pieceOf = ({ script, text }: Run, bold: boolean): Piece => {
    if (script === 'latin') return latin(text, bold)
    const font = script === 'other' ? shaper?.fontFor(text.codePointAt(0)!) : shaper?.fontOf(script)
    if (font !== undefined) return shaped(font, text)
    return { kind: 'box', width: boxWidth }
  }
  const made = (text: string, bold: boolean): Line => {
    const pieces = runsOf(text).map((run) => pieceOf(run, bold))
    if (pieces.some(({ kind }) => kind === 'box')) boxed.add(text)
    return { text, bold, pieces, width: pieces.reduce((all, { width }) => all + width, 0) }
  }
  return {
    ready: async (texts) => {
      if (shaper !== undefined || texts.every((text) => text === null || /^[ -~]*$/.test(text))) return
      const all = texts.map((text) => labelText(text ?? ''))
      if (all.some((text) => runsOf(text).some(({ script }) => script !== 'latin')))
        shaper = await import('./shaper.ts')
    },
    line: (text, bold = false) => {
      const key = `${bold ? 'b' : 'r'}${text}`
      let line = kept.get(key)
      if (line === undefined) {
        if (kept.size >= mostKept) kept.clear()
        kept.set(key, (line = made(text, bold)))
      }
      return line
    },
    boxed: () => boxed.size,
  }
}

/** Lines one after another, with a blank between two. Letters of Helvetica that meet become one piece. */
export function joinedLine(words: readonly Line[], bold: boolean): Line {
  const blank: Piece = { kind: 'latin', codes: [0x20], width: widthOf(0x20, bold) }
  const pieces: Piece[] = []
  for (const piece of words.flatMap((word, i) => (i === 0 ? word.pieces : [blank, ...word.pieces]))) {
    const last = pieces.at(-1)
    if (last?.kind === 'latin' && piece.kind === 'latin')
      pieces[pieces.length - 1] = {
        kind: 'latin',
        codes: [...last.codes, ...piece.codes],
        width: last.width + piece.width,
      }
    else pieces.push(piece)
  }
  const width = pieces.reduce((all, piece) => all + piece.width, 0)
  return { text: words.map(({ text }) => text).join(' '), bold, pieces, width }
}
