// The answer to a new order: a sentence for people, and the record in the chosen format.
import type { AnsweredOrder } from '../../../domain/foreign/orderanswer.ts'
import type { OrderAnswer, OrderCreate } from '../../../domain/orders.ts'
import { textIn } from '../../../domain/foreign/values.ts'
import { offersOf } from '../../../engine/orders/booking.ts'
import { done } from '../../output/outcome.ts'
import type { Context } from '../../command/context.ts'
import { where } from '../../source/place.ts'
import { narrowed, printList } from '../../output/printer.ts'
import { safeJson } from '../../terminal/safe.ts'
import { offered, savedText } from './ordertext.ts'
import type { Source } from '../../source/source.ts'
import { plainView } from '../../output/views.ts'
import { takenBy } from './plan.ts'

/** Reports a new order: saved on this computer with its price, or created at a deployment. */
export async function reportCreated(
  context: Context,
  { engine }: Source,
  input: OrderCreate,
  answer: OrderAnswer,
  { awb, courier }: AnsweredOrder,
  replayed: boolean,
): Promise<void> {
  const order = input.order_id
  if (engine !== undefined) {
    const { database, account } = engine
    const { offers, gst } = await database.read(() => offersOf(account, input, context.io.host.now()), 'single')
    const offer = awb !== undefined && !replayed ? takenBy(offers, answer.payload.courier_company_id ?? '') : undefined
    const place = `${replayed ? 'was saved before' : 'saved'} ${await where(context)}`
    const taken = offer === undefined ? undefined : offered(offer, gst, context.screen)
    return done(context, savedText(order, answer, taken, place, context.screen))
  }
  const what =
    awb !== undefined
      ? `${courier === undefined ? '' : `${courier} takes it, `}tracking number ${awb}`
      : 'no courier yet'
  const place = `${order} ${await where(context)}`
  return done(context, `${replayed ? 'Was created before: order' : 'Created order'} ${place}, ${what}`)
}

export const answerView = plainView<OrderAnswer['payload']>(
  ['order', 'orders'],
  ({ order_id, shipment_id }) => textIn(order_id) ?? textIn(shipment_id) ?? '',
  ['order_id', 'shipment_id', 'awb_code', 'courier_company_id', 'courier_name', 'applied_weight', 'cod'],
)

/** The answer of an order endpoint in the chosen format. */
export async function printAnswer(context: Context, answer: OrderAnswer): Promise<void> {
  const { format, io, screen } = context
  if (format === 'json') {
    const [payload] = narrowed(context, answerView, [answer.payload])
    return io.stdout.write(`${safeJson(JSON.stringify({ ...answer, payload }, null, screen.tty ? 2 : 0))}\n`)
  }
  if (format === 'plain' && screen.tty) return
  await printList(context, answerView, [answer.payload])
}
