// The types of a command's target and profile, which every command's context holds.
import type { Format } from './flags.ts'

/** How a key is sent: `Bearer <key>` or the key alone. */
export type Scheme = 'bearer' | 'bare'

/** One profile. Fields from a newer shipx stay unchanged. */
export interface Profile {
  readonly base_url?: string
  readonly auth_scheme?: Scheme
  /** The default pincode that parcels start from. */
  readonly origin?: string
  readonly format?: Exclude<Format, 'plain'> | 'table'
  /** The embedded engine's database, when there is no `base_url`. */
  readonly database?: string
  /** The key, if the file holds it; only for `key_origin`. */
  readonly key?: string
  readonly key_origin?: string
  readonly key_place?: 'file' | 'keyring'
  /** The signing secrets of the webhooks that `shipx listen` receives. */
  readonly webhook_secret?: string
  /** Warehouse ids by the user's names for them. */
  readonly warehouse?: Readonly<Record<string, string>>
}

/** A profile that applies. */
export interface Chosen {
  readonly name: string
  readonly profile: Profile
}

/** The service that a command calls. `profile` is the profile that contributed to it. */
export type Target =
  | { readonly kind: 'embedded'; readonly path: string; readonly profile: string | undefined }
  | {
      readonly kind: 'remote'
      /** An origin, or an origin and a path, without a slash at the end. */
      readonly base_url: string
      readonly key: string
      /** `SHIPX_API_KEY`, `keyring`, or the file that holds the key. */
      readonly key_from: string
      readonly scheme: Scheme
      readonly profile: string | undefined
    }
