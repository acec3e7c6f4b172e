// Makes the pages of commands and of filters (docs/reference/commands.md and filters.md) from the command tree.
import { commandsUnder, type Argument, type Command, type Flag, type Tree } from '../cli/command/tree.ts'

/** A row of a table; a `|` in a cell does not end the cell. */
const row = (cells: readonly string[]): string => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(head), row(head.map(() => '-')), ...rows.map(row)].join('\n')

const typed = ({ name, many }: Argument): string => (many === true ? `<${name}>…` : `<${name}>`)

const lineOf = ({ path, args }: Command): string => `\`${['shipx', ...path, ...args.map(typed)].join(' ')}\``

/** The page of all commands, as Markdown that is not formatted yet. */
export function commandsPage(tree: Tree): string {
  const headings = [...new Set(tree.groups.map(({ heading }) => heading))]
  const parts = headings.map((heading) => {
    const commands = tree.groups
      .filter((group) => group.heading === heading)
      .flatMap(({ name }) => commandsUnder(tree, [name]))
      .filter(({ hidden }) => hidden !== true)
    const rows = commands.map((command) => [lineOf(command), command.summary])
    return `## ${heading}\n\n${table(['command', 'what it does'], rows)}\n`
  })
  const topics = tree.topics.map(({ name, summary }) => [`\`shipx help ${name}\``, summary])
  return [
    '# Commands\n',
    '`shipx help <command>` shows flags, examples and exit codes. `shipx commands --json` prints all of it.\n',
    ...parts,
    `## Help on a topic\n\n${table(['topic', 'about'], topics)}\n`,
  ].join('\n')
}

const valuesOf = ({ kind, value, choices }: Flag): string =>
  (choices ?? (kind === 'boolean' ? ['true', 'false'] : [value ?? '']))
    .map((choice) => (choice === '' ? 'no value' : `\`${choice}\``))
    .join(', ')

function filtersOf(tree: Tree, path: readonly string[]): string {
  const flags = commandsUnder(tree, path)[0]!.flags.filter(
    ({ group, hidden }) => group === 'Filters' && hidden !== true,
  )
  const rows = flags.map((flag) => [`\`--${flag.name}\``, flag.help, valuesOf(flag)])
  return table(['filter', 'what it finds', 'values'], rows)
}

/** The page of all filters, as Markdown that is not formatted yet. */
export const filtersPage = (tree: Tree): string =>
  [
    '# Filters\n',
    'Lists, summaries, work lists and reports take these filters. `shipx help filters` shows how they work together:\n',
    '- A record must match every filter, but only one value of each: `--zone d,e` finds both zones.',
    '- Ranges include both ends. [Times](terminal.md) are those of India.',
    '- shipx refuses a misspelt filter and never ignores it.\n',
    `## Shipments\n\n${filtersOf(tree, ['shipments', 'list'])}\n`,
    `## Returns\n\n${filtersOf(tree, ['returns', 'list'])}\n`,
  ].join('\n')
