// Invented shipments and returns that look like a real merchant's, one at a time. It reads no clock and no database.
import type { Return } from '../../domain/parcels/returns.ts'
import type { Shipment } from '../../domain/parcels/shipments.ts'
import { dayMs } from '../../domain/time.ts'
import { streams } from './chance.ts'
import { hour, seconds } from './calendar.ts'
import { count, span, type SeedPlan } from './plan.ts'
import { worldOf, createdUntil } from './world.ts'
import { parcelAt, type Parcel } from './parcels.ts'
import { returnOf } from './returns.ts'

/**
 * The shipments of a plan, one at a time, by `created_at`. Each depends only on its index, so memory use stays flat.
 */
export function* seedShipments(plan: SeedPlan): Generator<Shipment> {
  const world = worldOf(plan)
  const total = count(plan.shipments)
  for (let index = 0; index < total; index++) yield parcelAt(world, index).record
}

/**
 * The returns of a plan, one at a time, roughly in the order of their shipments. They belong to the plan's delivered
 * shipments, several to one if there are few. If none is delivered, they belong to parcels from before the plan.
 */
export function* seedReturns(plan: SeedPlan): Generator<Return> {
  const world = worldOf(plan)
  const { dice } = world
  const total = count(plan.returns)
  const settled = plan.now - dayMs
  // A parcel created after this cannot have been delivered for a day.
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
        // No parcel after the last one found has been delivered yet.
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
