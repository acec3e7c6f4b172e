// The command of the first run.
import type { Command } from '../../command/tree.ts'
import { asking, dryRun } from '../rows/flags.ts'

// prettier-ignore
export const init: Command = {
  path: ['init'], summary: 'Start here: sample data on this computer, or your account', args: [],
  about: 'shipx asks how to start, and shows what to type next. You can run it again: it keeps what exists. Without a terminal, use --sample, or --base-url with --with-token.',
  flags: [
    { name: 'sample', kind: 'switch', help: 'Use sample data on this computer', group: 'How', excludes: ['base-url'] },
    { name: 'with-token', kind: 'switch', help: 'Connect to your account at --base-url with the key from standard input', group: 'How', excludes: ['sample'] },
    { name: 'keyring', kind: 'switch', help: 'Keep the key in the system keyring (needs the package @napi-rs/keyring)', group: 'How', excludes: ['sample'] },
    { name: 'origin', kind: 'text', value: '<pincode>', help: 'Quote from this pincode when you leave out --from, for example 400001', group: 'Defaults' },
    { name: 'warehouse', kind: 'text', value: '<id>', help: 'Save this warehouse under the name main, for --warehouse main', group: 'Defaults' },
    dryRun,
  ],
  examples: [
    { about: 'Use sample data without a question', line: 'shipx init --sample' },
    { about: 'Connect to your account in a script', line: 'cat key.txt | shipx init --base-url https://api.example.com --with-token --origin 400001' },
  ],
  output: '{source, profile, base_url, database, seeded, shipments, returns, stores, origin}',
  exits: '0 done · 2 bad input, or no terminal to ask how · 4 the service refused the key · 6 shipx cannot reach the service · 8 the key is missing · 130 cancelled',
}

const signIn =
  '0 done · 2 bad input, shipx sent nothing · 4 the service refused the key · ' +
  '6 shipx cannot reach the service · 8 there is no terminal to ask · 130 cancelled'

const profileArg = { name: 'name', help: 'Name of the profile' }

const profileShape =
  '{data: {name, current, base_url, auth_scheme, key_place, key_ending, origin, format, database, warehouse}}'

// prettier-ignore
export const auths: readonly Command[] = [
  {
    path: ['auth', 'login'], summary: 'Sign in to your account', args: [],
    about: 'shipx asks for the key, checks it at the service, and keeps it in a profile. It sends the key only to this address. No flag takes the key.',
    flags: [
      { name: 'with-token', kind: 'switch', help: 'Read the key from standard input', group: 'Key' },
      { name: 'keyring', kind: 'switch', help: 'Keep the key in the system keyring (needs the package @napi-rs/keyring)', group: 'Key' },
      { name: 'insecure-storage', kind: 'switch', help: 'Keep the key in the profile file, which only you can read (the default)', group: 'Key', excludes: ['keyring'] },
      dryRun,
    ],
    examples: [
      { about: 'Sign in; shipx asks for the key', line: 'shipx auth login --base-url https://api.example.com' },
      { about: 'Sign in with a key from a file, in its own profile', line: 'cat key.txt | shipx auth login --profile acme --base-url https://api.example.com --with-token' },
    ],
    output: profileShape, exits: signIn,
  },
  {
    path: ['auth', 'logout'], summary: 'Forget the key of a profile', args: [], flags: [dryRun],
    examples: [{ about: 'Forget the key of the current profile', line: 'shipx auth logout' }], output: `${profileShape}; {data: null} without a profile`, exits: '0 done · 3 no such profile',
  },
  {
    path: ['auth', 'status'], summary: 'Show where shipx gets its answers, and whether the key works', args: [],
    flags: [{ name: 'offline', kind: 'switch', help: 'Show the settings only; send nothing', group: 'Show' }],
    examples: [{ about: 'Check that the key works', line: 'shipx auth status' }],
    output: '{data: {deployment, profile, key_from, key_ending, auth_scheme, works, error, message, database}}',
    exits: '0 the key works · 2 the key is not for this address · 4 not signed in, or refused · 6 shipx cannot reach the service',
  },
  {
    path: ['auth', 'token'], summary: 'Print the key', args: [], flags: [],
    examples: [{ about: 'Use the key in another program', line: 'curl -H "Authorization: Bearer $(shipx auth token)" https://api.example.com/custom/api/v1/client-stores' }, { about: 'Print only the key', line: 'shipx auth token' }],
    output: 'only the key, in every format', exits: '0 done · 4 not signed in',
  },
]

const mapShape = '{data: {map, headers: [], values: [], ignored: [], courier}}'

// prettier-ignore
export const maps: readonly Command[] = [
  {
    path: ['map', 'list'], summary: 'List your saved maps of files', args: [], flags: [],
    about: 'A map says what the headers and values of a file mean. --save-map saves one when a command reads a file, and --use-map reads a file with it.',
    examples: [{ about: 'List all maps', line: 'shipx map list' }], output: mapShape.replace('{data: {', '{data: [{').replace('}}', '}]}'), exits: '0 done, also when there is none',
  },
  {
    path: ['map', 'show'], summary: 'Show a saved map', args: [{ name: 'name', help: 'Name of the map' }], flags: [],
    examples: [{ about: 'Show a map', line: 'shipx map show amazon' }], output: mapShape, exits: '0 done · 3 no such map',
  },
  {
    path: ['map', 'remove'], summary: 'Remove a saved map', args: [{ name: 'name', help: 'Name of the map' }], flags: [dryRun],
    examples: [{ about: 'Remove a map', line: 'shipx map remove amazon' }], output: mapShape, exits: '0 done · 3 no such map',
  },
]

// prettier-ignore
export const profileCommands: readonly Command[] = [
  {
    path: ['profile', 'list'], summary: 'List the profiles', args: [], flags: [],
    examples: [{ about: 'List all profiles and the current one', line: 'shipx profile list' }], output: profileShape.replace('{data: {', '{data: [{').replace('}}', '}]}'), exits: '0 done, also when there is none',
  },
  {
    path: ['profile', 'show'], summary: 'Show a profile, without its key', args: [{ name: 'name', help: 'Name of the profile (default: the one in use)' }], flags: [],
    examples: [{ about: 'Show the profile in use', line: 'shipx profile show' }], output: profileShape, exits: '0 done · 3 no such profile',
  },
  {
    path: ['profile', 'use'], summary: 'Use a profile from now on', args: [profileArg], flags: [dryRun],
    examples: [{ about: 'Work for another brand', line: 'shipx profile use acme' }], output: profileShape, exits: '0 done · 2 bad input · 3 no such profile',
  },
  {
    path: ['profile', 'set'], summary: 'Set a field of a profile',
    args: [{ name: 'field', help: 'base_url, origin, format, database, auth_scheme, webhook_secret or warehouse.<name>; for another profile, <profile>.<field>' }, { name: 'value', help: 'Value of the field; "" removes the field, and - reads webhook_secret from standard input' }],
    about: 'shipx sets the field in the current profile, in --profile, or in the profile before the dot. It creates a profile that does not exist.',
    flags: [dryRun],
    examples: [
      { about: 'Quote from this pincode when you leave out --from', line: 'shipx profile set origin 400001' },
      { about: 'Give a warehouse your own name', line: 'shipx profile set warehouse.mumbai WHYYB5' },
      { about: 'Set a field of another profile', line: 'shipx profile set acme.format json' },
    ],
    output: profileShape, exits: '0 done · 2 bad input, or the key of the profile is for another address',
  },
  {
    path: ['profile', 'remove'], summary: 'Remove a profile and its key', args: [profileArg], flags: [dryRun],
    examples: [{ about: 'Remove a profile in a script', line: 'shipx profile remove acme --yes' }], output: profileShape, exits: `0 done · 3 no such profile · ${asking}`,
  },
]

const aliasShape = '{data: {alias, line}}'

// prettier-ignore
export const aliases: readonly Command[] = [
  {
    path: ['alias', 'set'], summary: 'Give a command line a short name',
    args: [{ name: 'name', help: 'The name, for example late; the name of a command is refused' }, { name: 'line', help: "The line that it runs, in quotes: 'shipments stuck --days 5'" }],
    about: 'Words and flags that follow the name go to the end of the line. $1 to $9 in the line stand for the words that follow the name. shipx keeps aliases with your profiles.',
    flags: [dryRun],
    examples: [
      { about: 'shipx late now lists parcels without a scan for five days', line: "shipx alias set late 'shipments stuck --days 5'" },
      { about: 'shipx to zone_a now lists the parcels to that zone', line: "shipx alias set to 'shipments list --zone $1'" },
    ],
    output: aliasShape, exits: '0 done · 2 the name or the line is refused',
  },
  {
    path: ['alias', 'list'], summary: 'List your aliases', args: [], flags: [],
    examples: [{ about: 'List all aliases', line: 'shipx alias list' }], output: '{data: [{alias, line}]}', exits: '0 done, also when there is none',
  },
  {
    path: ['alias', 'remove'], summary: 'Remove an alias', args: [{ name: 'name', help: 'Name of the alias' }], flags: [dryRun],
    examples: [{ about: 'Remove an alias', line: 'shipx alias remove late' }], output: aliasShape, exits: '0 done · 3 no such alias',
  },
]
