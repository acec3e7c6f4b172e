// The command of the first run.
import type { Command } from '../../command/tree.ts'
import { dryRun } from '../rows/flags.ts'

// prettier-ignore
export const init: Command = {
  path: ['init'], summary: 'A guided first run: sample data here, or your deployment', args: [],
  about: 'Asks how to begin, and shows what to type next. Running it again changes nothing that is there. Without a terminal: --sample, or --base-url with --with-token.',
  flags: [
    { name: 'sample', kind: 'switch', help: 'Try it here: the embedded engine with sample data', group: 'How' },
    { name: 'with-token', kind: 'switch', help: 'Connect the deployment at --base-url with the key on standard input', group: 'How' },
    { name: 'keyring', kind: 'switch', help: 'Keep the key in the system keyring (needs the package @napi-rs/keyring)', group: 'How' },
    { name: 'origin', kind: 'text', value: '<pincode>', help: 'Pincode that parcels start from when --from is not given', group: 'Defaults' },
    { name: 'warehouse', kind: 'text', value: '<id>', help: 'Warehouse to call main, as in --warehouse-id main', group: 'Defaults' },
    dryRun,
  ],
  examples: [
    { about: 'Sample data, without a question', line: 'shipx init --sample' },
    { about: 'A deployment, in a script', line: 'cat key.txt | shipx init --base-url https://api.example.com --with-token --origin 400001' },
  ],
  output: '{source, profile, base_url, database, seeded, shipments, returns, stores, origin}',
  exits: '0 done · 2 bad input, or nobody can be asked how · 4 the key was refused · 6 the deployment cannot be reached · 8 the key is missing · 130 cancelled',
}
