// Where the database of this computer is. Does not open it.
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import { text } from '../command/flags.ts'
import { variable } from '../terminal/io.ts'
import { dataFolder } from '../files/folders.ts'
import { chosenProfile } from './profiles.ts'
import type { Context } from '../command/context.ts'
import { invalid, ShipxError } from '../../domain/errors.ts'
import { safe } from '../terminal/safe.ts'

/**
 * The path of the embedded engine's database: the flag, `SHIPX_DB`, the profile's, or else the system's data folder.
 */
export function databasePath({ io, flags }: Pick<Context, 'io' | 'flags'>): string {
  const named = text(flags, 'db') ?? io.env['SHIPX_DB']
  if (named !== undefined && named !== '') return named
  return chosenProfile(io, flags)?.profile.database ?? join(dataFolder(io), 'shipx.sqlite')
}

/**
 * Throws `not_found` where the database is missing that `--db` or `SHIPX_DB` names: it would read as an empty one. A
 * command that changes something, which has `--dry-run`, makes the database.
 */
export function refuseMissing(context: Pick<Context, 'io' | 'flags' | 'command'>): void {
  if (context.command.flags.some(({ name }) => name === 'dry-run')) return
  const named = context.flags.has('db')
    ? '--db'
    : variable(context.io, 'SHIPX_DB') === undefined
      ? undefined
      : 'SHIPX_DB'
  if (named === undefined || databaseThere(context)) return
  throw new ShipxError('not_found', `there is no database at ${safe(databasePath(context))}, which ${named} names`, {
    hint: 'shipx local init makes it',
  })
}

/** Whether the database exists; a server's database counts as existing. */
export function databaseThere(context: Pick<Context, 'io' | 'flags'>): boolean {
  return databaseUrl(context) !== undefined || existsSync(databasePath(context))
}

type Asking = Pick<Context, 'io' | 'flags'>

/**
 * The address of the database: `--database`, or else `SHIPX_DATABASE_URL` unless `--db` names a file. Returns undefined
 * for a file. Throws `invalid_input`.
 */
export function databaseUrl({ io, flags }: Asking): string | undefined {
  const flag = text(flags, 'database')
  if (flag === undefined && flags.has('db')) return undefined
  const url = flag ?? variable(io, 'SHIPX_DATABASE_URL')
  if (url === undefined) return undefined
  if (!isDatabaseUrl(url))
    throw invalid([
      {
        field: flag === undefined ? 'SHIPX_DATABASE_URL' : '--database',
        message: 'is not the address of a PostgreSQL database; write for example postgres://user@host/name',
      },
    ])
  return url
}

/** Whether text is the address of a PostgreSQL database. */
export const isDatabaseUrl = (url: string): boolean =>
  /^postgres(?:ql)?:\/\/[^/\s]/.test(url) && URL.canParse(url) && new URL(url).pathname.length > 1

/** The address of the standby that may answer listings, if one is set. */
export const readDatabaseUrl = ({ io }: Pick<Asking, 'io'>): string | undefined =>
  variable(io, 'SHIPX_DATABASE_READ_URL')

/** An address without user, password and parameters: host, port and name. */
export function shownDatabase(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return safe(`postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`)
}
