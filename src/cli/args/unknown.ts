// The errors of words and flags that no command has, each with the command or flag that was most likely meant.
import { ShipxError } from '../../domain/errors.ts'
import { nearestName, guessText } from '../../domain/nearest.ts'
import type { Command, Tree } from '../command/tree.ts'
import { quoted, safe } from '../terminal/safe.ts'
import { depthOf, elsewhere, otherFlags, otherVerbs, shortForms, wordPlaces } from './otherwords.ts'

/** At most this many commands with the typed verb are named. */
const mostNamed = 5

/** The error for words that name no command of a group, with the command that was probably meant. */
export function unknownCommand(
  tree: Tree,
  path: readonly string[],
  [wrong = '', ...rest]: readonly string[],
): ShipxError {
  const full = ['shipx', ...path]
  const typed = [...path, wrong].join(' ')
  const moved = Object.hasOwn(elsewhere, typed) ? elsewhere[typed]! : undefined
  if (moved !== undefined) {
    const hint = `shipx ${moved.replace(/<[^<>]*>/, (what) => (rest[0] === undefined ? what : quoted(rest[0])))}`
    const why = `there is no ${[...full, wrong].join(' ')}`
    return new ShipxError('unknown_command', `${why}; use shipx ${moved}`, { hint })
  }
  const known = [
    ...new Set(
      tree.commands
        .filter((command) => path.every((word, i) => command.path[i] === word))
        .map((command) => command.path[path.length]!)
        .concat(path.length === 0 ? Object.keys(shortForms) : []),
    ),
  ]
  const near =
    nearestName(wrong, known) ?? known.find((word) => Object.hasOwn(otherVerbs, wrong) && otherVerbs[wrong] === word)
  const message = `unknown command "${safe(wrong.slice(0, 60))}"${path.length === 0 ? '' : ` for ${full.join(' ')}`}`
  if (near !== undefined)
    return new ShipxError('unknown_command', `${message}${guessText(near)}`, { hint: [...full, near].join(' ') })
  const same = path.length === 0 ? commandsThat(tree, wrong) : []
  return new ShipxError('unknown_command', same.length === 0 ? message : `${message}; use ${same.join(', ')}`, {
    hint: same.length === 1 ? runnable(tree, same[0]!) : `${same[0] ?? full.join(' ')} --help`,
  })
}

/** A command as a hint: itself where it takes nothing but flags, else its help. */
const runnable = (tree: Tree, line: string): string =>
  tree.commands.some(({ path, args }) => args.length === 0 && `shipx ${path.join(' ')}` === line)
    ? line
    : `${line} --help`

/** The commands whose last word is this one: `shipx orders import` for `import`. */
const commandsThat = (tree: Tree, verb: string): readonly string[] =>
  tree.commands
    .filter(({ path, hidden }) => path.length > 1 && path.at(-1) === verb && hidden !== true)
    .slice(0, mostNamed)
    .map(({ path }) => `shipx ${path.join(' ')}`)

/** The error for a flag that the typed command does not have, or for the typed words if they are no command. */
export function unknownFlag(tree: Tree, argv: readonly string[], wrong: string): ShipxError {
  const words = wordPlaces(tree, argv).map((at) => argv[at]!)
  const depth = depthOf(tree, words)
  const named = (path: readonly string[]): boolean => path.every((word, i) => words[i] === word)
  const command = tree.commands.filter(({ path }) => named(path)).toSorted((a, b) => b.path.length - a.path.length)[0]
  const group = words.slice(0, depth)
  // When the command does not exist, the mistake is the command, not its flags.
  if (command === undefined && words.length > depth) return unknownCommand(tree, group, words.slice(depth))
  const near = nearFlag(tree, command, wrong)
  const name = ['shipx', ...(command?.path ?? group)].join(' ')
  return new ShipxError(
    'unknown_flag',
    `${name} has no flag ${wrong}${guessText(near === undefined ? undefined : `--${near}`)}`,
    { hint: `${name} --help` },
  )
}

function nearFlag(tree: Tree, command: Command | undefined, wrong: string): string | undefined {
  const names = [...(command?.flags ?? []), ...tree.globals]
    .filter((flag) => flag.hidden !== true)
    .map((flag) => flag.name)
  const typed = wrong.replace(/^-+/, '').split('=')[0]!
  const other = /^-[^-]/.test(wrong) && Object.hasOwn(otherFlags, typed) ? otherFlags[typed] : undefined
  return names.find((name) => name === other) ?? nearestName(typed, names)
}
