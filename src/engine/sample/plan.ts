// How many records to invent over which days, and the plan's stores and warehouses.
import { diceOf } from '../../domain/random.ts'
import { suggestStoreName } from '../../domain/stores.ts'
import { dayMs } from '../../domain/time.ts'
import { brandWords, warehouseSites } from './vocabulary.ts'
import { streams, uuid } from './chance.ts'
import { hour } from './calendar.ts'

/** What to invent: how many of each, over how many days up to `now` (ms UTC). Equal plans produce equal data. */
export interface SeedPlan {
  readonly shipments: number
  readonly returns: number
  readonly stores: number
  readonly days: number
  readonly seed: number
  readonly now: number
}

/** A store to create; `created_at` is ms UTC, before every shipment of the plan. */
export interface SeedStore {
  readonly id: string
  readonly store_name: string
  readonly brand_name: string | null
  readonly created_at: number
}

/** A warehouse of the plan's shipments, at a pincode in a metro. */
interface SeedWarehouse {
  readonly id: string
  readonly pincode: string
}

export const count = (wanted: number): number => Math.max(0, Math.floor(wanted))

export const span = (plan: SeedPlan): number => Math.max(plan.days * dayMs, hour)

/** The stores of a plan: unique slugs, some without a brand, some with a brand in Devanagari. */
export function seedStores(plan: SeedPlan): readonly SeedStore[] {
  const dice = diceOf(plan.seed)
  dice.aim(streams.plan, 1)
  const { first, second } = brandWords
  const pairs = first.length * second.length
  const offset = dice.below(pairs)
  return Array.from({ length: count(plan.stores) }, (_, index) => {
    dice.aim(streams.store, index)
    // 437 shares no divisor with the number of pairs, so every pair is used before one is used again.
    const pair = (offset + index * 437) % pairs
    const [head, tail] = [first[pair % first.length]!, second[Math.floor(pair / first.length)]!]
    const again = Math.floor(index / pairs)
    const kind = dice.unit()
    return {
      id: uuid(dice),
      store_name: suggestStoreName(`${head[0]} ${tail[0]}${again === 0 ? '' : ` ${again + 1}`}`),
      brand_name: kind < 0.1 ? null : kind < 0.18 ? `${head[1]} ${tail[1]}` : `${head[0]} ${tail[0]}`,
      created_at: Math.floor((plan.now - span(plan) - dice.between(10, 400) * dayMs) / 1000) * 1000,
    }
  })
}

/** The three to five warehouses of a plan, each in a different metro. */
export function seedWarehouses(plan: SeedPlan): readonly SeedWarehouse[] {
  const dice = diceOf(plan.seed)
  dice.aim(streams.plan, 2)
  const sites = [...warehouseSites]
  return Array.from({ length: 3 + dice.below(3) }, () => {
    const [code, pincodes] = sites.splice(dice.below(sites.length), 1)[0]!
    const at = dice.below(pincodes.length)
    return { id: `WH${code}${at + 1}`, pincode: pincodes[at]! }
  })
}
