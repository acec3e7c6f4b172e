// The command of reports.
import type { Command } from '../../command/tree.ts'
import { read } from '../rows/flags.ts'
import { shipmentQuestion } from '../shipments/rows.ts'

// prettier-ignore
export const report: Command = {
  path: ['report'], summary: 'Write a page of figures and charts about a period',
  about: 'Writes one HTML file that needs no network and no script, by default about the last 30 days. With --month alone, it begins with the money of that month: what couriers billed and what they should have, disputes, COD, RTO. Reads the data on this computer or a mirror. Replaces an earlier report; to replace any other file, add --force.',
  args: [],
  flags: [
    { name: 'out', kind: 'text', value: '<file>', help: 'Write to this file, or - for standard output', group: 'Report', default: 'report.html' },
    { name: 'force', kind: 'switch', help: 'Replace a file that is not a report', group: 'Report' },
    ...shipmentQuestion.map((flag) => (flag.name === 'since' ? { ...flag, default: '30d' } : flag)),
  ],
  examples: [
    { about: 'Report on the last 30 days', line: 'shipx report' },
    { about: 'Report on the last 90 days', line: 'shipx report --since 90d' },
    { about: "A month with its money: bills, disputes, COD, returns", line: 'shipx report --month 2026-09 --out september.html' },
    { about: 'Report on one store and one quarter', line: 'shipx report --store acme --since 2026-07-01 --until 2026-09-30 --out acme.html' },
    { about: 'Print the same figures for a program', line: 'shipx report --json' },
  ],
  output: '{data: {generated_at, source, period, filters, sample_data, few_below, totals, flow: [], volume: {step, rows: [], undated}, by_zone, by_carrier, by_city: {rows: [], others}, by_payment: [], days_to_deliver, returns, returns_left_out, money: {month, invoices, unbilled, disputes, cod, findings: []}}}',
  exits: `${read}, or the file exists already`,
}
