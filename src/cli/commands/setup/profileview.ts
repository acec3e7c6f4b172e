// Profiles as shipx shows them: never the key, only its place and its last characters.
import type { Context } from '../../command/context.ts'
import { printRecord } from '../../output/printer.ts'
import type { View } from '../../output/columns.ts'
import { endOf, type Profiles } from '../../config/profiles.ts'
import type { Profile } from '../../command/target.ts'
import { safe } from '../../terminal/safe.ts'
import { plainView } from '../../output/views.ts'

/** A profile without its key. */
export interface ShownProfile extends Record<string, unknown> {
  readonly name: string
}

/** A profile as shipx shows it. */
export function shownProfile({ current }: Profiles, name: string, profile: Profile): ShownProfile {
  return {
    name,
    current: name === current,
    base_url: profile.base_url ?? null,
    auth_scheme: profile.auth_scheme ?? null,
    key_place: profile.key_place ?? (profile.key === undefined ? null : 'file'),
    key_ending: endOf(profile.key),
    origin: profile.origin ?? null,
    format: profile.format ?? null,
    database: profile.database ?? null,
    warehouse: profile.warehouse ?? {},
    ...(profile.webhook_secret === undefined ? {} : { webhook_secret: `…${profile.webhook_secret.slice(-4)}` }),
  }
}

const plain = plainView<ShownProfile>(['profile', 'profiles'], (profile) => profile.name, [
  'name',
  'current',
  'base_url',
  'auth_scheme',
  'key_place',
  'key_ending',
  'origin',
  'format',
  'database',
  'warehouse',
])

/** Profiles in a table and in CSV. */
export const profileView: View<ShownProfile> = {
  ...plain,
  columns: plain.columns.map((column) => ({
    ...column,
    ...(['auth_scheme', 'key_ending', 'warehouse'].includes(column.key) ? { wide: true as const } : {}),
    show: (profile) => {
      const value = column.raw(profile)
      return value == null || value === false || value === '{}' ? '-' : value === true ? 'yes' : String(value)
    },
  })),
}

/** Prints one profile, or that there is none: lines for people, a record for programs. */
export async function printProfile(context: Context, shown: ShownProfile | undefined): Promise<void> {
  await printLines(context, profileView, shown)
}

/** Prints one record: on a terminal a line for each field that has a value, else as its view says. */
export async function printLines<R extends Readonly<Record<string, unknown>>>(
  context: Context,
  view: View<R>,
  record: R | undefined,
): Promise<void> {
  const { format, screen, io } = context
  if (record === undefined || format !== 'plain' || !screen.tty) return printRecord(context, view, record)
  const rows = Object.entries(record).flatMap(([name, value]): readonly (readonly [string, string])[] => {
    if (value === null || value === undefined || value === '') return []
    const label = name.replaceAll('_', ' ')
    if (typeof value === 'object') return Object.entries(value).map(([key, part]) => [`${label} ${key}`, String(part)])
    return [[label, value === true ? 'yes' : value === false ? 'no' : String(value)]]
  })
  const width = Math.max(0, ...rows.map(([label]) => label.length))
  await io.stdout.write(
    rows.map(([label, value]) => `${screen.paint.dim(safe(label.padEnd(width)))}  ${safe(value)}\n`).join(''),
  )
}
