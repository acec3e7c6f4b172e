// Splits a command line into its command, arguments and flags, with Commander; other modules judge the values.
import { Command as Parser, CommanderError, Option } from 'commander'
import { ShipxError, invalid, type Fault } from '../../domain/errors.ts'
import { nearest, guessText } from '../../domain/nearest.ts'
import { commandsUnder, type Command, type Flag, type Tree } from '../command/tree.ts'
import { quoted } from '../terminal/safe.ts'

/** A flag on the command line: given without a value, or its values as typed. */
export interface Given {
  readonly flag: Flag
  readonly values: readonly (string | undefined)[]
}

/** A parsed command line. Without a command it asks for the help of the group in `path` (or of everything). */
export interface Words {
  readonly path: readonly string[]
  readonly command: Command | undefined
  readonly args: readonly string[]
  readonly given: ReadonlyMap<string, Given>
}

/** Parses a command line. Throws `unknown_command`, `unknown_flag`, or `invalid_input` for too many arguments. */
export function readWords(tree: Tree, argv: readonly string[]): Words {
  const given = new Map<string, Given>()
  let found: Words | undefined
  const root = parserFor('shipx', tree.globals, given)
  const parsers = new Map<string, Parser>([['', root]])
  const parserAt = (path: readonly string[]): Parser => {
    const known = parsers.get(path.join(' '))
    if (known !== undefined) return known
    const made = parserFor(path.at(-1)!, [], given)
    parserAt(path.slice(0, -1)).addCommand(made)
    parsers.set(path.join(' '), made)
    made.argument('[words...]').action((words: string[]) => {
      found = groupOf(tree, path, words, given)
    })
    return made
  }
  const begun = beginningOf(tree, argv)
  const leadsOn = ({ path }: Command): boolean =>
    commandsUnder(tree, path).some((other) => other.path.length > path.length && isAt(other.path, begun))
  for (const command of tree.commands) {
    // Commander gets only the commands that the words can mean: adding the others takes too long.
    if (!argv.includes(command.path[0]!)) continue
    const parser = parserAt(command.path)
    if (!command.path.every((word) => argv.includes(word))) continue
    // A command above the one that is meant would take its flags.
    if (!leadsOn(command)) addFlags(parser, command.flags, given)
    parser.action((words: string[]) => {
      found = { path: command.path, command, args: words, given }
    })
  }
  root.argument('[words...]').action((words: string[]) => {
    found = groupOf(tree, [], words, given)
  })
  try {
    root.parse([...argv], { from: 'user' })
  } catch (error) {
    throw translated(error, tree, argv)
  }
  const words = found ?? { path: [], command: undefined, args: [], given }
  const stray = [...given.values()].find(
    ({ flag }) => !tree.globals.includes(flag) && !words.command?.flags.includes(flag),
  )
  if (stray !== undefined) throw unknownFlag(tree, words.path, words.command, `--${stray.flag.name}`)
  const known = words.command?.args ?? []
  const most = known.at(-1)?.many === true ? Infinity : known.length
  if (words.command !== undefined && words.args.length > most && !given.has('help'))
    throw tooMany(tree, words.command, argv, words.args[most]!)
  return words
}

/** The fault of an extra word; most likely it was meant as the value of a switch in front of it. */
function tooMany(tree: Tree, { path, flags }: Command, argv: readonly string[], word: string): ShipxError {
  const name = `shipx ${path.join(' ')}`
  const before = argv[argv.indexOf(word) - 1]
  const flag = [...flags, ...tree.globals].find((one) => one.kind === 'switch' && `--${one.name}` === before)
  if (flag === undefined)
    return invalid([{ field: null, message: `"${word}" is one argument too many for ${name}` }], `${name} --help`)
  const shaped = ['json', 'jsonl', 'csv', 'tsv', 'excel'].includes(flag.name)
  const message = shaped ? `takes no fields; use --fields ${word}` : `takes no value, and ${name} takes no "${word}"`
  return invalid([{ field: before!, message }], shaped ? undefined : `${name} --help`)
}

function parserFor(name: string, flags: readonly Flag[], given: Map<string, Given>): Parser {
  const parser = new Parser(name).exitOverride().helpOption(false).helpCommand(false).allowExcessArguments(true)
  parser.configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
  parser.showSuggestionAfterError(false)
  addFlags(parser, flags, given)
  return parser
}

function addFlags(parser: Parser, flags: readonly Flag[], given: Map<string, Given>): void {
  for (const flag of flags) {
    const long = `${flag.short === undefined ? '' : `-${flag.short}, `}--${flag.name}`
    // For Commander every value is optional, so that a missing one is a fault like others and does not end parsing.
    const option = new Option(flag.kind === 'switch' ? long : `${long} [value]`)
    parser.addOption(option)
    parser.on(`option:${option.name()}`, (value: string | null | undefined) => {
      const before = given.get(flag.name)?.values ?? []
      given.set(flag.name, { flag, values: [...before, value ?? undefined] })
    })
  }
}

/** A group has no words after it: a word that is not one of its commands is a mistake. */
function groupOf(
  tree: Tree,
  path: readonly string[],
  words: readonly string[],
  given: ReadonlyMap<string, Given>,
): Words {
  if (words.length > 0) throw unknownCommand(tree, path, words)
  return { path, command: undefined, args: [], given }
}

/** The error for words that name no command of a group, with the command that was probably meant. */
function unknownCommand(tree: Tree, path: readonly string[], [wrong = '', ...rest]: readonly string[]): ShipxError {
  const full = ['shipx', ...path]
  const moved = elsewhere[[...path, wrong].join(' ')]
  if (moved !== undefined) {
    const hint = `shipx ${moved.replace(/<[^<>]*>/, (what) => (rest[0] === undefined ? what : quoted(rest[0])))}`
    return new ShipxError('unknown_command', `there is no ${[...full, wrong].join(' ')}; use shipx ${moved}`, { hint })
  }
  const known = [
    ...new Set(
      tree.commands
        .filter((command) => path.every((word, i) => command.path[i] === word))
        .map((command) => command.path[path.length]!),
    ),
  ]
  const near = nearest(wrong, known) ?? known.find((word) => aliases[wrong] === word)
  return new ShipxError(
    'unknown_command',
    `unknown command "${wrong}"${path.length === 0 ? '' : ` for ${full.join(' ')}`}${guessText(near)}`,
    { hint: near === undefined ? `${full.join(' ')} --help` : [...full, near].join(' ') },
  )
}

/** Other words that users type for a command. */
const aliases: Readonly<Record<string, string>> = {
  ls: 'list',
  show: 'get',
  new: 'create',
  add: 'create',
  rate: 'rates',
  quote: 'rates',
  edit: 'update',
  rm: 'remove',
}

/** Commands that users expect in another place, and their real names. */
export const elsewhere: Readonly<Record<string, string>> = {
  ls: 'shipments list',
  list: 'shipments list',
  get: 'shipments get <shipment>',
  track: 'shipments get <shipment>',
  ndr: 'shipments ndr',
  stuck: 'shipments stuck',
  summary: 'shipments summary',
  watch: 'shipments watch',
  wait: 'shipments wait <shipment>',
  whoami: 'auth status',
  status: 'auth status',
  login: 'auth login',
  logout: 'auth logout',
  version: '--version',
  seed: 'local seed',
  simulate: 'local simulate',
  backup: 'local backup',
  warehouse: 'local warehouse list',
  warehouses: 'local warehouse list',
  'orders list': 'shipments list',
  'orders ls': 'shipments list',
  'orders get': 'shipments get <order>',
  'orders show': 'shipments get <order>',
  'orders cancel': 'local cancel <order>',
  'shipments create': 'orders create',
  'shipments import': 'orders import',
  'shipments track': 'shipments get <shipment>',
  'shipments cancel': 'local cancel <shipment>',
  'returns create': 'local return create <shipment>',
  'auth whoami': 'auth status',
}

/** Whether words begin with a path. */
const isAt = (path: readonly string[], words: readonly string[]): boolean => path.every((word, i) => words[i] === word)

/** The first words of a command line, up to the first flag that is not global. */
function beginningOf(tree: Tree, argv: readonly string[]): readonly string[] {
  const words: string[] = []
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at]!
    if (!word.startsWith('-')) {
      words.push(word)
      continue
    }
    const flag = tree.globals.find(({ name, short }) => [`--${name}`, `-${short}`].includes(word.split('=')[0]!))
    if (flag === undefined) break
    if (flag.kind !== 'switch' && !word.includes('=')) at++
  }
  return words
}

function translated(error: unknown, tree: Tree, argv: readonly string[]): unknown {
  if (!(error instanceof CommanderError)) return error
  if (error.code !== 'commander.unknownOption')
    return invalid([{ field: null, message: error.message.replace(/^error: /, '') }])
  const wrong = /'(.*?)'/s.exec(error.message)?.[1] ?? ''
  const words = beginningOf(tree, argv)
  const command = tree.commands
    .filter(({ path }) => isAt(path, words))
    .toSorted((a, b) => b.path.length - a.path.length)[0]
  // When the command does not exist, the mistake is the command, not its flags.
  const begun = tree.commands.map(({ path }) => path.findIndex((word, i) => words[i] !== word))
  const depth = Math.max(0, ...begun)
  const group = words.slice(0, depth)
  if (command === undefined && words.length > depth) return unknownCommand(tree, group, words.slice(depth))
  return unknownFlag(tree, command?.path ?? group, command, wrong)
}

/** The error for a flag that a command or a group does not have, with the flag that was probably meant. */
function unknownFlag(tree: Tree, path: readonly string[], command: Command | undefined, wrong: string): ShipxError {
  const flags = [...(command?.flags ?? []), ...tree.globals]
  const near = nearest(
    wrong.replace(/^-+/, '').split('=')[0]!,
    flags.filter((flag) => flag.hidden !== true).map((flag) => flag.name),
  )
  const name = ['shipx', ...path].join(' ')
  return new ShipxError(
    'unknown_flag',
    `${name} has no flag ${wrong}${guessText(near === undefined ? undefined : `--${near}`)}`,
    { hint: `${name} --help` },
  )
}

/** The values of the flags by name, and the faults in how they were given. */
export function readFlags(given: ReadonlyMap<string, Given>): {
  readonly values: ReadonlyMap<string, true | string | readonly string[]>
  readonly faults: readonly Fault[]
} {
  const values = new Map<string, true | string | readonly string[]>()
  const faults: Fault[] = []
  for (const [name, { flag, values: typed }] of given) {
    const field = `--${name}`
    if (flag.kind === 'switch') values.set(name, true)
    else if (flag.kind === 'boolean' && typed.at(-1) === undefined) values.set(name, 'true')
    else if (typed.includes(undefined)) {
      // The flag counts as given, so that nothing else asks for it.
      values.set(name, flag.kind === 'list' || flag.kind === 'repeated' ? [] : '')
      faults.push({ field, message: missingValue(flag) })
    } else if (flag.kind === 'repeated') values.set(name, typed as readonly string[])
    else if (flag.kind === 'list')
      values.set(
        name,
        typed
          .flatMap((value) => value!.split(','))
          .map((value) => value.trim())
          .filter((value) => value !== ''),
      )
    else if (typed.length > 1)
      faults.push({
        field,
        message: `is given ${typed.length === 2 ? 'twice' : `${typed.length} times`}; it takes one value`,
      })
    else values.set(name, typed[0]!)
  }
  return { values, faults }
}

/** Sample values for the fault of a missing value. */
const samples: Readonly<Record<string, string>> = {
  from: '400001',
  to: '560001',
  weight: '500g',
  size: '20x15x10',
  cod: '1499',
  since: '7d',
  until: 'today',
  limit: '50',
  db: 'shipx.sqlite',
  tz: 'UTC',
}

function missingValue(flag: Flag): string {
  if (flag.name === 'cod') return 'needs the shipment value, for example --cod 1499'
  const sample = samples[flag.name] ?? flag.choices?.[0]
  if (sample === undefined) return `needs a value: --${flag.name} ${flag.value ?? '<value>'}`
  return `needs a value, for example --${flag.name} ${sample}`
}
