// The commands of work lists: summaries, what is stuck, what waits for an answer.
import { returnKeys, shipmentKeys } from '../../../domain/parcels/summary.ts'
import type { Command, Flag } from '../../command/tree.ts'
import { api, read } from '../rows/flags.ts'
import { returnQuestion, shipmentQuestion, strict } from './rows.ts'

const by = (choices: readonly string[]): Flag => ({ name: 'by', kind: 'list', value: '<key,…>', choices, help: 'One key or two', group: 'Summary', default: 'status' }) // prettier-ignore
const limit = (help: string): Flag => ({ name: 'limit', kind: 'text', value: '<n|all>', help, group: 'Summary', default: 'all' }) // prettier-ignore
const listLimit: Flag = { ...limit('At most so many'), group: 'List' }

/** Filters of a list that has a status by itself. */
const withoutStatus = shipmentQuestion.filter(({ name }) => name !== 'status' && name !== 'granular-status')

// prettier-ignore
const worklists: readonly Command[] = [
  {
    path: ['shipments', 'summary'], summary: 'Count shipments, their value and how they end, in groups', args: [],
    about: 'The RTO share is of those that were picked up. A deployment without a mirror gives counts only.',
    flags: [by(shipmentKeys), limit('At most so many groups'), ...shipmentQuestion, strict],
    examples: [
      { about: 'By zone, of this month', line: 'shipx shipments summary --by zone --since 30d' },
      { about: 'Where COD parcels come back, by courier', line: 'shipx shipments summary --by zone,carrier --cod --csv' },
      { about: 'Day by day', line: 'shipx shipments summary --by day --since 14d' },
    ],
    output: '{data: [{<key>, shipments, value, cod, picked_up, delivered, delivered_share, rto, rto_share, average_days}]}', exits: read, api: api('listShipments'),
  },
  {
    path: ['shipments', 'stuck'], summary: 'List open parcels that were not scanned for days', args: [],
    about: 'By courier, the oldest first. Asks the embedded engine\'s database or a mirror.',
    flags: [{ name: 'days', kind: 'number', value: '<n>', help: 'Without a scan for so many days', group: 'List', default: '3' }, listLimit, ...shipmentQuestion],
    examples: [{ about: 'For a week, of one store', line: 'shipx shipments stuck --days 7 --store acme' }],
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
    about: 'A deployment without a mirror gives counts only.',
    flags: [by(returnKeys), limit('At most so many groups'), ...returnQuestion],
    examples: [{ about: 'Why things come back', line: 'shipx returns summary --by reason --since 90d' }],
    output: '{data: [{<key>, returns, value, received, received_share, cancelled, refunded, average_days}]}', exits: read, api: api('listReturns'),
  },
]

/** Those of shipments, and those of returns. */
export const shipmentLists = worklists.filter(({ path }) => path[0] === 'shipments')
export const returnLists = worklists.filter(({ path }) => path[0] === 'returns')
