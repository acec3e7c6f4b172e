// Refusals of an order, with the command that helps.
import { ShipxError } from '../../../domain/errors.ts'
import { nearest, guessText } from '../../../domain/nearest.ts'
import type { OrderCreate } from '../../../domain/orders.ts'
import { maxPerPage } from '../../../domain/page.ts'
import { parseInput } from '../../../domain/parse.ts'
import { readRecord } from '../../../domain/foreign/records.ts'
import type { Context } from '../../command/context.ts'
import { quoted } from '../../terminal/safe.ts'
import { withSource } from '../../source/open.ts'
import type { Source } from '../../source/source.ts'

/**
 * Throws `duplicate_order` for an order that a deployment has already. Without an idempotency key, an earlier try with
 * an unknown outcome may have created it (docs/reference/http.md, The client).
 */
export async function refuseKnown({ service, remote }: Source, order_id: string): Promise<void> {
  if (remote === undefined) return
  const { records } = await service.listShipments(
    parseInput('listShipments', { search: order_id, per_page: maxPerPage }),
  )
  if (remote.capabilities()?.has('idempotency') === true) return
  const found = records
    .map((record) => readRecord('shipments', record))
    .find(({ attributes: { order } }) => order?.external_id === order_id || order?.display_id === order_id)
  if (found === undefined) return
  const { tracking_number: tracking } = found.attributes
  const number = tracking == null ? 'without a tracking number yet' : `tracking number ${tracking}`
  const message = `order ${order_id} exists already, ${number}; it was not sent again`
  throw new ShipxError('duplicate_order', message, { details: [{ field: 'order_id', message }] })
}

/** A refusal with the command that helps; an unknown store with the nearest name. */
export async function withHint(context: Context, input: OrderCreate, error: ShipxError): Promise<ShipxError> {
  const hinted = (message: string, hint: string): ShipxError =>
    new ShipxError(error.code, message, { details: error.details, hint, status: error.status, cause: error })
  switch (error.code) {
    case 'duplicate_order':
      return hinted(error.message, `shipx shipments get ${quoted(input.order_id)}`)
    case 'store_disconnected':
      return hinted(error.message, `shipx stores connect ${input.store_name ?? ''}`)
    case 'unknown_warehouse':
      return hinted(error.message, `shipx local warehouse set ${quoted(input.warehouse_id)} <pincode>`)
    case 'unknown_store': {
      const stores = await storeNames(context)
      const near = nearest(input.store_name ?? '', stores)
      return near === undefined
        ? hinted(error.message, `shipx stores create --name ${input.store_name ?? ''}`)
        : hinted(`${error.message}${guessText(near)}`, `use --store ${near}`)
    }
    default:
      return error
  }
}

const storeNames = (context: Context): Promise<readonly string[]> =>
  withSource(context, 'read', async ({ service }) => {
    const { data } = await service.listStores({})
    return data.map((store) => store.store_name)
  })
