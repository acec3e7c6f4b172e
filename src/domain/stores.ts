// Stores: the record, the rules of its name and brand, and the logo limits (spec 2.1).
import * as z from 'zod/mini'
import { isBlank } from './messages/plaintext.ts'
import { soundFault } from './rawvalue.ts'
import { object, orNull, text, time, word } from './recordfields.ts'
import { about, documented, lazily, rule } from './values.ts'

/** The fields of a store in every answer (docs/inside/decisions.md, Stores). Times are ISO 8601. */
export const storeRecord = lazily(() =>
  object(
    {
      id: text('Identifier of the store', { format: 'uuid' }),
      store_name: text('Name, unique in the account', { pattern: '^[A-Za-z0-9-]{1,100}$' }),
      brand_name: orNull(text('Brand shown in messages to customers', { maxLength: 100 }), 'for none'),
      channel: text('manual_order for stores created through this API'),
      status: word(['connected', 'disconnected'], 'Orders can be linked to connected stores only'),
      logo_url: orNull(text('Path of the logo, which takes a key of the account'), 'for none'),
      created_at: { ...time('When it was created'), accepted: z.string() },
      updated_at: { ...time('When it was last changed'), accepted: z.string() },
    },
    { description: 'A store: a sales channel with its own brand and logo.', must: ['id', 'store_name'] },
  ),
)

/** A store as it is accepted from any deployment. */
export const Store = z.lazy(() => storeRecord().accepted)
export type Store = z.output<typeof Store>

/** A logo as it was sent: its bytes, and its file name (never trusted for its type). */
export interface Logo {
  readonly bytes: Uint8Array
  readonly name: string
}

/** The largest logo, in bytes, and its longest side, in pixels (spec 8; docs/inside/decisions.md, Stores). */
export const maxLogoBytes = 2_097_152
export const maxLogoSide = 4096

/** What is wrong with a store name in one sentence, or undefined (spec 2.1: letters, numbers and hyphens). */
export function storeNameFault(name: string): string | undefined {
  if (name === '') return 'must not be empty'
  if (name.length > 100) return `has ${name.length} characters; the limit is 100`
  if (/^[A-Za-z0-9-]+$/.test(name)) return undefined
  const better = suggestStoreName(name)
  return `"${name}" may contain only letters, numbers and hyphens${better === '' ? '' : `; try ${better}`}`
}

/** A valid store name near the given text, or "" (`Acme Kids` becomes `acme-kids`). */
export function suggestStoreName(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 100)
}

/** A brand name as it is kept: NFC, trimmed; "" means none. */
export function tidyBrand(text: string): string {
  return text.normalize('NFC').trim()
}

/** What is wrong with a tidied brand name in one sentence, or undefined. */
export function brandFault(brand: string): string | undefined {
  // A brand of a megabyte is counted only once.
  const letters = brand.length > 100 ? [...brand].length : 0
  if (letters > 100) return `has ${letters} characters; the limit is 100`
  if (/[\u2028\u2029]/.test(brand)) return 'must not contain line breaks'
  // In a message they would also turn the text next to the brand.
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(brand))
    return 'must not contain characters that change the direction of text'
  return soundFault(brand)
}

const storeName = () =>
  documented(z.string({ error: 'must be text' }).check(rule(storeNameFault)), {
    note: '1 to 100 letters of A to Z, digits and hyphens, compared exactly',
    pattern: '^[A-Za-z0-9-]{1,100}$',
  })

const brandName = () =>
  documented(
    z.nullish(
      z.string({ error: 'must be text' }).check(
        rule((given) => (given !== '' && isBlank(given) ? 'must not be blank; "" means none' : undefined)),
        z.overwrite(tidyBrand),
        rule(brandFault),
      ),
    ),
    {
      note: 'At most 100 characters after trimming, none that changes the direction of text; "" and null mean none',
      form: {
        type: ['string', 'null'],
        maxLength: 100,
        pattern: '^(?:|(?=.*\\S)[^\\p{Cc}\\u2028\\u2029\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069]*)$',
      },
    },
  )

const logo = () =>
  documented(
    z.nullish(
      z.custom<Logo>((value) => typeof value === 'object' && value !== null && 'bytes' in value, {
        error: 'must be an image file sent as multipart/form-data',
      }),
    ),
    {
      note: 'null removes or leaves out the logo; a logo itself needs multipart/form-data',
      form: { type: 'null' },
    },
  )

/** The input of store creation (spec 4.3); a `logo` is bytes, `null` or absent is none. */
export const StoreCreate = lazily(() =>
  z.strictObject({
    store_name: about(storeName(), 'Name of the store: letters, numbers and hyphens, unique in the account'),
    brand_name: about(brandName(), 'Brand shown in messages to customers'),
    logo: logo(),
  }),
)

/** The input of store update (spec 4.4): only the fields to change; `null` or "" clears the brand, `null` the logo. */
export const StoreUpdate = lazily(() =>
  z.strictObject({
    id: z.string(),
    store_name: z.optional(about(storeName(), 'New name of the store')),
    brand_name: about(brandName(), 'New brand; "" clears it'),
    logo: logo(),
  }),
)
