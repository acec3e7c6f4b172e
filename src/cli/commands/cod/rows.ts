// The commands of COD that couriers owe, and of the remittances that were read.
import type { Command, Flag } from '../../command/tree.ts'
import { codKinds } from '../../../engine/money/documents.ts'
import { codShape, codShowFlags } from '../reconcile/codshape.ts'
import { dueWords } from './ages.ts'
import { asking, dryRun } from '../rows/flags.ts'

const shape = '{number, state, kind, courier, day, lines, amount, due, form, read_at, replaced_at}'

const whose: Flag = {
  name: 'courier',
  kind: 'text',
  value: '<courier>',
  help: 'The remittance of this courier, where several have the number',
  group: 'Remittance',
}

// prettier-ignore
export const cods: readonly Command[] = [
  {
    path: ['cod', 'due'],
    summary: 'What couriers owe of COD, by courier and age, by parcel, or as a forecast',
    about: 'Delivered COD parcels that no remittance pays in full (shipx reconcile cod). What a kept bank statement lacks of a remittance does not count as paid: not_in_bank. not_compared is what was never compared with one. COD is due the cycle after delivery, then on the next credit day: by --cycle, else by the policy of the courier (shipx courier policy). The forecast adds what is on its way, with the share that history delivers, and says how far it was off by money in the last eight weeks: all misses of what came.',
    args: [],
    flags: [
      { name: 'as-of', kind: 'text', value: '<day>', help: 'What was owed at the end of this day in India, by what was delivered and remitted until then (default: now)', group: 'Filters' },
      { name: 'month', kind: 'text', value: '<month>', help: 'As of the end of this month; of the current month, as of now', group: 'Filters' },
      { name: 'courier', kind: 'text', value: '<courier>', help: 'Only what this courier owes: its id, its code or part of its name', group: 'Filters' },
      { name: 'since', kind: 'text', value: '<when>', help: 'Only parcels delivered from this day on', group: 'Filters' },
      { name: 'until', kind: 'text', value: '<when>', help: 'Only parcels delivered until this day', group: 'Filters' },
      { name: 'cycle', kind: 'text', value: '<window>', help: 'COD is due so long after delivery: 7wd, 2d or 48h (default: the policy of the courier)', group: 'Show' },
      { name: 'parcels', kind: 'switch', help: 'One record for each parcel; --jsonl and --ids have them anyway', group: 'Show' },
      { name: 'late', kind: 'switch', help: 'With --parcels: only parcels whose COD is late', group: 'Show' },
      { name: 'only', kind: 'list', value: '<age,…>', choices: dueWords, help: 'With --parcels: only these ages, what is late, or what the bank never got', group: 'Show' },
      { name: 'unexplained', kind: 'switch', help: 'What remittances took off without a reason, line by line', group: 'Show' },
      { name: 'twice', kind: 'switch', help: 'The parcels that were paid twice', group: 'Show' },
      { name: 'forecast', kind: 'switch', help: 'Expected credits of the next 14 days, and the error of the last eight weeks', group: 'Show' },
    ],
    examples: [
      { about: 'Who owes how much, and for how long', line: 'shipx cod due' },
      { about: 'The parcels of one courier, for its desk', line: 'shipx cod due --courier deccan --parcels --late --excel' },
      { about: 'What remittances pay and the bank never got', line: 'shipx cod due --parcels --only "not in bank"' },
      { about: 'What was owed at the end of last month', line: 'shipx cod due --month last-month' },
      { about: 'What to ask the courier for: deductions without a reason', line: 'shipx cod due --unexplained' },
      { about: 'What will come in', line: 'shipx cod due --forecast' },
    ],
    output: '{data: [{courier, parcels, owed, not_due, due_today, late_1_3, late_4_7, late_8_15, late_over_15, late, not_in_bank, remitted, not_compared, oldest_due, cycle}], as_of, unexplained, paid_twice}; with --parcels {data: [{awb, order, courier, delivered, due_date, age, days_late, due, remitted, owed, not_in_bank, not_compared}], as_of}; with --unexplained or --twice {data: [{kind, awb, order, courier, remittance, utr, remitted_on, due, remitted, amount}]}; with --forecast {data: [{date, delivered, on_the_way, expected}], overdue, error_percent, weeks: [{week, forecast, due, came, error_percent}]}',
    exits: '0 done, also when nothing is owed · 2 bad input',
  },
  {
    path: ['cod', 'list'],
    summary: 'List the remittances and bank statements read so far',
    args: [], flags: [{ name: 'kind', kind: 'text', value: '<kind>', choices: codKinds, help: 'Only documents of this kind', group: 'Filters' }],
    examples: [{ about: 'The latest first', line: 'shipx cod list' }],
    output: `{data: [${shape}]}`, exits: '0 done, also when there is none',
  },
  {
    path: ['cod', 'get'],
    summary: 'Show a kept remittance as it was judged, or as a mail to the COD desk',
    about: 'As shipx reconcile cod prints the same file again, with what the kept bank statements say of its transfers.',
    args: [{ name: 'number', help: 'Its number, exactly as in shipx cod list' }],
    flags: [
      whose,
      ...codShowFlags,
    ],
    examples: [
      { about: 'What was wrong', line: 'shipx cod get remittance' },
      { about: 'The mail to the COD desk', line: 'shipx cod get remittance --mail' },
      { about: 'The parcels whose transfer the bank never got', line: 'shipx cod get remittance --only "not in bank" --excel' },
    ],
    output: codShape, exits: '0 done · 2 bad input · 3 no such remittance',
  },
  {
    path: ['cod', 'remove'],
    summary: 'Take back a remittance or a bank statement with its lines',
    args: [{ name: 'number', help: 'Its number, exactly as in shipx cod list' }],
    flags: [whose, dryRun],
    examples: [{ about: 'It was the wrong file', line: 'shipx cod remove remittance --yes' }],
    output: `{data: ${shape}}`, exits: `0 done · 3 no such remittance · ${asking}`,
  },
]
