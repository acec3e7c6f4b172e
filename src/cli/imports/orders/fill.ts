// The flags that fill what a sheet of orders leaves open: parcel, payment, warehouse.
import { scaled } from '../../../domain/rates/measures.ts'
import type { Sku } from '../../../engine/accounts/skus.ts'
import type { Raw } from '../../args/input.ts'
import { namedGrams, payment, size, word } from '../../args/kinds.ts'
import type { OptionsOf } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { databaseThere } from '../../config/paths.ts'
import { defaultWarehouse } from '../../config/profiles.ts'
import { isRemote } from '../../source/open.ts'
import { skusOf } from '../skus.ts'

export const fillOptions = { weight: namedGrams, size, payment, warehouse: word }

type FillOptions = OptionsOf<typeof fillOptions>

/** Those flags by the API's names of what they fill. */
export const fillFlags: readonly (readonly [field: string, flag: string])[] = [
  ['payment_method', '--payment'],
  ['weight', '--weight'],
  ['warehouse_id', '--warehouse'],
  ['length', '--size'],
  ['breadth', '--size'],
  ['height', '--size'],
]

/** Their values by the API's names: kilograms, centimetres, words. The profile's warehouse stands in for the flag. */
export function filledBy({ io, flags }: Pick<Context, 'io' | 'flags'>, options: FillOptions): Raw {
  const [length, breadth, height] = options.size?.sides ?? []
  return given({
    length,
    breadth,
    height,
    weight: options.weight === undefined ? undefined : scaled(options.weight, 0.001),
    payment_method: options.payment?.toUpperCase(),
    warehouse_id: options.warehouse ?? defaultWarehouse(io, flags),
  })
}

/** The values that are there. */
export const given = (values: Raw): Raw =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))

/** The merchant's SKUs, where a weight or a size may be needed from them; none where flags say both. */
export async function skusFor(
  context: Context,
  { weight, size: sides }: Pick<FillOptions, 'weight' | 'size'>,
): Promise<ReadonlyMap<string, Sku>> {
  const open = (weight === undefined || sides === undefined) && !context.flags.has('template')
  const needed = open && ((await isRemote(context)) || databaseThere(context))
  return new Map((needed ? await skusOf(context) : []).map((one) => [one.sku, one]))
}
