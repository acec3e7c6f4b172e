// `shipx complete -- <words>`: candidates for the last word, from the command tree and saved names; no network, no
// database.
import type { FlagValues } from '../command/flags.ts'
import { shellWords } from '../args/aliases.ts'
import { depthOf, shortForms, shortVerbs } from '../args/otherwords.ts'
import { nameKinds, type Candidate, type NameKind } from './offered.ts'
import type { Command, Flag, Offers, Tree } from '../command/tree.ts'

/**
 * Returns the names of a kind for a command line with these flags; with `own` only names in the local database.
 */
export type Names = (kind: NameKind, flags: FlagValues, own: boolean) => Promise<readonly Candidate[]>

/** The state of a command line: its words in the tree, its number of arguments, and its flags with their values. */
interface Line {
  readonly path: readonly string[]
  readonly args: number
  readonly values: ReadonlyMap<string, string>
  /** The flag whose value comes next. */
  readonly open: Flag | undefined
}

/**
 * Candidates for the last word, one `value<TAB>description` a line. A line `:files` or `:folders` means that the shell
 * also completes a path.
 */
export async function complete(tree: Tree, typed: readonly string[], names: Names): Promise<string> {
  const words = joined(typed)
  const last = bare(words.at(-1) ?? '')
  const line = read(tree, await writtenOut(tree, words.slice(0, -1).map(bare), names))
  const command = tree.commands.find(({ path }) => same(path, line.path))
  const flags = [...(command?.flags.filter((flag) => flag.hidden !== true) ?? []), ...tree.globals]
  const offer = async (offers: Offers | undefined): Promise<readonly Candidate[]> =>
    typeof offers === 'string' && isName(offers)
      ? names(offers, line.values, command?.local === true)
      : candidatesOf(tree, offers)
  const inline = /^(--[\w-]+)=(.*)$/s.exec(last)
  let found: readonly Candidate[]
  if (inline !== null) {
    const flag = flagNamed(flags, inline[1]!)
    const values = flag === undefined || flag.kind === 'switch' ? [] : await valuesOf(flag, inline[2]!, offer)
    found = values.map(([value, about]) => [value.startsWith(':') ? value : `${inline[1]!}=${value}`, about])
  } else if (line.open !== undefined && !(line.open.kind === 'boolean' && last.startsWith('-')))
    found = await valuesOf(line.open, last, offer)
  else if (last.startsWith('-'))
    found = unused(flags, line)
      .map((flag): Candidate => [`--${flag.name}`, flag.help])
      .filter(([name]) => name.startsWith(last))
  else {
    const arg = command?.args[line.args] ?? (command?.args.at(-1)?.many === true ? command.args.at(-1) : undefined)
    const next = line.args === 0 ? nextWords(tree, line.path) : []
    const own = line.args === 0 && line.path.length === 0 ? await ownWords(names) : []
    found = matching([...next, ...own, ...(await offer(arg?.offers))], last)
  }
  return found.map(([value, about]) => `${value}\t${about}\n`).join('')
}

/** The first words that are not in the tree: short forms of commands, and the user's aliases. */
const ownWords = async (names: Names): Promise<readonly Candidate[]> => [
  ...Object.entries(shortForms).map(([word, path]): Candidate => [word, `shipx ${path.join(' ')}`]),
  ...(await names('aliases', new Map(), false)),
]

/** Replaces a short form or an alias at the start, and a short verb of a group. */
async function writtenOut(tree: Tree, words: readonly string[], names: Names): Promise<readonly string[]> {
  const first = words[0]
  if (first === undefined) return words
  if (tree.commands.some(({ path }) => path[0] === first)) {
    const depth = depthOf(tree, words)
    const verb = shortVerbs[words[depth] ?? '']
    return verb === undefined || under(tree, [...words.slice(0, depth), verb]).length === 0
      ? words
      : words.with(depth, verb)
  }
  if (Object.hasOwn(shortForms, first)) return [...shortForms[first]!, ...words.slice(1)]
  const line = (await names('aliases', new Map(), false)).find(([name]) => name === first)?.[1]
  return line === undefined ? words : [...(shellWords(line) ?? []), ...words.slice(1)]
}

/** Bash splits words at an equals sign; this joins them again. */
function joined(words: readonly string[]): readonly string[] {
  const out: string[] = []
  for (const word of words) {
    const before = out.at(-1)
    if (before !== undefined && /^--[\w-]+$/.test(before) && word === '=') out[out.length - 1] = `${before}=`
    else if (before !== undefined && /^--[\w-]+=$/.test(before)) out[out.length - 1] = `${before}${word}`
    else out.push(word)
  }
  return out
}

/** A word without the quotes around it; the last word of a line may lack the closing one. */
const bare = (word: string): string => word.replace(/^(['"])(.*?)\1?$/s, '$2')

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((word, i) => b[i] === word)

const under = (tree: Tree, path: readonly string[]): readonly Command[] =>
  tree.commands.filter((command) => path.every((word, i) => command.path[i] === word))

function read(tree: Tree, words: readonly string[]): Line {
  const path: string[] = []
  const values = new Map<string, string>()
  let [args, open]: [number, Flag | undefined] = [0, undefined]
  for (const word of words) {
    const taken = open
    open = undefined
    if (taken !== undefined && !(taken.kind === 'boolean' && !/^(true|false)$/.test(word))) {
      values.set(taken.name, word)
      continue
    }
    if (word.startsWith('-') && word !== '-') {
      const [name, ...value] = word.split('=')
      const flag = flagNamed([...tree.globals, ...under(tree, path).flatMap(({ flags }) => flags)], name!)
      if (flag === undefined) continue
      values.set(flag.name, value.join('='))
      if (flag.kind !== 'switch' && value.length === 0) open = flag
    } else if (args === 0 && under(tree, [...path, word]).length > 0) path.push(word)
    else args++
  }
  return { path, args, values, open }
}

const flagNamed = (flags: readonly Flag[], typed: string): Flag | undefined =>
  flags.find((flag) => `--${flag.name}` === typed || (flag.short !== undefined && `-${flag.short}` === typed))

const formats = ['json', 'jsonl', 'csv', 'tsv', 'excel', 'ids', 'table', 'xlsx', 'parquet']

/** The flags that can still follow: each once unless it may repeat, one format, and none that a typed flag excludes. */
function unused(flags: readonly Flag[], { values }: Line): readonly Flag[] {
  const formatted = formats.some((name) => values.has(name))
  const excluded = new Set(flags.filter(({ name }) => values.has(name)).flatMap(({ excludes = [] }) => excludes))
  return flags.filter(
    ({ name, kind, excludes = [] }) =>
      (!values.has(name) || kind === 'repeated') &&
      !(formatted && formats.includes(name)) &&
      !excluded.has(name) &&
      !excludes.some((other) => values.has(other)),
  )
}

function nextWords(tree: Tree, path: readonly string[]): readonly Candidate[] {
  if (path.length === 0) return tree.groups.map((group) => [group.name, group.summary])
  const found = new Map<string, string>()
  for (const command of under(tree, path)) {
    const next = command.path[path.length]
    if (next !== undefined) found.set(next, command.path.length === path.length + 1 ? command.summary : `${next} …`)
  }
  return [...found]
}

/** The candidates, before they are compared with the typed text. */
function candidatesOf(tree: Tree, offers: Exclude<Offers, NameKind> | undefined): readonly Candidate[] {
  if (offers === undefined) return []
  if (offers === 'commands')
    return [...tree.topics.map(({ name, summary }): Candidate => [name, summary]), ...nextWords(tree, [])]
  return typeof offers === 'string' ? [[`:${offers}`, '']] : offers.map((value) => [value, ''])
}

const isName = (offers: string): offers is NameKind => (nameKinds as readonly string[]).includes(offers)

const matching = (candidates: readonly Candidate[], typed: string): readonly Candidate[] =>
  candidates.filter(([value]) => value.startsWith(':') || value.startsWith(typed))

/** The values of a flag; in a list, after a comma, those that are not in it yet. */
async function valuesOf(
  flag: Flag,
  typed: string,
  offer: (offers: Offers | undefined) => Promise<readonly Candidate[]>,
): Promise<readonly Candidate[]> {
  const choices = flag.choices ?? (flag.kind === 'boolean' ? ['true', 'false'] : undefined)
  const known = choices?.map((choice): Candidate => [choice, flag.help]) ?? (await offer(flag.offers))
  if (flag.kind !== 'list') return matching(known, typed)
  const done = typed.split(',').slice(0, -1)
  const prefix = done.map((value) => `${value},`).join('')
  return matching(known, typed.split(',').at(-1)!)
    .filter(([value]) => !done.includes(value))
    .map(([value, about]) => [value.startsWith(':') ? value : `${prefix}${value}`, about])
}
