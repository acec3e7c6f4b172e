// The commands that deliver and manage messages.
import { customerSteps } from '../../../domain/parcels/journeys.ts'
import { messageChannels, messageStatuses } from '../../../domain/messages/messages.ts'
import type { Command, Flag } from '../../command/tree.ts'
import { dryRun, local, read, write } from '../rows/flags.ts'
import { languages } from '../../../domain/messages/templates.ts'

const allowPrivate: Flag = {
  name: 'allow-private',
  kind: 'switch',
  help: 'Also allow private network addresses and plain http',
  group: 'Safety',
}
const id = { name: 'message', help: 'Message ids, as messages list shows them', many: true as const }
const record =
  '{id, step, tracking_number, order_id, store_name, brand_name, channel, status, phone, email, webhook, ' +
  'attempts, created_at, due_at, next_at, sent_at, error}'

// prettier-ignore
export const delivery: readonly Command[] = [
  {
    path: ['messages', 'deliver'], live: true, summary: 'Send the messages that are due', args: [], ...local,
    about: 'To customers through the gateway or the mail server, to your own systems through webhooks. Each message goes out at least once, always with the same id. A later run tries a failed message again, or this one with --watch: after 0.5 s, 1 s, 2 s and so on. After ten failures the message is parked. Several of these may run at the same time.',
    flags: [
      { name: 'gateway', kind: 'text', value: '<url>', help: 'Use this gateway for this run instead of the one that is set', group: 'Ways' },
      { name: 'smtp', kind: 'text', value: '<url>', help: 'Use this mail server for this run: smtp://user@host:587, or smtps://…; put one with a password in SHIPX_SMTP', group: 'Ways' },
      { name: 'from', kind: 'text', value: '<address>', help: 'Sender of e-mails: "Acme <orders@acme.example>"', group: 'Ways' },
      { name: 'watch', kind: 'switch', help: 'Keep running until you stop it', group: 'When' },
      { name: 'limit', kind: 'text', value: '<n|all>', help: 'Send at most this many', group: 'When', default: 'all' },
      { name: 'ignore-quiet-hours', kind: 'switch', help: 'Also send short texts from 21:00 to 09:00 in India', group: 'When' },
      { name: 'concurrency', kind: 'number', value: '<n>', help: 'Messages to send at the same time', group: 'When', default: '16' },
      { ...allowPrivate },
    ],
    examples: [
      { about: 'What is due, once', line: 'shipx messages deliver' },
      { about: 'Keep sending', line: 'shipx messages deliver --watch' },
      { about: 'To a gateway on this machine', line: 'shipx messages deliver --gateway http://127.0.0.1:8080/messages --allow-private' },
    ],
    output: '{data: {sent, failed, parked, expired, waiting}}', exits: '0 nothing failed · 2 bad input, or no way to deliver · 6 database busy · 7 some failed or were parked · 130 interrupted: what was under way was finished',
  },
  {
    path: ['messages', 'list'], summary: 'List messages, the newest first', args: [], ...local,
    flags: [
      { name: 'status', kind: 'list', value: '<status,…>', choices: messageStatuses, help: 'Only with these statuses', group: 'Filters' },
      { name: 'failed', kind: 'switch', help: 'Only those that shipx gave up: parked and expired', group: 'Filters', excludes: ['status'] },
      { name: 'channel', kind: 'list', value: '<channel,…>', choices: messageChannels, help: 'Only on these channels', group: 'Filters' },
      { name: 'step', kind: 'list', value: '<step,…>', choices: [...customerSteps, 'status'], help: 'Only about these steps', group: 'Filters' },
      { name: 'store', kind: 'list', value: '<store,…>', help: 'Only of these stores', group: 'Filters', offers: 'stores' },
      { name: 'tracking-number', kind: 'list', value: '<number,…>', help: 'Only about these parcels', group: 'Filters' },
      { name: 'since', kind: 'text', value: '<when>', help: 'Created since: 7d, 12h, today, 2026-09-01, or an ISO 8601 time', group: 'Filters' },
      { name: 'limit', kind: 'text', value: '<n|all>', help: 'Show at most this many', group: 'Order and pages', default: '20' },
      { name: 'all', kind: 'switch', help: 'Show everything, as it arrives', group: 'Order and pages' },
    ],
    examples: [{ about: 'Messages that shipx gave up', line: 'shipx messages list --failed' }, { about: 'Messages to a customer about a parcel', line: 'shipx messages list --tracking-number 14344940012345' }],
    output: `{data: [${record}]}`, exits: read,
  },
  {
    path: ['messages', 'show'], summary: 'Show one message and its content', args: [{ name: 'message', help: 'Message id' }], flags: [], ...local,
    examples: [{ about: 'As JSON', line: 'shipx messages show 01a0f7c4-36c0-7000-8a41-5b7e3d1f9c20 --json' }], output: `{data: ${record.slice(0, -1)}, facts or payload}}`, exits: '0 done · 2 bad input · 3 not found',
  },
  {
    path: ['messages', 'retry'], summary: 'Send messages again', args: [id], ...local,
    about: 'Makes parked, expired, cancelled and waiting messages due at once, as if they had never been tried.',
    flags: [{ name: 'failed', kind: 'switch', help: 'All that are parked or expired', group: 'Which' }, dryRun],
    examples: [{ about: 'When the gateway is back', line: 'shipx messages retry --failed' }], output: '{data: [{id}]}', exits: '0 done · 2 bad input · 3 not found · 5 it was sent, or its phone opted out · 7 some stayed as they are',
  },
  {
    path: ['messages', 'cancel'], summary: 'Cancel waiting messages', args: [id], flags: [dryRun], ...local,
    examples: [{ about: 'One', line: 'shipx messages cancel 01a0f7c4-36c0-7000-8a41-5b7e3d1f9c20' }], output: '{data: [{id}]}', exits: '0 done · 2 bad input · 3 not found · 5 it was sent already · 7 some stayed as they are',
  },
  {
    path: ['messages', 'set'], summary: 'Set how messages are sent, or show the settings', args: [], ...local,
    about: 'Saves the settings in the account\'s database, for messages deliver and shipx serve --deliver. A new gateway gets a signing secret, printed once. "none" removes a setting.',
    flags: [
      { name: 'gateway', kind: 'text', value: '<url>', help: 'Your gateway for messages: https://…', group: 'Gateway' },
      { name: 'new-secret', kind: 'switch', help: 'Make a new signing secret and print it once', group: 'Gateway', excludes: ['secret-stdin'] },
      { name: 'secret-stdin', kind: 'switch', help: 'Read your own signing secret (whsec_…) from standard input', group: 'Gateway' },
      { name: 'smtp', kind: 'text', value: '<url>', help: 'A mail server without a password: smtp://host:587', group: 'E-mail' },
      { name: 'smtp-stdin', kind: 'switch', help: 'Read a mail server with its password from standard input: smtp://user:password@host:587', group: 'E-mail', excludes: ['secret-stdin', 'smtp'] },
      { name: 'from', kind: 'text', value: '<address>', help: 'Sender of e-mails: "Acme <orders@acme.example>"', group: 'E-mail' },
      { ...allowPrivate }, dryRun,
    ],
    examples: [{ about: 'A gateway', line: 'shipx messages set --gateway https://sms.acme.example/shipx' }, { about: 'A mail server, with its password in a file', line: 'cat smtp.txt | shipx messages set --smtp-stdin --from orders@acme.example' }, { about: 'What is set', line: 'shipx messages set' }],
    output: '{data: {gateway, secret, smtp, from, signing_secret}}', exits: write,
  },
  {
    path: ['messages', 'optout', 'add'], summary: 'Send no more messages to a phone', args: [{ name: 'phone', help: 'Phone number, with or without +91' }], flags: [dryRun], ...local,
    examples: [{ about: 'A customer answered STOP', line: 'shipx messages optout add 9876543210' }], output: '{data: {phone, stopped}}', exits: write,
  },
  {
    path: ['messages', 'optout', 'remove'], summary: 'Send messages to a phone again', args: [{ name: 'phone', help: 'Phone number' }], flags: [dryRun], ...local,
    examples: [{ about: 'A customer answered START', line: 'shipx messages optout remove 9876543210' }], output: '{data: {phone}}', exits: write,
  },
  {
    path: ['messages', 'optout', 'list'], summary: 'List the phones that get no messages', args: [], flags: [], ...local,
    examples: [{ about: 'All', line: 'shipx messages optout list' }], output: '{data: [{phone, created_at}]}', exits: read,
  },
  {
    path: ['webhooks', 'set'], summary: 'Send every change of status to your own systems', args: [{ name: 'url', help: 'Address to post to: https://…' }], ...local,
    about: 'Each webhook gets every later change, sent by shipx messages deliver or shipx serve --deliver. shipx prints the signing secret once, when it makes the webhook. Setting it again changes its API key.',
    flags: [{ name: 'api-key-stdin', kind: 'switch', help: 'Read the value of the X-API-Key header from standard input', group: 'Webhook' }, { ...allowPrivate }, dryRun],
    examples: [{ about: 'A new one', line: 'shipx webhooks set https://erp.acme.example/shipments' }], output: '{data: {id, url, secret, api_key, created_at, signing_secret}}', exits: write,
  },
  {
    path: ['webhooks', 'list'], summary: 'List the webhooks', args: [], flags: [], ...local,
    examples: [{ about: 'All', line: 'shipx webhooks list' }], output: '{data: [{id, url, secret, api_key, created_at}]}, with only the ends of secrets', exits: read,
  },
  {
    path: ['webhooks', 'test'], summary: 'Post a test event to webhooks', args: [{ name: 'webhook', help: 'Webhook id; all when none is named' }], flags: [{ ...allowPrivate }], ...local,
    examples: [{ about: 'All', line: 'shipx webhooks test' }], output: '{data: [{id, url, ok, ms, error}]}', exits: '0 all accepted it · 2 bad input · 3 not found · 7 some did not',
  },
  {
    path: ['webhooks', 'remove'], summary: 'Remove a webhook', args: [{ name: 'webhook', help: 'Webhook id' }], flags: [dryRun], ...local,
    examples: [{ about: 'One', line: 'shipx webhooks remove wh_6f0c2b9e2f0a --yes' }], output: '{data: {id}}', exits: `${write} · 8 it needs a yes`,
  },
]

const file = { name: 'file', help: 'A file of templates, or - for standard input' }

const store: Flag = { name: 'store', kind: 'text', value: '<name>', help: 'Only for this store', group: 'Template' }

const language: Flag = {
  name: 'language',
  kind: 'text',
  value: '<language>',
  choices: languages,
  help: 'The language',
  group: 'Template',
}

const out: Flag = {
  name: 'out',
  kind: 'text',
  value: '<file>',
  help: 'The file to write (default: standard output)',
  group: 'Output',
}

const force: Flag = { name: 'force', kind: 'switch', help: 'Replace an existing file', group: 'Safety' }

const chain = "Each part of a message comes from the store's template, else the account's, else the built-in one."

// prettier-ignore
export const templates: readonly Command[] = [
  {
    path: ['messages', 'preview'], summary: 'Show a message as its customer reads it', ...local,
    about: 'Sends nothing. --step shows a step of an invented order. The JSON holds the e-mail; --out writes it to a file with the logo in it.',
    args: [{ name: 'message', help: 'Id of a message', many: true }],
    flags: [
      { name: 'step', kind: 'text', value: '<step>', choices: customerSteps, help: 'Show this step of an invented order instead', group: 'Message' },
      { ...store, help: 'Use the brand of this store, with --step', group: 'Message' },
      { ...language, help: 'Use this language instead of the current one', group: 'Message' },
      { name: 'text', kind: 'switch', help: 'Print only the short text', group: 'Output' },
      { ...out, help: 'Write the e-mail to this file' },
      force,
    ],
    examples: [
      { about: 'The message when a parcel is on its way', line: 'shipx messages preview --step shipped --store acme-kids' },
      { about: 'The e-mail in Hindi, for a browser', line: 'shipx messages preview --step delivered --language hi --out delivered.html' },
    ],
    output: '{data: {step, language, subject, text, parts: {encoding, count}, html, brand_name, dlt}}', exits: '0 done · 2 bad input · 3 no such message or store',
  },
  {
    path: ['messages', 'template', 'list'], summary: 'List the templates of messages', args: [], flags: [], ...local,
    about: chain, examples: [{ about: 'Templates of the account and its stores, and the built-in ones', line: 'shipx messages template list' }],
    output: '{data: [{name, store_name, language, in_use, steps: [], layout, dlt, updated_at}]}', exits: read,
  },
  {
    path: ['messages', 'template', 'export'], summary: 'Write a template as a file to change', args: [], flags: [store, { ...language, help: 'The language (default: the one in use)' }, out, force], ...local,
    about: 'Writes every text, defaults included. Delete the parts that should follow the defaults.',
    examples: [{ about: 'A file to start with', line: 'shipx messages template export --out en.txt' }, { about: 'Hindi, for a store', line: 'shipx messages template export --store acme-kids --language hi' }],
    output: '{data: {language, dlt, steps: {shipped: {text, subject, html}}, layout}}', exits: '0 done · 2 bad input · 3 no such store',
  },
  {
    path: ['messages', 'template', 'check'], summary: 'Check a file of templates', args: [file], flags: [{ ...language, help: 'The language of a file that names none' }], ...local,
    about: 'Shows every fault with its line and column: an unknown field, markup that does not close, a value in an unsafe place, a wrong id.',
    examples: [{ about: 'Before importing it', line: 'shipx messages template check messages.txt' }],
    output: '{language, steps: [], faults: [], warnings: []}', exits: '0 sound · 2 faults, each named',
  },
  {
    path: ['messages', 'template', 'import'], summary: 'Import a file of templates', args: [file],
    flags: [store, { ...language, help: 'The language of a file that names none' }, { name: 'use', kind: 'switch', help: 'Send messages in its language from now on', group: 'Template' }, dryRun], ...local,
    about: `Checks the file first. ${chain} A store keeps its template when you rename it.`,
    examples: [{ about: 'For the whole account', line: 'shipx messages template import messages.txt' }, { about: 'For one store', line: 'shipx messages template import messages.txt --store acme-kids --use' }],
    output: '{data: {name, language, steps: [], in_use}}', exits: write,
  },
  {
    path: ['messages', 'template', 'use'], summary: 'Choose the language of messages', args: [{ name: 'language', help: 'en or hi' }], flags: [store, dryRun], ...local,
    examples: [{ about: 'Hindi for all stores', line: 'shipx messages template use hi' }, { about: 'For one store', line: 'shipx messages template use hi --store acme-kids' }],
    output: '{data: {name, language}}', exits: write,
  },
  {
    path: ['messages', 'template', 'remove'], summary: 'Remove a template and use its defaults', args: [], flags: [store, { ...language, help: 'The language (required)' }, dryRun], ...local,
    examples: [{ about: 'Back to the built-in Hindi', line: 'shipx messages template remove --language hi --yes' }],
    output: '{data: {name}}', exits: write,
  },
]
