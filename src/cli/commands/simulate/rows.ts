// The command that prices parcels that ended on other cards.
import type { Command, Flag } from '../../command/tree.ts'
import { api, readAnywhere } from '../rows/flags.ts'
import { shipmentQuestion } from '../shipments/rows.ts'

const group = 'Rate card'

/** The flags of a simulation. */
// prettier-ignore
const flags: readonly Flag[] = [
  { name: 'cards', kind: 'list', value: '<a,b>', help: 'One to three rate cards: a name, a version (contract@2026-10-01) or a file', group },
  { name: 'pick', kind: 'list', value: '<how,…>', help: 'Which courier takes a parcel: as-shipped, cheapest, fastest, or the first of these couriers', group, default: 'as-shipped' },
  { name: 'mix', kind: 'list', value: '<courier n,…>', help: 'These couriers take these shares of every parcel: "alpha 60, bravo 40"', group },
  { name: 'gst', kind: 'switch', help: 'Add the GST of each card', group },
  { name: 'rto', kind: 'text', value: '<percent>', help: 'Also show the cost if this share of parcels came back', group: 'Questions' },
  { name: 'rto-by', kind: 'text', value: '<what>', choices: ['courier'], help: "Also show the cost with each courier's own RTO, like for like", group: 'Questions' },
  { name: 'commit', kind: 'list', value: '<courier n/month,…>', help: 'What a volume commitment lacks and costs: "bravo 5000/month"', group: 'Questions' },
  { name: 'break-even', kind: 'text', value: '<number>', help: 'The value of this number of the second card at which both cost the same: zone_d.first, cod.percent', group: 'Questions' },
  { name: 'parcels-out', kind: 'text', value: '<file>', help: 'Also write a CSV with a line for each parcel and card', group: 'Output' },
  { name: 'force', kind: 'switch', help: 'Replace an existing file', group: 'Safety' },
  ...shipmentQuestion,
]

// prettier-ignore
export const simulations: readonly Command[] = [
  { path: ['ratecard', 'simulate'], summary: 'Price the parcels of a period on other rate cards, as they ended', args: [], flags, about: "Each parcel that was delivered or came back costs its forward freight, the way back if it returned, and the COD fee by its outcome. A rate card here prices it by the version of its pickup day; a file, or contract@2026-10-01, by its only prices. shipx reads this computer's records, or your copy of an account's records.", examples: [{ about: 'What would the offer have cost last month?', line: 'shipx ratecard simulate --cards contract,other.json --month last-month' }, { about: 'With the best courier of each card, and GST', line: 'shipx ratecard simulate --cards contract,other.json --since 90d --pick cheapest --gst' }, { about: 'Six parcels of ten with one courier', line: 'shipx ratecard simulate --cards contract,other.json --since 90d --mix "swiftair 60, deccan 40"' }, { about: 'Which price would make both cards equal?', line: 'shipx ratecard simulate --cards contract,other.json --since 90d --break-even zone_d.first' }], output: '{data: [{card, parcels, returned, priced, as_shipped, cheapest, pick, total, parts: {freight, rto, cod, gst}, by_zone, by_slab, by_courier, by_payment, compared: {with, parcels, before, after, difference, lanes_gain, lanes_lose}, unpriced}]}', exits: `${readAnywhere} · 3 nothing has ended yet, or no such rate card · 130 interrupted`, api: api('listShipments') },
]
