// The command that mirrors a deployment.
import type { Command } from '../../command/tree.ts'
import { dryRun } from '../rows/flags.ts'

// prettier-ignore
export const pull: Command = {
  path: ['pull'], live: true, summary: "Copy your account's records to use them offline", args: [{ name: 'kind', help: 'Copy only shipments, returns or stores (default: all three)' }],
  about: 'shipx keeps the copy in a database of the profile (or of this address and key), which --local reads. If you stop a pull, the next one continues.\nEach pull reads the records again that can still change. It sends at most 500 requests in 5 minutes, unless the service is shipx serve.',
  flags: [
    { name: 'since', kind: 'text', value: '<when>', help: 'Copy only records created since this time: 30d, 2026-09-01, or an ISO 8601 time', group: 'What' },
    { name: 'full', kind: 'switch', help: 'Read all records again, and remove those that your account no longer has', group: 'What' },
    { name: 'watch', kind: 'text', value: '<time>', help: 'Pull again this long after each pull: 10m, 1h', group: 'When' },
    { name: 'max-rps', kind: 'number', value: '<n>', help: 'Send at most this many requests a second (for example 5) instead of 500 in 5 minutes', group: 'When' },
    dryRun,
  ],
  examples: [
    { about: 'Copy everything; later, only what is new or can change', line: 'shipx pull' },
    { about: 'Copy the shipments of the last month', line: 'shipx pull shipments --since 30d' },
    { about: 'Pull every ten minutes', line: 'shipx pull --watch 10m' },
    { about: 'Read the copy without a network', line: 'shipx shipments list --local --status ndr_raised --zone d,e' },
  ],
  output: '{data: [{kind, new, changed, unchanged, removed, total}]}; with --watch one line for each pull', exits: '0 done · 2 bad input · 4 not signed in · 6 temporary: run it again · 7 shipx left some records out · 130 interrupted: run it again',
}
