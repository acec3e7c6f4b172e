// Runs a parsed command line: builds the context and makes the checks of every command.
import { count } from '../domain/count.ts'
import type { Fault } from '../domain/errors.ts'
import type { OnUnreadable } from '../domain/foreign/values.ts'
import { attendedUnder, screenOf, type Context, type Shaped, type Verb } from './command/context.ts'
import { byFlags } from './command/faults.ts'
import { timeZoneKnown } from './output/display.ts'
import { text, formatFlags, formatNames, formats, inFile, isSheet, type FlagValues } from './command/flags.ts'
import { fittedTo } from './terminal/wrap.ts'
import type { Io } from './terminal/io.ts'
import { safe, safeText } from './terminal/safe.ts'
import type { Command } from './command/tree.ts'
import type { Words } from './args/parse.ts'
import { profileFormat } from './config/profiles.ts'
import { targeting } from './config/targeting.ts'

/** Runs a command and returns its exit code. Throws every error. */
export async function execute(
  verb: Verb,
  io: Io,
  command: Command,
  words: Words,
  flags: FlagValues,
  faults: readonly Fault[],
): Promise<number> {
  const format = formatOf(io, flags, command.unprofiled !== true)
  const all = [...faults, ...excludeFaults(words), ...format.faults, ...choiceFaults(format.format, flags)]
  const unread = new Map<string, number>()
  const missed: OnUnreadable = (name) => void unread.set(name, (unread.get(name) ?? 0) + 1)
  const context = await contextOf(io, command, words, flags, format.format, attendedUnder(format, io), all, missed)
  try {
    if (context.format === 'xlsx') {
      const { inWorkbook } = await import('./listings/inworkbook.ts')
      return await inWorkbook(context, verb)
    }
    if (context.format === 'parquet') {
      const { inParquet } = await import('./listings/inparquet.ts')
      return await inParquet(context, verb)
    }
    return await verb(context)
  } catch (error) {
    throw byFlags(context, error)
  } finally {
    if (unread.size > 0) await context.warn(unreadText(unread))
  }
}

/** At most this many names of unread values are shown. */
const mostNamed = 10

/** The unreadable values in a sentence. */
function unreadText(unread: ReadonlyMap<string, number>): string {
  const [all, names] = [[...unread.values()].reduce((sum, n) => sum + n, 0), [...unread]]
  const named = names.slice(0, mostNamed).map(([name, n]) => (n === 1 ? name : `${name} (${count(n)})`))
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : ''
  const [what, them] = all === 1 ? ['a value', 'it'] : [`${count(all)} values`, 'them']
  const which = `${named.join(', ')}${more}`
  const told = `shipx cannot read ${what} that the service sent and shows - for ${them}`
  return `${told}: ${which}; --json shows what was sent`
}

/** Flags that exclude another given flag or argument, and a second flag for the same field: one fault for each. */
function excludeFaults({ command, args, given }: Words): readonly Fault[] {
  const there = new Set([
    ...given.keys(),
    ...args.map((_, i) => `<${command?.args[i]?.name ?? command?.args.at(-1)?.name}>`),
  ])
  const flags = [...given.values()].map(({ flag }) => flag)
  return flags.flatMap((flag, i) => {
    const twin = flag.key === undefined ? undefined : flags.slice(0, i).find(({ key }) => key === flag.key)
    const other = flag.excludes?.find((name) => there.has(name)) ?? twin?.name
    const named = other?.startsWith('<') === true ? other : `--${other}`
    return other === undefined ? [] : [{ field: `--${flag.name}`, message: `and ${named} exclude each other` }]
  })
}

/** Faults of the global flags that have a closed list of values. */
function choiceFaults(format: Context['format'], flags: FlagValues): readonly Fault[] {
  const faults: Fault[] = []
  const colour = text(flags, 'color')
  if (colour !== undefined && !['auto', 'always', 'never'].includes(colour))
    faults.push({ field: '--color', message: `"${colour}" isn't auto, always or never` })
  const zone = text(flags, 'tz')
  if (zone !== undefined && !timeZoneKnown(zone))
    faults.push({ field: '--tz', message: `"${zone}" isn't a time zone; write one such as Asia/Kolkata or UTC` })
  if (flags.has('raw') && (inFile(format) || !isSheet(format)))
    faults.push({ field: '--raw', message: 'goes with --csv' })
  return faults
}

async function contextOf(
  io: Io,
  command: Command,
  words: Words,
  flags: FlagValues,
  format: Context['format'],
  attended: boolean,
  faults: Context['faults'],
  missed: OnUnreadable,
): Promise<Context> {
  const quiet = flags.has('quiet')
  const debugging = flags.has('debug') || (io.env['SHIPX_DEBUG'] !== undefined && io.env['SHIPX_DEBUG'] !== '')
  return {
    io,
    command,
    args: words.args,
    flags,
    format,
    attended,
    faults,
    missed,
    ...targeting(io, flags),
    screen: await screenOf(io, flags),
    note: async (line) => {
      if (!quiet && attended) await io.stderr.write(`${await fittedTo(io, line)}\n`)
    },
    warn: async (line) => {
      if (quiet) return
      await io.stderr.write(`${await fittedTo(io, `! ${safeText(line)}`)}\n`)
    },
    debug: async (line) => {
      if (debugging) await io.stderr.write(`[debug] ${safe(line)}\n`)
    },
  }
}

/**
 * The output format: a flag (`--jq` means JSON), or else `SHIPX_FORMAT`, or else the project's or the profile's, where
 * `profiled`; two flags are a fault. Throws what reading the profiles throws.
 */
export function formatOf(io: Io, flags: FlagValues, profiled = true): Shaped {
  const [asked, other] = formatFlags.filter((name) => flags.has(name))
  if (asked !== undefined)
    return {
      format: asked === 'table' ? 'plain' : asked,
      named: true,
      faults:
        other === undefined ? [] : [{ field: `--${other}`, message: `and --${asked} are two formats; choose one` }],
    }
  if (flags.has('jq')) return { format: 'json', named: true, faults: [] }
  const named = io.env['SHIPX_FORMAT']
  const fallback = named === undefined || named === '' ? (profiled ? profileFormat(io, flags) : undefined) : named
  if (fallback === undefined || fallback === 'table') return { format: 'plain', named: false, faults: [] }
  const known = formats.find((name) => name === fallback)
  if (known !== undefined) return { format: known, named: false, faults: [] }
  return {
    format: 'plain',
    named: false,
    faults: [{ field: 'SHIPX_FORMAT', message: `"${safe(fallback)}" is not a format: ${formatNames.join(', ')}` }],
  }
}
