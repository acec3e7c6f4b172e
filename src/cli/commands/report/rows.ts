// The command of reports.
import type { Command } from '../../command/tree.ts'
import { read } from '../rows/flags.ts'
import { shipmentQuestion } from '../shipments/rows.ts'

// prettier-ignore
export const report: Command = {
  path: ['report'], summary: 'Write a page of figures and charts about a period',
  about: 'One HTML file that needs no network and no script, about the last 30 days by default. Reads the embedded engine\'s database or a mirror. Replaces an earlier report; any other file needs --force.',
  args: [],
  flags: [
    { name: 'out', kind: 'text', value: '<file>', help: 'The file to write, or - for standard output', group: 'Report', default: 'report.html' },
    { name: 'force', kind: 'switch', help: 'Replace a file that is not a report', group: 'Report' },
    ...shipmentQuestion.map((flag) => (flag.name === 'since' ? { ...flag, default: '30d' } : flag)),
  ],
  examples: [
    { about: 'The last 30 days', line: 'shipx report' },
    { about: 'A store and a quarter', line: 'shipx report --store acme --since 2026-07-01 --until 2026-09-30 --out acme.html' },
    { about: 'The same figures, for a program', line: 'shipx report --json' },
  ],
  output: '{data: {generated_at, source, period, filters, few_below, totals, flow: [], volume: {step, rows: [], undated}, by_zone, by_carrier, by_city: {rows: [], others}, by_payment: [], days_to_deliver, returns, returns_left_out}}',
  exits: `${read}, or the file exists already`,
}
