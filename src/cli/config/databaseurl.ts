// The PostgreSQL database that the engine works on, where one is named; never shown with its password.
import { invalid } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import { text } from '../command/flags.ts'
import { variable } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'

type Asking = Pick<Context, 'io' | 'flags'>

/**
 * The address of the database: `--database`, else `SHIPX_DATABASE_URL` unless `--db` names a file; undefined for a file.
 * Throws `invalid_input`.
 */
export function databaseUrl({ io, flags }: Asking): string | undefined {
  const flag = text(flags, 'database')
  if (flag !== undefined && flags.has('db'))
    throw invalid([{ field: '--database', message: 'and --db exclude each other' }])
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

/** The standby that may answer listings, if one is named. */
export const readDatabaseUrl = ({ io }: Pick<Asking, 'io'>): string | undefined =>
  variable(io, 'SHIPX_DATABASE_READ_URL')

/** An address without user, password and parameters: host, port and name. */
export function shownDatabase(url: string): string {
  const { hostname, port, pathname } = new URL(url)
  return safe(`postgres://${hostname}${port === '' ? '' : `:${port}`}${pathname}`)
}
