// Draws text in place again and again, on the terminal's second screen. Writes only the lines that differ, and leaves
// the last text on the first screen.
import type { Io } from '../../terminal/io.ts'
import { cut } from '../../terminal/width.ts'

/** A place to draw lines of text in. */
export interface Window {
  readonly draw: (lines: readonly string[]) => Promise<void>
  /** Calls back when the terminal changes its size. */
  readonly onResize: (redraw: () => void) => void
  /** Returns to the first screen and leaves all of the last lines there. After that, drawing does nothing. */
  readonly close: () => Promise<void>
}

const esc = '\u001b['

/**
 * Terminal sequences: the second screen without a cursor, and back; the marks around a picture, for terminals that know
 * them.
 */
const [enter, leave] = [`${esc}?1049h${esc}?25l${esc}H${esc}2J`, `${esc}?25h${esc}?1049l`]
const [begin, end] = [`${esc}?2026h`, `${esc}?2026l`]

/** Whether shipx can draw on a terminal: it knows escape sequences and reports its size. */
export const drawable = ({ stdout, env }: Io): boolean =>
  stdout.tty && env['TERM'] !== 'dumb' && stdout.width !== undefined && stdout.height !== undefined

export async function windowOn({ stdout }: Io, ascii: boolean): Promise<Window> {
  let [shown, size]: [readonly string[], string] = [[], '']
  let last: readonly string[] = []
  let closed = false
  const resized: (() => void)[] = []
  await stdout.write(enter)
  return {
    draw: async (lines) => {
      if (closed) return
      last = lines
      const [width, height] = [stdout.width ?? 80, stdout.height ?? 24]
      const fitting = fitted(lines, height, ascii).map((line) => cut(line, width, ascii ? '...' : '…'))
      const fresh = size !== `${width}x${height}`
      size = `${width}x${height}`
      const parts = fitting.flatMap((line, i) =>
        !fresh && shown[i] === line ? [] : [`${esc}${i + 1};1H${esc}2K${line}`],
      )
      // Clear what a longer picture left below the last line; a picture as high as the window leaves no line below.
      const rest = fitting.length < height ? `${esc}${fitting.length + 1};1H${esc}J` : ''
      shown = fitting
      await stdout.write(`${begin}${fresh ? `${esc}2J` : ''}${parts.join('')}${rest}${end}`)
    },
    onResize: (redraw) => {
      resized.push(redraw)
      stdout.stream.on('resize', redraw)
    },
    close: async () => {
      if (closed) return
      closed = true
      for (const redraw of resized) stdout.stream.off('resize', redraw)
      await stdout.write(`${leave}${last.map((line) => `${line}\n`).join('')}`)
    },
  }
}

/** The lines that fit the window, and how many do not. */
function fitted(lines: readonly string[], height: number, ascii: boolean): readonly string[] {
  if (lines.length <= height) return lines
  const hidden = lines.length - height + 1
  return [...lines.slice(0, height - 1), `${ascii ? '...' : '…'} ${hidden} more lines in a higher window`]
}
