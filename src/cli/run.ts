// One run of shipx: command line in, exit code out. Only this file turns errors into messages and exit codes.
import { asciiOnly, paintFor } from './terminal/colour.ts'
import { colourWish, formatFlags, text, toldInJson, type FlagValues } from './command/flags.ts'
import { ShipxError } from '../domain/errors.ts'
import type { FileWriter } from './terminal/filewriter.ts'
import { closed, systemIo, variable, type Io } from './terminal/io.ts'
import { profileFormat } from './config/profiles.ts'
import type { Command, Tree } from './command/tree.ts'
import treeData from './tree.json' with { type: 'json' }
import { readFlags, readWords, type Words } from './args/parse.ts'
import { verbOf } from './commands/load.ts'

const tree = treeData as unknown as Tree

/** Receives a command line's command and flags as soon as they are known; help has no command. */
export type OnRead = (command: Command | undefined, flags: FlagValues, io: Io) => void

/** Starts the thread that writes a long output to a file. */
async function startWriter(descriptor: number): Promise<FileWriter> {
  const [{ fileWriter }, { installed }] = await Promise.all([
    import('./terminal/filewriter.ts'),
    import('./source/packagefiles.ts'),
  ])
  return fileWriter(descriptor, installed().thread('write'))
}

/** Runs a command line in a real process and returns the exit code. Never throws. */
export async function start(argv: readonly string[], process: NodeJS.Process, onRead: OnRead): Promise<number> {
  let io: Io
  try {
    io = systemIo(process, startWriter)
  } catch (error) {
    const { failureJson, failureOf, failureText } = await import('./output/failure.ts')
    const failure = failureOf(error)
    const plain = await paintFor({ tty: false }, { env: {} }, 'never')
    process.stderr.write(
      jsonAsked(argv, process.env) === true ? failureJson(failure) : failureText(failure, plain, false),
    )
    return failure.exit
  }
  return run(argv, io, onRead)
}

/** Runs a command line (without `node` and the script) and returns the exit code. Never throws. */
export async function run(argv: readonly string[], io: Io, onRead: OnRead = () => undefined): Promise<number> {
  let line = argv
  let flags: FlagValues = new Map()
  try {
    let words = wordsOf(line)
    if (words === undefined) {
      const { expanded } = await import('./args/aliases.ts')
      line = expanded(tree, argv, io) ?? argv
      words = readWords(tree, line)
    }
    const read = readFlags(words.given)
    flags = read.values
    const { command } = words
    onRead(flags.has('help') ? undefined : command, flags, io)
    if (flags.has('help') || command === undefined) return await showHelp(words, io, flags)
    const { execute } = await import('./execute.ts')
    const verb = await verbOf(command)
    const given = words
    const plainly = (out: Io): Promise<number> => execute(verb, out, command, given, flags, read.faults)
    const expression = text(flags, 'jq') ?? ''
    const work =
      expression === '' ? plainly : (out: Io): Promise<number> => throughJq(out, expression, command, flags, plainly)
    return await (asksForPager(io, flags) && command.live !== true ? throughPager(io, flags, work) : work(io))
  } catch (error) {
    if (error === closed) return 0
    return await report(error, io, line, flags)
  }
}

/** The words of a command line; undefined when its command is unknown and may be an alias. Throws as `readWords`. */
function wordsOf(argv: readonly string[]): Words | undefined {
  try {
    return readWords(tree, argv)
  } catch (error) {
    if (error instanceof ShipxError && error.code === 'unknown_command') return undefined
    throw error
  }
}

/** Whether the user asks for a pager: shipx starts none by itself. */
const asksForPager = (io: Io, flags: FlagValues): boolean =>
  flags.has('pager') || variable(io, 'SHIPX_PAGER') !== undefined

async function throughPager(io: Io, flags: FlagValues, work: (io: Io) => Promise<number>): Promise<number> {
  const { paged, pagerOf } = await import('./terminal/pager.ts')
  const command = pagerOf(io)
  return command === undefined ? work(io) : paged(io, command, work, flags.has('wide'))
}

async function throughJq(
  io: Io,
  expression: string,
  command: Command,
  flags: FlagValues,
  work: (io: Io) => Promise<number>,
): Promise<number> {
  const [{ selecting }, { installed }] = await Promise.all([
    import('./output/jq.ts'),
    import('./source/packagefiles.ts'),
  ])
  const live = command.live === true
  const { thread, file } = installed()
  const files = { ...thread('jq'), wasm: file('jq.wasm') }
  return selecting(io, files, { expression, lines: live || flags.has('jsonl'), live }, work)
}

async function showHelp({ command, path }: Words, io: Io, flags: FlagValues): Promise<number> {
  const { helpOn } = await import('./help/help.ts')
  const { terminalWidth } = await import('./command/context.ts')
  const paint = await paintFor(io.stdout, io, colourWish(flags))
  await io.stdout.write(helpOn(tree, command?.path ?? path, { paint, columns: terminalWidth(io) })!)
  return 0
}

/**
 * Whether to report errors as JSON. Decided before the flags are read, since the error may be in one. Undefined when
 * neither the command line nor the environment names a format.
 */
function jsonAsked(argv: readonly string[], env: Io['env']): boolean | undefined {
  const named = formatFlags.filter((format) => argv.includes(`--${format}`))
  if (named.length > 0) return named.some(toldInJson)
  const usual = env['SHIPX_FORMAT'] ?? ''
  return usual === '' ? undefined : toldInJson(usual)
}

/** Whether the profile's format is JSON. */
function profileAsks(io: Io, flags: FlagValues): boolean {
  try {
    return toldInJson(profileFormat(io, flags))
  } catch {
    // The failure to report is most likely the broken file of profiles itself.
    return false
  }
}

/** Reports a failure on stderr and returns its exit code. */
async function report(error: unknown, io: Io, argv: readonly string[], flags: FlagValues): Promise<number> {
  const { failureJson, failureOf, failureText, stackOf } = await import('./output/failure.ts')
  const failure = failureOf(error)
  const inJson = jsonAsked(argv, io.env) ?? profileAsks(io, flags)
  try {
    const paint = await paintFor(io.stderr, io, colourWish(flags))
    const { fittedTo } = await import('./terminal/wrap.ts')
    await io.stderr.write(
      inJson ? failureJson(failure) : await fittedTo(io, failureText(failure, paint, asciiOnly(io))),
    )
    if (argv.includes('--debug') || (io.env['SHIPX_DEBUG'] ?? '') !== '') await io.stderr.write(`${stackOf(error)}\n`)
  } catch {
    // stderr is closed; the exit code still reports the failure.
  }
  return failure.exit
}
