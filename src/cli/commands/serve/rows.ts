// The commands that serve the engine over HTTP and manage its keys.
import type { Command } from '../../command/tree.ts'
import { dryRun, local, read, write } from '../rows/flags.ts'

// prettier-ignore
export const service: readonly Command[] = [
  {
    path: ['serve'], live: true, summary: 'Serve the engine over HTTP', args: [], ...local,
    about: 'Serves the endpoints under /custom/api/v1 on the embedded database, to anyone with a key (shipx keys create).\nGET /openapi.json and /docs describe them; /live and /ready are for supervisors. SIGTERM, SIGHUP or Ctrl-C lets running requests end.\nThe access log is JSON lines on stderr; --quiet keeps only faults.',
    flags: [
      { name: 'host', kind: 'text', value: '<address>', help: 'Address to listen on', group: 'Service', default: '127.0.0.1' },
      { name: 'port', kind: 'number', value: '<n>', help: 'Port; 0 picks a free one', group: 'Service', default: '8787' },
      { name: 'rate-limit', kind: 'number', value: '<n>', help: 'Requests a second for one key, with bursts of twice as many; 0 for no limit', group: 'Service', default: '100' },
      { name: 'readers', kind: 'number', value: '<n>', help: 'Threads that answer listings, all but one for the same account (default: one for each processor, 2 to 8; 0 uses the main thread)', group: 'Service' },
      { name: 'deliver', kind: 'switch', help: 'Also send the messages of all accounts, as each has set (shipx messages set)', group: 'Messages' },
      { name: 'allow-private', kind: 'switch', help: 'Also send to private network addresses, and over plain http', group: 'Messages' },
    ],
    examples: [{ about: 'On this machine', line: 'shipx serve' }, { about: 'Where it listens, for a script', line: 'shipx serve --port 0 --json' }],
    output: '{url, database, pid, version}', exits: '0 stopped · 2 bad input, or the port is in use',
  },
  {
    path: ['keys', 'create'], summary: 'Make a key for an account of the service', args: [{ name: 'account', help: 'Account name; created when it does not exist' }], ...local,
    about: 'Prints the key once, alone on standard output. shipx keeps only its SHA-256.',
    flags: [
      { name: 'label', kind: 'text', value: '<text>', help: 'What the key is for', group: 'Key' },
      { name: 'expires', kind: 'text', value: '<days>', help: 'Days until it expires: 90d', group: 'Key' },
      { name: 'read-only', kind: 'switch', help: 'The key may list and quote, but change nothing', group: 'Key' },
      dryRun,
    ],
    examples: [{ about: "For the embedded engine's own data", line: 'shipx keys create default --label laptop' }, { about: 'For a dashboard', line: 'shipx keys create default --read-only --expires 90d' }],
    output: '{data: {id, account, label, ending, access, state, created_at, expires_at, key}}', exits: write,
  },
  {
    path: ['keys', 'list'], summary: 'List the keys', args: [], flags: [], ...local,
    examples: [{ about: 'All, also revoked ones', line: 'shipx keys list' }], output: '{data: [{id, account, label, ending, access, state, created_at, expires_at}]}', exits: read,
  },
  {
    path: ['keys', 'revoke'], summary: 'End a key at once', args: [{ name: 'key', help: 'Id of the key, as keys list shows it' }], flags: [dryRun], ...local,
    examples: [{ about: 'A lost key', line: 'shipx keys revoke key_4fT9aLm2Qx --yes' }], output: '{data: {id, …}}', exits: write,
  },
]
