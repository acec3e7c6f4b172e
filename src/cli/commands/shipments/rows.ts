// The commands of shipments and returns.
import { returnFilters, returnSorts } from '../../../domain/parcels/returns.ts'
import { shipmentFilters } from '../../../domain/parcels/shipments.ts'
import { keysOf } from '../../../domain/keysof.ts'
import { qcStatuses, refundStatuses, shipmentBuckets, shipmentStatuses } from '../../../domain/parcels/statuses.ts'
import type { Command, Flag } from '../../command/tree.ts'
import {
  api,
  between,
  fileFlags,
  dryRun,
  fieldFlag,
  listAnywhere,
  readAnywhere,
  paging,
  questionFlags,
  sheetFlag,
  sorting,
  splitFlags,
} from '../rows/flags.ts'
import { returnKeys, shipmentKeys } from '../../../domain/parcels/summary.ts'
import { rtoKeys } from '../../../domain/parcels/rto.ts'
import { shownKeys } from '../../../domain/parcels/words.ts'

/** The filters of a query for shipments. */
export const shipmentQuestion: readonly Flag[] = [
  ...questionFlags('shipments', shipmentFilters, [
    {
      name: 'order',
      kind: 'list',
      value: '<order,…>',
      help: 'Only shipments of these orders, with or without the # of their number',
      group: 'Filters',
    },
    {
      name: 'payment',
      kind: 'text',
      value: '<how>',
      choices: ['cod', 'prepaid'],
      help: 'Only shipments that are paid like this',
      group: 'Filters',
      excludes: ['cod', 'prepaid'],
    },
    { name: 'cod', kind: 'switch', help: 'Only cash on delivery, as --payment cod', group: 'Filters' },
    {
      name: 'prepaid',
      kind: 'switch',
      help: 'Only prepaid shipments, as --payment prepaid',
      group: 'Filters',
      excludes: ['cod'],
    },
  ]),
  ...between,
  fieldFlag('listShipments', 'date_field', 'Filters', { default: 'created_at' }),
]

/** The sheets of a list contain everything that matches. */
const listSplit: readonly Flag[] = splitFlags.map((flag) =>
  flag.name === 'split-by'
    ? { ...flag, help: `${flag.help}; all records, or as many as --limit says`, excludes: ['page', 'per-page'] }
    : flag,
)

/** For queries that a deployment may answer without filtering. */
export const strict: Flag = {
  name: 'strict',
  kind: 'switch',
  help: 'Fail if the service ignores a filter (default: warn)',
  group: 'Filters',
}

/** The filters of a query for returns. */
// prettier-ignore
export const returnQuestion: readonly Flag[] = [
  ...questionFlags('returns', returnFilters, [
    { name: 'qc', kind: 'list', value: '<status,…>', choices: qcStatuses, help: 'Only returns with these results of the quality check, as --qc-status', group: 'Filters' },
    { name: 'refund', kind: 'list', value: '<status,…>', choices: refundStatuses, help: 'Only returns with these refund statuses, as --refund-status', group: 'Filters' },
  ]),
  ...between,
]

const watching: readonly Flag[] = [
  {
    name: 'every',
    kind: 'text',
    value: '<time>',
    help: 'Update after this time: 10s, 5m',
    group: 'When',
    default: '30s',
  },
  {
    name: 'limit',
    kind: 'text',
    value: '<n>',
    help: 'Watch this many records, at most 100',
    group: 'Order',
    default: '20 on a terminal, else 100',
  },
]

const watchShape = '{event, at, id, type, attributes} on a line for each change; the event is new, changed or gone'
const watchExits =
  '0 you stopped it with Ctrl-C · 2 bad input · 4 not signed in · 130 you stopped it before the first answer'

// prettier-ignore
export const shipments: readonly Command[] = [
  {
    path: ['shipments', 'list'], summary: 'List forward shipments', args: [],
    flags: [
      ...shipmentQuestion,
      strict,
      ...sorting('listShipments'),
      ...paging,
      ...listSplit,
    ],
    examples: [
      { about: 'List the open parcels of one courier', line: 'shipx shipments list --open --courier blueline' },
      { about: 'List parcels on their way that were created in the last week', line: 'shipx shipments list --status in_transit,out_for_delivery --since 7d' },
      { about: 'List COD parcels in two zones with two or more attempts', line: 'shipx shipments list --cod --zone d,e --attempts-count-gte 2' },
      { about: 'Write the parcels in transit to two states to a spreadsheet', line: 'shipx shipments list --status in_transit --state Karnataka,DL --all --excel' },
      { about: 'Write the parcels delivered in September to a spreadsheet', line: 'shipx shipments list --date-field delivered_at --since 2026-09-01 --until 2026-09-30 --all --excel' },
      { about: 'Write the parcels in transit as one sheet for each courier', line: 'shipx shipments list --status in_transit --split-by courier --excel --out transit' },
    ],
    output: '{data: [{id, type, attributes}], meta: {current_page, per_page, total, next_search_after}}', exits: listAnywhere, api: api('listShipments'),
  },
  {
    path: ['shipments', 'get'], summary: 'Show a shipment with its journey, or list several',
    about: 'shipx lists several shipments in the order of the command line or the file. At the end it names those that it cannot find.',
    args: [{ name: 'shipment', help: "AWB, order number or id; quote a leading #: '#1500'", many: true }],
    flags: [
      { name: 'file', kind: 'text', value: '<awbs.txt>', help: 'Read tracking numbers, ids or order ids from a file: one on each line, or a column of a CSV or an Excel workbook (- for standard input)', group: 'Several', excludes: ['<shipment>'] },
      { ...sheetFlag, group: 'Several' },
      { name: 'concurrency', kind: 'number', value: '<n>', help: 'Send at most this many requests at the same time, for example 8', group: 'Several', default: '4' },
      { name: 'max-rps', kind: 'number', value: '<n>', help: 'Send at most this many requests a second, for example 5', group: 'Several' },
    ],
    examples: [{ about: 'Show a shipment by its tracking number', line: 'shipx shipments get 14344940012345' }, { about: 'Write the shipments of a file to a spreadsheet', line: 'shipx shipments get --file awbs.txt --excel' }],
    output: '{data: {id, type, attributes}}; for several {data: [{id, type, attributes}]}', exits: '0 done · 2 bad input · 3 no such shipment, or none of them · 4 not signed in, or refused · 6 temporary: run it again · 7 some are missing · 130 interrupted', api: api('listShipments'),
  },
  {
    path: ['shipments', 'watch'], summary: 'Show a list of shipments as it changes', args: [], live: true,
    about: 'On a terminal, shipx draws the list in place until you press Ctrl-C. Elsewhere it prints each change as a line of JSON, from the second update on. An update is one request. After a rate limit or a failure, shipx waits and continues.',
    flags: [...watching, ...shipmentQuestion, strict, ...sorting('listShipments')],
    examples: [
      { about: 'Watch what is out for delivery, every minute', line: 'shipx shipments watch --status out_for_delivery --every 1m' },
      { about: 'Print a line for each new failed delivery', line: 'shipx shipments watch --status ndr_raised --jsonl' },
    ],
    output: watchShape, exits: watchExits, api: api('listShipments'),
  },
  {
    path: ['shipments', 'wait'], summary: 'Wait until a shipment has a status, then show it', live: true,
    args: [{ name: 'shipment', help: "AWB, order number or id; quote a leading #: '#1500'" }],
    about: 'shipx stops at once if the shipment already has the status, or can no longer get it (for example cancelled or delivered).',
    flags: [
      { name: 'for', kind: 'list', value: '<status,…>', choices: [...new Set([...shipmentStatuses, ...keysOf(shipmentBuckets)])], help: 'Wait for any of these statuses or detailed statuses', group: 'Wait' },
      { name: 'timeout', kind: 'text', value: '<time>', help: 'Wait at most this long: 30m, 12h, 5d', group: 'Wait', default: '3d' },
      { name: 'every', kind: 'text', value: '<time>', help: 'Check again after this time: 30s, 5m', group: 'Wait', default: '1m' },
    ],
    examples: [{ about: 'Wait, then run another command', line: 'shipx shipments wait 14344940012345 --for delivered,rto_delivered --timeout 5d && echo over' }],
    output: '{data: {id, type, attributes}}', exits: '0 it has the status · 2 bad input · 3 no such shipment · 5 it can no longer get the status (wrong_state) · 6 the time is over (time_limit) · 130 interrupted', api: api('listShipments'),
  },
]

// prettier-ignore
export const returns: readonly Command[] = [
  {
    path: ['returns', 'list'], summary: 'List return orders', args: [],
    flags: [
      ...returnQuestion,
      strict,
      fieldFlag('listReturns', 'sort_by', 'Order and pages', { choices: returnSorts, default: 'created_at' }),
      ...sorting('listReturns'),
      ...paging,
      ...listSplit,
    ],
    examples: [
      { about: 'List returns that wait for a refund', line: 'shipx returns list --status return_received --refund pending' },
      { about: 'List returns that failed the quality check in the last 30 days', line: 'shipx returns list --qc failed --since 30d' },
    ],
    output: '{data: [{id, type, attributes}], meta: {current_page, per_page, total, next_search_after}}', exits: listAnywhere, api: api('listReturns'),
  },
  {
    path: ['returns', 'get'], summary: 'Show one return', args: [{ name: 'return', help: 'Number of the return (RT-5521) or its id' }], flags: [],
    examples: [{ about: 'Show a return by its display id', line: 'shipx returns get RT-5521' }],
    output: '{data: {id, type, attributes}}', exits: '0 done · 2 bad input · 3 no such return · 4 not signed in, or refused · 6 temporary: run it again', api: api('listReturns'),
  },
  {
    path: ['returns', 'watch'], summary: 'Show a list of returns as it changes', args: [], live: true,
    about: 'On a terminal, shipx draws the list in place until you press Ctrl-C. Elsewhere it prints each change as a line of JSON.',
    flags: [...watching, ...returnQuestion, strict, fieldFlag('listReturns', 'sort_by', 'Order', { choices: returnSorts, default: 'created_at' }), ...sorting('listReturns')],
    examples: [{ about: 'Watch the returns on their way back', line: 'shipx returns watch --status in_transit --every 5m' }],
    output: watchShape, exits: watchExits, api: api('listReturns'),
  },
]

const by = (choices: readonly string[]): Flag => ({
  name: 'by',
  kind: 'list',
  value: '<key,…>',
  choices: shownKeys(choices),
  help: 'Group by one or two of these keys',
  group: 'Summary',
  default: 'status',
})

const limit = (help: string): Flag => ({
  name: 'limit',
  kind: 'text',
  value: '<n|all>',
  help,
  group: 'Summary',
  default: 'all',
})

const costSwitch: Flag = {
  name: 'cost',
  kind: 'switch',
  help: 'Add what the parcels with a price cost, without cancelled ones: freight, cost, for each order, of their value',
  group: 'Summary',
}

const billedSwitch: Flag = {
  name: 'billed',
  kind: 'switch',
  help: 'Add what couriers billed for the parcels over all invoices, before GST: billed, expected, over, not billed',
  group: 'Summary',
}

const listLimit: Flag = { ...limit('Show at most this many parcels, for example 50'), group: 'List' }

/** The filters of a list that sets the status itself. */
const withoutStatus = shipmentQuestion.filter(
  ({ name }) => !['status', 'statuses', 'granular-status', 'open'].includes(name),
)

// prettier-ignore
const worklists: readonly Command[] = [
  {
    path: ['shipments', 'summary'], summary: 'Sum up shipments in groups: their number, value and outcome', args: [],
    about: 'The RTO share is the share of picked-up parcels that return to origin. An account at a host sends only counts; a mirror of it has the rest.',
    flags: [by(shipmentKeys), limit('Show at most this many groups, for example 10'), costSwitch, billedSwitch, ...shipmentQuestion, strict],
    examples: [
      { about: 'Sum up the last 30 days by zone', line: 'shipx shipments summary --by zone --since 30d' },
      { about: 'Find the zones and couriers where COD parcels come back', line: 'shipx shipments summary --by zone,courier --cod --csv' },
      { about: 'Sum up day by day', line: 'shipx shipments summary --by day --since 14d' },
      { about: 'Show what each courier cost this month', line: 'shipx shipments summary --by courier --month this-month --cost' },
      { about: 'Show what each courier billed, and what it should have', line: 'shipx shipments summary --by courier --month last-month --billed' },
    ],
    output: '{data: [{<key>, shipments, value, cod, picked_up, delivered, delivered_share, rto, rto_share, average_days}]}; with --cost also priced, freight, surcharges, cost, cost_per_order, cost_share; with --billed also billed_parcels, billed, expected, over, not_billed', exits: listAnywhere, api: api('listShipments'),
  },
  {
    path: ['shipments', 'rto'], summary: 'Show how many parcels come back to you, and what that costs', args: [],
    about: "RTO % is the share of settled parcels (delivered or sent back) that came back. The 95% range is what chance leaves likely. shipx reads this computer's records, or your copy of an account's records.",
    flags: [
      { ...by(rtoKeys), help: 'Group by each of these keys', default: 'all,payment,courier,week' },
      { name: 'cross', kind: 'switch', help: 'One group for each combination of the keys', group: 'Summary' },
      { name: 'like-for-like', kind: 'text', value: '<what>', choices: ['courier'], help: 'Compare couriers in your own mix of zone and payment', group: 'Summary' },
      { name: 'suggest', kind: 'text', value: '<what>', choices: ['cod-off'], help: 'Show the pincodes where COD loses money at your --margin', group: 'Summary' },
      { name: 'margin', kind: 'text', value: '<percent>', help: "What you earn of an order's value when it is delivered: 25%", group: 'Summary' },
      limit('Show at most this many groups of each key, for example 10'),
      ...shipmentQuestion,
    ],
    examples: [
      { about: 'Where and with whom do COD parcels come back?', line: 'shipx shipments rto --by pincode,courier --cod --since 90d' },
      { about: 'Week by week', line: 'shipx shipments rto --by week --since 180d' },
      { about: 'Which courier is better on the same lanes?', line: 'shipx shipments rto --like-for-like courier --since 180d' },
      { about: 'Where does COD lose money?', line: 'shipx shipments rto --suggest cod-off --margin 25% --since 365d' },
    ],
    output: '{data: [{by, key, orders, delivered, rto, settled, rto_percent, rto_percent_of_picked_up, first_attempt_percent, ndr_percent, ndr_recovered_percent, rto_cost, low, high, few, picked_up, settled_percent, cost_by, rto_unpriced}]}; with --like-for-like {data: [{courier, settled, rto, rto_percent, standardised_percent, account_percent, difference, covered_percent, low, high, missing, few}]}; with --suggest {data: [{pincode, settled, delivered, rto, rto_percent, low, break_even_percent, delivered_value, margin, rto_cost, saves, rto_unpriced}]}',
    exits: `${readAnywhere} · 3 nothing has ended yet`, api: api('listShipments'),
  },
  {
    path: ['shipments', 'stuck'], summary: 'List open parcels that no courier scanned for days', args: [],
    about: "shipx groups the parcels by courier, the oldest first. It reads this computer's records, or your copy of an account's records. At an account without a copy, shipx offers to pull one.",
    flags: [{ name: 'days', kind: 'number', value: '<n>', help: 'Show parcels without a scan for at least this many days', group: 'List', default: '3' }, listLimit, ...splitFlags, ...shipmentQuestion],
    examples: [
      { about: 'List the parcels of a store without a scan for a week', line: 'shipx shipments stuck --days 7 --store acme' },
      { about: 'Write one sheet for each courier, for Excel', line: 'shipx shipments stuck --split-by courier --excel --out stuck' },
    ],
    output: '{data: [{id, tracking_number, order, courier, status, store, customer, phone, city, last_scan_at, days}]}; with --split-by {data: [{file, courier, records}]}', exits: listAnywhere,
  },
  {
    path: ['shipments', 'ndr'], summary: 'List failed deliveries that wait for your answer', args: [],
    about: 'shipx lists the parcels without an answer first, the most urgent at the top. A courier tries three times. It waits two days for your answer, and one day after the last try.',
    flags: [listLimit, { name: 'unanswered', kind: 'switch', help: 'Show only those without an answer (shipx shipments ndr answer)', group: 'List' }, ...splitFlags, ...withoutStatus, strict],
    examples: [
      { about: 'Show whole phone numbers, to call customers', line: 'shipx shipments ndr --unanswered --show-pii' },
      { about: 'Write only COD parcels, for a spreadsheet', line: 'shipx shipments ndr --cod --csv' },
    ],
    output: '{data: [{id, tracking_number, order, courier, status, store, customer, phone, city, reason, attempts, attempts_left, failed_at, answer_by, days_left, cod, answer, reattempt_on, new_phone, new_address, new_pincode, note, answered_by, answered_at, sent_at}]}; with --split-by {data: [{file, courier, records}]}', exits: listAnywhere, api: api('listShipments'),
  },
  {
    path: ['shipments', 'ndr', 'answer'], summary: 'Save what you decided about failed deliveries: try again, a new phone or address, or RTO',
    about: 'shipx saves the answer on this computer, with your name and the time. The last answer counts. shipx sends nothing to the courier: shipx shipments ndr export writes its sheet.',
    args: [{ name: 'shipment', help: 'Tracking number, id or order id of a parcel in NDR', many: true }],
    flags: [
      { name: 'reattempt', kind: 'text', value: '<day>', help: 'Try again on this day: tomorrow, monday, 1 Oct, 2026-10-01', group: 'Answer', excludes: ['rto'] },
      { name: 'phone', kind: 'text', value: '<number>', help: 'Call this phone, for example 9876543210', group: 'Answer', excludes: ['rto'] },
      { name: 'address', kind: 'text', value: '<text>', help: 'Deliver to this address', group: 'Answer', excludes: ['rto'] },
      { name: 'pincode', kind: 'text', value: '<pincode>', help: 'Pincode of the new address, for example 560001', group: 'Answer', excludes: ['rto'] },
      { name: 'rto', kind: 'switch', help: 'Return the parcel to its origin', group: 'Answer' },
      { name: 'note', kind: 'text', value: '<text>', help: 'Tell the courier this, for example "after 6 pm"', group: 'Answer' },
      { name: 'file', kind: 'text', value: '<file|->', help: 'Read answers from CSV, an Excel workbook or JSON Lines: awb, answer, date, phone, address, pincode, note', group: 'File', excludes: ['<shipment>', 'reattempt', 'phone', 'address', 'pincode', 'rto', 'note'] },
      ...fileFlags(['sheet', 'template', 'force']),
      dryRun,
    ],
    examples: [
      { about: 'Try again tomorrow', line: 'shipx shipments ndr answer 34817414595336 --reattempt tomorrow --note "after 6 pm"' },
      { about: 'Return a parcel', line: 'shipx shipments ndr answer 34817414595336 --rto' },
      { about: 'Save a sheet of answers', line: 'shipx shipments ndr answer --file answers.csv --yes' },
    ],
    output: '{data: [{…, answer, reattempt_on, new_phone, new_address, new_pincode, note, answered_by, answered_at}]}; of a file {created, unchanged, failed}',
    exits: '0 done · 2 bad input, shipx saved nothing · 3 no such shipment · 4 not signed in, or refused · 5 the parcel is not in NDR · 6 temporary: run it again · 7 some rows of the file failed · 8 a file needs --yes · 130 interrupted, or you said no',
  },
  {
    path: ['shipments', 'ndr', 'export'], summary: 'Write the sheet of your answers for a courier', args: [],
    about: 'shipx writes the answers that it did not write before, and marks them as sent. The sheet has whole phone numbers, because the courier needs them: send it to nobody else. Answers to parcels that left NDR are in no sheet; shipx counts them.',
    flags: [
      { name: 'out', kind: 'text', value: '<file>', help: 'Write the sheet to this file; with --split-by, the sheets to this folder', group: 'Sheets', offers: 'files' },
      ...splitFlags.filter(({ name }) => name !== 'out'),
      { name: 'again', kind: 'switch', help: 'Also write the answers that were sent before', group: 'Sheets' },
      ...withoutStatus, strict, dryRun,
    ],
    examples: [
      { about: 'Write one sheet for each courier', line: 'shipx shipments ndr export --split-by courier --excel --out ndr' },
      { about: 'Write the sheet of one courier', line: 'shipx shipments ndr export --courier deccan --csv --out ndr-deccan.csv' },
    ],
    output: '{data: [{file, courier, records}]}', exits: listAnywhere, api: api('listShipments'),
  },
  {
    path: ['returns', 'summary'], summary: 'Sum up returns in groups: their number, value and outcome', args: [],
    about: 'An account at a host sends only counts; a mirror of it has the rest.',
    flags: [by(returnKeys), limit('Show at most this many groups, for example 10'), ...returnQuestion, strict],
    examples: [{ about: 'Find out why customers return things', line: 'shipx returns summary --by reason --since 90d' }],
    output: '{data: [{<key>, returns, value, received, received_share, cancelled, refunded, average_days}]}', exits: listAnywhere, api: api('listReturns'),
  },
]

/** Those of shipments, and those of returns. */
export const shipmentLists = worklists.filter(({ path }) => path[0] === 'shipments')

export const returnLists = worklists.filter(({ path }) => path[0] === 'returns')
