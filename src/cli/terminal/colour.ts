// The colours of a stream, and whether it shows more than ASCII.
import type { Paint } from './screen.ts'
import type { Io, Sink } from './io.ts'

/** Whether a colour may be used on a stream: the flag, then the environment, then whether it is a terminal. */
export function colourOn(sink: Pick<Sink, 'tty'>, { env }: Pick<Io, 'env'>, flag: string | undefined): boolean {
  if (flag === 'always') return true
  if (flag === 'never') return false
  if (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') return false
  if (env['FORCE_COLOR'] !== undefined) return env['FORCE_COLOR'] !== '0' && env['FORCE_COLOR'] !== 'false'
  if (env['CLICOLOR_FORCE'] !== undefined && env['CLICOLOR_FORCE'] !== '0') return true
  return env['TERM'] !== 'dumb' && sink.tty
}

const plain = (textToShow: string): string => textToShow

/** The colours of a stream: chalk's eight basic ones, or none, without loading chalk. */
export async function paintFor(sink: Pick<Sink, 'tty'>, io: Pick<Io, 'env'>, flag: string | undefined): Promise<Paint> {
  const none: Paint = {
    bold: plain,
    dim: plain,
    red: plain,
    green: plain,
    yellow: plain,
    blue: plain,
    cyan: plain,
    magenta: plain,
  }
  if (!colourOn(sink, io, flag)) return none
  const { Chalk } = await import('chalk')
  const { bold, dim, red, green, yellow, blue, cyan, magenta } = new Chalk({ level: 1 })
  return { bold, dim, red, green, yellow, blue, cyan, magenta }
}

/** The locale of characters, or undefined when none is set; an empty variable counts as unset. */
export const localeOf = ({ env }: Pick<Io, 'env'>): string | undefined =>
  [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '')

/** Whether to show only ASCII: on request, in a locale without UTF-8, or in an old Windows console. */
export function asciiOnly({ env, platform }: Pick<Io, 'env' | 'platform'>): boolean {
  if (env['SHIPX_ASCII'] !== undefined && env['SHIPX_ASCII'] !== '') return true
  if (platform === 'win32') return env['WT_SESSION'] === undefined && env['TERM_PROGRAM'] !== 'vscode'
  // With no locale set, terminals still accept UTF-8.
  const locale = localeOf({ env })
  return locale !== undefined && !/utf-?8/i.test(locale)
}

/** Whether the reader cannot use drawn output: plain lines instead of spinners, bars and menus. */
export const accessible = ({ env }: Pick<Io, 'env'>): boolean => !['', '0', undefined].includes(env['ACCESSIBLE'])
