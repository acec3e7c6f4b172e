// The commands of rate cards.
import type { Command, Flag } from '../../command/tree.ts'
import { asking, dryRun, local, mapFlags, read, sheetFlag, write } from '../rows/flags.ts'

const group = 'Rate card'
const zoneMapFlag: Flag = {
  name: 'zone-map',
  kind: 'list',
  value: '<zone=zone_e,…>',
  help: "Count the courier's own zones in these of the five",
  group,
}
const outFlags: readonly Flag[] = [
  {
    name: 'out',
    kind: 'text',
    value: '<file>',
    help: 'Write to this file (default: standard output)',
    group: 'Output',
  },
  { name: 'force', kind: 'switch', help: 'Replace an existing file', group: 'Safety' },
]
const courierFlags = (help: string): readonly Flag[] => [
  { name: 'courier', kind: 'list', value: '<courier,…>', help, group },
  { name: 'couriers', kind: 'list', value: '<courier,…>', help, group, hidden: true },
]
const fromFlag = (help: string): Flag => ({ name: 'valid-from', kind: 'text', value: '<day>', help, group })
const baseFlag: Flag = {
  name: 'base',
  kind: 'text',
  value: '<card>',
  help: 'Take what a table leaves out from this rate card',
  group,
  default: 'the rate card of that name, else sample',
}
const useFlag: Flag = { name: 'use', kind: 'switch', help: 'Use the rate card for quotes from now on', group }
const cardFlag = (help: string): Flag => ({ name: 'card', kind: 'text', value: '<card>', help, group })
const tableFlag: Flag = {
  name: 'zone-table',
  kind: 'text',
  value: '<name>',
  help: 'Name of the zone table, where the rate card has several',
  group,
}

const versionArg = {
  name: 'card',
  help: 'A rate card, a version of it (contract@2026-10-01) or a file (default: the one in use)',
}
const cardArg = { name: 'card', help: 'Name of a rate card, or a .json, .csv or .xlsx file' }

// prettier-ignore
export const cards: readonly Command[] = [
  { path: ['ratecard', 'list'], summary: 'List the rate cards', args: [], flags: [], ...local, examples: [{ about: 'List all rate cards and the one in use', line: 'shipx ratecard list' }], output: '{data: [{name, in_use, services, versions, note}]}', exits: read },
  { path: ['ratecard', 'show'], summary: 'Show the prices of a rate card', args: [versionArg], flags: [], ...local, about: 'Without a day it is the version of today.', examples: [{ about: 'Show the rate card in use', line: 'shipx ratecard show' }], output: 'the rate card', exits: '0 done · 3 no such rate card' },
  { path: ['ratecard', 'check'], summary: 'Check a rate card', args: [cardArg], flags: [{ ...sheetFlag, group }, zoneMapFlag], ...local, about: 'shipx shows every fault, for example a wrong field, a carrier that appears twice, or freight that falls as weight grows.', examples: [{ about: 'Check a file before you import it', line: 'shipx ratecard check contract.json' }], output: '{name, services, faults: []}', exits: '0 no faults · 2 faults; shipx names each one' },
  { path: ['ratecard', 'export'], summary: 'Write a rate card as JSON or CSV', args: [versionArg], flags: outFlags, ...local, about: 'CSV suits a spreadsheet: it has one line for each carrier, service, journey, zone and band, or the small form where a courier draws its zones. JSON has everything.', examples: [{ about: 'Edit prices in a spreadsheet', line: 'shipx ratecard export sample --csv --out prices.csv' }], output: 'the rate card', exits: '0 done · 2 the file exists already · 3 no such rate card' },
  { path: ['ratecard', 'template'], summary: 'Print a sheet for the prices of a contract', args: [], flags: [{ name: 'zones', kind: 'list', value: '<zone,…>', help: "Columns for these zones, also a courier's own", group, default: 'A,B,C,D,E' }, ...courierFlags('One line for each of these couriers, with its prices empty'), ...outFlags], ...local, about: 'One line for each courier, with the price of the first slab and of each further one by zone. Only the courier and these prices are needed: ratecard import says what it fills in. Conditions of surcharges, rates by day, COD fees by value and rules of weight are in JSON alone: ratecard export.', examples: [{ about: 'Print a sheet to start with', line: 'shipx ratecard template' }, { about: 'A sheet for two couriers, as a file', line: 'shipx ratecard template --courier "Delhivery,Blue Dart" --out contract.csv' }], output: 'CSV', exits: '0 done · 2 bad input, or the file exists already' },
  { path: ['ratecard', 'create'], summary: 'Make a rate card from your answers', args: [{ name: 'name', help: 'Name of the new rate card; asked where it is missing' }], flags: [baseFlag, fromFlag('First day of these prices'), useFlag, dryRun], ...local, about: 'On a terminal, shipx asks for the prices of each courier by zone, shows the card and asks before it saves it. Without a terminal, fill in a sheet: shipx ratecard template.', examples: [{ about: 'Type a contract', line: 'shipx ratecard create contract --use' }], output: '{data: {name, services, valid_from}}', exits: `${write} · ${asking}` },
  { path: ['ratecard', 'import'], summary: 'Import a rate card from a file', args: [{ name: 'file', help: 'A rate card as a .json, .csv or .xlsx file' }], flags: [{ name: 'name', kind: 'text', value: '<name>', help: 'Give the rate card this name (default: its own, or the file name)', group }, baseFlag, fromFlag('First day of these prices; the version before ends on the day before'), useFlag, zoneMapFlag, { ...sheetFlag, group }, dryRun], ...local, about: 'A sheet to fill in: shipx ratecard template. shipx says what it fills in.', examples: [{ about: 'Import a rate card and use it', line: 'shipx ratecard import contract.json --use' }, { about: 'New prices from the first of a month', line: 'shipx ratecard import contract.json --valid-from 2026-10-01' }], output: '{data: {name, services, valid_from}}', exits: write },
  { path: ['ratecard', 'zones', 'import'], summary: "Import a courier's own zones from its sheet", args: [{ name: 'file', help: 'A sheet with from, to and zone, or with pincode and zone' }], flags: [cardFlag('Rate card that gets the zones'), tableFlag, { name: 'origin', kind: 'text', value: '<pincode|any>', help: 'Your pincode, where the sheet has no column of origins', group, excludes: ['warehouse'] }, { name: 'warehouse', kind: 'text', value: '<id>', help: 'The pincode of this warehouse instead', group }, ...courierFlags('Only these couriers go by the zones (default: all of the card)'), zoneMapFlag, fromFlag('Copy the version of this day, and change that copy'), { name: 'replace', kind: 'switch', help: 'Drop the origins that the sheet does not have', group }, { ...sheetFlag, group }, ...mapFlags.filter(({ name }) => name === 'map' || name === 'ignore'), dryRun], ...local, about: 'A pincode may be whole, a prefix (560, 560xxx) or a range. Where the prices go by the five zones, they carry over. shipx changes the version that is valid today.', examples: [{ about: 'The zones from one warehouse', line: 'shipx ratecard zones import zones.csv --card contract --origin 400001' }], output: '{data: {name, table, valid_from, places, zones, counted_as, couriers}}', exits: write },
  { path: ['ratecard', 'zones', 'export'], summary: "Write a courier's own zones as a sheet", args: [], flags: [cardFlag('Rate card with the zones (default: the one in use)'), tableFlag, fromFlag('The version of this day (default: today)'), ...outFlags], ...local, about: 'One line for each pincode: from, to and zone. ratecard zones import reads it back.', examples: [{ about: 'See what is where', line: 'shipx ratecard zones export --card contract' }], output: 'CSV', exits: '0 done · 2 bad input · 3 no such rate card or zones' },
  { path: ['ratecard', 'diff'], summary: 'Compare two rate cards, or two versions of one', args: [{ name: 'before', help: 'A rate card, a version (contract@2026-10-01) or a file' }, { name: 'after', help: 'Another one' }], flags: [], ...local, about: 'Prices by courier, journey and zone, surcharges, COD, RTO, rules of weight, and pincodes that change their zone.', examples: [{ about: 'What does the offer change?', line: 'shipx ratecard diff contract other.json' }], output: '{data: [{courier, journey, zone, what, before, after, change}]}', exits: '0 done, also when they differ · 2 bad input · 3 no such rate card' },
  { path: ['ratecard', 'versions'], summary: 'List the versions of a rate card by day', args: [{ name: 'card', help: 'Name of a rate card (default: the one in use)' }], flags: [], ...local, about: 'A price takes the version of its day. A day before the first version has no prices.', examples: [{ about: 'Which prices are valid today?', line: 'shipx ratecard versions' }], output: '{data: [{name, valid_from, valid_to, today, services, note}]}', exits: '0 done · 3 no such rate card' },
  { path: ['ratecard', 'remove'], summary: 'Remove a rate card with all its versions, or one of them', args: [{ name: 'card', help: 'A rate card that quotes do not use, or a version by its first day (contract@2026-10-01)' }], flags: [dryRun], ...local, about: 'A version that ended on the day before goes on in its place. The only version goes with its card.', examples: [{ about: 'A contract that has ended', line: 'shipx ratecard remove old-contract --yes' }], output: '{data: {name, removed, valid_from}}', exits: `${write} · 3 no such rate card · 5 quotes use it · ${asking}` },
  { path: ['ratecard', 'use'], summary: 'Use a rate card for quotes from now on', args: [{ name: 'card', help: 'Name of a rate card; sample is the built-in one' }], flags: [dryRun], ...local, examples: [{ about: 'Go back to the sample prices', line: 'shipx ratecard use sample' }], output: '{data: {name, in_use}}', exits: write },
]
