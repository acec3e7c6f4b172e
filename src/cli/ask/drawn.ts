// Questions drawn on a terminal by Inquirer, with our own colours and signs.
import { asciiOnly, paintFor } from '../terminal/colour.ts'
import type { Paint } from '../terminal/screen.ts'
import type { Context } from '../command/context.ts'
import { colourWish } from '../command/flags.ts'
import type { Io } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'
import { shownAnswer, type ShownAnswer } from './longanswer.ts'
import { cancelled, longList, type Asker, type LineQuestion } from './asker.ts'
import {
  confirm,
  createPrompt,
  isEnterKey,
  isTabKey,
  makeTheme,
  password,
  search,
  select,
  useEffect,
  useKeypress,
  usePrefix,
  useRef,
  useState,
  type Status,
  type Theme,
} from './inquirer.ts'

/** The asker for a terminal that shipx can draw on. */
export async function drawnAsker({ io, flags }: Pick<Context, 'io' | 'flags'>): Promise<Asker> {
  const paint = await paintFor(io.stderr, io, colourWish(flags))
  const theme = themeOf(paint, asciiOnly(io))
  const ask = <T>(put: (on: On) => Promise<T>): Promise<T> => cancellable(io, put)
  return {
    line: (question) => ask((on) => line({ ...question, theme, dim: paint.dim, ...sizeOf(on, io) }, on)),
    secret: ({ message, fault }) =>
      ask((on) =>
        password(
          { message, mask: '*', toggleMask: false, theme, validate: async (typed) => (await fault(typed)) ?? true },
          on,
        ),
      ),
    choice: (message, choices) =>
      choices.length <= longList
        ? ask((on) => select({ message, choices, loop: false, theme }, on))
        : ask((on) =>
            search(
              {
                message,
                theme,
                source: (term = '') => choices.filter(({ name }) => name.toLowerCase().includes(term.toLowerCase())),
              },
              on,
            ),
          ),
    agree: (message) => ask((on) => confirm({ message, default: false, theme }, on)),
  }
}

/** Where Inquirer draws a question, and the signal that removes it. */
interface On {
  readonly output: NodeJS.WriteStream
  readonly signal: AbortSignal
}

/** Asks a question. Ctrl-C, Ctrl-D and signals end it with `interrupted` and leave the terminal as it was. */
async function cancellable<T>(io: Io, put: (on: On) => Promise<T>): Promise<T> {
  const stop = new AbortController()
  const { stream } = io.stdin
  const quiet = io.onInterrupt(() => stop.abort())
  // After Ctrl-D has closed the line that it reads, Inquirer waits for ever.
  const onKey = (_: unknown, key?: { readonly ctrl?: boolean; readonly name?: string }): void => {
    if (key?.ctrl === true && key.name === 'd') setImmediate(() => stream.isPaused() && stop.abort())
  }
  const onEnd = (): void => stop.abort()
  stream.on('keypress', onKey)
  stream.on('end', onEnd)
  try {
    // Inquirer draws on standard output by default, which is for data.
    return await put({ output: io.stderr.stream, signal: stop.signal })
  } catch (error) {
    if (error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name)) throw cancelled()
    throw error
  } finally {
    quiet()
    stream.off('keypress', onKey)
    stream.off('end', onEnd)
  }
}

/** Inquirer's own colours ignore NO_COLOR, and an old console cannot show its signs. */
function themeOf(paint: Paint, ascii: boolean) {
  const moves = ascii ? 'up, down: move   Enter: choose' : '↑↓ move · Enter choose'
  return {
    prefix: { idle: paint.cyan('?'), done: paint.green(ascii ? '+' : '✓') },
    spinner: { interval: 100, frames: ['|', '/', '-', '\\'] },
    icon: { cursor: ascii ? '>' : '❯' },
    style: {
      answer: (said: string) => paint.cyan(said),
      // Inquirer passes a second argument, which chalk would show.
      message: (said: string) => paint.bold(said),
      error: (said: string) => paint.red(`${ascii ? 'x' : '✗'} ${said}`),
      defaultAnswer: (said: string) => paint.dim(`(${said})`),
      help: (said: string) => paint.dim(said),
      highlight: (said: string) => paint.cyan(said),
      key: (said: string) => paint.bold(said),
      searchTerm: (said: string) => paint.cyan(said),
      description: (said: string) => paint.dim(said),
      disabled: (said: string) => paint.dim(said),
      keysHelpTip: () => paint.dim(moves),
    },
  }
}

interface LineConfig extends LineQuestion {
  readonly theme: ReturnType<typeof themeOf>
  readonly dim: (text: string) => string
  /** The columns of the terminal now. */
  readonly width: () => number
  /** What stands for the part of an answer that is not shown. */
  readonly mark: string
}

const sizeOf = ({ output }: On, io: Io): Pick<LineConfig, 'width' | 'mark'> => ({
  width: () => output.columns || 80,
  mark: asciiOnly(io) ? '...' : '…',
})

/** Where the cursor is in the line that is typed. */
const cursorOf = (reader: object): number => (reader as { readonly cursor: number }).cursor

/** A line to type, with a hint below it: Inquirer's own prompt has no room for a hint. */
const line = createPrompt<string, LineConfig>((config, done) => {
  const { message, fault, hint = () => '', suggestion = '', dim } = config
  const theme: Theme = makeTheme(config.theme)
  const [status, setStatus] = useState<Status>('idle')
  const [value, setValue] = useState('')
  const [wrong, setWrong] = useState('')
  const [at, setAt] = useState(0)
  const cursor = useRef<ShownAnswer['cursor']>()
  useEffect((reader) => {
    const counted = reader.getCursorPos.bind(reader)
    reader.getCursorPos = () => cursor.current ?? counted()
  }, [])
  const prefix = usePrefix({ status, theme })
  useKeypress(async (key, reader) => {
    if (status !== 'idle') return
    if (!isEnterKey(key)) setAt(cursorOf(reader))
    if (isEnterKey(key)) {
      const answer = value.trim() === '' ? suggestion : value
      setStatus('loading')
      const found = await fault(answer)
      if (found === undefined) {
        setValue(answer)
        setStatus('done')
        done(answer)
      } else {
        // Enter has emptied the line. Put the text back, so that the user corrects it instead of typing it again.
        reader.write(value)
        setAt(cursorOf(reader))
        setWrong(found)
        setStatus('idle')
      }
    } else if (isTabKey(key)) {
      reader.clearLine(0)
      reader.write(value === '' ? suggestion : value.trimEnd())
      setValue(reader.line)
      setAt(cursorOf(reader))
    } else {
      setValue(reader.line)
      setWrong('')
    }
  })
  const about = safe(hint(value))
  const head = `${prefix} ${theme.style.message(message, status)}`
  if (status === 'done') cursor.current = undefined
  if (status === 'done') return `${head} ${theme.style.answer(safe(value))}${about === '' ? '' : ` ${dim(about)}`}`
  const offered = suggestion !== '' && value === '' ? ` ${theme.style.defaultAnswer(safe(suggestion))}` : ''
  const below =
    wrong !== ''
      ? wrong
          .split('\n')
          .map((part) => theme.style.error(safe(part)))
          .join('\n')
      : dim(about)
  const shown = shownAnswer(`${head}${offered}`, value, at, config.width(), config.mark)
  cursor.current = shown.cursor
  return [shown.content, below]
})
