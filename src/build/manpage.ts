// Makes the manual page from the command table, as `man` reads it: every command, flag and topic on one page.
import { fitted } from '../cli/terminal/wrap.ts'
import type { Argument, Command, Flag, Tree } from '../cli/command/tree.ts'

/** The page `shipx(1)` of a version. */
export function manPage(tree: Tree, version: string): string {
  const lines = [
    `.TH SHIPX 1 "" "shipx ${version}" "User Commands"`,
    '.SH NAME',
    `shipx \\- ${plain('courier rates, shipments, returns, stores and orders from the terminal')}`,
    '.SH SYNOPSIS',
    '.B shipx',
    `.I ${plain('command')}`,
    '[flags]',
    '.SH DESCRIPTION',
    plain(
      'Answers from data on this computer (SQLite), or from your account at a host. ' +
        'Prints tables for people and JSON, CSV and ids for programs. ' +
        'Data is on standard output, everything else on standard error.',
    ),
    '.SH COMMANDS',
    ...tree.commands.flatMap(commandLines),
    '.SH GLOBAL FLAGS',
    ...tree.globals.flatMap(flagLines),
    ...tree.topics.flatMap(({ summary, text }) => [
      `.SH ${plain(summary.toUpperCase())}`,
      '.nf',
      ...fitted(text, 78).split('\n').map(plain),
      '.fi',
    ]),
  ]
  return `${lines.join('\n')}\n`
}

/** Text without roff requests: a line may not start with a dot or an apostrophe, and a dash stays a dash. */
const plain = (text: string): string =>
  text
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('…', '...')
    .replace(/^(?=[.'])/, '\\&')

const shown = ({ name, many }: Argument): string => ` <${name}>${many === true ? '...' : ''}`

function commandLines(command: Command): readonly string[] {
  const { path, args, summary, about, flags, examples, output, exits } = command
  return [
    `.SS ${plain(`shipx ${path.join(' ')}${args.map(shown).join('')}`)}`,
    plain(`${summary}.`),
    ...(about === undefined ? [] : about.split('\n').map(plain)),
    ...args.flatMap(({ name, help }) => ['.TP', `.I ${plain(`<${name}>`)}`, plain(help)]),
    ...flags.filter(({ hidden }) => hidden !== true).flatMap(flagLines),
    ...examples.flatMap((example) => [
      '.PP',
      plain(`${example.about}:`),
      '.PP',
      '.nf',
      '.RS',
      plain(example.line),
      '.RE',
      '.fi',
    ]),
    ...(output === undefined ? [] : ['.PP', plain(`Output: ${output}`)]),
    '.PP',
    plain(`Exit: ${exits}`),
  ]
}

function flagLines({ short, name, value, help, choices, default: usual }: Flag): readonly string[] {
  const names = `${short === undefined ? '' : `\\fB\\-${short}\\fR, `}\\fB\\-\\-${plain(name)}\\fR`
  const without = usual === undefined ? '' : ` (default ${usual})`
  const more = choices === undefined ? without : `${without}. One of: ${choices.join(', ')}`
  return ['.TP', `${names}${value === undefined ? '' : ` \\fI${plain(value)}\\fR`}`, plain(help + more)]
}
