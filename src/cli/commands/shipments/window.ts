// A text that is drawn in the same place again and again: on the terminal's second screen, only the lines that differ, and
// left on the first one at the end. Knows nothing of what is drawn.
import type { Io } from '../../terminal/io.ts'
import { cut } from '../../terminal/width.ts'

/** Where a text is drawn, as lines. */
export interface Window {
  readonly draw: (lines: readonly string[]) => Promise<void>
  /** Calls back when the terminal has another size. */
  readonly onResize: (redraw: () => void) => void
  /** Goes back to the first screen and leaves the last lines there, all of them. Drawing does nothing from then on. */
  readonly close: () => Promise<void>
}

const esc = '\u001b['

/** What a terminal is told: the second screen without a cursor, and back; that a picture is one, where it knows of that. */
const [enter, leave] = [`${esc}?1049h${esc}?25l${esc}H${esc}2J`, `${esc}?25h${esc}?1049l`]
const [begin, end] = [`${esc}?2026h`, `${esc}?2026l`]

/** Whether a terminal can be drawn on: it knows escape sequences and has been told its size. */
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
      // Below the last line nothing is left of a longer picture; a picture as high as the window has no line below.
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

/** The lines that a window has room for, and how many it has not. */
function fitted(lines: readonly string[], height: number, ascii: boolean): readonly string[] {
  if (lines.length <= height) return lines
  const hidden = lines.length - height + 1
  return [...lines.slice(0, height - 1), `${ascii ? '...' : '…'} ${hidden} more lines in a higher window`]
}
