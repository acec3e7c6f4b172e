// The help topics: their names and their texts.
import { words } from '../../../domain/parcels/words.ts'
import { codes, kinds } from '../../../domain/errors.ts'
import { keysOf } from '../../../domain/keysof.ts'
import { failureReasons, returnBuckets, returnStatuses, shipmentBuckets } from '../../../domain/parcels/statuses.ts'
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
  8: 'shipx needs an answer, for example --yes, and has no terminal to ask',
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
    // `shipx help flags` adds the flags themselves from the tree; the man page has them in a section of their own.
    name: 'flags',
    summary: 'Flags that every command has',
    text: `Write them anywhere on the line. When you give a flag twice, the last value counts; a list adds them up.
A project file, the profile and the environment set some of them for you: shipx help settings.`,
  },
  {
    name: 'environment',
    summary: 'Environment variables',
    text: `A flag overrides the environment, then come the project, the profile and the default.\n\n${columnsOf([
      ['SHIPX_PROFILE', 'The profile that shipx uses, as --profile'],
      ['SHIPX_BASE_URL', 'The address of the service that holds your account, as --base-url'],
      ['SHIPX_API_KEY', 'The key for that account; it overrides the key of the profile'],
      ['SHIPX_CONFIG_DIR', 'The folder of the profiles (config.json), as a whole path'],
      ['SHIPX_TIMEOUT', 'How long one request may take: 30000 (ms), 30s or 2m'],
      ['SHIPX_CA_FILE', 'A PEM file of more certificate authorities that shipx trusts'],
      ['https_proxy, http_proxy, no_proxy', 'The proxy, and the addresses that shipx reaches without it'],
      ['SHIPX_DB', 'The database file on this computer'],
      ['SHIPX_DATABASE_URL', 'A PostgreSQL database for the engine, as --database'],
      ['SHIPX_DATABASE_READ_URL', 'A hot standby of that database, which may answer listings'],
      ['SHIPX_SMTP', 'The mail server of shipx messages deliver, as --smtp: smtp://user:password@host:587'],
      ['SHIPX_GATEWAY_SECRET', 'The signing secret of messages to the gateway: whsec_…'],
      ['SHIPX_WEBHOOK_SECRET', 'The signing secret of the webhooks that shipx listen receives: whsec_…'],
      ['SHIPX_WEBHOOK_API_KEY', 'What X-API-Key of such webhooks must be, from a service that does not sign'],
      ['SHIPX_DATA_DIR', 'The folder for the database when SHIPX_DB is not set'],
      ['SHIPX_CODE_CACHE', 'The folder where V8 keeps compiled code between runs; off keeps none'],
      ['SHIPX_FORMAT', 'The default format: json, jsonl, csv, tsv, excel, ids or table'],
      ['SHIPX_NOW', 'The time that shipx takes for now (ISO 8601), for tests and sample data'],
      ['SHIPX_NO_INPUT, CI', 'shipx never asks a question, as with --no-input'],
      ['SHIPX_DEBUG', 'shipx shows what it does inside, as with --debug'],
      ['SHIPX_FORCE_TTY', 'shipx lays out for a terminal of this many columns, also in a pipe'],
      ['ACCESSIBLE', 'shipx prints plain lines for screen readers: no spinner, no bars, choices by number'],
      ['SHIPX_ASCII', 'shipx prints only ASCII characters, as it does in a locale without UTF-8 (LC_ALL=C)'],
      ['SHIPX_PAGER', 'The command of a pager, as --pager; 1 means PAGER or less'],
      ['NO_COLOR, FORCE_COLOR, CLICOLOR_FORCE, TERM=dumb', 'Turn colour off, on, on, off'],
      ['COLUMNS', 'The width of a terminal that does not report its own'],
    ])}`,
  },
  {
    name: 'settings',
    summary: 'Where settings come from',
    text: `The first of these places that has a value counts: a flag, the environment (shipx help environment),
the project, the profile. shipx doctor and shipx profile show say where each value comes from.

The settings of a project are in shipx.config.json, or under the key "shipx" of package.json. shipx looks in the
folder that it runs in and in those above it, up to the root of the repository or your home folder:

  {"profile": "acme", "origin": "400001", "format": "csv", "store": "acme-kids", "warehouse": "mumbai"}

${columnsOf([
  ['profile', 'The profile that shipx uses; it must exist'],
  ['origin', 'The pincode that parcels start from, when you leave out --from'],
  ['format', 'The output format: json, jsonl, csv, tsv, excel, ids or table'],
  ['store', 'The store of new orders; lists still show every store'],
  ['warehouse', 'The warehouse of new orders: its id, or its name in the profile'],
])}

A project holds no key and no address: shipx refuses a file with one and names the entry. It ignores a file that
another user owns or that every user can write, and says so.`,
  },
  {
    name: 'exit-codes',
    summary: 'What the exit codes mean',
    text: columnsOf(Object.entries(exitMeanings).map(([code, meaning]) => [code, meaning])),
  },
  {
    name: 'formatting',
    summary: 'Output formats',
    text: `On a terminal, shipx prints a table. In a pipe, it prints the same columns with tabs and without a header;
values are exact and times are in ISO 8601.

${columnsOf([
  [
    '--json',
    "The API's answer unchanged; the help of a command shows its shape. Indented on a terminal, compact in a pipe",
  ],
  ['--jsonl', 'One record on each line; shipx prints each as it arrives'],
  ['--csv', 'RFC 4180 with a header; names drop "attributes.", nested names have dots'],
  ['--tsv', 'The same as CSV, with tabs'],
  ['--excel', 'CSV for people: all columns of the table, times in India (--tz) as dates; AWBs and phones stay text'],
  [
    '--xlsx FILE',
    'An Excel workbook with the columns of --excel, dates and numbers as such, and a sheet with the question',
  ],
  ['--parquet FILE', 'A Parquet file for DuckDB, pandas or Spark: the names of --csv as typed columns (lists and sql)'],
  ['--ids', 'Record ids, one on each line, for xargs'],
  ['--table', 'The table (or its form in a pipe), even if the profile or SHIPX_FORMAT sets another format'],
  ['--fields a,b.c', "Only these fields in JSON, CSV, Excel and Parquet: the API's names, or the names of columns"],
  ['--columns a,b', 'Only these columns in the table and in Excel; --wide shows all in the table'],
])}

In CSV, shipx puts a ' before text that a spreadsheet could take for a formula. Imports remove it again;
--raw leaves it out. Within a major version, JSON only gains fields.`,
  },
  {
    name: 'filters',
    summary: 'How filters work together',
    text: `A record must match every filter, but only one value of each (--zone d,e or --zone d --zone e).
Ranges include both ends. --since and --until are times (shipx help times), --month is a month in India;
on shipments they apply to --date-field, on returns to created_at.
--open finds what has not ended. --search finds records that contain every word, in capital or small letters.
--city, --state and --pincode are the customer's. States have names and codes (--state Karnataka,DL).

A short word is a flag, a column, a field and a key of --by:
  ${Object.keys(words).join(', ')}
--courier takes an id, a code or part of a name, and --order a number with or without #.
The API's own names work too: --carrier-id, --warehouse-ids, --store-name, --order-display-id, --is-cod.

Detailed shipment statuses (--granular-status):
  ${keysOf(shipmentBuckets).join(', ')}
Detailed return statuses:
  ${keysOf(returnBuckets).join(', ')}
Return statuses (--status):
  ${returnStatuses.join(', ')}
Reasons (--ndr-reason, --rto-reason):
  ${failureReasons.join(', ')}`,
  },
  {
    name: 'times',
    summary: 'How to write times, and how shipx shows them',
    text: `Write a time (--since, --until, --order-date) in one of these forms:\n\n${columnsOf([
      ['7d, 12h, 30m, 2w', 'This long before now'],
      ['today, yesterday', 'From midnight in India; as an end, that whole day'],
      ['2026-09-01', 'That day in India; as an end, the whole day'],
      ['01/09/2026, 01-09-2026', 'The same day: in India the day comes first'],
      ['"1 Sep 2026"', 'The same day'],
      ['"2026-09-01 10:00"', 'That time in India'],
      ['2026-09-01T10:00:00+05:30', 'ISO 8601, with Z or an offset'],
    ])}

Tables show India's time; --tz <zone> shows another one, also in CSV. JSON keeps the times of the service, in UTC.
Write a length of time as 30s, 10m, 1h or 90d (--watch, --timeout, --expires). In tests, SHIPX_NOW replaces the clock.`,
  },
  {
    name: 'scripting',
    summary: 'Recipes for scripts',
    text: [
      [
        'Find the cheapest courier',
        'shipx rates --from 400001 --to 560001 -w 500g -s 20x15x10 --prepaid --csv --fields carrier_id --limit 1 ' +
          '| tail -1',
      ],
      [
        'Count the parcels that wait for an answer',
        'shipx shipments list --status ndr_raised --per-page 1 --json | jq .meta.total',
      ],
      ['Read every record as it arrives', 'shipx shipments list --all --jsonl | jq -r .attributes.tracking_number'],
      [
        'Do something with each record',
        'shipx shipments list --status ndr_raised --ids | xargs -n 1 shipx shipments get --json',
      ],
      [
        'Create a store only once, however often the script runs',
        'shipx stores get acme-kids -q > /dev/null || shipx stores create --name acme-kids --brand "Acme Kids"',
      ],
      ['Write a file for finance', 'shipx returns list --refund pending --all --excel > refunds.csv'],
      ['See what would happen', 'shipx stores import stores.csv --dry-run'],
      ['Never wait for an answer', 'SHIPX_NO_INPUT=1 shipx stores import stores.csv --yes --json'],
    ]
      .map(([about, line]) => `  # ${about!}\n  $ ${line!}`)
      .concat([
        'Branch on the exit code: 2 fix the command, 3 not found, 4 sign in, 6 try again later, 7 partly done, ' +
          '8 add --yes (shipx help exit-codes). With --json, shipx prints an error as one line of JSON on stderr ' +
          '(shipx help errors). ' +
          'Only data goes to stdout; a pipe without a format gets tabs without a header.',
      ])
      .join('\n\n'),
  },
  {
    // `shipx help docs` adds the pages themselves and where they are (src/cli/commands/reference/pages.ts).
    name: 'docs',
    summary: 'Guides and reference pages',
    text: 'Every page is a Markdown file that is installed with shipx; shipx help docs shows where.',
  },
  {
    name: 'errors',
    summary: 'Error codes, and errors as JSON',
    text: `With --json or --jsonl, or that format in the profile, shipx prints an error as one line of JSON on stderr:
${errorShape}

${columnsOf(
  Object.entries(codes).map(([code, { kind, means }]) => [code, String(kinds[kind].exit).padEnd(3), means]),
)}`,
  },
]
