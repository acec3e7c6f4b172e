// The command that mirrors a deployment.
import type { Command } from '../../command/tree.ts'
import { dryRun } from '../rows/flags.ts'

// prettier-ignore
export const pull: Command = {
  path: ['pull'], live: true, summary: "Copy a deployment's records, to ask them offline", args: [{ name: 'kind', help: 'shipments, returns or stores; all three when none is named' }],
  about: 'Into a database of the profile (or of this address and key), which --local then answers from. Stopped at any point, the next pull goes on.\nRecords that can still change are read again each time. At most 500 requests in 5 minutes, unless the deployment announces what shipx serve does.',
  flags: [
    { name: 'since', kind: 'text', value: '<when>', help: 'Only what was created since: 30d, 2026-09-01, or an ISO 8601 time', group: 'What' },
    { name: 'full', kind: 'switch', help: 'Read everything again, and remove what is not there any more', group: 'What' },
    { name: 'watch', kind: 'text', value: '<time>', help: 'Again and again, so long after the last time: 10m, 1h', group: 'When' },
    { name: 'max-rps', kind: 'number', value: '<n>', help: 'Requests a second at most, instead of 500 in 5 minutes', group: 'When' },
    dryRun,
  ],
  examples: [
    { about: 'Everything, then only what is new or can change', line: 'shipx pull' },
    { about: 'The last month', line: 'shipx pull shipments --since 30d' },
    { about: 'Every ten minutes', line: 'shipx pull --watch 10m' },
    { about: 'Then, without a network', line: 'shipx shipments list --local --status ndr_raised --zone d,e' },
  ],
  output: '{data: [{kind, new, changed, unchanged, removed, total}]}; with --watch one line for each pull', exits: '0 done · 2 bad input · 4 not signed in · 6 temporary: run it again · 130 interrupted: run it again',
}
