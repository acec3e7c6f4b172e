// Judged COD in the help: what it looks like under --json, and the flags that narrow it down.
import { codWords } from '../../../domain/money/codjudge.ts'
import type { Flag } from '../../command/tree.ts'

export const codShape =
  '{data: [{awb, order, courier, delivered, due_date, due, remitted, fee, adjusted, unexplained, difference, ' +
  'verdict, utr, remitted_on, days_late, bank, fee_due, matched_by, before: [{remittance, amount}]}], ' +
  'bank: [{utr, file, bank, difference, verdict, date, narration, candidates: [{line, date, amount, narration}]}], ' +
  'deductions: [{name, amount, lines, utr}], left_out}'

/** What `reconcile cod` and `cod get` print of it. */
export const codShowFlags: readonly Flag[] = [
  {
    name: 'only',
    kind: 'list',
    value: '<verdict,…>',
    choices: codWords,
    help:
      'Print only parcels with one of these verdicts, with a deduction without a reason, or whose transfer is not in ' +
      'the bank',
    group: 'Show',
  },
  {
    name: 'mail',
    kind: 'switch',
    help: "Print the text of a mail to the courier's COD desk instead of the page",
    group: 'Show',
  },
]
