// The definitions of the commands `shipx rates` and `shipx serviceability`.
import type { Command } from '../../command/tree.ts'
import { api, fieldFlag, mapFlags } from '../rows/flags.ts'

// prettier-ignore
export const rates: Command = {
  path: ['rates'],
  summary: 'Compare courier prices for one parcel, or price every parcel in a file',
  about: 'Sends nothing to a courier and books nothing. Couriers charge the greater of dead and volumetric weight. On a terminal, shipx asks for what is missing.',
  args: [],
  flags: [
    { name: 'forward', kind: 'switch', help: 'Warehouse to customer (the default)', group: 'Journey' },
    { name: 'return', kind: 'switch', help: 'Customer to warehouse', group: 'Journey', excludes: ['forward'] },
    { name: 'from', kind: 'text', value: '<pincode>', help: 'Pickup pincode, 6 digits', group: 'Parcel', key: 'origin_pincode' },
    { name: 'to', kind: 'text', value: '<pincode>', help: 'Delivery pincode, 6 digits', group: 'Parcel', key: 'destination_pincode' },
    { name: 'weight', short: 'w', kind: 'text', value: '<weight>', help: 'Dead weight with its unit: 500g or 0.5kg', group: 'Parcel', key: 'dead_weight' },
    { name: 'size', short: 's', kind: 'text', value: '<LxWxH>', help: 'Centimetres (20x15x10), or inches (8x6x4in)', group: 'Parcel' },
    fieldFlag('getRates', 'length', 'Parcel', { value: '<cm>', help: 'Length, with --width and --height instead of --size', excludes: ['size'] }),
    fieldFlag('getRates', 'width', 'Parcel', { value: '<cm>', help: 'Width', excludes: ['size'] }),
    fieldFlag('getRates', 'height', 'Parcel', { value: '<cm>', help: 'Height', excludes: ['size'] }),
    { name: 'prepaid', kind: 'switch', help: 'The customer has paid', group: 'Payment (forward)', excludes: ['cod'] },
    { name: 'cod', kind: 'text', value: '<rupees>', help: 'Cash on delivery; the amount is the value of the parcel', group: 'Payment (forward)', key: 'shipment_value' },
    { name: 'date', kind: 'text', value: '<day>', help: 'Prices of this day, by the version of the rate card (default: today)', group: 'Parcel' },
    { name: 'no-qc', kind: 'switch', help: 'Without a quality check (a return is checked by default)', group: 'Return' },
    { name: 'sort', kind: 'text', value: '<key>', choices: ['price', 'delivery', 'courier'], default: 'price', help: 'Order of the offers', group: 'Show' },
    { name: 'courier', kind: 'list', value: '<name,…>', help: 'Only these couriers, by id, code or part of the name', group: 'Show' },
    { name: 'limit', kind: 'text', value: '<n|all>', help: 'Show at most this many offers', group: 'Show', default: 'all' },
    { name: 'explain', kind: 'switch', help: 'Explain each amount and each refusal', group: 'Show' },
    { name: 'gst', kind: 'switch', help: 'Show GST in a column, and add 18% where your account names none; with --file in all formats', group: 'Show', excludes: ['compare'] },
    { name: 'card', kind: 'text', value: '<file|name>', help: 'Use this rate card instead: a file (.json, .csv) or the name of a rate card', group: 'Show', excludes: ['compare'] },
    { name: 'file', kind: 'text', value: '<file|->', help: 'Price every line of a CSV or JSON Lines file: ref, from, to, weight, length, width, height, payment, value, journey, qc, date, zone', group: 'Many parcels' },
    { name: 'pick', kind: 'list', value: '<how,…>', help: 'Which offer to take: cheapest, fastest, or the first of these couriers that takes the parcel', group: 'Many parcels', default: 'cheapest' },
    { name: 'compare', kind: 'list', value: '<a,b>', help: 'Price with two rate cards, side by side', group: 'Many parcels' },
    ...mapFlags.map((flag) => ({ ...flag, group: 'Many parcels' })),
    { name: 'concurrency', kind: 'number', value: '<n>', help: 'Requests at the same time to the service of your account', group: 'Many parcels', default: '4' },
    { name: 'max-rps', kind: 'number', value: '<n>', help: 'At most this many requests a second to the service', group: 'Many parcels' },
    fieldFlag('getRates', 'journey_type', 'API names', { hidden: true, excludes: ['forward', 'return'] }),
    fieldFlag('getRates', 'origin_pincode', 'API names', { hidden: true }),
    fieldFlag('getRates', 'destination_pincode', 'API names', { hidden: true }),
    fieldFlag('getRates', 'dead_weight', 'API names', { hidden: true }),
    fieldFlag('getRates', 'payment_method', 'API names', { hidden: true, excludes: ['prepaid', 'cod'] }),
    fieldFlag('getRates', 'shipment_value', 'API names', { hidden: true }),
    fieldFlag('getRates', 'qc_applicable', 'API names', { hidden: true, excludes: ['no-qc'] }),
  ],
  examples: [
    { about: 'Cash on delivery, cheapest first', line: 'shipx rates --from 400001 --to 560001 -w 500g -s 20x15x10 --cod 1499' },
    { about: 'A return with a quality check', line: 'shipx rates --return --from 560001 --to 400001 -w 500g -s 20x15x10' },
    { about: 'Why is a courier missing?', line: 'shipx rates --from 400001 --to 797112 -w 500g -s 20x15x10 --cod 1499 --explain' },
    { about: 'The cheapest price for a script', line: 'shipx rates --from 400001 --to 560001 -w 500g -s 20x15x10 --prepaid --csv --fields carrier_name,charges.total_forward_charges --limit 1' },
    { about: 'Every parcel of a file', line: 'shipx rates --file parcels.csv --pick fastest --csv' },
    { about: 'What another contract would cost', line: 'shipx rates --file parcels.csv --compare sample,other.json' },
  ],
  output: '{status, result: {serviceable_couriers: […], shipment_details: {…}}}; with --file {data: [{ref, courier, carrier_id, service, total, fee, paid, zone, weight, delivery, code, reason}]}',
  exits: '0 done, also when no courier serves the lane · 2 bad input · 7 some lines of a file have no price · 130 interrupted',
  api: api('getRates'),
}

// prettier-ignore
export const serviceability: Command = {
  path: ['serviceability'],
  summary: 'Which couriers deliver to which pincodes, with COD or without, and how soon',
  about: 'Checks an ordinary forward parcel of 500 g. Shows one row for each pincode; with --couriers, one for each courier.',
  args: [{ name: 'pincode', help: 'Delivery pincodes, 6 digits each', many: true }],
  flags: [
    { name: 'from', kind: 'text', value: '<pincode>', help: 'Pickup pincode, 6 digits', group: 'Lanes' },
    { name: 'file', kind: 'text', value: '<file|->', help: 'Delivery pincodes, one on each line or in the first column of a CSV', group: 'Lanes' },
    { name: 'couriers', kind: 'switch', help: 'Show one row for each courier, with the reason if it does not deliver there', group: 'Show' },
    { name: 'concurrency', kind: 'number', value: '<n>', help: 'Pincodes to look up at the same time at the service of your account', group: 'Pace', default: '4' },
    { name: 'max-rps', kind: 'number', value: '<n>', help: 'At most this many requests a second to the service', group: 'Pace' },
  ],
  examples: [
    { about: 'Three pincodes', line: 'shipx serviceability --from 400001 560001 797112 194101' },
    { about: 'Which couriers go there, and why the others do not', line: 'shipx serviceability --from 400001 797112 --couriers' },
    { about: 'A list from a file', line: 'shipx serviceability --from 400001 --file pins.txt --csv' },
  ],
  output: '{data: [{pincode, city, state, zone, couriers, cod, days, delivery, fastest, code, reason}]}',
  exits: '0 done, also when no courier goes there · 2 bad input · 7 some lines are not pincodes · 130 interrupted',
  api: api('getRates'),
}
