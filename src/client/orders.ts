// Orders at a deployment, which are sent at most once.
import { contract, type Call, type Input, type ShippingService } from '../domain/contract.ts'
import type { OrderAnswer } from '../domain/orders.ts'
import { shellWord } from '../domain/shellword.ts'
import { readOrder } from './answers.ts'
import { unknownOutcome, type Deployment } from './deployment.ts'
import { atMostOnce } from './retry.ts'

type OrderName = 'createForwardOrder' | 'orchestrateForwardOrder'

/** Both order calls. */
export const orderCalls = (deployment: Deployment): Pick<ShippingService, OrderName> => ({
  createForwardOrder: (input, call) => createOrder(deployment, 'createForwardOrder', input, call),
  orchestrateForwardOrder: (input, call) => createOrder(deployment, 'orchestrateForwardOrder', input, call),
})

async function createOrder(
  deployment: Deployment,
  name: OrderName,
  input: Input<OrderName>,
  call: Call = {},
): Promise<OrderAnswer> {
  const { order_id } = input
  const row = contract[name]
  const { value, replayed } = await deployment.call({
    row,
    request: { path: row.path, json: JSON.stringify(input), headers: deployment.keyHeaders(call) },
    read: readOrder,
    rule: atMostOnce<OrderAnswer>(deployment.keySupport, (failure) =>
      unknownOutcome(
        failure,
        `order ${order_id} may or may not exist; check before you send it again`,
        `shipx shipments list --search ${shellWord(order_id)}`,
      ),
    ),
  })
  if (replayed) call.onReplay?.()
  return value
}
