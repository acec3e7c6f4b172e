// Flags that every command has.
import type { Flag } from '../../command/tree.ts'

/** Flags that every command has. */
// prettier-ignore
export const globals: readonly Flag[] = [
  { name: 'json',     kind: 'switch', group: 'Output', help: 'The API answer as JSON' },
  { name: 'jsonl',    kind: 'switch', group: 'Output', help: 'One JSON record on each line' },
  { name: 'csv',      kind: 'switch', group: 'Output', help: 'CSV with a header' },
  { name: 'tsv',      kind: 'switch', group: 'Output', help: 'Tabs with a header' },
  { name: 'excel',    kind: 'switch', group: 'Output', help: 'CSV that Excel opens without damage to long numbers' },
  { name: 'ids',      kind: 'switch', group: 'Output', help: 'Record ids, one on each line' },
  { name: 'table',    kind: 'switch', group: 'Output', help: "A table, whatever the profile's format is" },
  { name: 'fields',   kind: 'list',   group: 'Output', value: '<a,b.c>', help: 'Only these fields in JSON and CSV' },
  { name: 'columns',  kind: 'list',   group: 'Output', value: '<a,b>', help: 'Only these columns in the table' },
  { name: 'wide',     kind: 'switch', group: 'Output', help: 'Show every column in the table' },
  { name: 'raw',      kind: 'switch', group: 'Output', help: 'CSV without the guard against formulas' },
  { name: 'tz',       kind: 'text',   group: 'Output', value: '<zone>', help: 'Time zone for times', default: 'Asia/Kolkata' },
  { name: 'show-pii', kind: 'switch', group: 'Output', help: 'Show whole phone numbers in tables' },
  { name: 'color',    kind: 'text',   group: 'Output', value: '<when>', choices: ['auto', 'always', 'never'], help: 'Colour', default: 'auto' },
  { name: 'pager',    kind: 'switch', group: 'Output', help: 'Show the output in SHIPX_PAGER, PAGER or less' },
  { name: 'db',       kind: 'text',   group: 'Everywhere', value: '<file>', help: "The embedded engine's database" },
  { name: 'database', kind: 'text',   group: 'Everywhere', value: '<url>', help: "A PostgreSQL database for the engine: postgres://…", excludes: ['db'] },
  { name: 'account',  kind: 'text',   group: 'Everywhere', value: '<name>', help: 'Account inside the database', default: 'default' },
  { name: 'local',    kind: 'switch', group: 'Everywhere', help: "Answer from the embedded engine, or from the mirror of the profile's deployment" },
  { name: 'profile',  kind: 'text',   group: 'Everywhere', value: '<name>', help: 'Use this profile instead of the current one' },
  { name: 'base-url', kind: 'text',   group: 'Everywhere', value: '<url>', help: 'Answer from the deployment at this address', excludes: ['db', 'database', 'local'] },
  { name: 'curl',     kind: 'switch', group: 'Everywhere', help: 'Print the request as a curl command' },
  { name: 'quiet',    kind: 'switch', group: 'Everywhere', short: 'q', help: 'Print no notes, only data and errors' },
  { name: 'debug',    kind: 'switch', group: 'Everywhere', help: 'Show what happens inside, on stderr' },
  { name: 'no-input', kind: 'switch', group: 'Everywhere', help: 'Never ask a question' },
  { name: 'yes',      kind: 'switch', group: 'Everywhere', short: 'y', help: 'Answer yes to every confirmation' },
  { name: 'help',     kind: 'switch', group: 'Everywhere', short: 'h', help: 'Show this help' },
]
