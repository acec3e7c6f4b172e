// The command that mirrors a deployment.
import type { Command } from '../../command/tree.ts'
import { dryRun } from '../rows/flags.ts'

// prettier-ignore
export const pull: Command = {
  path: ['pull'], live: true, summary: "Copy a deployment's records, to use them offline", args: [{ name: 'kind', help: 'shipments, returns or stores (default: all three)' }],
  about: 'Copies into a database of the profile (or of this address and key), which --local then reads. If a pull is stopped, the next one goes on.\nReads records that can still change again each time. Sends at most 500 requests in 5 minutes, unless the deployment announces that it is shipx serve.',
  flags: [
    { name: 'since', kind: 'text', value: '<when>', help: 'Only records created since: 30d, 2026-09-01, or an ISO 8601 time', group: 'What' },
    { name: 'full', kind: 'switch', help: 'Read everything again, and remove records that are gone there', group: 'What' },
    { name: 'watch', kind: 'text', value: '<time>', help: 'Pull again this long after the last pull: 10m, 1h', group: 'When' },
    { name: 'max-rps', kind: 'number', value: '<n>', help: 'At most this many requests a second, instead of 500 in 5 minutes', group: 'When' },
    dryRun,
  ],
  examples: [
    { about: 'Everything, then only what is new or can change', line: 'shipx pull' },
    { about: 'The last month', line: 'shipx pull shipments --since 30d' },
    { about: 'Every ten minutes', line: 'shipx pull --watch 10m' },
    { about: 'Then, without a network', line: 'shipx shipments list --local --status ndr_raised --zone d,e' },
  ],
  output: '{data: [{kind, new, changed, unchanged, removed, total}]}; with --watch one line for each pull', exits: '0 done · 2 bad input · 4 not signed in · 6 temporary: run it again · 7 a part was left out · 130 interrupted: run it again',
}
