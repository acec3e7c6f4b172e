// The commands that deliver messages, and those that look after them.
import { customerSteps } from '../../../domain/parcels/journeys.ts'
import { messageChannels, messageStatuses } from '../../../domain/messages/messages.ts'
import type { Command, Flag } from '../../command/tree.ts'
import { dryRun, local, read, write } from '../rows/flags.ts'
import { languages } from '../../../domain/messages/templates.ts'

const allowPrivate: Flag = {
  name: 'allow-private',
  kind: 'switch',
  help: 'Also addresses of private networks, and plain http',
  group: 'Safety',
}
const id = { name: 'message', help: 'Message ids, as messages list shows them', many: true as const }
const record =
  '{id, step, tracking_number, order_id, store_name, brand_name, channel, status, phone, email, webhook, attempts, created_at, due_at, next_at, sent_at, error}'

// prettier-ignore
export const delivery: readonly Command[] = [
  {
    path: ['messages', 'deliver'], live: true, summary: 'Send the messages that are due', args: [], ...local,
    about: 'To customers by the gateway or the mail server, to your own systems by webhooks; each at least once, under the same id each time. What fails is tried again by a later run, or by this one with --watch: after 0.5 s, 1 s, 2 s and so on; after ten failures it is parked. Any number of these may run at once.',
    flags: [
      { name: 'gateway', kind: 'text', value: '<url>', help: 'Your gateway for this run, instead of the one that is set', group: 'Ways' },
      { name: 'smtp', kind: 'text', value: '<url>', help: 'A mail server for this run: smtp://user@host:587, or smtps://…; with a password better as SHIPX_SMTP', group: 'Ways' },
      { name: 'from', kind: 'text', value: '<address>', help: 'Whom e-mails are from: "Acme <orders@acme.example>"', group: 'Ways' },
      { name: 'watch', kind: 'switch', help: 'Go on until it is stopped', group: 'When' },
      { name: 'limit', kind: 'text', value: '<n|all>', help: 'So many and no more', group: 'When', default: 'all' },
      { name: 'ignore-quiet-hours', kind: 'switch', help: 'Short texts also from 21:00 to 09:00 in India', group: 'When' },
      { name: 'concurrency', kind: 'number', value: '<n>', help: 'Messages under way at once', group: 'When', default: '16' },
      { ...allowPrivate },
    ],
    examples: [
      { about: 'What is due, once', line: 'shipx messages deliver' },
      { about: 'For as long as it runs', line: 'shipx messages deliver --watch' },
      { about: 'To a gateway on this machine', line: 'shipx messages deliver --gateway http://127.0.0.1:8080/messages --allow-private' },
    ],
    output: '{data: {sent, failed, parked, expired, waiting}}', exits: '0 nothing failed · 2 bad input, or no way to deliver · 6 database busy · 7 some failed or were parked · 130 interrupted: what was under way was finished',
  },
  {
    path: ['messages', 'list'], summary: 'List messages, the newest first', args: [], ...local,
    flags: [
      { name: 'status', kind: 'list', value: '<status,…>', choices: messageStatuses, help: 'Where they stand', group: 'Filters' },
      { name: 'failed', kind: 'switch', help: 'Those that were given up: parked and expired', group: 'Filters', excludes: ['status'] },
      { name: 'channel', kind: 'list', value: '<channel,…>', choices: messageChannels, help: 'How they go', group: 'Filters' },
      { name: 'step', kind: 'list', value: '<step,…>', choices: [...customerSteps, 'status'], help: 'What they tell', group: 'Filters' },
      { name: 'store', kind: 'list', value: '<store,…>', help: 'Of these stores', group: 'Filters', offers: 'stores' },
      { name: 'tracking-number', kind: 'list', value: '<number,…>', help: 'Of these parcels', group: 'Filters' },
      { name: 'since', kind: 'text', value: '<when>', help: 'Made since: 7d, 12h, today, 2026-09-01, or an ISO 8601 time', group: 'Filters' },
      { name: 'limit', kind: 'text', value: '<n|all>', help: 'How many in all', group: 'Order and pages', default: '20' },
      { name: 'all', kind: 'switch', help: 'Everything, as it arrives', group: 'Order and pages' },
    ],
    examples: [{ about: 'What was given up', line: 'shipx messages list --failed' }, { about: 'What a customer was told of a parcel', line: 'shipx messages list --tracking-number 14344940012345' }],
    output: `{data: [${record}]}`, exits: read,
  },
  {
    path: ['messages', 'show'], summary: 'Show one message and what it tells', args: [{ name: 'message', help: 'Message id' }], flags: [], ...local,
    examples: [{ about: 'As JSON', line: 'shipx messages show 01a0f7c4-36c0-7000-8a41-5b7e3d1f9c20 --json' }], output: `{data: ${record.slice(0, -1)}, facts or payload}}`, exits: '0 done · 2 bad input · 3 not found',
  },
  {
    path: ['messages', 'retry'], summary: 'Send messages after all', args: [id], ...local,
    about: 'Parked, expired, cancelled and waiting ones are due at once, as if they had never been tried.',
    flags: [{ name: 'failed', kind: 'switch', help: 'All that are parked or expired', group: 'Which' }, dryRun],
    examples: [{ about: 'When the gateway is back', line: 'shipx messages retry --failed' }], output: '{data: [{id}]}', exits: '0 done · 2 bad input · 3 not found · 5 it was sent, or nobody wants it · 7 some stayed as they are',
  },
  {
    path: ['messages', 'cancel'], summary: 'Do not send messages that wait', args: [id], flags: [dryRun], ...local,
    examples: [{ about: 'One', line: 'shipx messages cancel 01a0f7c4-36c0-7000-8a41-5b7e3d1f9c20' }], output: '{data: [{id}]}', exits: '0 done · 2 bad input · 3 not found · 5 it was sent already · 7 some stayed as they are',
  },
  {
    path: ['messages', 'set'], summary: 'Set how messages go, or show it', args: [], ...local,
    about: 'For the account, in its database, for this command and for shipx serve --deliver. A gateway gets a signing secret when it is set first, which is printed once. "none" takes a setting away.',
    flags: [
      { name: 'gateway', kind: 'text', value: '<url>', help: 'Your gateway for messages: https://…', group: 'Gateway' },
      { name: 'new-secret', kind: 'switch', help: 'Another signing secret, printed once', group: 'Gateway', excludes: ['secret-stdin'] },
      { name: 'secret-stdin', kind: 'switch', help: 'Your own signing secret (whsec_…) from standard input', group: 'Gateway' },
      { name: 'smtp', kind: 'text', value: '<url>', help: 'A mail server without a password: smtp://host:587', group: 'E-mail' },
      { name: 'smtp-stdin', kind: 'switch', help: 'A mail server with its password from standard input: smtp://user:password@host:587', group: 'E-mail', excludes: ['secret-stdin', 'smtp'] },
      { name: 'from', kind: 'text', value: '<address>', help: 'Whom e-mails are from: "Acme <orders@acme.example>"', group: 'E-mail' },
      { ...allowPrivate }, dryRun,
    ],
    examples: [{ about: 'A gateway', line: 'shipx messages set --gateway https://sms.acme.example/shipx' }, { about: 'A mail server, with its password in a file', line: 'cat smtp.txt | shipx messages set --smtp-stdin --from orders@acme.example' }, { about: 'What is set', line: 'shipx messages set' }],
    output: '{data: {gateway, secret, smtp, from, signing_secret}}', exits: write,
  },
  {
    path: ['messages', 'optout', 'add'], summary: 'Tell a phone nothing any more', args: [{ name: 'phone', help: 'Phone number, with or without +91' }], flags: [dryRun], ...local,
    examples: [{ about: 'Who has answered STOP', line: 'shipx messages optout add 9876543210' }], output: '{data: {phone, stopped}}', exits: write,
  },
  {
    path: ['messages', 'optout', 'remove'], summary: 'Tell a phone again', args: [{ name: 'phone', help: 'Phone number' }], flags: [dryRun], ...local,
    examples: [{ about: 'Who has answered START', line: 'shipx messages optout remove 9876543210' }], output: '{data: {phone}}', exits: write,
  },
  {
    path: ['messages', 'optout', 'list'], summary: 'List the phones that are told nothing', args: [], flags: [], ...local,
    examples: [{ about: 'All', line: 'shipx messages optout list' }], output: '{data: [{phone, created_at}]}', exits: read,
  },
  {
    path: ['webhooks', 'set'], summary: 'Tell your own systems every change of status', args: [{ name: 'url', help: 'Address that is posted to: https://…' }], ...local,
    about: 'Each webhook gets every change from then on, by shipx messages deliver or shipx serve --deliver. The signing secret is printed once, when the webhook is made. Set again it gets another API key.',
    flags: [{ name: 'api-key-stdin', kind: 'switch', help: 'What X-API-Key shall carry, from standard input', group: 'Webhook' }, { ...allowPrivate }, dryRun],
    examples: [{ about: 'A new one', line: 'shipx webhooks set https://erp.acme.example/shipments' }], output: '{data: {id, url, secret, api_key, created_at, signing_secret}}', exits: write,
  },
  {
    path: ['webhooks', 'list'], summary: 'List the webhooks', args: [], flags: [], ...local,
    examples: [{ about: 'All', line: 'shipx webhooks list' }], output: '{data: [{id, url, secret, api_key, created_at}]}, of secrets the ending', exits: read,
  },
  {
    path: ['webhooks', 'test'], summary: 'Post a test event to webhooks', args: [{ name: 'webhook', help: 'Webhook id; all when none is named' }], flags: [{ ...allowPrivate }], ...local,
    examples: [{ about: 'All', line: 'shipx webhooks test' }], output: '{data: [{id, url, ok, ms, error}]}', exits: '0 all took it · 2 bad input · 3 not found · 7 some did not',
  },
  {
    path: ['webhooks', 'remove'], summary: 'Tell a webhook nothing any more', args: [{ name: 'webhook', help: 'Webhook id' }], flags: [dryRun], ...local,
    examples: [{ about: 'One', line: 'shipx webhooks remove wh_6f0c2b9e2f0a --yes' }], output: '{data: {id}}', exits: `${write} · 8 it needs a yes`,
  },
]

const file = { name: 'file', help: 'A file of templates, or - for standard input' }

const store: Flag = { name: 'store', kind: 'text', value: '<name>', help: 'Of this store alone', group: 'Template' }

const language: Flag = {
  name: 'language',
  kind: 'text',
  value: '<language>',
  choices: languages,
  help: 'The language',
  group: 'Template',
}

// prettier-ignore
const out: Flag = { name: 'out', kind: 'text', value: '<file>', help: 'The file to write (default: standard output)', group: 'Output' }

// prettier-ignore
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
