// The commands that stand alone.
import type { Command } from '../tree.ts'

// prettier-ignore
export const others: readonly Command[] = [
  { path: ['pincode'], summary: 'What is known of a pincode', args: [{ name: 'pincode', help: 'Six digits' }], flags: [], examples: [{ about: 'City, district, state, zone cluster', line: 'shipx pincode 560001' }], output: '{data: {pincode, city, district, state, cluster, metro, special}}', exits: '0 done · 2 not a pincode' },
  { path: ['commands'], summary: 'The whole command tree, for programs', args: [], flags: [], examples: [{ about: 'Every command and flag', line: 'shipx commands --json' }], output: '{groups, globals, commands, topics}', exits: '0 done' },
  { path: ['help'], summary: 'Help on a command or a topic', args: [{ name: 'topic', help: 'A command or one of: environment, exit-codes, formatting, filters, errors' }], flags: [], examples: [{ about: 'What the exit codes mean', line: 'shipx help exit-codes' }], exits: '0 done · 2 no such topic' },
  { path: ['completion'], summary: 'A completion script for your shell', args: [{ name: 'shell', help: 'bash, zsh, fish or powershell' }], flags: [], examples: [{ about: 'For bash', line: 'source <(shipx completion bash)' }], exits: '0 done · 2 no such shell' },
]
