// `shipx local assign|cancel` and `local return create|update`: what the specification has no endpoint for, on the engine's
// own database.
import type { Fault } from '../../../domain/errors.ts'
import {
  namesOf,
  qcStatuses,
  refundStatuses,
  returnBuckets,
  type ReturnGranularStatus,
} from '../../../domain/parcels/statuses.ts'
import { notOneOf } from '../../../domain/values.ts'
import { assignOrder, cancelOrder } from '../../../engine/orders/changes.ts'
import { createReturn, updateReturn } from '../../../engine/orders/returns.ts'
import { confirm, done, wouldDo } from '../../ask/confirm.ts'
import { connect, rehearse, type Engine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { list, text } from '../../command/flags.ts'
import { checkShape, printer } from '../../output/printer.ts'
import type { View } from '../../output/columns.ts'
import { here } from '../../source/thiscomputer.ts'
import { savedText } from './ordertext.ts'
import { safe } from '../../terminal/safe.ts'
import { returnView, shipmentView } from '../../output/views.ts'
import { print } from './create.ts'

/** Runs one write on the engine and closes it. */
async function onEngine<T>(context: Context, work: (engine: Engine) => Promise<T>): Promise<T> {
  const engine = await connect(context, 'write')
  try {
    return await work(engine)
  } finally {
    await engine.database.close()
  }
}

function needed(context: Context, name: string, faults: readonly Fault[] = []): string {
  const given = context.args[0]
  refuse(context, [...(given === undefined || given === '' ? [missingArgument(context, name)] : []), ...faults])
  return given!
}

async function show<R>(context: Context, view: View<R>, record: R): Promise<void> {
  if (context.format === 'plain' && context.screen.tty) return
  const out = printer(context, view, true)
  await out.batch([JSON.stringify(record)])
  await out.end()
}

async function assign(context: Context): Promise<number> {
  const order = needed(context, 'order')
  const courier = text(context.flags, 'courier')
  const work = ({ database, account }: Engine) =>
    assignOrder(database.dialect, account, context.io.host, order, courier)
  if (context.flags.has('dry-run')) {
    await rehearse(context, work)
    return wouldDo(context, { assign: order, carrier_id: courier ?? null })
  }
  const { answer } = await onEngine(context, (engine) => engine.database.write(() => work(engine)))
  await done(context, savedText(order, answer, undefined, `has a courier ${here(context)}`, context.screen))
  await print(context, answer)
  return 0
}

async function cancel(context: Context): Promise<number> {
  const order = needed(context, 'order')
  checkShape(context, shipmentView)
  const work = ({ database, account }: Engine) => cancelOrder(database.dialect, account, context.io.host, order)
  if (context.flags.has('dry-run')) {
    await rehearse(context, work)
    return wouldDo(context, { cancel: order })
  }
  await confirm(context, `Cancelling order ${safe(order)}`)
  const shipment = await onEngine(context, (engine) => engine.database.write(() => work(engine)))
  await done(context, `Cancelled order ${safe(order)}`)
  await show(context, shipmentView, shipment)
  return 0
}

async function returnCreate(context: Context): Promise<number> {
  const { flags } = context
  const reason = text(flags, 'reason') ?? 'changed_mind'
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
    skus: list(flags, 'sku') ?? [],
    exchange: flags.has('exchange'),
    qc: !flags.has('no-qc'),
    dangerous: flags.has('dangerous-goods'),
  }
  const work = ({ database, account }: Engine) => createReturn(database.dialect, account, context.io.host, draft)
  if (flags.has('dry-run')) {
    await rehearse(context, work)
    return wouldDo(context, { return: draft })
  }
  const made = await onEngine(context, (engine) => engine.database.write(() => work(engine)))
  await done(context, `Created return ${made.attributes.display_id ?? ''} of shipment ${safe(shipment)}`)
  await show(context, returnView, made)
  return 0
}

async function returnUpdate(context: Context): Promise<number> {
  const { flags } = context
  const known = { status: namesOf(returnBuckets), qc: qcStatuses, refund: refundStatuses } as const
  const faults: Fault[] = []
  for (const name of ['status', 'qc', 'refund'] as const) {
    const value = text(flags, name)
    if (value !== undefined && !(known[name] as readonly string[]).includes(value))
      faults.push({
        field: `--${name}`,
        message: notOneOf(value, known[name], { status: 'status', qc: 'QC status', refund: 'refund status' }[name]),
      })
  }
  if (!['status', 'qc', 'refund'].some((name) => flags.has(name)))
    faults.push({ field: null, message: 'nothing to change: give --status, --qc or --refund' })
  const reference = needed(context, 'return', faults)
  checkShape(context, returnView)
  const [status, qc, refund] = [text(flags, 'status'), text(flags, 'qc'), text(flags, 'refund')]
  const change = {
    ...(status === undefined ? {} : { status: status as ReturnGranularStatus }),
    ...(qc === undefined ? {} : { qc }),
    ...(refund === undefined ? {} : { refund }),
  }
  const work = ({ database, account }: Engine) =>
    updateReturn(database.dialect, account, context.io.host, reference, change)
  if (flags.has('dry-run')) {
    await rehearse(context, work)
    return wouldDo(context, { return: reference, change })
  }
  const after = await onEngine(context, (engine) => engine.database.write(() => work(engine)))
  await done(
    context,
    `Return ${after.attributes.display_id ?? reference}: ${[status, qc === undefined ? undefined : `QC ${qc}`, refund === undefined ? undefined : `refund ${refund}`].filter((part) => part !== undefined).join(', ')}`,
  )
  await show(context, returnView, after)
  return 0
}

export const verbs = {
  'local assign': assign,
  'local cancel': cancel,
  'local return create': returnCreate,
  'local return update': returnUpdate,
}
