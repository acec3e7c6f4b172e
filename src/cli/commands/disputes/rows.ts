// The commands of disputes.
import type { Command, Flag } from '../../command/tree.ts'
import { reasonCodes } from '../../../domain/money/billed.ts'
import { disputeStatuses, givenStatuses } from '../../../domain/money/disputes.ts'
import { proofs } from '../../../domain/money/proofs.ts'
import { dryRun, fileFlags } from '../rows/flags.ts'

const shape =
  '{id, awb, order, courier, invoice, line, journey, reason, amount, status, due_at, accepted, credited, ' +
  'missing: [], files, changed_at, note}'

// prettier-ignore
const filters: readonly Flag[] = [
  { name: 'courier', kind: 'text', value: '<courier>', help: 'Only disputes with this courier: its id, its code or part of its name', group: 'Filters' },
  { name: 'status', kind: 'list', value: '<status,…>', choices: disputeStatuses, help: 'Only disputes with these statuses (default: those with something left to do)', group: 'Filters' },
  { name: 'min', kind: 'text', value: '<₹>', help: 'Only disputes about at least this amount, for example 10', group: 'Filters' },
]

// prettier-ignore
export const disputes: readonly Command[] = [
  {
    path: ['disputes', 'list'],
    summary: 'List what to dispute and what lapses, the most urgent first', args: [],
    about: 'What was accepted and not credited for 30 days stands at the top. `missing` says which evidence the policy of the courier still wants.',
    flags: [
      { name: 'due', kind: 'text', value: '<span>', help: 'Only what lapses within this time, or waits too long: 3d, 12h. With --quiet, exit 7 says that there is something', group: 'Filters' },
      ...filters,
      { name: 'limit', kind: 'text', value: '<n|all>', help: 'Show at most this many disputes, for example 50', group: 'List', default: '20' },
    ],
    examples: [
      { about: 'What lapses within three days', line: 'shipx disputes list --due 3d' },
      { about: 'In cron: exit 7 when something lapses within two days', line: 'shipx disputes list --due 2d --quiet' },
      { about: 'What lapsed, for a spreadsheet', line: 'shipx disputes list --status lapsed --limit all --csv' },
    ],
    output: `{data: [${shape}]}`, exits: '0 done, also when there is none · 2 bad input · 7 with --due and --quiet, something is due',
  },
  {
    path: ['disputes', 'get'],
    summary: 'Show a dispute with everything that happened to it',
    args: [{ name: 'dispute', help: 'Its number, or the AWB of its parcel' }], flags: [],
    examples: [{ about: 'What happened to a dispute', line: 'shipx disputes get D1' }],
    output: `{data: {${shape.slice(1, -1)}, events: [{at, status, amount, by, source, note}], evidence: [{name, shows, bytes, sha256}]}}`, exits: '0 done · 2 the parcel has several disputes · 3 no such dispute',
  },
  {
    path: ['disputes', 'create'],
    summary: 'Open a dispute of each line that costs too much, grouped for sending',
    args: [{ name: 'number', help: 'With --from invoice: the number of the invoice' }],
    about: 'The deadline of a weight comes from the policy of the courier (shipx courier policy). Run it again as often as you like: a line has one dispute.',
    flags: [
      { name: 'from', kind: 'text', value: '<source>', choices: ['invoice'], help: 'Take one invoice: --from invoice INV/26-27/0917 (default: all kept invoices)', group: 'Lines' },
      { name: 'reason', kind: 'list', value: '<reason,…>', choices: reasonCodes, help: 'Only lines with these main reasons, for example weight,zone', group: 'Lines' },
      { name: 'min', kind: 'text', value: '<₹>', help: 'Only lines that cost at least this much too much, for example 5', group: 'Lines' },
      { name: 'courier', kind: 'text', value: '<courier>', help: 'Only invoices of this courier: its id, its code or part of its name', group: 'Lines' },
      { name: 'announced', kind: 'text', value: '<day>', help: 'The day on which the courier announced the weights, where its policy counts from there', group: 'Deadline' },
      dryRun,
    ],
    examples: [
      { about: 'All of an invoice', line: 'shipx disputes create --from invoice INV/26-27/0917' },
      { about: 'Weights and zones from ₹5 on', line: 'shipx disputes create --reason weight,zone --min 5' },
    ],
    output: '{data: [{courier, invoice, reason, disputes, amount, due_at, lapsed}]}', exits: '0 done, also when there is nothing new · 2 bad input · 3 no such invoice',
  },
  {
    path: ['disputes', 'export'],
    summary: 'Write the sheet of disputes for a courier, with the evidence, and mark them as raised', args: [],
    about: "The sheet has the column names of the courier's own bill where they are known. Files of evidence are named after the AWB.",
    flags: [
      { ...filters[0]!, help: 'The courier that the sheet is for' },
      { ...filters[1]!, help: 'Disputes with these statuses (default: found, and with --late those that lapsed)' },
      filters[2]!,
      { name: 'mark', kind: 'text', value: '<status>', choices: ['raised'], help: 'Mark what the sheet has as raised', group: 'Sheets' },
      { name: 'late', kind: 'switch', help: 'With --mark raised: also what lapsed by the policy', group: 'Sheets' },
      { name: 'zip', kind: 'text', value: '<file>', help: 'Write the sheet and the evidence into this ZIP', group: 'Sheets', offers: 'files', excludes: ['out'] },
      { name: 'out', kind: 'text', value: '<folder>', help: 'Write the sheet and the evidence into this folder', group: 'Sheets', offers: 'folders' },
      { name: 'force', kind: 'switch', help: 'Replace files that are there already', group: 'Safety' },
      dryRun,
    ],
    examples: [
      { about: 'The sheet alone', line: 'shipx disputes export --courier deccan --csv' },
      { about: 'With the evidence, and mark them as raised', line: 'shipx disputes export --courier deccan --zip disputes.zip --mark raised' },
    ],
    output: "{data: [a record for each dispute, with the courier's own columns]}", exits: '0 done, also when there is none · 2 bad input',
  },
  {
    path: ['disputes', 'set'],
    summary: "Set what became of disputes, one by one or by a sheet of the courier's answers",
    args: [{ name: 'dispute', help: 'Numbers of disputes, or AWBs of their parcels', many: true }],
    flags: [
      { name: 'status', kind: 'text', value: '<status>', choices: givenStatuses, help: 'What became of them; credited comes from the credit note: shipx reconcile invoice', group: 'Answer' },
      { name: 'amount', kind: 'text', value: '<₹>', help: 'With partly: what the courier accepted', group: 'Answer' },
      { name: 'note', kind: 'text', value: '<text>', help: 'What the courier says', group: 'Answer' },
      { name: 'late', kind: 'switch', help: 'With --status raised: also after the deadline', group: 'Answer' },
      { name: 'file', kind: 'text', value: '<file|->', help: 'Read answers from CSV, an Excel workbook or JSON Lines: awb or id, status, amount, note', group: 'File', excludes: ['<dispute>', 'status', 'amount', 'note'] },
      ...fileFlags(['sheet', 'template', 'force']),
      dryRun,
    ],
    examples: [
      { about: 'The courier accepted a part', line: 'shipx disputes set D1 --status partly --amount 10' },
      { about: 'A sheet of answers', line: 'shipx disputes set --file outcomes.csv --yes' },
    ],
    output: `{data: [${shape}]}; of a file {rows, created, unchanged, failed}`,
    exits: '0 done · 2 bad input, shipx changed nothing · 3 no such dispute · 5 the dispute cannot become that, or its deadline has passed · 7 some rows of the file failed · 8 a file needs --yes · 130 interrupted, or you said no',
  },
  {
    path: ['disputes', 'evidence'],
    summary: 'Attach photographs to a parcel, and show what its dispute still wants',
    args: [{ name: 'awb', help: 'The AWB of the parcel, or the number of its dispute' }, { name: 'file', help: 'Pictures, films or PDFs, at most 20 MB each', many: true }],
    about: 'shipx keeps the files in its data folder, for you alone. What a file shows is read off its name (7001-length.jpg), or named with --shows.',
    flags: [
      { name: 'shows', kind: 'list', value: '<proof,…>', choices: proofs, help: 'What these files show', group: 'Evidence' },
      dryRun,
    ],
    examples: [
      { about: 'Two pictures whose names say what they show', line: 'shipx disputes evidence 34817809263810 length.jpg scale-label.jpg' },
      { about: 'What is attached, and what is missing', line: 'shipx disputes evidence 34817809263810' },
    ],
    output: '{data: [{awb, name, shows, bytes, sha256}]}', exits: '0 done · 2 a file cannot be read, shipx kept none · 3 no dispute about this parcel',
  },
]
