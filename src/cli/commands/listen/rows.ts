// The command that keeps a mirror current by webhooks.
import type { Command, Flag } from '../../command/tree.ts'

const service: readonly Flag[] = [
  {
    name: 'host',
    kind: 'text',
    value: '<address>',
    help: 'Listen on this address, for example 0.0.0.0',
    group: 'Service',
    default: '127.0.0.1',
  },
  {
    name: 'port',
    kind: 'number',
    value: '<n>',
    help: 'Listen on this port; 0 picks a free one',
    group: 'Service',
    default: '8788',
  },
  {
    name: 'path',
    kind: 'text',
    value: '<path>',
    help: 'Take webhooks at this path',
    group: 'Service',
    default: '/webhooks',
  },
  {
    name: 'unsigned',
    kind: 'switch',
    help: 'Take webhooks without a proof of their sender, from a service that gives none',
    group: 'Service',
    excludes: ['forward'],
  },
]

const times: readonly Flag[] = [
  {
    name: 'pull-after',
    kind: 'text',
    value: '<time>',
    help: 'Pull after this long without a webhook: 5m, 1h',
    group: 'When',
    default: '15m',
  },
  {
    name: 'max-rps',
    kind: 'number',
    value: '<n>',
    help: 'Send at most this many requests a second (for example 5) instead of 500 in 5 minutes',
    group: 'When',
  },
]

const forward: readonly Flag[] = [
  {
    name: 'forward',
    kind: 'text',
    value: '<url>',
    help: 'Also post each webhook to this address, with its signature, before it is answered',
    group: 'Forward',
  },
  {
    name: 'allow-private',
    kind: 'switch',
    help: 'Also forward to private network addresses, and over plain http',
    group: 'Forward',
  },
]

export const listen: Command = {
  path: ['listen'],
  live: true,
  summary: 'Receive status webhooks, and keep the local copy of your account current',
  args: [],
  about: [
    'Each webhook names a record, which shipx reads from your account and saves in the copy of shipx pull. ' +
      'It answers 2xx only when it has noted what to read.',
    'The signing secret is in SHIPX_WEBHOOK_SECRET, or in the profile (shipx profile set webhook_secret -). ' +
      'shipx also pulls: at the start, after a time without a webhook, and every hour.',
    'On SIGTERM, SIGHUP or Ctrl-C it stops at once; the next run goes on with what it noted.',
  ].join('\n'),
  flags: [...service, ...times, ...forward],
  examples: [
    { about: 'Keep the copy current, behind a proxy on this computer', line: 'shipx listen' },
    {
      about: 'Hand each webhook on to a program of yours',
      line: 'shipx listen --forward http://127.0.0.1:9000/status --allow-private',
    },
  ],
  output:
    'one line for each update; with --json, JSON Lines: {event: "listening", url, mirror, pid}, ' +
    '{event: "update", at, kind, id, tracking_number, order, status, outcome}, ' +
    '{event: "pull", at, shipments, returns, stores}',
  exits: '0 you stopped it · 2 bad input, or another program uses the port · 4 not signed in',
}
