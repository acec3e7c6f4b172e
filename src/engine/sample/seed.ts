// Invented shipments and returns that look like a merchant's own, one at a time; reads no clock and no database.
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { dayMs } from '../../domain/time.ts'
import { streams } from './chance.ts'
import { hour, seconds } from './calendar.ts'
import { count, span, type SeedPlan } from './plan.ts'
import { worldOf, createdUntil } from './world.ts'
import { parcelAt, type Parcel } from './parcels.ts'
import { returnOf } from './returns.ts'

/** The shipments of a plan, one at a time, `created_at` ascending; each depends on its index alone, so memory stays flat. */
export function* seedShipments(plan: SeedPlan): Generator<Shipment> {
  const world = worldOf(plan)
  const total = count(plan.shipments)
  for (let index = 0; index < total; index++) yield parcelAt(world, index).record
}

/**
 * The returns of a plan, one at a time, roughly in the order of their shipments: of its own delivered shipments, several
 * of one where there are few, and of parcels from before the plan where there is none.
 */
export function* seedReturns(plan: SeedPlan): Generator<Return> {
  const world = worldOf(plan)
  const { dice } = world
  const total = count(plan.returns)
  const settled = plan.now - dayMs
  // What was created later than this cannot have been delivered for a day.
  let eligible = createdUntil(world, settled - 6 * hour)
  const stride = Math.max(1, eligible / total - 0.4)
  let [at, round, found] = [0, 0, 0]
  for (let index = 0; index < total; index++) {
    let parcel: Parcel | undefined
    for (let tries = 0; parcel === undefined && eligible > 0; tries++) {
      if (at >= eligible) [at, round] = [0, round + 1]
      const candidate = parcelAt(world, at++)
      if (candidate.deliveredAt !== undefined && candidate.deliveredAt <= settled) {
        parcel = candidate
        found = Math.max(found, at)
      } else if (tries === 200) {
        // Beyond the last one found nothing has been delivered yet.
        eligible = found
        tries = 0
      }
    }
    if (parcel === undefined) {
      dice.aim(streams.time, index + 1)
      const created = seconds(plan.now - 30 * dayMs - dice.unit() * span(plan))
      parcel = parcelAt(world, count(plan.shipments) + index, created)
    }
    yield returnOf(world, index, parcel, round)
    at += Math.floor((stride - 1) * 2 * dice.unit() + dice.unit())
  }
}
