// `shipx local assign|cancel` and `local return create|update`: actions without an endpoint in the specification, on
// the engine's own database.
import type { Fault } from '../../../domain/errors.ts'
import { keysOf } from '../../../domain/keysof.ts'
import { qcStatuses, refundStatuses, returnBuckets } from '../../../domain/parcels/statuses.ts'
import { assignOrder, cancelOrder } from '../../../engine/orders/changes.ts'
import { createReturn, updateReturn } from '../../../engine/orders/returns.ts'
import { confirm } from '../../ask/confirm.ts'
import { done, wouldDo } from '../../output/outcome.ts'
import { withEngine, rehearse, type Engine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { courierFor } from '../../listings/couriers.ts'
import { flag, list, oneOf, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Work } from '../../../engine/database/port.ts'
import { checkShape, printRecord } from '../../output/printer.ts'
import type { View } from '../../output/columns.ts'
import { here } from '../../source/place.ts'
import { savedText } from './ordertext.ts'
import { safe } from '../../terminal/safe.ts'
import { returnView, shipmentView } from '../../output/views.ts'
import { printAnswer } from './answer.ts'

/** Does one write on the engine. */
const written = <T>(context: Context, work: (engine: Engine) => Work<T>): Promise<T> =>
  withEngine(context, 'write', (engine) => engine.database.write(() => work(engine)))

function needed(context: Context, name: string, faults: readonly Fault[] = []): string {
  const given = context.args[0]
  refuse(context, [...(given === undefined || given === '' ? [missingArgument(context, name)] : []), ...faults])
  return given!
}

async function show<R>(context: Context, view: View<R>, record: R): Promise<void> {
  if (context.format === 'plain' && context.screen.tty) return
  await printRecord(context, view, record)
}

const assign = verb({ courier: word, dry_run: flag }, async (context, { courier: named, dry_run: dry }) => {
  const order = needed(context, 'order')
  const courier = named === undefined ? undefined : await courierFor(context, named)
  const work = ({ database, account }: Engine) =>
    assignOrder(database.dialect, account, context.io.host, order, courier)
  if (dry) {
    await rehearse(context, work)
    return wouldDo(context, `give order ${order} a courier ${here(context)}`, {
      assign: order,
      carrier_id: courier ?? null,
    })
  }
  const { answer } = await written(context, work)
  await done(context, savedText(order, answer, undefined, `has a courier ${here(context)}`, context.screen))
  await printAnswer(context, answer)
  return 0
})

const cancel = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const order = needed(context, 'order')
  checkShape(context, shipmentView)
  const work = ({ database, account }: Engine) => cancelOrder(database.dialect, account, context.io.host, order)
  if (dry) {
    await rehearse(context, work)
    return wouldDo(context, `cancel order ${order} ${here(context)}`, { cancel: order })
  }
  await confirm(context, `Cancel order ${safe(order)}`)
  const shipment = await written(context, work)
  await done(context, `Cancelled order ${safe(order)} ${here(context)}`)
  await show(context, shipmentView, shipment)
  return 0
})

const returnOptions = {
  reason: word,
  sku: list,
  exchange: flag,
  no_qc: flag,
  dangerous_goods: flag,
  dry_run: flag,
}

const returnCreate = verb(returnOptions, async (context, { reason = 'changed_mind', ...options }) => {
  const shipment = needed(
    context,
    'shipment',
    /^[\p{L}\p{N} _-]{1,100}$/u.test(reason)
      ? []
      : [{ field: '--reason', message: 'is 1 to 100 letters, digits, spaces, - or _' }],
  )
  checkShape(context, returnView)
  const draft = {
    shipment,
    reason,
    skus: options.sku ?? [],
    exchange: options.exchange,
    qc: !options.no_qc,
    dangerous: options.dangerous_goods,
  }
  const work = ({ database, account }: Engine) => createReturn(database.dialect, account, context.io.host, draft)
  if (options.dry_run) {
    await rehearse(context, work)
    return wouldDo(context, `create a return of shipment ${shipment} ${here(context)}`, { return: draft })
  }
  const made = await written(context, work)
  await done(
    context,
    `Created return ${made.attributes.display_id ?? ''} of shipment ${safe(shipment)} ${here(context)}`,
  )
  await show(context, returnView, made)
  return 0
})

const changeOptions = {
  status: oneOf(keysOf(returnBuckets), 'status'),
  qc: oneOf(qcStatuses, 'QC status'),
  refund: oneOf(refundStatuses, 'refund status'),
  dry_run: flag,
}

const returnUpdate = verb(changeOptions, async (context, { status, qc, refund, dry_run: dry }) => {
  const none = !['status', 'qc', 'refund'].some((name) => context.flags.has(name))
  const nothing = { field: null, message: 'nothing to change: use --status, --qc or --refund' }
  const reference = needed(context, 'return', none ? [nothing] : [])
  checkShape(context, returnView)
  const change = {
    ...(status === undefined ? {} : { status }),
    ...(qc === undefined ? {} : { qc }),
    ...(refund === undefined ? {} : { refund }),
  }
  const work = ({ database, account }: Engine) =>
    updateReturn(database.dialect, account, context.io.host, reference, change)
  if (dry) {
    await rehearse(context, work)
    return wouldDo(context, `change return ${reference} ${here(context)}`, { return: reference, change })
  }
  const after = await written(context, work)
  const changes = [
    ...(status === undefined ? [] : [status]),
    ...(qc === undefined ? [] : [`QC ${qc}`]),
    ...(refund === undefined ? [] : [`refund ${refund}`]),
  ]
  await done(context, `Return ${after.attributes.display_id ?? reference} ${here(context)}: ${changes.join(', ')}`)
  await show(context, returnView, after)
  return 0
})

export const verbs = {
  'local assign': assign,
  'local cancel': cancel,
  'local return create': returnCreate,
  'local return update': returnUpdate,
}
