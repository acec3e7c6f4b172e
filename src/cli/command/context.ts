// What a running command can use: its flags, the screen, the output and the engine.
import type { Fault } from '../../domain/errors.ts'
import type { OnUnreadable } from '../../domain/foreign/values.ts'
import { accessible, asciiOnly, paintFor } from '../terminal/colour.ts'
import type { Screen } from '../terminal/screen.ts'
import { colourWish, inFile, text, toldInJson, type FlagValues, type Format } from './flags.ts'
import type { Io } from '../terminal/io.ts'
import type { Chosen, Target } from './target.ts'
import type { Command } from './tree.ts'
import type { TableFile } from './tablefile.ts'
import type { Workbook } from './workbook.ts'

/** Everything that a command's function receives. */
export interface Context {
  readonly io: Io
  readonly command: Command
  readonly args: readonly string[]
  readonly flags: FlagValues
  readonly format: Format
  /** The workbook of `--xlsx`; there under that format alone. */
  readonly workbook?: Workbook
  /** The table of `--parquet`; there under that format alone. */
  readonly table?: TableFile
  /** Whether a person reads notes and questions (`attendedUnder`). */
  readonly attended: boolean
  /** The service that answers, looked up once in a run. Throws as `targetOf`. */
  readonly target: () => Promise<Target>
  /** The profile that applies, looked up once in a run. Throws as `chosenProfile`. */
  readonly profile: () => Chosen | undefined
  readonly screen: Screen
  /** Faults in how flags were given, reported together with those of their values. */
  readonly faults: readonly Fault[]
  /** A note for people on stderr; nothing under --quiet, or where no person reads it. */
  readonly note: (text: string) => Promise<void>
  /** Receives the name of each unreadable value of a record. shipx lists the names once, after the command. */
  readonly missed: OnUnreadable
  /** A warning on stderr, also under a machine format. */
  readonly warn: (text: string) => Promise<void>
  /** Internal details on stderr, only with --debug. */
  readonly debug: (text: string) => Promise<void>
}

/** The width for the layout, or undefined when the output is not a terminal. */
export function terminalWidth(io: Io): number | undefined {
  const forced = Number(io.env['SHIPX_FORCE_TTY'])
  if (forced > 0) return forced
  if (!io.stdout.tty) return undefined
  const columns = Number(io.env['COLUMNS'])
  return io.stdout.width ?? (columns > 0 ? columns : 80)
}

/** The screen of standard output. */
export async function screenOf(io: Io, flags: FlagValues): Promise<Screen> {
  const width = terminalWidth(io)
  return {
    width: width ?? 80,
    tty: width !== undefined,
    placing: io.stdout.tty && io.stdout.paged !== true && io.env['TERM'] !== 'dumb' && !accessible(io),
    paint: await paintFor({ tty: width !== undefined }, io, colourWish(flags)),
    ascii: asciiOnly(io),
    tz: text(flags, 'tz') ?? 'Asia/Kolkata',
    now: io.host.now(),
    pii: flags.has('show-pii'),
    wide: flags.has('wide'),
    headless: flags.has('no-header'),
  }
}

/** A format, and whether it comes from the command line. */
export interface Shaped {
  readonly format: Format
  readonly named: boolean
  readonly faults: readonly Fault[]
}

/**
 * Whether a person reads notes and questions: not under JSON, nor under a format from the command line, unless the data
 * goes to a file (`--xlsx`, `--parquet`). A format from the profile or `SHIPX_FORMAT` is only for the data; on a
 * terminal everything else stays the same.
 */
export const attendedUnder = ({ format, named }: Shaped, { stderr }: Io): boolean =>
  format === 'plain' || inFile(format) || (!named && !toldInJson(format) && stderr.tty)

/** A command's function: runs the command and returns the exit code. */
export type Verb = (context: Context) => Promise<number>
