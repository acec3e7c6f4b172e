// One return of a plan: what comes back, why, and how far it has come.
import { draw, tableOf, type Dice } from '../../domain/random.ts'
import { rupeesOf } from '../../domain/money.ts'
import type { Return } from '../../domain/parcels/returns.ts'
import { returnBuckets, type ReturnGranularStatus } from '../../domain/parcels/statuses.ts'
import { dayMs, istDayNumber } from '../../domain/time.ts'
import type { Zone } from '../../domain/rates/zones.ts'
import { streams, uuid, tenDigits } from './chance.ts'
import { momentAfter, momentDuring, hour, openFrom, seconds, stamp, workingDay } from './calendar.ts'
import { returnReason, delays, type Courier } from './catalogue.ts'
import type { World } from './world.ts'
import { orderValue, type Line } from './orders.ts'
import { boxOf, chargedWeight, carries, courierFor, type Consignment } from './routes.ts'
import type { Milestone } from './journey.ts'
import { itemOf, type Parcel } from './parcels.ts'

const returnHolds = tableOf<ReturnGranularStatus>(
  ['return_requested', 'return_not_picked', 'return_ndr_raised', 'return_need_attention'],
  [1, 3, 4, 4],
)

/** How far a return has come. */
interface Journey {
  readonly now: number
  readonly hold: ReturnGranularStatus | undefined
  granular: ReturnGranularStatus
  scheduled: boolean
  qc: 'pending' | 'passed' | 'failed' | 'not_applicable'
  refund: 'pending' | 'initiated' | 'processed' | 'failed'
  readonly milestones: Milestone[]
}

/** Enters a status at an instant; returns false if that is in the future or the return stays in its status. */
function reach(journey: Journey, at: number, granular: ReturnGranularStatus, milestone?: string): boolean {
  if (at > journey.now) return false
  journey.granular = granular
  if (milestone !== undefined) journey.milestones.push({ milestone, milestone_at: stamp(at) })
  return granular !== journey.hold
}

/** Moves a return up to `now`; every step is later than the one before it. */
function bringBack(world: World, journey: Journey, asked: number, zone: Zone, courier: Courier | undefined): void {
  const { dice } = world
  const { hold } = journey
  if (hold === 'return_requested') return
  const kind = hold === undefined ? dice.unit() : 1
  if (kind < 0.045 || courier === undefined) {
    return void reach(journey, momentAfter(dice, asked, 2 * hour, 40 * hour), 'return_rejected')
  }
  if (kind < 0.075) return void reach(journey, momentAfter(dice, asked, hour, 20 * hour), 'return_cancelled')

  const at = momentAfter(dice, asked, hour, 28 * hour)
  if (at > journey.now) return
  journey.scheduled = true
  if (!reach(journey, at, 'return_pickup_scheduled', 'return_pickup_scheduled')) return
  if (kind < 0.1) return void reach(journey, momentAfter(dice, at, hour, 9 * hour), 'return_cancelled')
  const calendar = world.calendars.get(courier.service)!
  let day = workingDay(calendar, istDayNumber(at), dice.chance(0.3) ? 2 : 1)
  if (hold === 'return_not_picked' || dice.chance(0.12)) {
    if (!reach(journey, momentDuring(dice, day, 1140, 1230), 'return_not_picked')) return
    day = workingDay(calendar, day, 1)
  }
  const picked = momentDuring(dice, day, 640, 1110)
  if (picked > journey.now) return
  if (journey.qc === 'pending') {
    journey.qc = hold === undefined && dice.chance(0.08) ? 'failed' : 'passed'
    if (journey.qc === 'failed') return void reach(journey, picked, 'return_qc_failed')
  }
  if (!reach(journey, picked, 'return_in_transit')) return
  if (kind < 0.12) return void reach(journey, momentAfter(dice, picked, 9 * dayMs, 15 * dayMs), 'return_lost')
  const transit = courier.service.transit_days.return[zone] ?? 5
  day = workingDay(calendar, Math.max(day + transit, day + 1), Math.max(0, draw(dice, delays)))
  let home = momentDuring(dice, openFrom(calendar, day), 660, 1080)
  if (hold === 'return_ndr_raised' || hold === 'return_need_attention' || dice.chance(0.05)) {
    if (!reach(journey, home, 'return_ndr_raised')) return
    if (hold === 'return_need_attention' || dice.chance(0.4)) {
      home = momentAfter(dice, home, 14 * hour, 26 * hour)
      if (!reach(journey, home, 'return_need_attention')) return
    }
    home = momentDuring(dice, workingDay(calendar, istDayNumber(home), 1), 660, 1080)
  }
  if (!reach(journey, home, 'return_delivered', 'return_delivered')) return
  const started = momentAfter(dice, home, 3 * hour, 50 * hour)
  if (started > journey.now) return
  journey.refund = 'initiated'
  if (momentAfter(dice, started, dayMs, 5 * dayMs) <= journey.now)
    journey.refund = dice.chance(0.03) ? 'failed' : 'processed'
}

/** The lines that come back: in the first round one of them or all, later the next one each time. */
function linesBack(dice: Dice, lines: readonly Line[], round: number): readonly Line[] {
  if (round === 0 && dice.chance(0.3)) return lines
  const line = lines[round % lines.length]!
  return [line.quantity > 1 && dice.chance(0.6) ? { ...line, quantity: 1 + dice.below(line.quantity) } : line]
}

/** The n-th return, of a delivered parcel; `round` counts the earlier rounds through all parcels. */
export function returnOf(world: World, index: number, parcel: Parcel, round: number): Return {
  const { dice, plan } = world
  const { now } = plan
  const { warehouse, place, zone, order } = parcel
  dice.aim(streams.return, index)
  const id = uuid(dice)
  const delivered = parcel.deliveredAt!
  const asked = seconds(delivered + dayMs + dice.unit() ** 1.5 * Math.min(9 * dayMs, now - delivered - dayMs))
  const lines = linesBack(dice, parcel.lines, round)
  const reason = draw(dice, returnReason)
  const box = boxOf(lines)
  const trade: Consignment = {
    from: place,
    to: warehouse.place,
    zone,
    box,
    journey: 'return',
    cod: 0,
    qc: dice.chance(0.6),
  }
  // The courier that brought a parcel mostly takes it back, if it takes returns at all.
  const own = parcel.courier !== undefined && carries(parcel.courier, trade) ? parcel.courier : undefined
  let courier = own ?? courierFor(dice, trade)
  const qc = trade.qc && courier !== undefined
  if (trade.qc && !qc) courier = courierFor(dice, { ...trade, qc: false })

  const recent = now - asked < 20 * dayMs && dice.chance(0.12)
  const journey: Journey = {
    now,
    hold: recent ? draw(dice, returnHolds) : undefined,
    granular: 'return_requested',
    scheduled: false,
    qc: qc ? 'pending' : 'not_applicable',
    refund: 'pending',
    milestones: [],
  }
  bringBack(world, journey, asked, zone, courier)

  const assigned = journey.scheduled ? courier : undefined
  const status = returnBuckets[journey.granular].shown
  const address = parcel.record.attributes.shipping_address
  return {
    id,
    type: 'return',
    attributes: {
      return_reason: reason,
      request_date: stamp(asked),
      display_id: `RT-${100_001 + index}`,
      qc_status: journey.qc,
      qc_required: qc,
      status,
      warehouse_id: warehouse.id,
      shipping_address: address,
      total_price: rupeesOf(orderValue(lines)),
      is_exchange: dice.chance(reason === 'wrong_size' ? 0.3 : 0.1),
      refund_status: journey.refund,
      created_at: stamp(asked),
      return_items: lines.map((line, at) => ({
        ...itemOf(line),
        return_reason: at === 0 ? reason : draw(dice, returnReason),
      })),
      weight: { value: chargedWeight(box, assigned?.service), metric_unit: 'g' },
      shipment: {
        id: parcel.record.id,
        tracking_number: assigned === undefined ? null : assigned.prefix + tenDigits(5_000_000_000 + index, plan.seed),
        status,
        carrier: assigned?.carrier ?? null,
        shipment_milestones: journey.milestones,
      },
      order: { id: order.id, display_id: order.display_id, channel: order.channel, store_name: order.store_name },
      granular_status: journey.granular,
      zone,
      is_dangerous_goods: lines.some(({ good }) => good.product.care === 'dangerous'),
    },
  }
}
