// The check of the terminal: whether there is one, its width, its colours and its characters.
import { asciiOnly, colourOn, localeOf } from '../../terminal/colour.ts'
import { variable } from '../../terminal/io.ts'
import { colourWish } from '../../command/flags.ts'
import { ok, warn, type Check } from './check.ts'

/** A narrower terminal cuts even cards into pieces. */
const narrow = 30

const terminal: Check = {
  id: 'terminal',
  title: 'Terminal',
  look: ({ context: { io, flags } }) => {
    const { stdout } = io
    const kind = variable(io, 'TERM')
    const locale = localeOf(io)
    const letters = asciiOnly(io) ? 'ASCII' : 'UTF-8'
    const colours = colourOn(stdout, io, colourWish(flags)) ? 'colours' : 'no colours'
    const parts = [
      ...(kind === undefined ? [] : [`TERM ${kind}`]),
      colours,
      letters,
      ...(locale === undefined ? [] : [`locale ${locale}`]),
    ]
    if (!stdout.tty) return ok(['the output is not a terminal', ...parts].join(', '))
    const { width } = stdout
    const found = [width === undefined ? 'of unknown width' : `${width} columns`, ...parts].join(', ')
    if (width !== undefined && width < narrow) return warn(found, 'widen the window: tables need 60 columns')
    if (io.platform !== 'win32' && (locale === undefined || /^(C|POSIX)$/i.test(locale)) && !asciiOnly(io))
      return warn(
        `${found}; the locale does not say that the terminal takes UTF-8`,
        'set LC_ALL=C.UTF-8, or SHIPX_ASCII=1',
      )
    return ok(found)
  },
}

export const terminalChecks: readonly Check[] = [terminal]
