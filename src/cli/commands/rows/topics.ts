// The help topics: their names and their texts.
import { codes, kinds } from '../../../domain/errors.ts'
import {
  failureReasons,
  namesOf,
  returnBuckets,
  returnStatuses,
  shipmentBuckets,
} from '../../../domain/parcels/statuses.ts'
import type { Tree } from '../../command/tree.ts'

export const exitMeanings: Readonly<Record<number, string>> = {
  0: 'done, also when a list is empty',
  1: 'failed in another way; often a bug',
  2: 'the command line or the input file is wrong; nothing was sent',
  3: 'not found',
  4: 'not signed in, or refused',
  5: 'the service rejected it',
  6: 'temporary: try again later, or the outcome is unknown',
  7: 'partly done',
  8: 'shipx needed an answer and had no terminal to ask',
  130: 'interrupted',
}

const columnsOf = (rows: readonly (readonly string[])[]): string => {
  const width = Math.max(...rows.map((row) => row[0]!.length))
  return rows.map(([first, ...rest]) => `  ${first!.padEnd(width)}  ${rest.join('  ')}`.trimEnd()).join('\n')
}

/** An error on stderr, with --json. */
const errorShape =
  '{"error":{"code","message","status","details":[{"field","message","row"}],"hint",' +
  '"retryable","retry_after_ms","exit_code"}}'

export const topics: Tree['topics'] = [
  {
    name: 'environment',
    summary: 'Environment variables',
    text: `Order: flag, then environment, then profile, then default.\n\n${columnsOf([
      ['SHIPX_PROFILE', 'The profile to use, as --profile'],
      ['SHIPX_BASE_URL', 'Address of the deployment, as --base-url'],
      ['SHIPX_API_KEY', 'The key for it; used instead of the key of the profile'],
      ['SHIPX_CONFIG_DIR', 'The folder of the profiles (config.json), as a whole path'],
      ['SHIPX_TIMEOUT', 'How long one request may take: 30000 (ms), 30s or 2m'],
      ['SHIPX_CA_FILE', 'Certificates of more authorities to trust, as PEM'],
      ['https_proxy, http_proxy, no_proxy', 'The proxy, and what goes around it'],
      ['SHIPX_DB', "The embedded engine's database file"],
      ['SHIPX_DATABASE_URL', 'A PostgreSQL database for the engine, as --database'],
      ['SHIPX_DATABASE_READ_URL', 'A hot standby of it that may answer listings'],
      ['SHIPX_SMTP', 'The mail server of shipx messages deliver, as --smtp: smtp://user:password@host:587'],
      ['SHIPX_GATEWAY_SECRET', 'The signing secret of messages to the gateway: whsec_…'],
      ['SHIPX_DATA_DIR', 'The folder for the database when SHIPX_DB is not set'],
      ['SHIPX_CODE_CACHE', 'The folder for code that V8 keeps between runs; off keeps none'],
      ['SHIPX_FORMAT', 'Default format: json, jsonl, csv, tsv, excel, ids or table'],
      ['SHIPX_NOW', 'A fixed clock, an ISO 8601 time, for tests and sample data'],
      ['SHIPX_NO_INPUT, CI', 'Never ask a question, as --no-input'],
      ['SHIPX_DEBUG', 'What happens inside, as --debug'],
      ['SHIPX_FORCE_TTY', 'Lay out for a terminal of this many columns, also in a pipe'],
      ['ACCESSIBLE', 'Plain lines for screen readers: no spinner, no bars, choices by number'],
      ['SHIPX_ASCII', 'Only ASCII characters; also with a locale that is not UTF-8 (LC_ALL=C)'],
      ['SHIPX_PAGER', 'A pager, as --pager: 1 for PAGER or less, or its own command'],
      ['NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb', 'Colour off, on, on, off'],
      ['COLUMNS', 'Width of the terminal when it does not report one'],
    ])}`,
  },
  {
    name: 'exit-codes',
    summary: 'What the exit codes mean',
    text: columnsOf(Object.entries(exitMeanings).map(([code, meaning]) => [code, meaning])),
  },
  {
    name: 'formatting',
    summary: 'Output formats',
    text: `On a terminal: a table. In a pipe: the same columns with tabs, no header, exact values, ISO times.

${columnsOf([
  ['--json', "The API's answer as it is: {data, meta}; pretty on a terminal, compact in a pipe"],
  ['--jsonl', 'One record on each line, written as they arrive'],
  ['--csv', 'RFC 4180 with a header; names without "attributes.", nested ones with dots'],
  ['--tsv', 'The same with tabs'],
  ['--excel', 'CSV with a byte order mark; long numbers (AWBs, phones) stay text'],
  ['--ids', 'Record ids, one on each line, for xargs'],
  ['--table', "The table (or its form in a pipe), whatever the profile's format or SHIPX_FORMAT is"],
  ['--fields a,b.c', 'Only these fields in JSON and CSV'],
  ['--columns a,b', 'Only these columns in the table; --wide shows all'],
])}

CSV text cells that a spreadsheet could take for a formula get a leading '. shipx imports remove it again;
--raw leaves them as they are. Within a major version, JSON only gains fields.`,
  },
  {
    name: 'filters',
    summary: 'How filters work together',
    text: `Values of one filter are alternatives (--zone d,e or --zone d --zone e; --status takes one).
Different filters must all hold. Ranges include both ends. --since and --until are times (shipx help times);
on shipments they apply to --date-field, on returns to created_at.
--search finds records in which every word occurs, ignoring case.

Detailed shipment statuses (--granular-status):
  ${namesOf(shipmentBuckets).join(', ')}
Detailed return statuses:
  ${namesOf(returnBuckets).join(', ')}
Return statuses (--status):
  ${returnStatuses.join(', ')}
Reasons (--ndr-reason, --rto-reason):
  ${failureReasons.join(', ')}`,
  },
  {
    name: 'times',
    summary: 'How times are written and shown',
    text: `Where a flag takes a time (--since, --until, --order-date):\n\n${columnsOf([
      ['7d, 12h, 30m, 2w', 'This long ago'],
      ['today, yesterday', 'From midnight in India; as an end, that whole day'],
      ['2026-09-01', 'That day in India; as an end, the whole day'],
      ['01/09/2026, 01-09-2026', 'The same day: in India the day comes first'],
      ['"1 Sep 2026"', 'The same day'],
      ['"2026-09-01 10:00"', 'In India'],
      ['2026-09-01T10:00:00+05:30', 'ISO 8601, with Z or an offset'],
    ])}

Tables show India's time; --tz <zone> shows another one, also in CSV. JSON has the times as sent, in UTC.
Spans are 30s, 10m, 1h and 90d (--watch, --timeout, --expires). SHIPX_NOW replaces the clock, in tests.`,
  },
  {
    name: 'scripting',
    summary: 'Recipes for scripts',
    text: [
      [
        'The cheapest courier',
        'shipx rates --from 400001 --to 560001 -w 500g -s 20x15x10 --prepaid --csv --fields carrier_id --limit 1 ' +
          '| tail -1',
      ],
      [
        'How many parcels wait for an answer',
        'shipx shipments list --status ndr_raised --per-page 1 --json | jq .meta.total',
      ],
      ['Every record, as it arrives', 'shipx shipments list --all --jsonl | jq -r .attributes.tracking_number'],
      [
        'Do something with each record',
        'shipx shipments list --status ndr_raised --ids | xargs -n 1 shipx shipments get --json',
      ],
      [
        'A store once, however often it runs',
        'shipx stores get acme-kids -q > /dev/null || shipx stores create --name acme-kids --brand "Acme Kids"',
      ],
      ['A file for finance', 'shipx returns list --refund pending --all --excel > refunds.csv'],
      ['See what would happen', 'shipx stores import stores.csv --dry-run'],
      ['Never wait for an answer', 'SHIPX_NO_INPUT=1 shipx stores import stores.csv --yes --json'],
    ]
      .map(([about, line]) => `  # ${about!}\n  $ ${line!}`)
      .concat([
        'Branch on the exit code: 2 fix the command, 3 not found, 4 sign in, 6 try again later, 7 partly done ' +
          '(shipx help exit-codes). With --json an error is one line of JSON on stderr (shipx help errors). ' +
          'Only data goes to stdout; a pipe without a format gets tabs without a header.',
      ])
      .join('\n\n'),
  },
  {
    name: 'errors',
    summary: 'Error codes, and errors as JSON',
    text: `With --json or --jsonl, or one of them as the format of the profile, an error is one line of JSON on stderr:
${errorShape}

${columnsOf(
  Object.entries(codes).map(([code, { kind, means }]) => [code, String(kinds[kind].exit).padEnd(3), means]),
)}`,
  },
]
