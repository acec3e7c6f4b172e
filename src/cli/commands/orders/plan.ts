// What an order would become: its parcel, its courier, and where it would be saved.
import type { OrderCreate } from '../../../domain/orders.ts'
import type { Offer } from '../../../domain/rates/pricing.ts'
import { createOrder } from '../../../engine/orders/orders.ts'
import { offersOf } from '../../../engine/orders/booking.ts'
import { rehearse } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { where } from '../../source/place.ts'
import { safeText } from '../../terminal/safe.ts'
import { courierText, parcelText } from './ordertext.ts'

/** What an order would become, and where. */
interface OrderPlan {
  readonly text: string
  readonly where: string
}

/**
 * The plan of an order; `assign` asks for a courier. On this computer the plan includes the courier. Throws what the
 * engine refuses.
 */
export async function orderPlan(context: Context, input: OrderCreate, assign: boolean): Promise<OrderPlan> {
  const { io, screen } = context
  const shown = (lines: readonly string[]): string => safeText(lines.join('\n'))
  const target = await context.target()
  // A deployment offers no dry run, and returns no price without the pincode of its warehouse.
  if (target.kind === 'remote') return { text: shown([parcelText(input, screen)]), where: await where(context) }
  const found = await rehearse(context, function* ({ database, account }) {
    const now = io.host.now()
    yield* createOrder(database.dialect, account, io.host, input, assign)
    return assign ? yield* offersOf(account, input, now) : undefined
  })
  const offer = takenBy(found?.offers ?? [], input.carrier_id)
  const courier = offer === undefined ? 'No courier yet' : courierText(offer, found!, screen)
  return { text: shown([parcelText(input, screen), courier]), where: await where(context) }
}

/** The offer of a carrier, or the first one when the user chose none. */
export const takenBy = (offers: readonly Offer[], carrier: string | undefined): Offer | undefined =>
  carrier === undefined ? offers[0] : offers.find(({ service }) => service.carrier_id === carrier)
