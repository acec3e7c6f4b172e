// What completion offers for flags and arguments, in addition to closed lists of values: by name, since a name means
// the same everywhere.
import type { Argument, Command, Flag, Offers } from '../../command/tree.ts'

const kinds = ['shipments', 'returns', 'stores']
const spans = ['today', 'yesterday', '24h', '7d', '30d', '90d']

const ofFlags: Readonly<Record<string, Offers>> = {
  store: 'stores',
  'store-name': 'stores',
  courier: 'couriers',
  'carrier-id': 'couriers',
  'carrier-ids': 'couriers',
  warehouse: 'warehouses',
  'warehouse-id': 'warehouses',
  'warehouse-ids': 'warehouses',
  profile: 'profiles',
  'use-map': 'maps',
  pick: ['cheapest', 'fastest'],
  since: spans,
  until: spans,
  month: ['this-month', 'last-month'],
  watch: ['10m', '1h'],
  expires: ['30d', '90d', '365d'],
  limit: ['all'],
  tz: ['Asia/Kolkata', 'UTC'],
  file: 'files',
  logo: 'files',
  logos: 'folders',
}

/** By the name of an argument, or by its command where the name alone is not enough. */
const ofArguments: Readonly<Record<string, Offers>> = {
  store: 'stores',
  courier: 'couriers',
  file: 'files',
  card: 'files',
  kind: kinds,
  topic: 'commands',
  shell: ['bash', 'zsh', 'fish', 'powershell'],
  field: ['base_url', 'origin', 'format', 'database', 'auth_scheme', 'warehouse.'],
  'profile name': 'profiles',
  'alias remove name': 'aliases',
  'map name': 'maps',
  'local warehouse id': 'warehouses',
}

/** A flag with its completion; a pincode flag offers the pincode that parcels start from. */
export function withOffers(flag: Flag): Flag {
  const { name, value } = flag
  const offers = value === '<pincode>' ? 'origins' : /^<(file|database)\b/.test(value ?? '') ? 'files' : ofFlags[name]
  return offers === undefined || flag.choices !== undefined || flag.kind === 'switch' ? flag : { ...flag, offers }
}

/** An argument of a command with its completion. */
export function argumentOffers({ path }: Command, argument: Argument): Argument {
  const offers =
    ofArguments[`${path.slice(0, 2).join(' ')} ${argument.name}`] ??
    ofArguments[`${path[0]!} ${argument.name}`] ??
    ofArguments[argument.name]
  return offers === undefined ? argument : { ...argument, offers }
}
