// Writes help as text, from the command tree alone.
import { shortForms } from '../args/otherwords.ts'
import type { Paint } from '../terminal/screen.ts'
import { fillLines } from '../terminal/lines.ts'
import { safe } from '../terminal/safe.ts'
import { fitted } from '../terminal/wrap.ts'
import { hasTypes, printsList } from '../command/lists.ts'
import { commandsUnder, type Argument, type Command, type Flag, type Tree } from '../command/tree.ts'

/** The layout of help: its colours, the columns of the terminal, if there is one, and what is the user's own. */
export interface Layout {
  readonly paint: Paint
  readonly columns: number | undefined
  /** The user's aliases, which the overview names. */
  readonly aliases?: Readonly<Record<string, string>>
}

/** `shipx`, `shipx --help`: the overview of all commands. */
export function overview(tree: Tree, { paint, columns, aliases = {} }: Layout): string {
  const width = Math.max(...tree.groups.map((group) => group.name.length))
  const headings = [...new Set(tree.groups.map((group) => group.heading))]
  const sections = headings.map((heading) =>
    [
      paint.bold(heading),
      ...tree.groups
        .filter((group) => group.heading === heading)
        .map((group) => `  ${group.name.padEnd(width)}  ${group.summary}`),
    ].join('\n'),
  )
  const own = Object.entries(aliases).toSorted(([a], [b]) => (a < b ? -1 : 1))
  if (own.length > 0)
    sections.push(
      [paint.bold('Your aliases'), ...own.map(([name, line]) => `  ${safe(name).padEnd(width)}  ${safe(line)}`)].join(
        '\n',
      ),
    )
  return fitted(
    `Ship from the terminal: compare courier rates, follow shipments and returns, manage stores and orders.

${paint.bold('Usage')}  shipx <command> [flags]

${sections.join('\n\n')}

${paint.bold('Try')}
  $ shipx init
  $ shipx rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --prepaid
  $ shipx local seed && shipx shipments list --status ndr_raised --since 30d

Exit codes  ${exits}
Short       ${Object.keys(shortForms).join(' ')} · ls for list
More        shipx <command> --help · shipx help ${tree.topics.map((topic) => topic.name).join('|')} · No telemetry.
`,
    columns,
  )
}

const exits =
  '0 done · 1 failed · 2 fix the command · 3 not found · 4 sign in · 5 rejected · 6 try again · 7 partly done · ' +
  '8 shipx needs an answer'

const named = ({ name, many }: Argument): string => `<${name}>${many === true ? '…' : ''}`

/** `shipx stores`: the commands of a group. */
export function groupHelp(tree: Tree, path: readonly string[], { paint, columns }: Layout): string {
  const commands = commandsUnder(tree, path)
  const names = commands.map((command) =>
    [command.path.slice(path.length), ...command.args.map(named)].flat().join(' '),
  )
  const width = Math.max(...names.map((name) => name.length))
  const group = path.length === 1 ? tree.groups.find((candidate) => candidate.name === path[0]) : undefined
  const about = group === undefined ? '' : `${group.summary}.\n\n`
  return fitted(
    `${about}${paint.bold('Usage')}  shipx ${path.join(' ')} <command> [flags]

${commands.map((command, i) => `  ${names[i]!.padEnd(width)}  ${command.summary}`).join('\n')}

More  shipx ${path.join(' ')} <command> --help
`,
    columns,
  )
}

/** `shipx rates --help`: one command. */
export function commandHelp(tree: Tree, command: Command, layout: Layout): string {
  const { paint, columns } = layout
  const section = (heading: string, lines: readonly string[]): string => [paint.bold(heading), ...lines].join('\n')
  const name = `shipx ${command.path.join(' ')}`
  const args = command.args.map(named)
  const shown = command.flags.filter((flag) => flag.hidden !== true)
  const groups = flagSections(shown, layout)
  const more = commandsUnder(tree, command.path).filter((other) => other !== command)
  const parts = [
    `${command.summary}.${command.about === undefined ? '' : ` ${command.about}`}`,
    `${paint.bold('Usage')}  ${[name, ...args, '[flags]'].join(' ')}`,
    ...(command.args.length === 0
      ? []
      : [
          section(
            'Arguments',
            command.args.map((arg) => `  ${named(arg).padEnd(26)}  ${arg.help}`),
          ),
        ]),
    ...(more.length === 0
      ? []
      : [
          section(
            'Commands',
            more.map(({ path, summary }) => `  ${path.join(' ').padEnd(26)}  ${summary}`),
          ),
        ]),
    ...groups,
    [
      ...(printsList(command.path) ? [`${paint.bold('Formats')}       ${formats(command)}`] : []),
      `${paint.bold('Shared flags')}  shipx help flags`,
    ].join('\n'),
    section(
      'Examples',
      command.examples.map((example) => `  # ${example.about}\n  $ ${example.line}`),
    ),
    [
      ...(command.output === undefined ? [] : [`Output  ${command.output}`]),
      `Exit    ${command.exits}`,
      ...(command.api === undefined ? [] : [`API     ${command.api}`]),
      ...(command.local === true ? ['Works only on this computer.'] : []),
    ].join('\n'),
  ]
  return fitted(`${parts.join('\n\n')}\n`, columns)
}

/** The ways of a list out of the terminal, which are shared flags too. */
const formats = ({ path }: Command): string =>
  [
    '--csv',
    '--excel (CSV that Excel opens as it should)',
    '--xlsx FILE',
    ...(hasTypes(path) ? ['--parquet FILE'] : []),
    '--json',
    '--jsonl',
  ].join(' · ')

/** Flags under the headings of their groups. */
function flagSections(flags: readonly Flag[], layout: Layout): readonly string[] {
  const headings = [...new Set(flags.map((flag) => flag.group))]
  return headings.map((heading) =>
    [
      layout.paint.bold(heading),
      ...flags.filter(({ group }) => group === heading).map((flag) => flagLine(flag, layout)),
    ].join('\n'),
  )
}

/** The topic that lists the flags of every command, from the tree itself. */
export const flagsTopic = 'flags'

/** A topic that commands share. */
const topicHelp = ({ summary, text }: Tree['topics'][number], { paint, columns }: Layout): string =>
  fitted(`${paint.bold(summary)}\n\n${text}\n`, columns)

/**
 * `shipx help <words>`: the topic, command or group of these words, as `--help` shows it; undefined for unknown words.
 * Without words, the overview.
 */
export function helpOn(tree: Tree, words: readonly string[], layout: Layout): string | undefined {
  if (words.length === 0) return overview(tree, layout)
  const under = commandsUnder(tree, words)
  const command = under.find(({ path }) => path.length === words.length)
  if (command !== undefined) return commandHelp(tree, command, layout)
  if (under.length > 0) return groupHelp(tree, words, layout)
  const topic = words.length === 1 ? tree.topics.find(({ name }) => name === words[0]) : undefined
  if (topic?.name === flagsTopic)
    return [
      topicHelp(topic, layout),
      fitted(`${flagSections(tree.globals, layout).join('\n\n')}\n`, layout.columns),
    ].join('\n')
  return topic === undefined ? undefined : topicHelp(topic, layout)
}

const column = 30

function flagLine(flag: Flag, { paint, columns }: Layout): string {
  const short = flag.short === undefined ? '    ' : `-${flag.short}, `
  const name = `${short}--${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}`
  const choices =
    flag.choices === undefined
      ? []
      : (columns === undefined ? fillLines(flag.choices.join(', ').split(' '), 70) : [flag.choices.join(', ')]).map(
          (line) => `${' '.repeat(column + 2)}${paint.dim(line)}`,
        )
  const usual = flag.default === undefined ? '' : paint.dim(` (default ${flag.default})`)
  const first =
    name.length > column - 2
      ? `  ${name}\n${' '.repeat(column + 2)}${flag.help}${usual}`
      : `  ${name.padEnd(column)}${flag.help}${usual}`
  return [first, ...choices].join('\n')
}
