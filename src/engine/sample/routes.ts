// Where a parcel comes from and goes to, its box, and the courier that takes it.
import { draw, oneOf, type Dice } from '../../domain/random.ts'
import { standardDivisor, volumetricWeight } from '../../domain/rates/measures.ts'
import type { Locality } from '../../domain/pincodes.ts'
import type { Area, Service } from '../../domain/rates/ratecard.ts'
import { sampleCard } from '../../domain/rates/samplecard.ts'
import { zoneOf, zones, type Zone } from '../../domain/rates/zones.ts'
import { atlas } from './atlas.ts'
import { couriers, type Courier, type CatalogueItem } from './catalogue.ts'
import type { World } from './world.ts'

interface Box {
  readonly grams: number
  readonly sides: readonly [number, number, number]
}

/** The box of some lines, packed flat if they fit; a little larger than its contents. */
export function boxOf(lines: readonly { readonly good: CatalogueItem; readonly quantity: number }[]): Box {
  let [grams, volume] = [50, 0]
  let [largest, pieces] = [lines[0]!.good, 0]
  for (const { good, quantity } of lines) {
    grams += good.product.grams * quantity
    volume += good.volume * quantity
    pieces += quantity
    if (good.volume > largest.volume) largest = good
  }
  const [length, width, height] = largest.product.size
  if (pieces === 1) return { grams, sides: [length, width, height] }
  const tall = Math.max(height, Math.ceil((volume * 1.1) / (length * width)))
  if (tall <= length) return { grams, sides: [length, width, tall] }
  const side = Math.ceil(Math.cbrt(volume * 1.1))
  return { grams, sides: [Math.max(side, length), side, side] }
}

/** The weight that a service charges before slabs, grams. Without a service, it uses the standard divisor. */
export function chargedWeight({ grams, sides }: Box, service: Service | undefined): number {
  const volumetric = volumetricWeight(sides[0], sides[1], sides[2], service?.divisor ?? standardDivisor)
  return Math.max(grams, volumetric, service?.min_weight ?? 0)
}

function covers(area: Area | undefined, place: Locality, zone: Zone): boolean {
  if (area === undefined) return true
  const starts = (prefix: string): boolean => place.pincode.startsWith(prefix)
  return (
    !(area.not_pincodes?.some(starts) ?? false) &&
    (area.pincodes?.some(starts) ?? true) &&
    !(area.not_states?.includes(place.state) ?? false) &&
    (area.states?.includes(place.state) ?? true) &&
    (area.zones?.includes(zone) ?? true)
  )
}

export interface Consignment {
  readonly from: Locality
  readonly to: Locality
  readonly zone: Zone
  readonly box: Box
  readonly journey: 'forward' | 'return'
  /** Paise to collect; 0 means nothing. */
  readonly cod: number
  readonly qc: boolean
}

export function carries({ service }: Courier, { from, to, zone, box, journey, cod, qc }: Consignment): boolean {
  const { serviceability } = service
  if (service[journey][zone] === undefined || (qc && !service.qc.available)) return false
  if (cod > 0) {
    const most = service.cod.max_value
    if (!service.cod.available || (most !== null && cod > most * 100)) return false
    if (!covers(serviceability.cod, to, zone)) return false
  }
  if (!covers(serviceability.pickup, from, zone) || !covers(serviceability.delivery, to, zone)) return false
  if (service.max_side !== null && Math.max(...box.sides) > service.max_side) return false
  const weight = chargedWeight(box, service)
  // Merchants do not send a letter with a carrier of heavy goods, although the card would allow it.
  return weight <= service.max_weight && service.min_weight <= 2 * chargedWeight(box, undefined)
}

export function courierFor(dice: Dice, trade: Consignment): Courier | undefined {
  const able: Courier[] = []
  let total = 0
  for (const courier of couriers) {
    if (!carries(courier, trade)) continue
    able.push(courier)
    total += courier.share
  }
  let left = dice.unit() * total
  return able.find(({ share }) => (left -= share) < 0) ?? able[0]
}

export function destination({ dice, nearby }: World): number {
  const { metros, towns, villages, special } = atlas()
  const kind = dice.unit()
  // The lower codes of a metro are its core.
  const pick = (pool: readonly number[], skew: number): number => pool[Math.floor(dice.unit() ** skew * pool.length)]!
  if (kind < 0.55) return pick(draw(dice, metros), 1.4)
  // Outside the metros, a brand is best known in the state that it sends from.
  if (kind < 0.9 && nearby.length > 0 && dice.chance(0.3)) return pick(oneOf(dice, nearby), 1)
  if (kind < 0.9) return pick(dice.chance(0.5) ? towns : villages, 1)
  return pick(special, 1)
}

export function zoneBetween(world: World, warehouse: number, place: number): number {
  const at = warehouse * atlas().places.length + place
  const known = world.zones[at]!
  if (known !== 0) return known - 1
  const { zone } = zoneOf(world.warehouses[warehouse]!.place, atlas().places[place]!, sampleCard.zones)
  const index = zones.indexOf(zone)
  world.zones[at] = index + 1
  return index
}

/** Goods mostly leave from the nearer of two warehouses that have them. */
export function origin(world: World, place: number): number {
  const { dice, warehouses } = world
  const [one, other] = [dice.below(warehouses.length), dice.below(warehouses.length)]
  if (dice.chance(0.3)) return one
  return zoneBetween(world, one, place) <= zoneBetween(world, other, place) ? one : other
}
