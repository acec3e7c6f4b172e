// Flags that every command has.
import type { Flag } from '../../command/tree.ts'

/** Flags that every command has. */
// prettier-ignore
export const globals: readonly Flag[] = [
  { name: 'json',     kind: 'switch', group: 'Output', help: 'Print the answer of the API as JSON' },
  { name: 'jsonl',    kind: 'switch', group: 'Output', help: 'Print one JSON record on each line' },
  { name: 'csv',      kind: 'switch', group: 'Output', help: 'Print CSV with a header' },
  { name: 'tsv',      kind: 'switch', group: 'Output', help: 'Print columns separated by tabs, with a header' },
  { name: 'excel',    kind: 'switch', group: 'Output', help: 'Print CSV that Excel opens as it should: columns of the table, times in India; a workbook is --xlsx' },
  { name: 'xlsx',     kind: 'text',   group: 'Output', value: '<file.xlsx>', help: 'Write an Excel workbook: columns of the table, real dates and numbers' },
  { name: 'parquet',  kind: 'text',   group: 'Output', value: '<file.parquet>', help: 'Write a Parquet file with the fields of the records, for DuckDB, pandas and Spark' },
  { name: 'ids',      kind: 'switch', group: 'Output', help: 'Print record ids, one on each line' },
  { name: 'table',    kind: 'switch', group: 'Output', help: 'Print a table, even if the profile sets another format' },
  { name: 'jq',       kind: 'text',   group: 'Output', value: '<expression>', help: 'Print what this jq expression selects from the JSON, which it implies', excludes: ['csv', 'tsv', 'excel', 'xlsx', 'parquet', 'ids', 'table'] },
  { name: 'fields',   kind: 'list',   group: 'Output', value: '<a,b.c>', help: 'Show only these fields in JSON, CSV, Excel and Parquet' },
  { name: 'columns',  kind: 'list',   group: 'Output', value: '<a,b>', help: 'Show only these columns in the table and in Excel' },
  { name: 'wide',     kind: 'switch', group: 'Output', help: 'Show every column in the table' },
  { name: 'no-header', kind: 'switch', group: 'Output', help: 'Leave out the header of a table, CSV or TSV' },
  { name: 'raw',      kind: 'switch', group: 'Output', help: 'Write CSV without the guard against formulas' },
  { name: 'tz',       kind: 'text',   group: 'Output', value: '<zone>', help: 'Show times in this time zone, for example UTC', default: 'Asia/Kolkata' },
  { name: 'show-pii', kind: 'switch', group: 'Output', help: 'Show whole phone numbers in tables; files and pipes always have them whole' },
  { name: 'color',    kind: 'text',   group: 'Output', value: '<when>', choices: ['auto', 'always', 'never'], help: 'Choose when shipx uses colour', default: 'auto' },
  { name: 'no-color', kind: 'switch', group: 'Output', help: 'Use no colour, as with NO_COLOR=1', excludes: ['color'] },
  { name: 'pager',    kind: 'switch', group: 'Output', help: 'Show the output in a pager: SHIPX_PAGER, PAGER or less' },
  { name: 'db',       kind: 'text',   group: 'Everywhere', value: '<file>', help: 'Use this database file on this computer' },
  { name: 'database', kind: 'text',   group: 'Everywhere', value: '<url>', help: 'Use this PostgreSQL database for the engine: postgres://…', excludes: ['db'] },
  { name: 'account',  kind: 'text',   group: 'Everywhere', value: '<name>', help: 'Use this account inside the database', default: 'default' },
  { name: 'local',    kind: 'switch', group: 'Everywhere', help: "Answer from this computer: its own data, or the mirror of the profile's account" },
  { name: 'profile',  kind: 'text',   group: 'Everywhere', value: '<name>', help: 'Use this profile instead of the current one' },
  { name: 'base-url', kind: 'text',   group: 'Everywhere', value: '<url>', help: 'Answer from your account at this address', excludes: ['db', 'database', 'local'] },
  { name: 'curl',     kind: 'switch', group: 'Everywhere', help: 'Also print each request as a curl command, on stderr' },
  { name: 'quiet',    kind: 'switch', group: 'Everywhere', short: 'q', help: 'Print only data and errors, no notes' },
  { name: 'debug',    kind: 'switch', group: 'Everywhere', help: 'Show what shipx does inside, on stderr' },
  { name: 'no-input', kind: 'switch', group: 'Everywhere', help: 'Never ask a question' },
  { name: 'yes',      kind: 'switch', group: 'Everywhere', short: 'y', help: 'Answer yes to every confirmation' },
  { name: 'help',     kind: 'switch', group: 'Everywhere', short: 'h', help: 'Show this help' },
]
