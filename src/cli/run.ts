// One run of shipx: the command line in, the exit code out; the only place where errors become words and numbers.
import {
  asciiOnly,
  formatOf,
  formats as machineFormats,
  paintFor,
  screenOf,
  text,
  type Context,
  type FlagValues,
} from './context.ts'
import { failureJson, failureOf, failureText, stackOf } from './failure.ts'
import { closed, systemIo, type Io } from './io.ts'
import type { Command, Tree } from './tree.ts'
import treeData from './tree.json' with { type: 'json' }
import { readFlags, readWords, type Words } from './words.ts'
import { safe } from './safe.ts'

const tree = treeData as unknown as Tree

/** A command's function: does its work and gives the exit code. */
type Verb = (context: Context) => Promise<number>

/** Each command's file, loaded when it is run: the first word that fits, `local …` by what comes after. */
const chunks: Readonly<Record<string, () => Promise<{ readonly verbs: Readonly<Record<string, Verb>> }>>> = {
  rates: () => import('./commands/rates.ts'),
  shipments: () => import('./commands/listings.ts'),
  returns: () => import('./commands/listings.ts'),
  stores: () => import('./commands/stores.ts'),
  orders: () => import('./commands/orders.ts'),
  'local assign': () => import('./commands/parcels.ts'),
  'local cancel': () => import('./commands/parcels.ts'),
  'local return': () => import('./commands/parcels.ts'),
  local: () => import('./commands/local.ts'),
  ratecard: () => import('./commands/ratecard.ts'),
  pincode: () => import('./commands/pincode.ts'),
  commands: () => import('./commands/manual.ts'),
  help: () => import('./commands/manual.ts'),
  completion: () => import('./commands/manual.ts'),
}

/** Runs a command line in a real process and gives the exit code. Never throws. */
export async function start(argv: readonly string[], process: NodeJS.Process): Promise<number> {
  try {
    return await run(argv, systemIo(process))
  } catch (error) {
    const failure = failureOf(error)
    const plain = await paintFor({ tty: false }, { env: {} }, 'never')
    process.stderr.write(machineAsked(argv, process.env) ? failureJson(failure) : failureText(failure, plain, false))
    return failure.exit
  }
}

/** Runs a command line (without `node` and the script) and gives the exit code. Never throws. */
export async function run(argv: readonly string[], io: Io): Promise<number> {
  let words: Words | undefined
  let flags: FlagValues = new Map()
  try {
    words = readWords(tree, argv)
    const read = readFlags(words.given)
    flags = read.values
    const { command } = words
    if (flags.has('help') || command === undefined) return await showHelp(words, io, flags)
    const format = formatOf(io, flags)
    const context = await contextOf(io, command, words, flags, format.format, [
      ...read.faults,
      ...format.faults,
      ...(await choiceFaults(io, flags)),
    ])
    const verb = await verbOf(command)
    return await verb(context)
  } catch (error) {
    if (error === closed) return 0
    return await report(error, io, argv, flags)
  }
}

async function verbOf(command: Command): Promise<Verb> {
  const load = chunks[command.path.slice(0, 2).join(' ')] ?? chunks[command.path[0]!]
  const verb = load === undefined ? undefined : (await load()).verbs[command.path.join(' ')]
  if (verb === undefined) throw new Error(`no function for ${command.path.join(' ')}`)
  return verb
}

/** Faults of the global flags that have a closed list of values. */
async function choiceFaults({ env }: Io, flags: FlagValues): Promise<{ field: string; message: string }[]> {
  const faults: { field: string; message: string }[] = []
  const colour = text(flags, 'color')
  if (colour !== undefined && !['auto', 'always', 'never'].includes(colour))
    faults.push({ field: '--color', message: `"${colour}" isn't auto, always or never` })
  const zone = text(flags, 'tz')
  if (zone !== undefined && !(await import('./display.ts')).timeZoneKnown(zone))
    faults.push({ field: '--tz', message: `"${zone}" isn't a time zone; write one such as Asia/Kolkata or UTC` })
  if (flags.has('raw') && !['csv', 'tsv', 'excel'].some((name) => flags.has(name)) && env['SHIPX_FORMAT'] === undefined)
    faults.push({ field: '--raw', message: 'goes with --csv' })
  return faults
}

async function contextOf(
  io: Io,
  command: Command,
  words: Words,
  flags: FlagValues,
  format: Context['format'],
  faults: Context['faults'],
): Promise<Context> {
  const quiet = flags.has('quiet')
  const debugging = flags.has('debug') || (io.env['SHIPX_DEBUG'] !== undefined && io.env['SHIPX_DEBUG'] !== '')
  return {
    io,
    command,
    args: words.args,
    flags,
    format,
    faults,
    screen: await screenOf(io, flags),
    note: async (line) => {
      if (!quiet && format === 'plain') await io.stderr.write(`${line}\n`)
    },
    warn: async (line) => {
      if (!quiet) await io.stderr.write(`! ${line}\n`)
    },
    debug: async (line) => {
      if (debugging) await io.stderr.write(`[debug] ${safe(line)}\n`)
    },
  }
}

async function showHelp({ command, path }: Words, io: Io, flags: FlagValues): Promise<number> {
  const { commandHelp, groupHelp, overview } = await import('./help.ts')
  const paint = await paintFor(io.stdout, io, text(flags, 'color'))
  await io.stdout.write(
    command !== undefined
      ? commandHelp(tree, command, paint)
      : path.length > 0
        ? groupHelp(tree, path, paint)
        : overview(tree, paint),
  )
  return 0
}

/** Whether errors are to be told as JSON: known before any flag is understood, since the mistake may be in one. */
const machineAsked = (argv: readonly string[], env: Io['env']): boolean =>
  machineFormats.some((format) => argv.includes(`--${format}`) || env['SHIPX_FORMAT'] === format)

/** Tells a failure on stderr and gives its exit code. */
async function report(error: unknown, io: Io, argv: readonly string[], flags: FlagValues): Promise<number> {
  const failure = failureOf(error)
  const machine = machineAsked(argv, io.env)
  try {
    const paint = await paintFor(io.stderr, io, text(flags, 'color'))
    await io.stderr.write(machine ? failureJson(failure) : failureText(failure, paint, asciiOnly(io)))
    if (argv.includes('--debug') || (io.env['SHIPX_DEBUG'] ?? '') !== '') await io.stderr.write(`${stackOf(error)}\n`)
  } catch {
    // Nobody reads stderr; the exit code still tells.
  }
  return failure.exit
}
