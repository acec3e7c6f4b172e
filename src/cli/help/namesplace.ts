// Identifies the account of a command line as one text, from flags, environment and profile. Checks nothing and opens
// nothing: completion calls it while the user is still typing.
import { resolve } from 'node:path'
import { databasePath } from '../config/paths.ts'
import { text, type FlagValues } from '../command/flags.ts'
import { variable, type Io } from '../terminal/io.ts'
import { chosenProfile } from '../config/profiles.ts'

/**
 * The inputs that identify the account. `own`: the command works on the engine's own database, whatever the profile
 * says.
 */
export interface Asking {
  readonly io: Io
  readonly flags: FlagValues
  readonly own?: boolean
}

/**
 * The account of a command line: a database and an account in it, or an address with something that identifies its key.
 * Two command lines with the same text use the same account; a mirror has its deployment's. Throws what `chosenProfile`
 * throws.
 */
export function accountAsked({ io, flags, own = false }: Asking): {
  readonly embedded: boolean
  readonly account: string
} {
  const chosen = chosenProfile(io, flags)
  const named = own || text(flags, 'db') !== undefined || text(flags, 'database') !== undefined
  const address = text(flags, 'base-url') ?? variable(io, 'SHIPX_BASE_URL') ?? chosen?.profile.base_url
  if (address !== undefined && !named) {
    const key = variable(io, 'SHIPX_API_KEY')
    // The end of a stored key is enough: another key in the same profile means another sign-in.
    const owner =
      key === undefined ? `${chosen?.name ?? ''} ${chosen?.profile.key?.slice(-4) ?? ''}` : io.host.digest(key)
    return { embedded: false, account: ['at', address, owner].join('\n') }
  }
  const url =
    text(flags, 'database') ?? (text(flags, 'db') === undefined ? variable(io, 'SHIPX_DATABASE_URL') : undefined)
  const database = url ?? resolve(databasePath({ io, flags }))
  return { embedded: true, account: ['in', database, text(flags, 'account') ?? 'default'].join('\n') }
}
