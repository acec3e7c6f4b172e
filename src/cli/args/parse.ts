// Splits a command line into its command, arguments and flags, with Commander; other modules judge the values.
import { Command as Parser, CommanderError, Option } from 'commander'
import { ShipxError, invalid, type Fault } from '../../domain/errors.ts'
import { commandsUnder, type Command, type Flag, type Tree } from '../command/tree.ts'
import { bare } from '../files/csv.ts'
import { straightened, wordPlaces } from './otherwords.ts'
import { unknownCommand, unknownFlag } from './unknown.ts'

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

/**
 * Parses a command line, also with short forms (`shipx track`) and with flags in front of the command. Throws
 * `unknown_command`, `unknown_flag`, or `invalid_input` for too many arguments.
 */
export function readWords(tree: Tree, argv: readonly string[]): Words {
  try {
    return parsed(tree, argv)
  } catch (error) {
    if (!(error instanceof ShipxError && (error.code === 'unknown_command' || error.code === 'unknown_flag')))
      throw error
    const straight = straightened(tree, argv)
    if (straight === undefined) throw error
    return parsed(tree, straight)
  }
}

function parsed(tree: Tree, argv: readonly string[]): Words {
  const given = new Map<string, Given>()
  let found: Words | undefined
  const root = parserFor('shipx')
  addFlags(root, tree.globals, argv, given)
  const parsers = new Map<string, Parser>([['', root]])
  const parserAt = (path: readonly string[]): Parser => {
    const known = parsers.get(path.join(' '))
    if (known !== undefined) return known
    const made = parserFor(path.at(-1)!)
    parserAt(path.slice(0, -1)).addCommand(made)
    parsers.set(path.join(' '), made)
    made.argument('[words...]').action((words: string[]) => {
      found = groupOf(tree, path, words, given)
    })
    return made
  }
  let begun: readonly string[] | undefined
  const leadsOn = ({ path }: Command): boolean =>
    commandsUnder(tree, path).some((other) => {
      if (other.path.length === path.length) return false
      // Found only where it matters: it reads the flags of all commands.
      begun ??= wordPlaces(tree, argv).map((at) => argv[at]!)
      return other.path.every((word, i) => begun?.[i] === word)
    })
  for (const command of tree.commands) {
    // Commander gets only the commands that the words can mean: adding the others takes too long. A group gets one of
    // the others, since without any it would read "-5" as a word.
    const missing = command.path.findIndex((word) => !argv.includes(word))
    if (missing === 0) continue
    if (missing !== -1) {
      if (parserAt(command.path.slice(0, missing)).commands.length === 0) parserAt(command.path.slice(0, missing + 1))
      continue
    }
    const parser = parserAt(command.path)
    // A command above the one that is meant would take its flags.
    if (!leadsOn(command)) addFlags(parser, command.flags, argv, given)
    parser.action((words: string[]) => {
      found = { path: command.path, command, args: words.map(bare), given }
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
  if (stray !== undefined) throw unknownFlag(tree, argv, `--${stray.flag.name}`)
  const known = words.command?.args ?? []
  const most = known.at(-1)?.many === true ? Infinity : known.length
  if (words.command !== undefined && words.args.length > most && !given.has('help'))
    throw tooMany(tree, words.command, argv, words.args[most]!)
  return words
}

/** The fault of an extra word; most likely it was meant as the value of a switch in front of it. */
function tooMany(tree: Tree, { path, args, flags }: Command, argv: readonly string[], word: string): ShipxError {
  const name = `shipx ${path.join(' ')}`
  const before = argv[argv.indexOf(word) - 1]
  if (/^(?:kgs?|g|gms?|grams?|cm|mm|in|inch(?:es)?)$/i.test(word) && /^[\d.x\u00d7*]+$/.test(before ?? ''))
    return invalid([{ field: null, message: `"${before} ${word}" is two words; write ${before}${word}` }])
  const pincode = `${before}${word}`
  if (args[0]?.name === 'pincode' && /^\d{6}$/.test(pincode))
    return invalid([{ field: null, message: `"${before} ${word}" is two words; write ${pincode}` }])
  const flag = [...flags, ...tree.globals].find((one) => one.kind === 'switch' && `--${one.name}` === before)
  if (flag === undefined) {
    const between = ['from', 'to'].every((end) => flags.some((one) => one.name === end && one.value === '<pincode>'))
    const way = between ? places(word, argv[argv.indexOf(word) + 1]) : `${name} --help`
    return invalid([{ field: null, message: `"${word}" is one argument too many for ${name}` }], way)
  }
  const shaped = ['json', 'jsonl', 'csv', 'tsv', 'excel'].includes(flag.name)
  const books = [...flags, ...tree.globals].some((one) => one.name === 'xlsx')
  const message = shaped ? notFields(before!, word, books) : `takes no value, and ${name} takes no "${word}"`
  return invalid([{ field: before!, message }], shaped ? undefined : `${name} --help`)
}

/** How the word after a flag of a format is written: the name of a file, or fields. */
function notFields(before: string, word: string, books: boolean): string {
  if (/\.xlsx$/i.test(word) && books) return `takes no file; use --xlsx ${word}`
  return /\.(?:xlsx|csv|tsv|txt|jsonl?)$/i.test(word)
    ? `takes no file; use ${before} > ${word.replace(/xlsx$/i, 'csv')}`
    : `takes no fields; use --fields ${word}`
}

/** How two places are written for a command that goes from one to the other. */
function places(word: string, next: string | undefined): string {
  const [from, to] = [word, next ?? ''].every((one) => /^[1-9]\d{5}$/.test(one)) ? [word, next!] : ['400001', '560001']
  return `a place is a pincode after its flag: --from ${from} --to ${to}`
}

function parserFor(name: string): Parser {
  const parser = new Parser(name).exitOverride().helpOption(false).helpCommand(false).allowExcessArguments(true)
  parser.configureOutput({ writeOut: () => undefined, writeErr: () => undefined })
  parser.showSuggestionAfterError(false)
  return parser
}

/** Adds the flags that the command line can mean: Commander takes long to add the others. */
function addFlags(parser: Parser, flags: readonly Flag[], argv: readonly string[], given: Map<string, Given>): void {
  const names = new Set(argv.map((word) => /^--([^=]+)/.exec(word)?.[1]))
  // Short ones can stand together: -qy.
  const short = argv.some((word) => /^-[^-]/.test(word))
  for (const flag of flags) {
    if (!names.has(flag.name) && !(short && flag.short !== undefined)) continue
    const long = `${flag.short === undefined ? '' : `-${flag.short}, `}--${flag.name}`
    // For Commander every value is optional, so that a missing one is a fault like others and does not end parsing.
    const option = new Option(flag.kind === 'switch' ? long : `${long} [value]`)
    parser.addOption(option)
    parser.on(`option:${option.name()}`, (value: string | null | undefined) => {
      const before = given.get(flag.name)?.values ?? []
      given.set(flag.name, { flag, values: [...before, value == null ? undefined : bare(value)] })
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

function translated(error: unknown, tree: Tree, argv: readonly string[]): unknown {
  if (!(error instanceof CommanderError)) return error
  if (error.code !== 'commander.unknownOption')
    return invalid([{ field: null, message: error.message.replace(/^error: /, '') }])
  return unknownFlag(tree, argv, /'(.*?)'/s.exec(error.message)?.[1] ?? '')
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
    // The last one wins: an alias may have a value that this run replaces.
    else values.set(name, flag.kind === 'list' ? listed(typed as readonly string[]) : typed.at(-1)!)
    if (!typed.includes(undefined) && mustSay(flag) && isEmpty(values.get(name)))
      faults.push({ field, message: 'is empty; give a value, or leave the flag out' })
  }
  return { values, faults }
}

/** The values of a list that is given once or several times. */
const listed = (typed: readonly string[]): readonly string[] =>
  typed
    .flatMap((value) => value.split(','))
    .map((value) => bare(value.trim()))
    .filter((value) => value !== '')

/**
 * Whether a flag must not be empty, such as from a variable that is not set: one that narrows an answer would do
 * nothing, and without the place of the data another place would answer.
 */
const mustSay = ({ kind, group }: Flag): boolean =>
  group === 'Filters' || (group === 'Everywhere' && kind === 'text') || (kind === 'list' && group !== 'API names')

const isEmpty = (value: true | string | readonly string[] | undefined): boolean =>
  typeof value === 'string' ? value.trim() === '' : Array.isArray(value) && value.length === 0

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
