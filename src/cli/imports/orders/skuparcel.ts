// The parcel of an order whose sheet has no weight or size, from its SKUs: their weights in all, and the size of the
// largest one (docs/guides/sheets.md, SKUs).
import { excerpt } from '../../../domain/read/typed.ts'
import { scaled } from '../../../domain/rates/measures.ts'
import type { Sku } from '../../../engine/accounts/skus.ts'
import type { Raw } from '../../args/input.ts'

/** What the SKUs of an order cannot supply: the number of its item, and why. */
export interface SkuFault {
  readonly item: number
  readonly message: string
}

/** What was taken from SKUs. */
export interface SkuParcel {
  readonly weighed: boolean
  readonly sized: boolean
  readonly faults: readonly SkuFault[]
}

/** The fields of an order that are the sides of its parcel. */
export const sideFields = ['length', 'breadth', 'height'] as const

const volume = ({ length, width, height }: Sku): number => length! * width! * height!

/** Fills the weight and the size of an order where neither its sheet nor a flag has one. */
export function fillFromSkus(
  { skus, defaults }: { readonly skus: ReadonlyMap<string, Sku>; readonly defaults: Raw },
  raw: Raw,
  items: readonly Raw[],
): SkuParcel {
  const open = (field: string): boolean => raw[field] === undefined && defaults[field] === undefined
  const [weigh, size] = [open('weight'), sideFields.every(open)]
  if (skus.size === 0 || (!weigh && !size)) return { weighed: false, sized: false, faults: [] }
  const known = items.map(({ sku }) => skus.get(String(sku ?? '')))
  const faults = items.flatMap(({ sku }, item): readonly SkuFault[] => {
    const one = known[item]
    if (one !== undefined && (!size || one.length !== null)) return []
    const what = one === undefined ? 'is not among your SKUs' : 'has no size'
    const way =
      one === undefined ? 'shipx skus import, or give --weight and --size' : 'give --size, or import its sides'
    return [{ item, message: `${excerpt(String(sku ?? ''))} ${what}; ${way}` }]
  })
  if (faults.length > 0) return { weighed: false, sized: false, faults }
  const found = known.map((one) => one!)
  if (weigh) {
    const milligrams = found.reduce((sum, { weight }, i) => sum + weight * Number(items[i]!['units'] ?? 0), 0)
    raw['weight'] = scaled(milligrams, 0.000001)
  }
  if (size) {
    const { length, width, height } = found.reduce((most, one) => (volume(one) > volume(most) ? one : most))
    for (const [i, side] of [length, width, height].entries()) raw[sideFields[i]!] = scaled(side!, 0.001)
  }
  return { weighed: weigh, sized: size, faults }
}
