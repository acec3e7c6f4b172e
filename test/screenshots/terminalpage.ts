// What a terminal shows as a page: every character in its colour, out of xterm's own reading of the bytes that came.
import xterm from '@xterm/headless'
import { html, type Html } from '../../src/cli/pages/html.ts'

/** The sixteen colours of a light and calm terminal. */
// prettier-ignore
const sixteen = [
  '#1a1f36', '#c0341d', '#0f7a55', '#8a6100', '#3a47c9', '#8a3ea8', '#0b7285', '#d5dae3',
  '#697386', '#c0341d', '#0f7a55', '#8a6100', '#3a47c9', '#8a3ea8', '#0b7285', '#ffffff',
]

/** The colour of a number of the palette of 256. */
function colourOf(n: number): string {
  if (n < 16) return sixteen[n]!
  const step = (v: number): number => (v === 0 ? 0 : 55 + v * 40)
  const [r, g, b] =
    n >= 232
      ? Array<number>(3).fill(8 + (n - 232) * 10)
      : [Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6].map(step)
  return `rgb(${r}, ${g}, ${b})`
}

/** The bytes of a program that was run as `command` in a terminal of so many columns, as a page. */
export async function terminalPage(command: string, bytes: string, cols: number): Promise<string> {
  const terminal = new xterm.Terminal({ cols, rows: 60, scrollback: 1000, allowProposedApi: true })
  await new Promise<void>((resolve) => terminal.write(bytes, resolve))
  const { active } = terminal.buffer
  const lines = Array.from({ length: active.length }, (_, n) => active.getLine(n)!)
  while (lines.at(-1)?.translateToString(true) === '') lines.pop()
  const shown = lines.map((line) => {
    const cells: Html[] = []
    const end = line.translateToString(true).length
    for (let x = 0; x < end; x++) {
      const cell = line.getCell(x)!
      const colour = cell.isFgDefault()
        ? ''
        : `color: ${cell.isFgRGB() ? `#${cell.getFgColor().toString(16).padStart(6, '0')}` : colourOf(cell.getFgColor())};`
      const look = `${colour}${cell.isBold() ? 'font-weight: 700;' : ''}${cell.isDim() ? 'color: #697386;' : ''}${cell.isUnderline() ? 'text-decoration: underline;' : ''}`
      const text = cell.getChars() === '' ? ' ' : cell.getChars()
      cells.push(look === '' ? { html: html`${text}`.html } : html`<span style="${look}">${text}</span>`)
    }
    return `${cells.map((cell) => cell.html).join('')}\n`
  })
  const prompt = html`<span style="color: #697386">$</span> <b>${command}</b>`.html
  const style =
    'body { margin: 0; background: #fff; color: #1a1f36; } pre { margin: 0; padding: 22px 26px; width: max-content; font: 14px/1.5 "DejaVu Sans Mono", monospace; }'
  return `<!DOCTYPE html><meta charset="utf-8"><style>${style}</style><pre>${prompt}\n${shown.join('')}</pre>`
}
