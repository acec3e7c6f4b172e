// The commands of shipments and returns.
import { returnFilters, returnSorts } from '../../../domain/parcels/returns.ts'
import { shipmentFilters } from '../../../domain/parcels/shipments.ts'
import {
  namesOf,
  qcStatuses,
  refundStatuses,
  shipmentBuckets,
  shipmentStatuses,
} from '../../../domain/parcels/statuses.ts'
import type { Command, Flag } from '../../command/tree.ts'
import { api, between, fieldFlag, filterFlags, paging, read, sorting } from '../rows/flags.ts'
import { returnKeys, shipmentKeys } from '../../../domain/parcels/summary.ts'

/** The filters of a query for shipments. */
export const shipmentQuestion: readonly Flag[] = [
  ...filterFlags('listShipments', shipmentFilters),
  { name: 'cod', kind: 'switch', help: 'Cash on delivery only; the same as --is-cod', group: 'Filters' },
  {
    name: 'prepaid',
    kind: 'switch',
    help: 'Prepaid only; the same as --is-cod false',
    group: 'Filters',
    excludes: ['cod'],
  },
  { name: 'store', kind: 'list', value: '<name,…>', help: 'The same as --store-name', group: 'Filters' },
  ...between,
  fieldFlag('listShipments', 'date_field', 'Filters', { default: 'created_at' }),
]

/** For queries that a deployment may answer without filtering. */
export const strict: Flag = {
  name: 'strict',
  kind: 'switch',
  help: 'Fail when the deployment ignores a filter, instead of a warning',
  group: 'Filters',
}

/** The filters of a query for returns. */
// prettier-ignore
export const returnQuestion: readonly Flag[] = [
  ...filterFlags('listReturns', returnFilters),
  { name: 'qc', kind: 'list', value: '<status,…>', choices: qcStatuses, help: 'The same as --qc-status', group: 'Filters' },
  { name: 'refund', kind: 'list', value: '<status,…>', choices: refundStatuses, help: 'The same as --refund-status', group: 'Filters' },
  { name: 'store', kind: 'list', value: '<name,…>', help: 'The same as --store-name', group: 'Filters' },
  ...between,
]

// prettier-ignore
const watching: readonly Flag[] = [
  { name: 'every', kind: 'text', value: '<time>', help: 'Time between two updates: 10s, 5m', group: 'When', default: '30s' },
  { name: 'limit', kind: 'text', value: '<n>', help: 'Records to watch, at most 100: one page', group: 'Order', default: '20 on a terminal, else 100' },
]

const watchShape = '{event, at, id, type, attributes} on a line for each change, an event being new, changed or gone'
const watchExits = '0 ended by Ctrl-C · 2 bad input · 4 not signed in · 130 ended before there was an answer'

// prettier-ignore
export const shipments: readonly Command[] = [
  {
    path: ['shipments', 'list'], summary: 'List forward shipments', args: [],
    flags: [
      ...shipmentQuestion,
      strict,
      ...sorting('listShipments'),
      ...paging,
    ],
    examples: [
      { about: 'On the way, created in the last week', line: 'shipx shipments list --status in_transit --since 7d' },
      { about: 'COD parcels in two zones with two or more attempts', line: 'shipx shipments list --cod --zone d,e --attempts-count-gte 2' },
      { about: 'Delivered in September, as a spreadsheet', line: 'shipx shipments list --date-field delivered_at --since 2026-09-01 --until 2026-09-30 --all --excel' },
    ],
    output: '{data: [{id, type, attributes}], meta: {current_page, per_page, total, next_search_after}}', exits: read, api: api('listShipments'),
  },
  {
    path: ['shipments', 'get'], summary: 'Show a shipment with its journey, or many as a list',
    about: 'Lists several in the order of the command line or the file, and names those that are missing at the end.',
    args: [{ name: 'shipment', help: 'Tracking number, id, or order id', many: true }],
    flags: [
      { name: 'file', kind: 'text', value: '<awbs.txt>', help: 'A file with one on each line, or - for standard input', group: 'Several', excludes: ['<shipment>'] },
      { name: 'concurrency', kind: 'number', value: '<n>', help: 'Requests to a deployment at the same time', group: 'Several', default: '4' },
      { name: 'max-rps', kind: 'number', value: '<n>', help: 'At most this many requests a second', group: 'Several' },
    ],
    examples: [{ about: 'By its tracking number', line: 'shipx shipments get 14344940012345' }, { about: 'Those of a file, as a spreadsheet', line: 'shipx shipments get --file awbs.txt --excel' }],
    output: '{data: {id, type, attributes}}, of several {data: [{id, type, attributes}]}', exits: '0 done · 3 no such shipment, or none of them · 7 some are missing · 130 interrupted', api: api('listShipments'),
  },
  {
    path: ['shipments', 'watch'], summary: 'Show a list of shipments as it changes', args: [], live: true,
    about: 'On a terminal, shipx draws the list in place and leaves it there at the end (Ctrl-C). Elsewhere it prints each change as a line of JSON, from the second update on. An update is one request. shipx waits out rate limits, reports failures and goes on.',
    flags: [...watching, ...shipmentQuestion, strict, ...sorting('listShipments')],
    examples: [
      { about: 'What is out for delivery, every minute', line: 'shipx shipments watch --status out_for_delivery --every 1m' },
      { about: 'A line for each new failed delivery', line: 'shipx shipments watch --status ndr_raised --jsonl' },
    ],
    output: watchShape, exits: watchExits, api: api('listShipments'),
  },
  {
    path: ['shipments', 'wait'], summary: 'Wait until a shipment has a status, then show it', live: true,
    args: [{ name: 'shipment', help: 'Tracking number, id, or order id' }],
    about: 'Ends at once when the shipment already has it, or can no longer get it (cancelled, delivered, returned).',
    flags: [
      { name: 'for', kind: 'list', value: '<status,…>', choices: [...new Set([...shipmentStatuses, ...namesOf(shipmentBuckets)])], help: 'The status or detailed status to wait for; any of several', group: 'Wait' },
      { name: 'timeout', kind: 'text', value: '<time>', help: 'Wait at most this long: 30m, 12h, 5d', group: 'Wait', default: '3d' },
      { name: 'every', kind: 'text', value: '<time>', help: 'Time between two checks: 30s, 5m', group: 'Wait', default: '1m' },
    ],
    examples: [{ about: 'Then do something', line: 'shipx shipments wait 14344940012345 --for delivered,rto_delivered --timeout 5d && echo over' }],
    output: '{data: {id, type, attributes}}', exits: '0 it has the status · 3 no such shipment · 5 it can no longer get it (wrong_state) · 6 not in time (time_limit) · 130 interrupted', api: api('listShipments'),
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
    ],
    examples: [
      { about: 'Waiting for a refund', line: 'shipx returns list --status return_received --refund pending' },
      { about: 'Failed the quality check this month', line: 'shipx returns list --qc failed --since 30d' },
    ],
    output: '{data: [{id, type, attributes}], meta: {current_page, per_page, total, next_search_after}}', exits: read, api: api('listReturns'),
  },
  {
    path: ['returns', 'get'], summary: 'Show one return', args: [{ name: 'return', help: 'Display id or id' }], flags: [],
    examples: [{ about: 'By its display id', line: 'shipx returns get RT-5521' }],
    output: '{data: {id, type, attributes}}', exits: '0 done · 3 no such return', api: api('listReturns'),
  },
  {
    path: ['returns', 'watch'], summary: 'Show a list of returns as it changes', args: [], live: true,
    about: 'Works like shipx shipments watch.',
    flags: [...watching, ...returnQuestion, strict, fieldFlag('listReturns', 'sort_by', 'Order', { choices: returnSorts, default: 'created_at' }), ...sorting('listReturns')],
    examples: [{ about: 'What comes in', line: 'shipx returns watch --status in_transit --every 5m' }],
    output: watchShape, exits: watchExits, api: api('listReturns'),
  },
]

const by = (choices: readonly string[]): Flag => ({
  name: 'by',
  kind: 'list',
  value: '<key,…>',
  choices,
  help: 'Group by one key or two',
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

const listLimit: Flag = { ...limit('Show at most this many'), group: 'List' }

/** The filters of a list that sets the status itself. */
const withoutStatus = shipmentQuestion.filter(({ name }) => name !== 'status' && name !== 'granular-status')

// prettier-ignore
const worklists: readonly Command[] = [
  {
    path: ['shipments', 'summary'], summary: 'Count shipments, their value and how they end, in groups', args: [],
    about: 'The RTO share counts parcels that were picked up. A deployment without a mirror has counts only.',
    flags: [by(shipmentKeys), limit('Show at most this many groups'), ...shipmentQuestion, strict],
    examples: [
      { about: 'By zone, the last 30 days', line: 'shipx shipments summary --by zone --since 30d' },
      { about: 'Where COD parcels come back, by courier', line: 'shipx shipments summary --by zone,carrier --cod --csv' },
      { about: 'Day by day', line: 'shipx shipments summary --by day --since 14d' },
    ],
    output: '{data: [{<key>, shipments, value, cod, picked_up, delivered, delivered_share, rto, rto_share, average_days}]}', exits: read, api: api('listShipments'),
  },
  {
    path: ['shipments', 'stuck'], summary: 'List open parcels without a scan for days', args: [],
    about: 'By courier, the oldest first. Reads the embedded engine\'s database or a mirror.',
    flags: [{ name: 'days', kind: 'number', value: '<n>', help: 'Days without a scan', group: 'List', default: '3' }, listLimit, ...shipmentQuestion],
    examples: [{ about: 'One store, a week without a scan', line: 'shipx shipments stuck --days 7 --store acme' }],
    output: '{data: [{id, tracking_number, order, courier, status, store, customer, phone, city, last_scan_at, days}]}', exits: read,
  },
  {
    path: ['shipments', 'ndr'], summary: 'List failed deliveries that wait for an answer', args: [],
    about: 'The most urgent first. A courier tries three times and waits two days for an answer, one after the last try.',
    flags: [listLimit, ...withoutStatus, strict],
    examples: [{ about: 'With whole phone numbers, to call', line: 'shipx shipments ndr --show-pii' }, { about: 'COD only, for a sheet', line: 'shipx shipments ndr --cod --csv' }],
    output: '{data: [{id, tracking_number, order, courier, status, store, customer, phone, city, reason, attempts, attempts_left, failed_at, answer_by, days_left, cod}]}', exits: read, api: api('listShipments'),
  },
  {
    path: ['returns', 'summary'], summary: 'Count returns, their value and how they end, in groups', args: [],
    about: 'A deployment without a mirror has counts only.',
    flags: [by(returnKeys), limit('Show at most this many groups'), ...returnQuestion, strict],
    examples: [{ about: 'Why things come back', line: 'shipx returns summary --by reason --since 90d' }],
    output: '{data: [{<key>, returns, value, received, received_share, cancelled, refunded, average_days}]}', exits: read, api: api('listReturns'),
  },
]

/** Those of shipments, and those of returns. */
export const shipmentLists = worklists.filter(({ path }) => path[0] === 'shipments')

export const returnLists = worklists.filter(({ path }) => path[0] === 'returns')
