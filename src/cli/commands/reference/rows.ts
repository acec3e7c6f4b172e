// Commands without a group of their own.
import type { Command } from '../../command/tree.ts'
import { dryRun } from '../rows/flags.ts'
import { topics } from '../rows/topics.ts'

const shellArg = { name: 'shell', help: 'bash, zsh, fish or powershell (default: the one in $SHELL)' }

// prettier-ignore
export const others: readonly Command[] = [
  { path: ['pincode'], summary: 'Show the place of a pincode', args: [{ name: 'pincode', help: 'Six digits' }], flags: [], examples: [{ about: 'City, district, state, zone cluster', line: 'shipx pincode 560001' }], output: '{data: {pincode, city, district, state, cluster, metro, special}}', exits: '0 done · 2 not a pincode' },
  {
    path: ['doctor'], summary: 'Check the installation, the settings and the connection to the deployment', args: [], unprofiled: true,
    about: 'Each check takes at most five seconds. Without a deployment, shipx sends nothing. It shows at most the last four characters of a key.',
    flags: [{ name: 'fix', kind: 'switch', help: 'Make private files readable by you alone; changes nothing else', group: 'Repair' }],
    examples: [{ about: 'When something is wrong', line: 'shipx doctor' }, { about: 'For a bug report', line: 'shipx doctor --json' }],
    output: '{data: {checks: [{id, title, status, found, hint, fixed}]}}, a status being ok, warn or fail', exits: '0 nothing failed, warnings allowed · 1 something failed',
  },
  { path: ['commands'], summary: 'The whole command tree, for programs', args: [], flags: [], examples: [{ about: 'Every command and flag', line: 'shipx commands --json' }], output: '{groups, globals, commands, topics}', exits: '0 done' },
  { path: ['help'], summary: 'Help on a command or a topic', args: [{ name: 'topic', help: `A command or one of: ${topics.map(({ name }) => name).join(', ')}`, many: true }], flags: [], examples: [{ about: 'What the exit codes mean', line: 'shipx help exit-codes' }, { about: 'A command, as with --help', line: 'shipx help stores import' }], exits: '0 done · 2 no such topic' },
  {
    path: ['completion'], summary: 'Print a completion script for your shell', args: [{ name: 'shell', help: 'bash, zsh, fish or powershell' }], flags: [],
    examples: [{ about: 'For this shell, until it is closed', line: 'source <(shipx completion bash)' }, { about: 'For every shell from now on', line: 'shipx completion install' }],
    exits: '0 done · 2 no such shell',
  },
  {
    path: ['completion', 'install'], summary: 'Install the completion script for your shell', args: [shellArg], flags: [dryRun],
    about: 'Writes into your own folders. Where the shell needs a line in its startup file, shipx shows the line and adds it after a yes.',
    examples: [{ about: 'For your current shell', line: 'shipx completion install' }, { about: 'With the line for .zshrc, if it needs one', line: 'shipx completion install zsh --yes' }],
    output: '{shell, path, startup, installed}', exits: '0 done · 1 a file could not be written · 2 no such shell',
  },
  {
    path: ['completion', 'uninstall'], summary: 'Remove the completion script', args: [shellArg], flags: [dryRun],
    examples: [{ about: 'Also the lines in the startup file', line: 'shipx completion uninstall bash --yes' }],
    output: '{shell, path, removed}', exits: '0 done, also when there is none · 1 a file could not be written · 2 no such shell',
  },
]
