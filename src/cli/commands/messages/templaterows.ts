// The commands of what messages to customers say.
import { customerSteps } from '../../../domain/parcels/journeys.ts'
import { languages } from '../../../domain/messages/templates.ts'
import type { Command, Flag } from '../../command/tree.ts'
import { dryRun, local, read, write } from '../rows/flags.ts'

const file = { name: 'file', help: 'A file of templates, or - for standard input' }
const store: Flag = { name: 'store', kind: 'text', value: '<name>', help: 'Of this store alone', group: 'Template' }
const language: Flag = { name: 'language', kind: 'text', value: '<language>', choices: languages, help: 'The language', group: 'Template' } // prettier-ignore
const out: Flag = { name: 'out', kind: 'text', value: '<file>', help: 'The file to write (default: standard output)', group: 'Output' } // prettier-ignore
const force: Flag = { name: 'force', kind: 'switch', help: 'Replace the file when it is there', group: 'Safety' }

const chain = "A message is written with the store's template, else the account's, else the built-in one, part by part."

// prettier-ignore
export const templates: readonly Command[] = [
  {
    path: ['messages', 'preview'], summary: 'Show a message as its customer reads it', ...local,
    about: 'Sends nothing. --step shows a step of an invented order. The e-mail is in the JSON, and goes to a file with --out, with the logo in it.',
    args: [{ name: 'message', help: 'Id of a message', many: true }],
    flags: [
      { name: 'step', kind: 'text', value: '<step>', choices: customerSteps, help: 'This step of an invented order instead', group: 'Message' },
      { ...store, help: 'In the brand of this store, with --step', group: 'Message' },
      { ...language, help: 'In this language instead of the one in use', group: 'Message' },
      { name: 'text', kind: 'switch', help: 'The short text and nothing else', group: 'Output' },
      { ...out, help: 'Write the e-mail to this file' },
      force,
    ],
    examples: [
      { about: 'What is told when a parcel is on its way', line: 'shipx messages preview --step shipped --store acme-kids' },
      { about: 'The e-mail in Hindi, for a browser', line: 'shipx messages preview --step delivered --language hi --out delivered.html' },
    ],
    output: '{data: {step, language, subject, text, parts: {encoding, count}, html, brand_name, dlt}}', exits: '0 done · 2 bad input · 3 no such message or store',
  },
  {
    path: ['messages', 'template', 'list'], summary: 'List the templates of messages', args: [], flags: [], ...local,
    about: chain, examples: [{ about: 'Those of the account and its stores, and the built-in ones', line: 'shipx messages template list' }],
    output: '{data: [{name, store_name, language, in_use, steps: [], layout, dlt, updated_at}]}', exits: read,
  },
  {
    path: ['messages', 'template', 'export'], summary: 'Write a template as a file to change', args: [], flags: [store, { ...language, help: 'The language (default: the one in use)' }, out, force], ...local,
    about: 'Everything that would be said, defaults included. Leave out what should follow the defaults.',
    examples: [{ about: 'To begin with', line: 'shipx messages template export --out en.txt' }, { about: 'Hindi, of a store', line: 'shipx messages template export --store acme-kids --language hi' }],
    output: '{data: {language, dlt, steps: {shipped: {text, subject, html}}, layout}}', exits: '0 done · 2 bad input · 3 no such store',
  },
  {
    path: ['messages', 'template', 'check'], summary: 'Prove that a file of templates is sound', args: [file], flags: [{ ...language, help: 'For a file that names none' }], ...local,
    about: 'Names every fault with its line and column: a field that no message has, markup that does not close, a value where it could do harm, an id that is none.',
    examples: [{ about: 'Before importing it', line: 'shipx messages template check messages.txt' }],
    output: '{language, steps: [], faults: [], warnings: []}', exits: '0 sound · 2 faults, each named',
  },
  {
    path: ['messages', 'template', 'import'], summary: 'Take a file of templates into use', args: [file],
    flags: [store, { ...language, help: 'For a file that names none' }, { name: 'use', kind: 'switch', help: 'Write messages in its language from now on', group: 'Template' }, dryRun], ...local,
    about: `Checks it first. ${chain} A store keeps its template when it is renamed.`,
    examples: [{ about: 'For the whole account', line: 'shipx messages template import messages.txt' }, { about: 'For one store', line: 'shipx messages template import messages.txt --store acme-kids --use' }],
    output: '{data: {name, language, steps: [], in_use}}', exits: write,
  },
  {
    path: ['messages', 'template', 'use'], summary: 'Choose the language of messages', args: [{ name: 'language', help: 'en or hi' }], flags: [store, dryRun], ...local,
    examples: [{ about: 'Hindi for everybody', line: 'shipx messages template use hi' }, { about: 'For one store', line: 'shipx messages template use hi --store acme-kids' }],
    output: '{data: {name, language}}', exits: write,
  },
  {
    path: ['messages', 'template', 'remove'], summary: 'Forget a template; its defaults are used', args: [], flags: [store, { ...language, help: 'The language (required)' }, dryRun], ...local,
    examples: [{ about: 'Back to the built-in Hindi', line: 'shipx messages template remove --language hi --yes' }],
    output: '{data: {name}}', exits: write,
  },
]
