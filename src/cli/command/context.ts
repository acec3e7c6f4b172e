// What a running command has at hand: its flags, the screen, the output and the engine; knows no single command.
import type { Fault } from '../../domain/errors.ts'
import type { Missed } from '../../domain/foreign/values.ts'
import { accessible, asciiOnly, paintFor } from '../terminal/colour.ts'
import type { Screen } from '../terminal/screen.ts'
import { text, toldInJson, type FlagValues, type Format } from './flags.ts'
import type { Io } from '../terminal/io.ts'
import type { Chosen, Target } from './target.ts'
import type { Command } from './tree.ts'

/** Everything that a command's function gets. */
export interface Context {
  readonly io: Io
  readonly command: Command
  readonly args: readonly string[]
  readonly flags: FlagValues
  readonly format: Format
  /** Notes and questions are for people (`attendedUnder`). */
  readonly attended: boolean
  /** Where answers come from, found out once in a run. Throws as `targetOf`. */
  readonly target: () => Promise<Target>
  /** The profile that applies, found out once in a run. Throws as `chosenProfile`. */
  readonly profile: () => Chosen | undefined
  readonly screen: Screen
  /** Faults in how flags were given, to be named together with those of their values. */
  readonly faults: readonly Fault[]
  /** A note for people on stderr; nothing under --quiet, or where nobody would read it. */
  readonly note: (text: string) => Promise<void>
  /** Gets the name of each value of a record that cannot be read; the names are shown once, when the command has ended. */
  readonly missed: Missed
  /** Something that deserves attention, on stderr, also under a machine format. */
  readonly warn: (text: string) => Promise<void>
  /** What happens inside, on stderr, with --debug only. */
  readonly debug: (text: string) => Promise<void>
}

/** The width to lay out for, or undefined when the output is not for a terminal. */
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
    paint: await paintFor({ tty: width !== undefined }, io, text(flags, 'color')),
    ascii: asciiOnly(io),
    tz: text(flags, 'tz') ?? 'Asia/Kolkata',
    now: io.host.now(),
    pii: flags.has('show-pii'),
  }
}

/** A format, and whether the command line itself names it. */
export interface Shaped {
  readonly format: Format
  readonly named: boolean
  readonly faults: readonly Fault[]
}

/**
 * Whether notes and questions are for people: not under JSON, nor under a format that the command line names. A format that only the
 * profile or `SHIPX_FORMAT` names is for the data; on a terminal everything else stays as it is.
 */
export const attendedUnder = ({ format, named }: Shaped, { stderr }: Io): boolean =>
  format === 'plain' || (!named && !toldInJson(format) && stderr.tty)

/** A command's function: does its work and returns the exit code. */
export type Verb = (context: Context) => Promise<number>
