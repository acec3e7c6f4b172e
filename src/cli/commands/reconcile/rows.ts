// The commands that compare what couriers billed with what the contract says.
import type { Command } from '../../command/tree.ts'
import { formNames } from '../../../domain/money/forms.ts'
import { verdicts } from '../../../domain/money/billed.ts'
import { dryRun, mapFlags, sheetFlag } from '../rows/flags.ts'
import { groupings } from './groups.ts'

// prettier-ignore
export const reconciles: readonly Command[] = [
  {
    path: ['reconcile', 'invoice'],
    summary: "Compare a courier's invoice or passbook with your rate card, line by line, in rupees",
    about: 'Finds each AWB among your shipments, prices it by the version of the card of its pickup day, and says the difference in parts that add up to it. A line that cannot be judged is unknown, and never counts as ok. Keeps the invoice: the same file again changes nothing and prints the same, and later invoices find what was billed before.',
    args: [{ name: 'file', help: 'A CSV, Excel workbook or JSON Lines file, or - for standard input' }],
    flags: [
      { name: 'courier', kind: 'text', value: '<courier>', help: 'Whose invoice it is, as your parcels name the courier (default: what the form or the line says)', group: 'Invoice' },
      { name: 'format', kind: 'text', value: '<form>', choices: formNames, help: 'Read the file in this form (default: by its header)', group: 'Invoice' },
      { name: 'number', kind: 'text', value: '<number>', help: 'Number of the invoice, where the file does not say it', group: 'Invoice' },
      { name: 'date', kind: 'text', value: '<day>', help: 'Day of the invoice, where the file does not say it', group: 'Invoice' },
      { name: 'unit', kind: 'text', value: '<g|kg>', choices: ['g', 'kg'], help: 'Unit of the weights in the file', group: 'Invoice' },
      { name: 'gst', kind: 'text', value: '<how>', choices: ['included', 'none'], help: 'Whether the amounts of a file without columns of GST have GST in them', group: 'Invoice', default: 'none' },
      { name: 'parcels', kind: 'text', value: '<file>', help: 'What was shipped, where the database does not have it: the columns of rates --file, with the AWB as ref', group: 'Invoice', offers: 'files' },
      { name: 'card', kind: 'text', value: '<file|name>', help: 'Use this rate card: a file (.json, .csv, .xlsx) or the name of a rate card (default: the one in use)', group: 'Judging' },
      { name: 'card-sheet', kind: 'text', value: '<sheet>', help: 'Sheet of the workbook that --card names: its name or number (default: the first)', group: 'Judging' },
      { name: 'no-card', kind: 'switch', help: 'Compare lines of one courier, zone, slab, payment and journey with each other: no rate card is needed', group: 'Judging', excludes: ['card', 'card-sheet', 'order', 'weight-tolerance'] },
      { name: 'no-parcels', kind: 'switch', help: 'With --no-card: look at the file alone, and not for your parcels', group: 'Judging', excludes: ['parcels'] },
      { name: 'infer-card', kind: 'text', value: '<file>', help: 'Write the tariff that explains most lines, as a sheet for ratecard import', group: 'Judging', offers: 'files' },
      { name: 'order', kind: 'text', value: '<part>', choices: ['zone', 'weight'], help: 'Which part of the freight is taken off first where zone and weight both differ', group: 'Judging', default: 'zone' },
      { name: 'tolerance', kind: 'text', value: '<rupees>', help: 'A difference below this is rounding', group: 'Judging', default: '1' },
      { name: 'weight-tolerance', kind: 'text', value: '<weight|%>', help: 'Accept a billed weight that is so much above yours: 50g or 5%', group: 'Judging', default: '0' },
      { name: 'only', kind: 'text', value: '<verdict>', choices: verdicts, help: 'Print only lines with this verdict', group: 'Show' },
      { name: 'by', kind: 'text', value: '<key>', choices: groupings, help: 'Add the differences up by this', group: 'Show', default: 'reason' },
      { name: 'explain', kind: 'text', value: '<awb>', help: 'Print only the lines of this AWB, with every rupee explained', group: 'Show' },
      { name: 'mail', kind: 'switch', help: "Print the text of a mail to the courier's desk instead of the page", group: 'Show' },
      { name: 'out', kind: 'text', value: '<file.html>', help: 'Also write an HTML page with charts and the dearest lines, or - for standard output', group: 'Show', offers: 'files' },
      ...mapFlags,
      sheetFlag,
      dryRun,
      { name: 'replace', kind: 'switch', help: 'Keep this file in the place of another one with the same number', group: 'Safety' },
      { name: 'force', kind: 'switch', help: 'Read the file although most of its AWBs are not yours; replace a file of --out, --xlsx or --infer-card', group: 'Safety' },
    ],
    examples: [
      { about: 'What was billed too much, and why', line: 'shipx reconcile invoice september.xlsx --dry-run' },
      { about: 'Every line for a script', line: 'shipx reconcile invoice september.csv --dry-run --jsonl' },
      { about: 'Keep it', line: 'shipx reconcile invoice september.csv --number INV/26-27/0917 --date 2026-10-03' },
      { about: 'One parcel in words', line: 'shipx reconcile invoice september.csv --dry-run --explain 34817809263810' },
      { about: "The sheet for the courier's desk", line: 'shipx reconcile invoice september.csv --dry-run --only over --excel' },
      { about: 'The mail that goes with it', line: 'shipx reconcile invoice september.csv --dry-run --mail' },
      { about: 'Without a contract: lines of one kind that differ', line: 'shipx reconcile invoice september.csv --dry-run --no-card' },
      { about: 'The tariff that explains the bill, as a card', line: 'shipx reconcile invoice september.csv --dry-run --no-card --infer-card tariff.csv' },
      { about: 'A page to print or to send', line: 'shipx reconcile invoice september.csv --dry-run --out september.html' },
      { about: 'A workbook for the accountant', line: 'shipx reconcile invoice september.csv --dry-run --xlsx accountant.xlsx' },
      { about: 'A file with headers of its own', line: 'shipx reconcile invoice bill.csv --dry-run --map "Chg wt=weight_kg" --map "Bill amt=total"' },
    ],
    output: '{data: [{invoice, line, awb, order, courier, journey, status, picked_up, card, zone, zone_billed, weight, weight_billed, slab, slab_billed, billed, expected, difference, verdict, category, reasons: [{code, amount, text}], gst_billed, gst_expected, before: [{invoice, amount}], dispute_by, evidence, gst, weight_by, zone_by, matched_by}]}',
    exits: '0 done, also with differences · 2 bad input, or a file that is no invoice of yours · 5 another file has this number · 7 some lines cannot be read · 8 needs --yes · 130 interrupted, or you said no',
  },
  {
    path: ['reconcile', 'formats'],
    summary: "Show the forms of couriers' invoices that shipx reads: headers, units, signs",
    args: [{ name: 'form', help: 'Only this form, with each of its headers', many: true }],
    flags: [{ name: 'check', kind: 'text', value: '<file>', help: 'Say which form a file has, and why', group: 'Show', offers: 'files' }, ...mapFlags],
    examples: [
      { about: 'All forms', line: 'shipx reconcile formats' },
      { about: 'The headers of one', line: 'shipx reconcile formats delhivery' },
      { about: 'Which form is this?', line: 'shipx reconcile formats --check september.csv' },
    ],
    output: '{data: [{form, title, shape, weights, note}]}; of one form or file {data: [{header, field}]}',
    exits: '0 done · 2 no such form, or a file that is no invoice',
  },
]
