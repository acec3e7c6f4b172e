// The commands of rate cards.
import type { Command } from '../../command/tree.ts'
import { dryRun, local, read, write } from '../rows/flags.ts'

const cardArg = { name: 'card', help: 'Name of a card, or a file .json or .csv' }

// prettier-ignore
export const cards: readonly Command[] = [
  { path: ['ratecard', 'list'], summary: 'List the rate cards', args: [], flags: [], ...local, examples: [{ about: 'All, with the one in use', line: 'shipx ratecard list' }], output: '{data: [{name, in_use, services, note}]}', exits: read },
  { path: ['ratecard', 'show'], summary: 'Show the prices of a card', args: [{ name: 'card', help: 'Name of a card (default: the one in use)' }], flags: [], ...local, examples: [{ about: 'The card in use', line: 'shipx ratecard show' }], output: 'the card', exits: '0 done · 3 no such card' },
  { path: ['ratecard', 'check'], summary: 'Check a rate card', args: [cardArg], flags: [], ...local, about: 'Shows every fault: a wrong field, a carrier twice, freight that falls as weight grows, a zone without transit days.', examples: [{ about: 'Before importing it', line: 'shipx ratecard check contract.json' }], output: '{name, services, faults: []}', exits: '0 sound · 2 faults, each one named' },
  { path: ['ratecard', 'export'], summary: 'Write a card as JSON or CSV', args: [{ name: 'card', help: 'Name of a card (default: the one in use)' }], flags: [{ name: 'out', kind: 'text', value: '<file>', help: 'The file to write (default: standard output)', group: 'Output' }, { name: 'force', kind: 'switch', help: 'Replace an existing file', group: 'Safety' }], ...local, about: 'CSV has one line for each carrier, service, journey, zone and band, for editing in a spreadsheet; JSON has everything.', examples: [{ about: 'To edit in a spreadsheet', line: 'shipx ratecard export sample --csv --out prices.csv' }], output: 'the card', exits: '0 done · 2 the file is there already · 3 no such card' },
  { path: ['ratecard', 'import'], summary: 'Import a card from a file', args: [{ name: 'file', help: 'A card as .json or .csv' }], flags: [{ name: 'name', kind: 'text', value: '<name>', help: 'Name of the card (default: its own, or the file name)', group: 'Card' }, { name: 'base', kind: 'text', value: '<card>', help: 'The card that fills what a CSV leaves out', group: 'Card', default: 'the card of that name, else sample' }, { name: 'use', kind: 'switch', help: 'Use it for quotes from now on', group: 'Card' }, dryRun], ...local, examples: [{ about: 'Import it and use it', line: 'shipx ratecard import contract.json --use' }], output: '{data: {name, services}}', exits: write },
  { path: ['ratecard', 'use'], summary: 'Use this card for quotes from now on', args: [{ name: 'card', help: 'Name of a card; sample is the built-in one' }], flags: [dryRun], ...local, examples: [{ about: 'Back to the invented prices', line: 'shipx ratecard use sample' }], output: '{data: {name, in_use}}', exits: write },
]
