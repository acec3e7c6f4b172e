// Where a command's answers come from, and the profile that has a say in it: the types that every command's context holds.
import type { Format } from './flags.ts'

/** How a key is sent: `Bearer <key>` or the key alone. */
export type Scheme = 'bearer' | 'bare'

/** One profile. Fields of a newer shipx are kept as they are. */
export interface Profile {
  readonly base_url?: string
  readonly auth_scheme?: Scheme
  /** Pincode that parcels start from when none is named. */
  readonly origin?: string
  readonly format?: Exclude<Format, 'plain'> | 'table'
  /** The embedded engine's database, when there is no `base_url`. */
  readonly database?: string
  /** The key itself, when it lies here; it is for `key_origin` alone. */
  readonly key?: string
  readonly key_origin?: string
  readonly key_place?: 'file' | 'keyring'
  /** Warehouse ids by the names that the user gave them. */
  readonly warehouse?: Readonly<Record<string, string>>
}

/** A profile that applies. */
export interface Chosen {
  readonly name: string
  readonly profile: Profile
}

/** Where a command's answers come from. `profile` is the one that had a say in it. */
export type Target =
  | { readonly kind: 'embedded'; readonly path: string; readonly profile: string | undefined }
  | {
      readonly kind: 'remote'
      /** An origin, or an origin and a path, without a slash at the end. */
      readonly base_url: string
      readonly key: string
      /** `SHIPX_API_KEY`, `keyring`, or the file that the key lies in. */
      readonly key_from: string
      readonly scheme: Scheme
      readonly profile: string | undefined
    }
