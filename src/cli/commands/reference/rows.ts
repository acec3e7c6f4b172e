// The commands that stand alone.
import type { Command } from '../../command/tree.ts'
import { dryRun } from '../rows/flags.ts'
import { topics } from '../rows/topics.ts'

const shellArg = { name: 'shell', help: 'bash, zsh, fish or powershell (default: the one in $SHELL)' }

// prettier-ignore
export const others: readonly Command[] = [
  { path: ['pincode'], summary: 'What is known of a pincode', args: [{ name: 'pincode', help: 'Six digits' }], flags: [], examples: [{ about: 'City, district, state, zone cluster', line: 'shipx pincode 560001' }], output: '{data: {pincode, city, district, state, cluster, metro, special}}', exits: '0 done · 2 not a pincode' },
  {
    path: ['doctor'], summary: 'Check the installation, the settings and the way to the deployment', args: [], unprofiled: true,
    about: 'Each check takes at most five seconds. Where no deployment is named, nothing is sent. A key is shown by its last four characters at most.',
    flags: [{ name: 'fix', kind: 'switch', help: 'Close files to others that only you should read, and say so; nothing else is changed', group: 'Repair' }],
    examples: [{ about: 'When something is odd', line: 'shipx doctor' }, { about: 'For a report of a fault', line: 'shipx doctor --json' }],
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
    path: ['completion', 'install'], summary: 'Put the completion script where your shell looks', args: [shellArg], flags: [dryRun],
    about: 'Into your own folders. Where the shell needs a line in its startup file, the line is shown and added with a yes.',
    examples: [{ about: 'For the shell that you work in', line: 'shipx completion install' }, { about: 'With the line for .zshrc, if it needs one', line: 'shipx completion install zsh --yes' }],
    output: '{shell, path, startup, installed}', exits: '0 done · 1 a file could not be written · 2 no such shell',
  },
  {
    path: ['completion', 'uninstall'], summary: 'Take the completion script away again', args: [shellArg], flags: [dryRun],
    examples: [{ about: 'With the lines in the startup file', line: 'shipx completion uninstall bash --yes' }],
    output: '{shell, path, removed}', exits: '0 done, also when there was none · 1 a file could not be written · 2 no such shell',
  },
]
