// The system's keyring, for users who do not want keys in a file. It needs an optional package; without that, shipx
// does not fall back to anything else.
import { ShipxError } from '../../domain/errors.ts'
import type { Profile } from '../command/target.ts'

/** The package. shipx does not install it, because it is native code that few users need. */
const name = '@napi-rs/keyring'

interface Entry {
  readonly setPassword: (text: string) => void
  readonly getPassword: () => string | null
  readonly deleteCredential: () => boolean
}

interface Package {
  readonly Entry: new (service: string, user: string, options: { readonly linux: { readonly store: string } }) => Entry
}

/** One key in the keyring. */
export interface KeyringEntry {
  readonly read: () => string | undefined
  readonly save: (key: string) => void
  readonly remove: () => void
}

/**
 * The keyring's entry for a profile and the origin of its key. Throws `keyring` when the package is missing or the
 * system has no keyring. The functions of the entry throw it when the keyring refuses.
 */
export async function keyringEntry(profile: string, origin: string): Promise<KeyringEntry> {
  let loaded: Package
  try {
    // A variable, so that the bundler leaves the package to the user who installed it.
    loaded = (await import(name)) as Package
  } catch (error) {
    throw new ShipxError('keyring', `the system keyring needs the package ${name}, which is not installed`, {
      hint: `npm install -g ${name}@2`,
      cause: error,
    })
  }
  const entry = asked(
    // On Linux the package would otherwise fall back to a store that loses everything at a restart.
    () => new loaded.Entry('shipx', `${profile} ${origin}`, { linux: { store: 'secret-service' } }),
  )
  return {
    read: () => asked(() => entry.getPassword()) ?? undefined,
    save: (key) => {
      asked(() => entry.setPassword(key))
      if (asked(() => entry.getPassword()) !== key) throw refused()
    },
    remove: () => {
      asked(() => entry.deleteCredential())
    },
  }
}

/** Removes a profile's key from the keyring if it is there. Throws `keyring`. */
export async function forgetKey(profile: string, { key_place, key_origin }: Profile): Promise<void> {
  if (key_place === 'keyring') (await keyringEntry(profile, key_origin ?? '')).remove()
}

function asked<T>(question: () => T): T {
  try {
    return question()
  } catch (error) {
    throw refused(error)
  }
}

/** The message leaves out the keyring's own words: they may repeat the key. */
const refused = (error?: unknown): ShipxError =>
  new ShipxError('keyring', 'the system keyring cannot be used: it is locked, or there is none', {
    hint: 'unlock it, or sign in with --insecure-storage to keep the key in a file',
    ...(error instanceof ShipxError ? { cause: error } : {}),
  })
