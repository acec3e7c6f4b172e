// Whose name a message carries: the brand that was kept with it, or a store's as it is now; knows no text.
import sql from 'sql-template-tag'
import { ShipxError } from '../domain/errors.ts'
import type { Facts, MessageChannel } from '../domain/messages.ts'
import { row, type Work } from './database.ts'

/** A brand's name and logo. */
export interface KeptBrand extends Record<string, unknown> {
  readonly brand_name: string | null
  readonly logo_type: string | null
  readonly logo: Uint8Array | null
}

/** What a message is made of: `brand` is undefined for an order without a branded store. */
export interface Material {
  readonly channel: MessageChannel
  readonly facts: Facts
  readonly store: string | null
  readonly brand: KeptBrand | undefined
}

interface MaterialRow extends KeptBrand {
  readonly channel: MessageChannel
  readonly doc: string
  readonly store_id: string | null
  readonly brand: string | null
}

/** What a message is made of; throws `not_found`. */
export function* materialOf(account: number, id: string): Work<Material> {
  const found = yield* row<MaterialRow>(
    sql`select m.channel, m.doc, m.store_id, m.brand, b.brand_name, b.logo_type, b.logo from messages m
      left join brands b on b.account_id = m.account_id and b.id = m.brand where m.account_id = ${account} and m.id = ${id}`,
  )
  if (found === undefined)
    throw new ShipxError('not_found', `there is no message ${id}`, { hint: 'shipx messages list' })
  const { channel, doc, store_id, brand, brand_name, logo_type, logo } = found
  return {
    channel,
    facts: JSON.parse(doc) as Facts,
    store: store_id,
    brand: brand === null ? undefined : { brand_name, logo_type, logo },
  }
}

interface BrandedRow extends KeptBrand {
  readonly id: string
}

/** A store by its name: its id, and its brand where it has one. Throws `not_found`. */
export function* brandedStore(
  account: number,
  name: string,
): Work<{ readonly id: string; readonly brand: KeptBrand | undefined }> {
  // prettier-ignore
  const found = yield* row<BrandedRow>(sql`select id, brand_name, logo_type, logo from stores where account_id = ${account} and store_name = ${name}`) // prettier-ignore
  if (found === undefined) throw new ShipxError('not_found', `there is no store ${name}`, { hint: 'shipx stores list' })
  const { id, brand_name, logo_type, logo } = found
  return { id, brand: brand_name === null && logo === null ? undefined : { brand_name, logo_type, logo } }
}
