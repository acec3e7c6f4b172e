// The weight that a service charges for a parcel, in grams (docs/guides/rates.md, rule 1).
import type { Service } from './cardschema.ts'
import { volumetricWeight } from './measures.ts'

/** A parcel's dead weight in grams, rounded to two decimals, and its sides in centimetres. */
export interface Measured {
  readonly dead: number
  readonly length: number
  readonly width: number
  readonly height: number
}

/** Cubic centimetres of a cubic foot, as couriers count them. */
const cubicFoot = 27_000

/** The volumetric weight by the service's divisor or cubic feet, and the weight charged before slabs: grams. */
export function chargedWeight(
  service: Service,
  { dead, length, width, height }: Measured,
): { readonly volumetric: number; readonly weight: number } {
  const { divisor, kg_per_cft: dense, whole_cm: whole, dead_only_to: light = 0 } = service
  const long = whole === true ? Math.ceil(length) : length
  const wide = whole === true ? Math.ceil(width) : width
  const high = whole === true ? Math.ceil(height) : height
  const volumetric =
    dense === undefined
      ? volumetricWeight(long, wide, high, divisor)
      : volumetricWeight(long, wide, high, cubicFoot, dense)
  const own = dead <= light ? dead : Math.max(dead, volumetric)
  return { volumetric, weight: Math.max(own, service.min_weight) }
}

/** What slabs are counted by: a weight that is above the end of one by no more than the tolerance stays in it. */
export const slabWeight = ({ tolerance = 0, min_weight: least }: Service, weight: number): number =>
  tolerance === 0 ? weight : Math.max(weight - tolerance, Math.min(weight, least), 0.01)
