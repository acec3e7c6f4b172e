// The commands that deliver and manage messages.
import { customerSteps } from '../../../domain/parcels/journeys.ts'
import { messageChannels, messageStatuses, webhookEvents } from '../../../domain/messages/messages.ts'
import type { Command, Flag } from '../../command/tree.ts'
import { asking, dryRun, local, read, write } from '../rows/flags.ts'
import { languages } from '../../../domain/messages/templates.ts'

const allowPrivate: Flag = {
  name: 'allow-private',
  kind: 'switch',
  help: 'Also send to private network addresses and over plain http',
  group: 'Safety',
}
const id = { name: 'message', help: 'Ids of messages, or their ends, from shipx messages list', many: true as const }
const record =
  '{id, step, tracking_number, order_id, store_name, brand_name, channel, status, phone, email, webhook, ' +
  'attempts, created_at, due_at, next_at, sent_at, error}'

// prettier-ignore
export const delivery: readonly Command[] = [
  {
    path: ['messages', 'deliver'], live: true, summary: 'Send the messages that are due', args: [], ...local,
    about: 'shipx sends to customers through the gateway or the mail server, and to your own systems through webhooks. It sends each message at least once, always with the same id. It tries a failed message again after 0.5 s, 1 s, 2 s and so on; without --watch, a later run does that. After ten failures it parks the message. You can run several at the same time.',
    flags: [
      { name: 'gateway', kind: 'text', value: '<url>', help: 'Use this gateway for this run, not the saved one', group: 'Ways' },
      { name: 'smtp', kind: 'text', value: '<url>', help: 'Use this mail server for this run: smtp://user@host:587 or smtps://…; set SHIPX_SMTP for one with a password', group: 'Ways' },
      { name: 'from', kind: 'text', value: '<address>', help: 'Send e-mails from this address: "Acme <orders@acme.example>"', group: 'Ways' },
      { name: 'watch', kind: 'switch', help: 'Keep sending until you stop it', group: 'When' },
      { name: 'limit', kind: 'text', value: '<n|all>', help: 'Send at most this many messages, for example 100', group: 'When', default: 'all' },
      { name: 'ignore-quiet-hours', kind: 'switch', help: 'Also send short texts from 21:00 to 09:00 Indian time', group: 'When' },
      { name: 'concurrency', kind: 'number', value: '<n>', help: 'Send at most this many messages at the same time', group: 'When', default: '16' },
      { ...allowPrivate },
    ],
    examples: [
      { about: 'Send the due messages once', line: 'shipx messages deliver' },
      { about: 'Keep sending', line: 'shipx messages deliver --watch' },
      { about: 'Send to a gateway on this computer', line: 'shipx messages deliver --gateway http://127.0.0.1:8080/messages --allow-private' },
    ],
    output: '{data: {sent, failed, parked, expired, waiting}}', exits: '0 nothing failed · 2 bad input, or no gateway, mail server or webhook · 6 database busy · 7 some messages failed, or shipx parked them · 130 interrupted: shipx finished the messages it had begun',
  },
  {
    path: ['messages', 'list'], summary: 'List messages, the newest first', args: [], ...local,
    flags: [
      { name: 'status', kind: 'list', value: '<status,…>', choices: messageStatuses, help: 'Show only messages with these statuses', group: 'Filters' },
      { name: 'failed', kind: 'switch', help: 'Show only the messages that shipx gave up: parked and expired', group: 'Filters', excludes: ['status'] },
      { name: 'channel', kind: 'list', value: '<channel,…>', choices: messageChannels, help: 'Show only messages on these channels', group: 'Filters' },
      { name: 'step', kind: 'list', value: '<step,…>', choices: [...customerSteps, 'status', 'dispute'], help: 'Show only messages about these steps', group: 'Filters' },
      { name: 'store', kind: 'list', value: '<store,…>', help: 'Show only messages of these stores', group: 'Filters', offers: 'stores' },
      { name: 'tracking-number', kind: 'list', value: '<number,…>', help: 'Show only messages about these parcels', group: 'Filters' },
      { name: 'order', kind: 'list', value: '<order,…>', help: 'Show only messages about these orders', group: 'Filters' },
      { name: 'since', kind: 'text', value: '<when>', help: 'Show only messages created since this time: 7d, 12h, today, 2026-09-01, or an ISO 8601 time', group: 'Filters' },
      { name: 'limit', kind: 'text', value: '<n|all>', help: 'Show at most this many messages, for example 50', group: 'Order and pages', default: '20' },
      { name: 'all', kind: 'switch', help: 'Show all messages, as shipx reads them', group: 'Order and pages' },
    ],
    examples: [{ about: 'List the messages that shipx gave up', line: 'shipx messages list --failed' }, { about: 'List the messages about a parcel', line: 'shipx messages list --tracking-number 14344940012345' }],
    output: `{data: [${record}]}`, exits: read,
  },
  {
    path: ['messages', 'show'], summary: 'Show what a message says, and what became of it', args: [{ name: 'message', help: 'Id of the message, or the end of it that a table shows' }], flags: [], ...local,
    examples: [{ about: 'Show a message', line: 'shipx messages show 3d1f9c20' }], output: `{data: ${record.slice(0, -1)}, text, subject and facts, or payload}}`, exits: '0 done · 2 bad input · 3 not found',
  },
  {
    path: ['messages', 'retry'], summary: 'Send messages again', args: [id], ...local,
    about: 'shipx makes parked, expired, cancelled and waiting messages due at once, and forgets their earlier failures.',
    flags: [{ name: 'failed', kind: 'switch', help: 'Send all parked and expired messages again', group: 'Which' }, dryRun],
    examples: [{ about: 'Send again when the gateway is back', line: 'shipx messages retry --failed' }], output: '{data: [{id}]}', exits: '0 done · 2 bad input · 3 not found · 5 shipx sent it already, or its phone opted out · 7 some did not change',
  },
  {
    path: ['messages', 'cancel'], summary: 'Cancel waiting messages', args: [id], flags: [dryRun], ...local,
    examples: [{ about: 'Cancel one message', line: 'shipx messages cancel 01a0f7c4-36c0-7000-8a41-5b7e3d1f9c20' }], output: '{data: [{id}]}', exits: '0 done · 2 bad input · 3 not found · 5 shipx sent it already · 7 some did not change',
  },
  {
    path: ['messages', 'set'], summary: 'Set how shipx sends messages, or show the settings', args: [], ...local,
    about: 'shipx saves the settings in the account\'s database, for shipx messages deliver and shipx serve --deliver. It makes a signing secret for a new gateway and prints it once. The value none removes a setting.',
    flags: [
      { name: 'gateway', kind: 'text', value: '<url>', help: 'Send through your gateway at this address: https://…', group: 'Gateway' },
      { name: 'new-secret', kind: 'switch', help: 'Make a new signing secret and print it once', group: 'Gateway', excludes: ['secret-stdin'] },
      { name: 'secret-stdin', kind: 'switch', help: 'Read your own signing secret (whsec_…) from standard input', group: 'Gateway' },
      { name: 'smtp', kind: 'text', value: '<url>', help: 'Send through this mail server, without a password: smtp://host:587', group: 'E-mail' },
      { name: 'smtp-stdin', kind: 'switch', help: 'Read the mail server with its password from standard input: smtp://user:password@host:587', group: 'E-mail', excludes: ['secret-stdin', 'smtp'] },
      { name: 'from', kind: 'text', value: '<address>', help: 'Send e-mails from this address: "Acme <orders@acme.example>"', group: 'E-mail' },
      { ...allowPrivate }, dryRun,
    ],
    examples: [{ about: 'Send through a gateway', line: 'shipx messages set --gateway https://sms.acme.example/shipx' }, { about: 'Send through a mail server, with its password in a file', line: 'cat smtp.txt | shipx messages set --smtp-stdin --from orders@acme.example' }, { about: 'Show the settings', line: 'shipx messages set' }],
    output: '{data: {gateway, secret, smtp, from, signing_secret}}', exits: `${write} · 8 the secret must come from a pipe or a file`,
  },
  {
    path: ['messages', 'optout', 'add'], summary: 'Send no more messages to a phone', args: [{ name: 'phone', help: 'Phone number, with or without +91' }], flags: [dryRun], ...local,
    examples: [{ about: 'Stop when a customer answers STOP', line: 'shipx messages optout add 9876543210' }], output: '{data: {phone, stopped}}', exits: write,
  },
  {
    path: ['messages', 'optout', 'remove'], summary: 'Send messages to a phone again', args: [{ name: 'phone', help: 'Phone number, with or without +91' }], flags: [dryRun], ...local,
    examples: [{ about: 'Start again when a customer answers START', line: 'shipx messages optout remove 9876543210' }], output: '{data: {phone}}', exits: write,
  },
  {
    path: ['messages', 'optout', 'list'], summary: 'List the phones that get no messages', args: [], flags: [], ...local,
    examples: [{ about: 'List all phones', line: 'shipx messages optout list' }], output: '{data: [{phone, created_at}]}', exits: read,
  },
  {
    path: ['webhooks', 'set'], summary: 'Send changes of status, and news of disputes, to your own systems', args: [{ name: 'url', help: 'Address that receives the changes: https://…' }], ...local,
    about: 'shipx messages deliver and shipx serve --deliver send every later change to each webhook. shipx prints the signing secret once, when it creates the webhook. If you set the same address again, only its API key and its events change.',
    flags: [{ name: 'events', kind: 'list', value: '<event,…>', choices: webhookEvents, help: 'What it receives: changes of status, disputes, or both (default: status)', group: 'Webhook' }, { name: 'api-key-stdin', kind: 'switch', help: 'Read the value of the X-API-Key header from standard input', group: 'Webhook' }, { ...allowPrivate }, dryRun],
    examples: [{ about: 'Add a webhook', line: 'shipx webhooks set https://erp.acme.example/shipments' }, { about: 'Hear of disputes and their deadlines', line: 'shipx webhooks set https://books.acme.example/disputes --events disputes' }], output: '{data: {id, url, secret, api_key, events, created_at, signing_secret}}', exits: `${write} · 8 the key must come from a pipe or a file`,
  },
  {
    path: ['webhooks', 'list'], summary: 'List the webhooks', args: [], flags: [], ...local,
    examples: [{ about: 'List all webhooks', line: 'shipx webhooks list' }], output: '{data: [{id, url, secret, api_key, events, created_at}]}; shipx shows only the end of a secret', exits: read,
  },
  {
    path: ['webhooks', 'test'], summary: 'Post a test event to webhooks', args: [{ name: 'webhook', help: 'Id of the webhook (default: all webhooks)' }], flags: [{ ...allowPrivate }], ...local,
    examples: [{ about: 'Test all webhooks', line: 'shipx webhooks test' }], output: '{data: [{id, url, ok, ms, error}]}', exits: '0 all webhooks accepted it · 2 bad input · 3 not found · 7 some webhooks did not accept it',
  },
  {
    path: ['webhooks', 'remove'], summary: 'Remove a webhook', args: [{ name: 'webhook', help: 'Id of the webhook, from shipx webhooks list' }], flags: [dryRun], ...local,
    examples: [{ about: 'Remove one webhook', line: 'shipx webhooks remove wh_6f0c2b9e2f0a --yes' }], output: '{data: {id}}', exits: `${write} · ${asking}`,
  },
]

const file = { name: 'file', help: 'A file of templates, or - for standard input' }

const store: Flag = {
  name: 'store',
  kind: 'text',
  value: '<name>',
  help: 'Use the template of this store, not of the whole account',
  group: 'Template',
}

const language: Flag = {
  name: 'language',
  kind: 'text',
  value: '<language>',
  choices: languages,
  help: 'Use the template in this language',
  group: 'Template',
}

const out: Flag = {
  name: 'out',
  kind: 'text',
  value: '<file>',
  help: 'Write to this file (default: standard output)',
  group: 'Output',
}

const force: Flag = { name: 'force', kind: 'switch', help: 'Replace an existing file', group: 'Safety' }

const chain = "shipx takes each part of a message from the store's template, else the account's, else the built-in one."

// prettier-ignore
export const templates: readonly Command[] = [
  {
    path: ['messages', 'preview'], summary: 'Show a message as the customer reads it', ...local,
    about: 'Sends nothing. With --step, shipx shows a step of a sample order. The JSON contains the e-mail; --out writes it to a file, logo included.',
    args: [{ name: 'message', help: 'Id of the message, from shipx messages list' }],
    flags: [
      { name: 'step', kind: 'text', value: '<step>', choices: customerSteps, help: 'Show this step of a sample order, not a message', group: 'Message' },
      { ...store, help: 'With --step, use the brand of this store', group: 'Message' },
      { ...language, help: 'Use this language instead of the current one', group: 'Message' },
      { name: 'text', kind: 'switch', help: 'Print only the short text', group: 'Output' },
      { ...out, help: 'Write the e-mail to this file, for example mail.html' },
      force,
    ],
    examples: [
      { about: 'Show the message about a shipped parcel', line: 'shipx messages preview --step shipped --store acme-kids' },
      { about: 'Write the e-mail in Hindi, for a browser', line: 'shipx messages preview --step delivered --language hi --out delivered.html' },
    ],
    output: '{data: {step, language, subject, text, parts: {encoding, count}, html, brand_name, dlt}}', exits: '0 done · 2 bad input · 3 no such message or store',
  },
  {
    path: ['messages', 'template', 'list'], summary: 'List the templates of messages', args: [], flags: [], ...local,
    about: chain, examples: [{ about: 'List the templates of the account and its stores, and the built-in ones', line: 'shipx messages template list' }],
    output: '{data: [{name, store_name, language, in_use, steps: [], layout, dlt, updated_at}]}', exits: read,
  },
  {
    path: ['messages', 'template', 'export'], summary: 'Write a template to a file that you can change', args: [], flags: [{ ...store, help: 'Write the template of this store, not of the whole account' }, { ...language, help: 'Write the template in this language (default: the one in use)' }, out, force], ...local,
    about: 'The file has every text, also the defaults. Delete the parts that should follow the defaults.',
    examples: [{ about: 'Write a file to start with', line: 'shipx messages template export --out en.txt' }, { about: 'Print the Hindi template of a store', line: 'shipx messages template export --store acme-kids --language hi' }],
    output: '{data: {language, dlt, steps: {shipped: {text, subject, html}}, layout}}', exits: '0 done · 2 bad input · 3 no such store',
  },
  {
    path: ['messages', 'template', 'check'], summary: 'Check a file of templates', args: [file], flags: [{ ...language, help: 'Use this language for a file that names none' }], ...local,
    about: 'shipx shows every fault with its line and column, for example an unknown field or markup that does not close.',
    examples: [{ about: 'Check a file before you import it', line: 'shipx messages template check messages.txt' }],
    output: '{language, steps: [], faults: [], warnings: []}', exits: '0 no faults · 2 faults; shipx names each one',
  },
  {
    path: ['messages', 'template', 'import'], summary: 'Import a file of templates', args: [file],
    flags: [{ ...store, help: 'Import for this store, not for the whole account' }, { ...language, help: 'Use this language for a file that names none' }, { name: 'use', kind: 'switch', help: 'Send messages in the language of the file from now on', group: 'Template' }, dryRun], ...local,
    about: `shipx checks the file first. ${chain} A store keeps its template when you rename it.`,
    examples: [{ about: 'Import for the whole account', line: 'shipx messages template import messages.txt' }, { about: 'Import for one store', line: 'shipx messages template import messages.txt --store acme-kids --use' }],
    output: '{data: {name, language, steps: [], in_use}}', exits: write,
  },
  {
    path: ['messages', 'template', 'use'], summary: 'Choose the language of messages', args: [{ name: 'language', help: 'en or hi' }], flags: [{ ...store, help: 'Choose the language of this store, not of the whole account' }, dryRun], ...local,
    examples: [{ about: 'Use Hindi for all stores', line: 'shipx messages template use hi' }, { about: 'Use Hindi for one store', line: 'shipx messages template use hi --store acme-kids' }],
    output: '{data: {name, language}}', exits: write,
  },
  {
    path: ['messages', 'template', 'remove'], summary: 'Remove a template and use its defaults', args: [], flags: [{ ...store, help: 'Remove the template of this store, not of the whole account' }, { ...language, help: 'Remove the template in this language (required)' }, dryRun], ...local,
    examples: [{ about: 'Go back to the built-in Hindi', line: 'shipx messages template remove --language hi --yes' }],
    output: '{data: {name}}', exits: `${write} · ${asking}`,
  },
]
