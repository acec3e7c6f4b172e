// One run of shipx: the command line in, the exit code out; the only place where errors become words and numbers.
import { asciiOnly, paintFor } from './colour.ts'
import type { Verb } from './execute.ts'
import { formatNames, text, toldInJson, type FlagValues } from './flags.ts'
import { closed, systemIo, variable, type Io } from './io.ts'
import { profileFormat } from './profiles.ts'
import type { Command, Tree } from './tree.ts'
import treeData from './tree.json' with { type: 'json' }
import { readFlags, readWords, type Words } from './words.ts'

const tree = treeData as unknown as Tree

/** Each command's file, run when the command is asked for: the first two words, else the first. */
const files: Readonly<Record<string, () => Promise<{ readonly verbs: Readonly<Record<string, Verb>> }>>> = {
  rates: () => import('./commands/rates.ts'),
  serviceability: () => import('./commands/serviceability.ts'),
  shipments: () => import('./commands/listings.ts'),
  returns: () => import('./commands/listings.ts'),
  'stores import': () => import('./commands/storefiles.ts'),
  'stores export': () => import('./commands/storefiles.ts'),
  'shipments summary': () => import('./commands/summary.ts'),
  'shipments stuck': () => import('./commands/worklists.ts'),
  'shipments ndr': () => import('./commands/worklists.ts'),
  'shipments watch': () => import('./commands/watch.ts'),
  'returns watch': () => import('./commands/watch.ts'),
  'shipments wait': () => import('./commands/wait.ts'),
  'returns summary': () => import('./commands/summary.ts'),
  report: () => import('./commands/report.ts'),
  sql: () => import('./commands/sql.ts'),
  stores: () => import('./commands/stores.ts'),
  'orders import': () => import('./commands/orderfiles.ts'),
  'orders template': () => import('./commands/orderfiles.ts'),
  orders: () => import('./commands/orders.ts'),
  'messages preview': () => import('./commands/preview.ts'),
  'messages template': () => import('./commands/templates.ts'),
  pull: () => import('./commands/pull.ts'),
  init: () => import('./commands/init.ts'),
  auth: () => import('./commands/auth.ts'),
  profile: () => import('./commands/profile.ts'),
  'local assign': () => import('./commands/parcels.ts'),
  'local cancel': () => import('./commands/parcels.ts'),
  'local return': () => import('./commands/parcels.ts'),
  'local track': () => import('./commands/track.ts'),
  'local simulate': () => import('./commands/simulate.ts'),
  'local copy': () => import('./commands/copy.ts'),
  'local backup': () => import('./commands/backup.ts'),
  'local restore': () => import('./commands/backup.ts'),
  'local reset': () => import('./commands/backup.ts'),
  local: () => import('./commands/local.ts'),
  ratecard: () => import('./commands/ratecard.ts'),
  pincode: () => import('./commands/pincode.ts'),
  serve: () => import('./commands/serve.ts'),
  keys: () => import('./commands/keys.ts'),
  'messages deliver': () => import('./commands/deliver.ts'),
  'messages set': () => import('./commands/messagesettings.ts'),
  'messages optout': () => import('./commands/optouts.ts'),
  messages: () => import('./commands/messages.ts'),
  webhooks: () => import('./commands/webhooks.ts'),
  doctor: () => import('./commands/doctor.ts'),
  commands: () => import('./commands/manual.ts'),
  help: () => import('./commands/manual.ts'),
  completion: () => import('./commands/completion.ts'),
}

/** Gets a command line's command and flags as soon as they are known; help has no command. */
export type OnRead = (command: Command | undefined, flags: FlagValues, io: Io) => void

/** Runs a command line in a real process and returns the exit code. Never throws. */
export async function start(argv: readonly string[], process: NodeJS.Process, onRead: OnRead): Promise<number> {
  let io: Io
  try {
    io = systemIo(process)
  } catch (error) {
    const { failureJson, failureOf, failureText } = await import('./failure.ts')
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
  let words: Words | undefined
  let flags: FlagValues = new Map()
  try {
    words = readWords(tree, argv)
    const read = readFlags(words.given)
    flags = read.values
    const { command } = words
    onRead(flags.has('help') ? undefined : command, flags, io)
    if (flags.has('help') || command === undefined) return await showHelp(words, io, flags)
    const { execute } = await import('./execute.ts')
    const verb = await verbOf(command)
    const given = words
    const work = (out: Io): Promise<number> => execute(verb, out, command, given, flags, read.faults)
    return await (asksForPager(io, flags) && command.live !== true ? throughPager(io, flags, work) : work(io))
  } catch (error) {
    if (error === closed) return 0
    return await report(error, io, argv, flags)
  }
}

/** A pager is for those who ask for one: there is none by itself. */
const asksForPager = (io: Io, flags: FlagValues): boolean =>
  flags.has('pager') || variable(io, 'SHIPX_PAGER') !== undefined

async function throughPager(io: Io, flags: FlagValues, work: (io: Io) => Promise<number>): Promise<number> {
  const { paged, pagerOf } = await import('./pager.ts')
  const command = pagerOf(io)
  return command === undefined ? work(io) : paged(io, command, work, flags.has('wide'))
}

async function verbOf(command: Command): Promise<Verb> {
  const load = files[command.path.slice(0, 2).join(' ')] ?? files[command.path[0]!]
  const verb = load === undefined ? undefined : (await load()).verbs[command.path.join(' ')]
  if (verb === undefined) throw new Error(`no function for ${command.path.join(' ')}`)
  return verb
}

async function showHelp({ command, path }: Words, io: Io, flags: FlagValues): Promise<number> {
  const { helpOn } = await import('./help.ts')
  const { terminalWidth } = await import('./context.ts')
  const paint = await paintFor(io.stdout, io, text(flags, 'color'))
  await io.stdout.write(helpOn(tree, command?.path ?? path, { paint, columns: terminalWidth(io) })!)
  return 0
}

/**
 * Whether errors are to be told as JSON: known before any flag is understood, since the mistake may be in one. Undefined
 * where neither the command line nor the environment names a format.
 */
function jsonAsked(argv: readonly string[], env: Io['env']): boolean | undefined {
  const named = formatNames.filter((format) => argv.includes(`--${format}`))
  if (named.length > 0) return named.some(toldInJson)
  const usual = env['SHIPX_FORMAT'] ?? ''
  return usual === '' ? undefined : toldInJson(usual)
}

/** Whether the profile's format is JSON. */
function profileAsks(io: Io, flags: FlagValues): boolean {
  try {
    return toldInJson(profileFormat(io, flags))
  } catch {
    // The broken file of profiles is most likely the failure that is being told.
    return false
  }
}

/** Tells a failure on stderr and gives its exit code. */
async function report(error: unknown, io: Io, argv: readonly string[], flags: FlagValues): Promise<number> {
  const { failureJson, failureOf, failureText, stackOf } = await import('./failure.ts')
  const failure = failureOf(error)
  const inJson = jsonAsked(argv, io.env) ?? profileAsks(io, flags)
  try {
    const paint = await paintFor(io.stderr, io, text(flags, 'color'))
    const { fittedTo } = await import('./fitted.ts')
    await io.stderr.write(
      inJson ? failureJson(failure) : await fittedTo(io, failureText(failure, paint, asciiOnly(io))),
    )
    if (argv.includes('--debug') || (io.env['SHIPX_DEBUG'] ?? '') !== '') await io.stderr.write(`${stackOf(error)}\n`)
  } catch {
    // Nobody reads stderr; the exit code still tells.
  }
  return failure.exit
}
