// `shipx complete -- <words>`: candidates for the last word, out of the command tree alone; no network, no database.
import type { Command, Flag, Tree } from './tree.ts'
import treeData from './tree.json' with { type: 'json' }

const tree = treeData as unknown as Tree

/** Candidates for the last of the words, one `value<TAB>description` a line. */
export function complete(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const { path, command } = placeOf(before)
  const flags = [...(command?.flags.filter((flag) => flag.hidden !== true) ?? []), ...tree.globals]
  const open = before.at(-1)?.startsWith('-') === true ? flagNamed(flags, before.at(-1)!) : undefined
  const inline = /^(--[\w-]+)=(.*)$/s.exec(last)
  const candidates =
    inline !== null
      ? valuesOf(flagNamed(flags, inline[1]!), inline[2]!).map(([value, about]): Candidate => [
          `${inline[1]!}=${value}`,
          about,
        ])
      : open !== undefined && open.kind !== 'switch' && !(open.kind === 'boolean' && last.startsWith('-'))
        ? valuesOf(open, last)
        : last.startsWith('-')
          ? flags.map((flag): Candidate => [`--${flag.name}`, flag.help]).filter(([name]) => name.startsWith(last))
          : nextWords(path).filter(([name]) => name.startsWith(last))
  return candidates.map(([value, about]) => `${value}\t${about}\n`).join('')
}

type Candidate = readonly [value: string, about: string]

/** The command or group that the words lead to. */
function placeOf(words: readonly string[]): {
  readonly path: readonly string[]
  readonly command: Command | undefined
} {
  const path: string[] = []
  for (const word of words) {
    if (word.startsWith('-')) continue
    const longer = [...path, word]
    if (tree.commands.some((command) => longer.every((part, i) => command.path[i] === part))) path.push(word)
  }
  return {
    path,
    command: tree.commands.find(
      (command) => command.path.length === path.length && command.path.every((part, i) => part === path[i]),
    ),
  }
}

function nextWords(path: readonly string[]): readonly Candidate[] {
  if (path.length === 0) return tree.groups.map((group) => [group.name, group.summary])
  const found = new Map<string, string>()
  for (const command of tree.commands) {
    const next = command.path[path.length]
    if (next !== undefined && path.every((part, i) => command.path[i] === part))
      found.set(next, command.path.length === path.length + 1 ? command.summary : `${next} …`)
  }
  return [...found]
}

const flagNamed = (flags: readonly Flag[], typed: string): Flag | undefined =>
  flags.find((flag) => `--${flag.name}` === typed || (flag.short !== undefined && `-${flag.short}` === typed))

/** The values of a closed list; after a comma, the ones that are not there yet. */
function valuesOf(flag: Flag | undefined, typed: string): readonly Candidate[] {
  if (flag === undefined) return []
  const choices = flag.choices ?? (flag.kind === 'boolean' ? ['true', 'false'] : [])
  const done = flag.kind === 'list' ? typed.split(',').slice(0, -1) : []
  const rest = flag.kind === 'list' ? (typed.split(',').at(-1) ?? '') : typed
  const prefix = done.length === 0 ? '' : `${done.join(',')},`
  return choices
    .filter((choice) => choice.startsWith(rest) && !done.includes(choice))
    .map((choice) => [`${prefix}${choice}`, flag.help])
}
