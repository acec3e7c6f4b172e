// The commands of kept invoices, and of what was billed for a parcel.
import type { Command } from '../../command/tree.ts'
import { lineWords } from '../../../domain/money/billed.ts'
import { groupings } from '../reconcile/groups.ts'
import { asking, dryRun } from '../rows/flags.ts'

const shape =
  '{number, state, courier, day, form, card, gst, lines, billed, expected, over, over_lines, under, under_lines, ' +
  'unknown_lines, credit_lines, reasons: [{code, lines, amount}], wrong_totals: [{line, printed, sum}], ' +
  'dispute_by, read_at, replaced_at}'

// prettier-ignore
export const invoices: readonly Command[] = [
  {
    path: ['invoices', 'list'],
    summary: 'List the invoices read so far: billed, expected, over and under',
    args: [], flags: [{ name: 'courier', kind: 'text', value: '<courier>', help: 'Only invoices of this courier: its id, its code or part of its name', group: 'Filters' }],
    examples: [{ about: 'The latest first', line: 'shipx invoices list' }],
    output: `{data: [${shape}]}`, exits: '0 done, also when there is none',
  },
  {
    path: ['invoices', 'get'],
    summary: 'Show an invoice with its reasons; with --lines, each of its lines',
    args: [{ name: 'number', help: 'The number of the invoice, exactly as in shipx invoices list' }],
    flags: [
      { name: 'courier', kind: 'text', value: '<courier>', help: 'The invoice of this courier, where several have the number; "" for one of no courier', group: 'Invoice' },
      { name: 'lines', kind: 'switch', help: 'Print the lines as shipx reconcile invoice does', group: 'Show' },
      { name: 'only', kind: 'list', value: '<verdict|reason,…>', choices: lineWords, help: 'With --lines: only those with one of these verdicts or reasons', group: 'Show' },
      { name: 'by', kind: 'text', value: '<key>', choices: groupings, help: 'Add the differences up by this', group: 'Show', default: 'reason' },
      { name: 'mail', kind: 'switch', help: "Print the text of a mail to the courier's desk instead of the page", group: 'Show', excludes: ['lines'] },
      { name: 'out', kind: 'text', value: '<file.html>', help: 'Also write an HTML page with charts and the dearest lines, or - for standard output', group: 'Show', offers: 'files' },
      { name: 'force', kind: 'switch', help: 'Replace a file of --out or --xlsx that shipx did not write', group: 'Safety' },
    ],
    examples: [
      { about: 'Its sums and reasons', line: 'shipx invoices get INV/26-27/0917' },
      { about: 'A workbook of it: summary, reasons, patterns and lines', line: 'shipx invoices get INV/26-27/0917 --xlsx accountant.xlsx' },
      { about: 'A page to print or to send', line: 'shipx invoices get INV/26-27/0917 --out september.html' },
      { about: "The mail to the courier's desk", line: 'shipx invoices get INV/26-27/0917 --mail' },
      { about: 'What was billed too much', line: 'shipx invoices get INV/26-27/0917 --lines --only over --csv' },
    ],
    output: `{data: ${shape}}; with --lines {data: [the records of reconcile invoice]}`, exits: '0 done · 2 several couriers have the number · 3 no such invoice',
  },
  {
    path: ['invoices', 'remove'],
    summary: 'Take back an invoice with its lines',
    args: [{ name: 'number', help: 'The number of the invoice' }],
    flags: [{ name: 'courier', kind: 'text', value: '<courier>', help: 'The invoice of this courier, where several have the number; "" for one of no courier', group: 'Invoice' }, dryRun],
    examples: [{ about: 'It was the wrong file', line: 'shipx invoices remove INV/26-27/0917 --yes' }],
    output: `{data: ${shape}}`, exits: `0 done · 2 several couriers have the number · 3 no such invoice · ${asking}`,
  },
  {
    path: ['invoices', 'unbilled'],
    summary: 'List parcels that were picked up and that no invoice bills yet, with what they will cost by the card',
    args: [],
    flags: [
      { name: 'since', kind: 'text', value: '<when>', help: 'Picked up from this day on', group: 'Filters' },
      { name: 'until', kind: 'text', value: '<when>', help: 'Picked up until this day (default: now)', group: 'Filters' },
      { name: 'month', kind: 'text', value: '<month>', help: 'Picked up in this month: 2026-09, September, last-month', group: 'Filters', excludes: ['since', 'until'] },
      { name: 'courier', kind: 'text', value: '<courier>', help: 'Only parcels that went with this courier: its id, its code or part of its name', group: 'Filters' },
      { name: 'card', kind: 'text', value: '<file|name>', help: 'Price by this rate card (default: the one in use)', group: 'Judging' },
    ],
    examples: [{ about: 'What September will still cost', line: 'shipx invoices unbilled --month 2026-09 --csv' }],
    output: '{data: [{awb, order, courier, journey, status, picked_up, card, zone, weight, expected}]}', exits: '0 done, also when there is none · 2 bad input',
  },
  {
    path: ['shipments', 'cost'],
    summary: 'Show everything that couriers billed for a parcel, and what COD they remitted for it',
    args: [{ name: 'awb', help: 'AWBs', many: true }],
    flags: [],
    examples: [{ about: 'The ledger of a parcel', line: 'shipx shipments cost 34817809263810' }],
    output: '{data: [{awb, invoice, day, courier, journey, billed, expected, difference, verdict, category, net, remitted}]}', exits: '0 done, also when nothing was billed · 2 bad input',
  },
]
