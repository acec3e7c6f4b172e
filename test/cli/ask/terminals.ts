// Commands on terminals that ask: started, answered and ended with the test.
import { afterAll, afterEach, onTestFinished } from 'vitest'
import { sandbox, type Sandbox } from '../../support/sandbox.ts'
import { keys, shipxOn, type Start, type Terminal } from '../../support/pty.ts'

export const box = sandbox()
afterAll(() => box.remove())

/** A sandbox of the test's own, where nothing is set and saved yet. */
export function freshBox(): Sandbox {
  const own = sandbox()
  onTestFinished(() => own.remove())
  return own
}

export const open: Terminal[] = []
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill()
})

export const escape = '\u001b'

/** Starts shipx on a terminal, until the end of the test at most. */
export function on(args: readonly string[], start: Start = {}, where: Sandbox = box): Terminal {
  const terminal = shipxOn(where, args, start)
  open.push(terminal)
  return terminal
}

/** Answers questions one after the other, each once it is there. */
export async function answers(
  terminal: Terminal,
  given: readonly (readonly [question: string | RegExp, answer: string])[],
) {
  for (const [question, answer] of given) {
    await terminal.shows(question)
    terminal.type(`${answer}${keys.enter}`)
  }
}

/** The command that was printed after the answers, wrapped lines joined. */
export const repeated = (terminal: Terminal, columns = 200): string =>
  terminal
    .screen()
    .split('\n')
    .find((line) => line.startsWith('→ shipx') || line.startsWith('-> shipx'))!
    .slice(0, columns)
    .replace(/^(→|->) /, '')

/** A window in which no line is wrapped. */
export const wide = { columns: 240 }

/** Options of SGR that are colours or weights; the cursor's own escapes are none. */
export const painted = (raw: string): boolean => new RegExp(`${escape}\\[(3\\d|1)m`).test(raw)
export const cursorShown = (raw: string): boolean =>
  raw.lastIndexOf(`${escape}[?25l`) <= raw.lastIndexOf(`${escape}[?25h`)
