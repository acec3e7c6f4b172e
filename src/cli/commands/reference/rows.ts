// Commands without a group of their own.
import type { Command } from '../../command/tree.ts'
import { dryRun } from '../rows/flags.ts'
import { topics } from '../rows/topics.ts'

const shellArg = { name: 'shell', help: 'bash, zsh, fish or powershell (default: the one in $SHELL)' }

// prettier-ignore
export const others: readonly Command[] = [
  { path: ['pincode'], summary: 'Show the city, district and state of a pincode', args: [{ name: 'pincode', help: 'Pincode of six digits' }], flags: [], examples: [{ about: 'Show the city, district, state and zone cluster', line: 'shipx pincode 560001' }], output: '{data: {pincode, city, district, state, cluster, metro, special}}', exits: '0 done · 2 not a pincode' },
  {
    path: ['doctor'], summary: 'Check the installation, the settings and the connection to your account', args: [], unprofiled: true,
    about: 'Without an account at a host, shipx sends nothing. Each check takes at most five seconds. shipx shows at most the last four characters of a key.',
    flags: [{ name: 'fix', kind: 'switch', help: 'Let only you read the private files; change nothing else', group: 'Repair' }],
    examples: [{ about: 'Find out what is wrong', line: 'shipx doctor' }, { about: 'Print the findings for a bug report', line: 'shipx doctor --json' }],
    output: '{data: {checks: [{id, title, status, found, hint, fixed}]}}; a status is ok, warn or fail', exits: '0 no check failed; there may be warnings · 1 a check failed',
  },
  { path: ['commands'], summary: 'Print the whole command tree, for programs', args: [], flags: [], examples: [{ about: 'Print every command and flag', line: 'shipx commands --json' }], output: '{groups, globals, commands, topics}', exits: '0 done' },
  { path: ['help'], summary: 'Show help on a command or a topic', args: [{ name: 'topic', help: `A command or one of: ${topics.map(({ name }) => name).join(', ')}`, many: true }], flags: [], examples: [{ about: 'Show what the exit codes mean', line: 'shipx help exit-codes' }, { about: 'Show the help of a command, as with --help', line: 'shipx help stores import' }], exits: '0 done · 2 no such topic' },
  {
    path: ['completion'], summary: 'Print a completion script for your shell', args: [{ name: 'shell', help: 'bash, zsh, fish or powershell' }], flags: [],
    examples: [{ about: 'Complete in this shell until you close it', line: 'source <(shipx completion bash)' }, { about: 'Complete in every shell from now on', line: 'shipx completion install' }],
    exits: '0 done · 2 no such shell',
  },
  {
    path: ['completion', 'install'], summary: 'Install the completion script for your shell', args: [shellArg], flags: [dryRun],
    about: 'shipx writes only into your own folders. If the shell needs a line in its startup file, shipx shows the line and asks before it adds it.',
    examples: [{ about: 'Install for your current shell', line: 'shipx completion install' }, { about: 'Also add the line to .zshrc without a question', line: 'shipx completion install zsh --yes' }],
    output: '{shell, path, startup, installed}', exits: '0 done · 1 shipx cannot write a file · 2 no such shell',
  },
  {
    path: ['completion', 'uninstall'], summary: 'Remove the completion script', args: [shellArg], flags: [dryRun],
    examples: [{ about: 'Also remove the lines in the startup file', line: 'shipx completion uninstall bash --yes' }],
    output: '{shell, path, removed}', exits: '0 done, also when there is none · 1 shipx cannot write a file · 2 no such shell',
  },
]
