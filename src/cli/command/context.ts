// What a running command has at hand: its flags, the screen, the output and the engine; knows no single command.
import { ShipxError, invalid, type Fault } from '../../domain/errors.ts'
import type { Missed } from '../../domain/foreign/values.ts'
import { accessible, asciiOnly, paintFor } from '../terminal/colour.ts'
import type { Screen } from '../terminal/screen.ts'
import { text, toldInJson, type FlagValues, type Format } from './flags.ts'
import type { Io } from '../terminal/io.ts'
import type { Command } from './tree.ts'

/** Everything that a command's function gets. */
export interface Context {
  readonly io: Io
  readonly command: Command
  readonly args: readonly string[]
  readonly flags: FlagValues
  readonly format: Format
  /** People are told and asked (`attendedUnder`). */
  readonly attended: boolean
  readonly screen: Screen
  /** Faults in how flags were given, to be named together with those of their values. */
  readonly faults: readonly Fault[]
  /** A note for people on stderr; nothing under --quiet, or where none are there to be told. */
  readonly note: (text: string) => Promise<void>
  /** Told the name of each value of a record that cannot be read; what was told is said once when the command has ended. */
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
 * Whether people are told and asked: not under JSON, nor under a format that the command line names. A format that only the
 * profile or `SHIPX_FORMAT` names is for the data; on a terminal everything else stays as it is.
 */
export const attendedUnder = ({ format, named }: Shaped, { stderr }: Io): boolean =>
  format === 'plain' || (!named && !toldInJson(format) && stderr.tty)

/** The flag that stands for a field of the API: the one that was typed, else the one that help shows. */
export function flagFor(command: Command, flags: FlagValues, field: string): string {
  const own = command.flags.filter((flag) => flag.key === field)
  const typed = own.find((flag) => flags.has(flag.name))
  const shown = typed ?? own.find((flag) => flag.hidden !== true) ?? own[0]
  return shown === undefined ? field : `--${shown.name}`
}

/** The fault of an argument that is not there, with what it is. */
export function missingArgument({ command }: Pick<Context, 'command'>, name: string): Fault {
  const help = command.args.find((arg) => arg.name === name)?.help ?? ''
  return {
    field: `<${name}>`,
    message: `is required: ${help.replace(/^[A-Z](?=[a-z ])/, (letter) => letter.toLowerCase())}`,
  }
}

/** Faults with the flags that people know instead of the API's fields. */
export function inFlags(context: Context, faults: readonly Fault[]): readonly Fault[] {
  return faults.map((fault) => {
    if (fault.field === null || fault.field.startsWith('-')) return fault
    const [field, ...rest] = fault.field.split('.')
    const flag = flagFor(context.command, context.flags, field!)
    const message = fault.message.replace(/^is below (\w+);/, (_, other: string) => `is below ${flagFor(context.command, context.flags, other)};`) // prettier-ignore
    return { ...fault, message, field: rest.length === 0 || flag !== field ? flag : fault.field }
  })
}

/** Throws all faults together when there are any: those of the command line and the ones given. */
export function refuse(context: Context, faults: readonly Fault[]): void {
  const named = new Set(context.faults.map((fault) => fault.field))
  const all = [...context.faults, ...faults.filter((fault) => fault.field === null || !named.has(fault.field))]
  const distinct = [...new Map(all.map((fault) => [`${String(fault.field)} ${fault.message}`, fault])).values()]
  if (distinct.length > 0) throw invalid(orderedByFlag(context, distinct))
}

function orderedByFlag(context: Context, faults: readonly Fault[]): readonly Fault[] {
  const order = context.command.flags.map((flag) => `--${flag.name}`)
  const place = (fault: Fault): number => {
    const index = order.indexOf(fault.field ?? '')
    return index === -1 ? order.length : index
  }
  return faults.toSorted((a, b) => place(a) - place(b))
}

/** Runs a check whose faults name API fields and gives its faults by flag instead of throwing. */
export function collect<T>(
  context: Context,
  check: () => T,
): { readonly value: T | undefined; readonly faults: readonly Fault[] } {
  try {
    return { value: check(), faults: [] }
  } catch (error) {
    if (error instanceof ShipxError && error.code === 'invalid_input')
      return { value: undefined, faults: inFlags(context, error.details) }
    throw error
  }
}
