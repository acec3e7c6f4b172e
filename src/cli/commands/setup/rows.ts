// The command of the first run.
import type { Command } from '../../command/tree.ts'
import { dryRun } from '../rows/flags.ts'

// prettier-ignore
export const init: Command = {
  path: ['init'], summary: 'Guided first run: sample data here, or your deployment', args: [],
  about: 'Asks how to start, and shows what to type next. Running it again changes nothing that exists. Without a terminal: --sample, or --base-url with --with-token.',
  flags: [
    { name: 'sample', kind: 'switch', help: 'Try it here: the embedded engine with sample data', group: 'How', excludes: ['base-url'] },
    { name: 'with-token', kind: 'switch', help: 'Connect the deployment at --base-url, with the key from standard input', group: 'How', excludes: ['sample'] },
    { name: 'keyring', kind: 'switch', help: 'Keep the key in the system keyring (needs the package @napi-rs/keyring)', group: 'How', excludes: ['sample'] },
    { name: 'origin', kind: 'text', value: '<pincode>', help: 'Pincode that parcels start from when --from is not given', group: 'Defaults' },
    { name: 'warehouse', kind: 'text', value: '<id>', help: 'The warehouse that --warehouse-id main means', group: 'Defaults' },
    dryRun,
  ],
  examples: [
    { about: 'Sample data, without a question', line: 'shipx init --sample' },
    { about: 'A deployment, in a script', line: 'cat key.txt | shipx init --base-url https://api.example.com --with-token --origin 400001' },
  ],
  output: '{source, profile, base_url, database, seeded, shipments, returns, stores, origin}',
  exits: '0 done · 2 bad input, or no terminal to ask how · 4 the key was refused · 6 the deployment cannot be reached · 8 the key is missing · 130 cancelled',
}

const signIn =
  '0 done · 2 bad input, nothing was sent · 4 the key was refused · ' +
  '6 the deployment cannot be reached · 8 there is no terminal to ask'

const profileArg = { name: 'name', help: 'Name of a profile' }

const profileShape =
  '{data: {name, current, base_url, auth_scheme, key_place, key_ending, origin, format, database, warehouse}}'

// prettier-ignore
export const auths: readonly Command[] = [
  {
    path: ['auth', 'login'], summary: 'Sign in at a deployment of the service', args: [],
    about: 'Asks for the key, checks it there, and keeps it in a profile. shipx sends it to this address only; it is never a flag.',
    flags: [
      { name: 'with-token', kind: 'switch', help: 'Read the key from standard input', group: 'Key' },
      { name: 'keyring', kind: 'switch', help: 'Keep the key in the system keyring (needs the package @napi-rs/keyring)', group: 'Key' },
      { name: 'insecure-storage', kind: 'switch', help: 'Keep the key in the file of profiles, which only you can read (the default)', group: 'Key', excludes: ['keyring'] },
      dryRun,
    ],
    examples: [
      { about: 'shipx asks for the key', line: 'shipx auth login --base-url https://api.example.com' },
      { about: 'From a file, in its own profile', line: 'cat key.txt | shipx auth login --profile acme --base-url https://api.example.com --with-token' },
    ],
    output: profileShape, exits: signIn,
  },
  {
    path: ['auth', 'logout'], summary: 'Forget the key of a profile', args: [], flags: [dryRun],
    examples: [{ about: 'Of the current profile', line: 'shipx auth logout' }], output: profileShape, exits: '0 done · 3 no such profile',
  },
  {
    path: ['auth', 'status'], summary: 'Show where answers come from, and whether the key works', args: [],
    flags: [{ name: 'offline', kind: 'switch', help: 'Send nothing', group: 'Show' }],
    examples: [{ about: 'With the end of the key', line: 'shipx auth status' }],
    output: '{data: {deployment, profile, key_from, key_ending, auth_scheme, works, error, message, database}}',
    exits: '0 it works · 2 the key is not for this address · 4 not signed in, or refused · 6 cannot be reached',
  },
  {
    path: ['auth', 'token'], summary: 'Print the key', args: [], flags: [],
    examples: [{ about: 'For another program', line: 'curl -H "Authorization: Bearer $(shipx auth token)" https://api.example.com/custom/api/v1/client-stores' }, { about: 'The key alone', line: 'shipx auth token' }],
    output: 'the key alone, in every format', exits: '0 done · 4 not signed in',
  },
]

// prettier-ignore
export const profileCommands: readonly Command[] = [
  {
    path: ['profile', 'list'], summary: 'List the profiles', args: [], flags: [],
    examples: [{ about: 'All, with the current one', line: 'shipx profile list' }], output: profileShape.replace('{data: {', '{data: [{').replace('}}', '}]}'), exits: '0 done, also when there is none',
  },
  {
    path: ['profile', 'show'], summary: 'Show a profile, without its key', args: [{ name: 'name', help: 'Name of a profile (default: the one in use)' }], flags: [],
    examples: [{ about: 'The one in use', line: 'shipx profile show' }], output: profileShape, exits: '0 done · 3 no such profile',
  },
  {
    path: ['profile', 'use'], summary: 'Use this profile from now on', args: [profileArg], flags: [dryRun],
    examples: [{ about: 'Another brand', line: 'shipx profile use acme' }], output: profileShape, exits: '0 done · 2 bad input · 3 no such profile',
  },
  {
    path: ['profile', 'set'], summary: 'Set a field of a profile',
    args: [{ name: 'field', help: 'base_url, origin, format, database, auth_scheme or warehouse.<name>, with or without a profile in front' }, { name: 'value', help: 'Its value; an empty one ("") removes the field' }],
    about: 'Sets it in the current profile, in --profile, or in the one named before the field. Creates a profile that does not exist.',
    flags: [dryRun],
    examples: [
      { about: 'Where parcels start when --from is not given', line: 'shipx profile set origin 400001' },
      { about: 'Your own name for a warehouse', line: 'shipx profile set warehouse.mumbai WHYYB5' },
      { about: 'In another profile', line: 'shipx profile set acme.format json' },
    ],
    output: profileShape, exits: '0 done · 2 bad input, or the key of the profile is for another address',
  },
  {
    path: ['profile', 'remove'], summary: 'Remove a profile and its key', args: [profileArg], flags: [dryRun],
    examples: [{ about: 'In a script', line: 'shipx profile remove acme --yes' }], output: profileShape, exits: '0 done · 3 no such profile · 8 it needs a yes',
  },
]
