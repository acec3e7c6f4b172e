// The commands that serve programs: the engine over HTTP with its keys, and tools for assistants.
import type { Command } from '../../command/tree.ts'
import { asking, dryRun, local, read, write } from '../rows/flags.ts'

// prettier-ignore
export const service: readonly Command[] = [
  {
    path: ['serve'], live: true, summary: 'Serve the engine over HTTP', args: [], ...local,
    about: 'Anyone with a key (shipx keys create) can call the endpoints under /custom/api/v1. They work on the database of the engine.\nGET /openapi.json and /docs describe them; /live and /ready are for supervisors. On SIGTERM, SIGHUP or Ctrl-C, shipx finishes running requests and stops.\nshipx writes the access log as JSON lines on stderr; with --quiet, only faults.',
    flags: [
      { name: 'host', kind: 'text', value: '<address>', help: 'Listen on this address, for example 0.0.0.0', group: 'Service', default: '127.0.0.1' },
      { name: 'port', kind: 'number', value: '<n>', help: 'Listen on this port; 0 picks a free one', group: 'Service', default: '8787' },
      { name: 'rate-limit', kind: 'number', value: '<n>', help: 'Allow each key this many requests a second, and bursts of twice as many; 0 for no limit', group: 'Service', default: '100' },
      { name: 'readers', kind: 'number', value: '<n>', help: 'Answer listings in this many threads; one account gets all but one (default: one for each processor, 2 to 8; 0 for the main thread)', group: 'Service' },
      { name: 'deliver', kind: 'switch', help: 'Also send the messages of all accounts, each with its own settings (shipx messages set)', group: 'Messages' },
      { name: 'allow-private', kind: 'switch', help: 'Also send to private network addresses, and over plain http', group: 'Messages' },
    ],
    examples: [{ about: 'Serve on this computer', line: 'shipx serve' }, { about: 'Print the address for a script', line: 'shipx serve --port 0 --json' }],
    output: '{url, database, pid, version}', exits: '0 you stopped it · 2 bad input, or another program uses the port',
  },
  {
    path: ['keys', 'create'], summary: 'Create a key for an account of the service', args: [{ name: 'account', help: 'Name of the account; shipx creates it if it does not exist' }], ...local,
    about: 'shipx prints the key once, alone on standard output, and keeps only its SHA-256.',
    flags: [
      { name: 'label', kind: 'text', value: '<text>', help: 'Note what the key is for, for example laptop', group: 'Key' },
      { name: 'expires', kind: 'text', value: '<days>', help: 'End the key after this many days: 90d', group: 'Key' },
      { name: 'read-only', kind: 'switch', help: 'Let the key list records and compare prices, but change nothing', group: 'Key' },
      dryRun,
    ],
    examples: [{ about: "Create a key for the data on this computer", line: 'shipx keys create default --label laptop' }, { about: 'Create a key for a dashboard', line: 'shipx keys create default --read-only --expires 90d' }],
    output: '{data: {id, account, label, ending, access, state, created_at, expires_at, key}}', exits: write,
  },
  {
    path: ['keys', 'list'], summary: 'List the keys', args: [], flags: [], ...local,
    examples: [{ about: 'List all keys, also revoked ones', line: 'shipx keys list' }], output: '{data: [{id, account, label, ending, access, state, created_at, expires_at}]}', exits: read,
  },
  {
    path: ['keys', 'revoke'], summary: 'Revoke a key at once', args: [{ name: 'key', help: 'Id of the key, as keys list shows it' }], flags: [dryRun], ...local,
    examples: [{ about: 'Revoke a lost key', line: 'shipx keys revoke key_4fT9aLm2Qx --yes' }], output: '{data: {id, …}}', exits: `${write} · ${asking}`,
  },
  {
    path: ['mcp'], live: true, summary: 'Answer an assistant by the Model Context Protocol, on standard input and output',
    about: 'An assistant starts this command and asks with its tools: lists, one record, sums, work lists, quotes and SQL. Each tool is a command of shipx with --json, with the same limits and errors. Phone numbers are masked as in tables.\nshipx changes nothing unless --allow-writes is given. Standard output holds messages of the protocol and nothing else.',
    args: [],
    flags: [
      { name: 'allow-writes', kind: 'switch', help: 'Also offer tools that create and change stores and orders, and that answer NDRs', group: 'Tools' },
      { name: 'no-sql', kind: 'switch', help: 'Leave out the tool sql, whose expressions can show phone numbers', group: 'Tools' },
      { name: 'timeout', kind: 'text', value: '<60s>', help: 'Stop a tool after this time, at most 10m', group: 'Tools', default: '60s' },
    ],
    examples: [
      { about: 'What an assistant starts', line: 'shipx mcp' },
      { about: 'Offer the local copy of an account', line: 'shipx mcp --profile acme --local' },
    ],
    output: 'messages of the protocol, one JSON object on each line', exits: '0 the assistant closed the connection, or you stopped it · 2 bad input · 4 no valid key',
  },
]
