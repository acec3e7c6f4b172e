// The built command on a real terminal: a pseudo-terminal of the system, and xterm's own reading of what is on the screen.
import { closeSync, constants, openSync } from 'node:fs'
import { join } from 'node:path'
import type { ReadStream } from 'node:tty'
import { spawn, type IPty } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import type { Sandbox } from './sandbox.ts'

/** A program at work on a terminal. */
export interface Terminal {
  /** What is on the screen and above it, without the empty lines at its end. */
  readonly screen: () => string
  /** The columns (from 0) in which a text begins, on each line that holds it. */
  readonly columnsOf: (what: RegExp) => readonly number[]
  /** Every byte that came, escapes and all. */
  readonly raw: () => string
  /** The title that the window was given, if any. */
  readonly title: () => string | undefined
  readonly type: (keys: string) => void
  readonly resize: (columns: number, rows: number) => void
  /** Waits for something to be on the screen, and gives the screen; fails with the screen after so many ms, a busy machine's minute. */
  readonly shows: (what: string | RegExp, patience?: number) => Promise<string>
  /** Waits for the end of the program, and gives its exit code. */
  readonly ended: (patience?: number) => Promise<number>
  readonly kill: () => void
}

/** How a program is started besides its words. */
export interface Start {
  readonly columns?: number
  readonly rows?: number
  readonly env?: Readonly<Record<string, string>>
}

/** Keys that have no letter. */
export const keys = {
  enter: '\r',
  up: '\x1b[A',
  down: '\x1b[B',
  tab: '\t',
  interrupt: '\x03',
  end: '\x04',
  space: ' ',
  back: '\x7f',
}

/**
 * Keeps a terminal open until everything that the program wrote has been read. Without this a busy test loses the end of
 * the output: libuv takes a short read of a terminal that was hung up for the last one, and node-pty closes it 200 ms
 * after the program's end, read or not.
 */
function keepOpen(child: IPty): void {
  const { ptsName, _socket: socket } = child as unknown as { ptsName: string; _socket: ReadStream }
  const open = openSync(ptsName, constants.O_RDWR | constants.O_NOCTTY)
  const destroy = socket.destroy.bind(socket)
  let [seen, read] = [-1, 0]
  child.onData((data) => (read += data.length))
  const drained = (): void => {
    if (seen === read) {
      destroy()
      closeSync(open)
      return
    }
    seen = read
    // What came meanwhile is read before an immediate; a timer that is late comes before that.
    setTimeout(() => setImmediate(drained), 30)
  }
  socket.destroy = () => {
    socket.destroy = () => socket
    drained()
    return socket
  }
}

/** Starts shipx on a terminal of its own, 100 columns by 30 rows unless told otherwise. */
export const shipxOn = (box: Sandbox, args: readonly string[], start: Start = {}): Terminal =>
  programOn(box, join(box.folder, 'bin', 'shipx'), args, start)

/** Starts any program there, for example a shell. */
export function programOn(box: Sandbox, program: string, args: readonly string[], start: Start = {}): Terminal {
  const { columns: cols = 100, rows = 30, env = {} } = start
  const terminal = new xterm.Terminal({ cols, rows, scrollback: 5000, allowProposedApi: true })
  const child = spawn(program, [...args], {
    cols,
    rows,
    cwd: box.folder,
    env: { ...box.env, TERM: 'xterm-256color', ...env },
  })
  keepOpen(child)
  let raw = ''
  let title: string | undefined
  let exit: number | undefined
  terminal.onTitleChange((given) => (title = given))
  // Answers of the terminal to what a program asks it, such as where the cursor is.
  terminal.onData((answer) => child.write(answer))
  child.onData((data) => {
    raw += data
    terminal.write(data)
  })
  child.onExit(({ exitCode, signal }) => (exit = signal === undefined || signal === 0 ? exitCode : 128 + signal))
  const settled = (): Promise<void> => new Promise((resolve) => terminal.write('', resolve))
  const screen = (): string => {
    const { active } = terminal.buffer
    const lines = Array.from({ length: active.length }, (_, n) => active.getLine(n)!.translateToString(true))
    return lines.join('\n').trimEnd()
  }
  const columnsOf = (what: RegExp): readonly number[] => {
    const { active } = terminal.buffer
    return Array.from({ length: active.length }, (_, n) => active.getLine(n)!).flatMap((line) => {
      // Of a wide character the second cell is empty.
      const cells = Array.from(
        { length: line.length },
        (_, x) => line.getCell(x)!.getChars() || (line.getCell(x)!.getWidth() === 0 ? '' : ' '),
      )
      const at = what.exec(cells.join(''))?.index
      if (at === undefined) return []
      let [passed, column] = [0, 0]
      while (passed < at) passed += cells[column++]!.length
      return [column]
    })
  }
  const until = async (holds: () => boolean, patience: number, what: string): Promise<void> => {
    const begun = performance.now()
    for (;;) {
      await settled()
      if (holds()) return
      if (performance.now() - begun > patience)
        throw new Error(`${what} did not come in ${patience} ms; the screen is:\n${screen()}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  return {
    screen,
    columnsOf,
    raw: () => raw,
    title: () => title,
    type: (given) => child.write(given),
    resize: (columns, height) => {
      child.resize(columns, height)
      terminal.resize(columns, height)
    },
    shows: async (what, patience = 60_000) => {
      await until(
        () => (typeof what === 'string' ? screen().includes(what) : what.test(screen())),
        patience,
        String(what),
      )
      return screen()
    },
    ended: async (patience = 60_000) => {
      await until(() => exit !== undefined, patience, 'the end')
      return exit!
    },
    kill: () => child.kill('SIGKILL'),
  }
}
