// Help as text, out of the command tree alone.
import type { Paint } from './columns.ts'
import { commandsUnder, type Argument, type Command, type Flag, type Tree } from './tree.ts'

/** `shipx`, `shipx --help`: what there is. */
export function overview(tree: Tree, paint: Paint): string {
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
  return `Ship from the terminal: compare courier rates, follow shipments and returns, manage stores and orders.

${paint.bold('Usage')}  shipx <command> [flags]

${sections.join('\n\n')}

${paint.bold('Try')}
  $ shipx init
  $ shipx rates --from 400001 --to 560001 --weight 500g --size 20x15x10 --prepaid
  $ shipx local seed && shipx shipments list --status ndr_raised --since 7d

Exit codes  0 done · 1 failed · 2 fix the command · 3 not found · 4 sign in · 5 rejected · 6 try again · 7 partly done · 8 an answer is needed
More        shipx <command> --help · shipx help ${tree.topics.map((topic) => topic.name).join('|')} · No telemetry.
`
}

const named = ({ name, many }: Argument): string => `<${name}>${many === true ? '…' : ''}`

/** `shipx stores`: the commands of a group. */
export function groupHelp(tree: Tree, path: readonly string[], paint: Paint): string {
  const commands = commandsUnder(tree, path)
  const names = commands.map((command) =>
    [command.path.slice(path.length), ...command.args.map(named)].flat().join(' '),
  )
  const width = Math.max(...names.map((name) => name.length))
  const group = path.length === 1 ? tree.groups.find((candidate) => candidate.name === path[0]) : undefined
  return `${group === undefined ? '' : `${group.summary}.\n\n`}${paint.bold('Usage')}  shipx ${path.join(' ')} <command> [flags]

${commands.map((command, i) => `  ${names[i]!.padEnd(width)}  ${command.summary}`).join('\n')}

More  shipx ${path.join(' ')} <command> --help
`
}

/** `shipx rates --help`: one command. */
export function commandHelp(tree: Tree, command: Command, paint: Paint): string {
  const name = `shipx ${command.path.join(' ')}`
  const args = command.args.map(named)
  const shown = command.flags.filter((flag) => flag.hidden !== true)
  const headings = [...new Set([...shown, ...tree.globals].map((flag) => flag.group))]
  const groups = headings.map((heading) => {
    const flags = [...shown, ...tree.globals].filter((flag) => flag.group === heading)
    return `${paint.bold(heading)}\n${flags.map((flag) => flagLine(flag, paint)).join('\n')}`
  })
  const parts = [
    `${command.summary}.${command.about === undefined ? '' : ` ${command.about}`}`,
    `${paint.bold('Usage')}  ${[name, ...args, '[flags]'].join(' ')}`,
    ...(command.args.length === 0
      ? []
      : [
          `${paint.bold('Arguments')}\n${command.args.map((arg) => `  ${named(arg).padEnd(26)}  ${arg.help}`).join('\n')}`,
        ]),
    ...groups,
    `${paint.bold('Examples')}\n${command.examples.map((example) => `  # ${example.about}\n  $ ${example.line}`).join('\n')}`,
    [
      ...(command.output === undefined ? [] : [`Output  ${command.output}`]),
      `Exit    ${command.exits}`,
      ...(command.api === undefined ? [] : [`API     ${command.api}`]),
      ...(command.local === true
        ? ["Works on the embedded engine's own database: the service has no endpoint for it."]
        : []),
    ].join('\n'),
  ]
  return `${parts.join('\n\n')}\n`
}

const column = 30

function flagLine(flag: Flag, paint: Paint): string {
  const name = `${flag.short === undefined ? '    ' : `-${flag.short}, `}--${flag.name}${flag.value === undefined ? '' : ` ${flag.value}`}`
  const choices =
    flag.choices === undefined
      ? []
      : wrap(flag.choices.join(', '), 70).map((line) => `${' '.repeat(column + 2)}${paint.dim(line)}`)
  const usual = flag.default === undefined ? '' : paint.dim(` (default ${flag.default})`)
  const first =
    name.length > column - 2
      ? `  ${name}\n${' '.repeat(column + 2)}${flag.help}${usual}`
      : `  ${name.padEnd(column)}${flag.help}${usual}`
  return [first, ...choices].join('\n')
}

function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length + 1 <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
