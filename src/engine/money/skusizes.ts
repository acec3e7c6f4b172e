// What parcels weigh and measure by their SKUs, where the account keeps those (docs/guides/money.md, How a line finds
// its parcel).
import sql from 'sql-template-tag'
import { roundWeight, scaled } from '../../domain/rates/measures.ts'
import type { Sku } from '../accounts/skus.ts'
import { listsOf } from '../database/inlist.ts'
import { row, rows, type Dialect, type RecordKind, type Work } from '../database/port.ts'
import { withDocsById } from '../records/entry.ts'

/** A parcel by its SKUs: grams of all pieces, and the sides of the largest one in centimetres, 0 where not known. */
export interface SkuSize {
  readonly dead: number
  readonly length: number
  readonly width: number
  readonly height: number
}

/** Whether an account keeps any SKU. */
export function* keepsSkus(account: number): Work<boolean> {
  return (yield* row(sql`select sku from skus where account_id = ${account} limit 1`)) !== undefined
}

interface Piece {
  readonly sku: string
  readonly quantity: number
}

/** The pieces of a record; undefined where one has no SKU or no quantity. */
function piecesIn(doc: string): readonly Piece[] | undefined {
  const { attributes } = JSON.parse(doc) as { readonly attributes?: Readonly<Record<string, unknown>> | null }
  const items = attributes?.['items'] ?? attributes?.['return_items']
  if (!Array.isArray(items) || items.length === 0) return undefined
  const pieces = (items as readonly (Partial<Piece> | null)[]).flatMap((item): readonly Piece[] => {
    const { sku, quantity } = item ?? {}
    return typeof sku === 'string' && Number.isSafeInteger(quantity) && quantity! > 0
      ? [{ sku, quantity: quantity! }]
      : []
  })
  return pieces.length === items.length ? pieces : undefined
}

function* skusNamed(account: number, names: readonly string[]): Work<ReadonlyMap<string, Sku>> {
  const known = new Map<string, Sku>()
  for (const list of listsOf(names)) {
    const found = yield* rows<Sku & Record<string, unknown>>(
      sql`select sku, weight, length, width, height from skus where account_id = ${account} and sku in (${list})`,
    )
    for (const one of found) known.set(one.sku, one)
  }
  return known
}

const volume = ({ length, width, height }: Sku): number => (length ?? 0) * (width ?? 0) * (height ?? 0)
const centimetres = (side: number | null): number => (side === null ? 0 : scaled(side, 0.001))

function sizeOf(pieces: readonly Piece[], skus: ReadonlyMap<string, Sku>): SkuSize | undefined {
  const known = pieces.map(({ sku }) => skus.get(sku))
  if (known.includes(undefined)) return undefined
  const all = known as readonly Sku[]
  const milligrams = all.reduce((sum, { weight }, n) => sum + weight * pieces[n]!.quantity, 0)
  const { length, width, height } = all.reduce((most, one) => (volume(one) > volume(most) ? one : most))
  return {
    dead: roundWeight(milligrams / 1000),
    length: centimetres(length),
    width: centimetres(width),
    height: centimetres(height),
  }
}

/** The sizes of records by their ids; one with a SKU that the account does not keep is left out. */
export function* skuSizesOf(
  dialect: Pick<Dialect, 'planning'>,
  account: number,
  kind: RecordKind,
  ids: readonly string[],
): Work<ReadonlyMap<string, SkuSize>> {
  const pieces = new Map<string, readonly Piece[]>()
  for (const list of listsOf(ids)) {
    const found = yield* rows<{ id: string; doc: string }>(
      sql`select r.id, d.doc from ${withDocsById(kind, dialect)} where r.account_id = ${account} and r.id in (${list})`,
    )
    for (const { id, doc } of found) {
      const own = piecesIn(doc)
      if (own !== undefined) pieces.set(id, own)
    }
  }
  const skus = yield* skusNamed(account, [...new Set([...pieces.values()].flat().map(({ sku }) => sku))])
  const sizes = new Map<string, SkuSize>()
  for (const [id, own] of pieces) {
    const size = sizeOf(own, skus)
    if (size !== undefined) sizes.set(id, size)
  }
  return sizes
}
