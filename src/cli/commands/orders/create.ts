// `shipx orders create`: an order from a file, a pipe or flags. The contract checks it and the service creates it.
import { contract, basePath } from '../../../domain/contract.ts'
import { ShipxError, invalid } from '../../../domain/errors.ts'
import { readOrderAnswer } from '../../../domain/foreign/orderanswer.ts'
import { deliveryOf } from '../../../domain/orders.ts'
import { stateClash } from '../../../domain/read/states.ts'
import { totalClash } from '../../../domain/totals.ts'
import { canAsk, confirm } from '../../ask/confirm.ts'
import { say, wouldDo } from '../../output/outcome.ts'
import { refuse } from '../../command/faults.ts'
import { sayConverted } from '../../args/input.ts'
import { text } from '../../command/flags.ts'
import { flag, word } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { warnUnknown } from '../../listings/unknownvalues.ts'
import { checkShape } from '../../output/printer.ts'
import { quoted, safe } from '../../terminal/safe.ts'
import { withSource } from '../../source/open.ts'
import { orderRequest } from './request.ts'
import { orderPlan } from './plan.ts'
import { refuseKnown, withHint } from './refusals.ts'
import { answerView, printAnswer, reportCreated } from './answer.ts'
import { fittedTo } from '../../terminal/wrap.ts'

const createOptions = { file: word, no_assign: flag, idempotency_key: word, dry_run: flag, yes: flag, strict: flag }

const create = verb(createOptions, async (typed, options) => {
  const { idempotency_key: key, dry_run: dry } = options
  const endpoint = options.no_assign ? 'createForwardOrder' : 'orchestrateForwardOrder'
  const { context, raw, parsed, faults, said } = await orderRequest(typed, endpoint, options.file)
  refuse(context, faults)
  checkShape(context, answerView)
  const courier = text(context.flags, 'courier') ?? text(context.flags, 'carrier-id')
  const assigned =
    courier === undefined
      ? {}
      : { carrier_id: await (await import('../../listings/couriers.ts')).courierFor(context, courier) }
  const input = { ...parsed.value!, ...assigned }
  const { zip, state } = deliveryOf(input)
  const clash = stateClash(zip, state)
  if (clash !== undefined && options.strict) throw invalid([{ field: '--strict', message: clash }])
  for (const doubt of [clash, totalClash(input)]) if (doubt !== undefined) await context.warn(doubt)
  await sayConverted(context, said)
  const hinted = async (error: unknown): Promise<never> => {
    throw error instanceof ShipxError ? await withHint(context, input, error) : error
  }
  const person = context.format === 'plain' && context.screen.tty
  const asks = person && !options.yes && canAsk(context)
  // Refuses what would fail before asking the user anything.
  const plan = dry || asks ? await orderPlan(context, input, !options.no_assign).catch(hinted) : undefined
  if (dry) {
    if (person) {
      await say(context, `${plan!.text}\nWould create this order ${plan!.where}. Nothing was changed.`)
      return 0
    }
    return wouldDo(context, `create this order ${plan!.where}`, {
      method: contract[endpoint].method,
      path: `${basePath}${contract[endpoint].path}`,
      body: { ...raw, ...assigned },
    })
  }
  if (asks) {
    await context.io.stderr.write(`${await fittedTo(context.io, plan!.text)}\n`)
    await confirm(context, `Create this order ${plan!.where}`)
  }
  return withSource(context, 'write', async (source) => {
    await refuseKnown(source, input.order_id).catch(hinted)
    let replayed = false
    const answer = await source.service[endpoint](input, {
      ...(key === undefined ? {} : { idempotency_key: key }),
      onReplay: () => {
        replayed = true
      },
    }).catch(hinted)
    await warnUnknown(context, parsed.unknown)
    const created = readOrderAnswer(answer)
    await reportCreated(context, source, input, answer, created, replayed)
    await printAnswer(context, answer)
    // The order exists: only its courier is missing.
    if (created.awb === undefined && !options.no_assign) throw withoutCourier(input.order_id, created.reason)
    return 0
  })
})

function withoutCourier(order_id: string, reason: string | undefined): ShipxError {
  const why = reason === undefined ? '' : `: ${safe(reason)}`
  return new ShipxError('partial', `order ${order_id} is created, but no courier took it${why}`, {
    hint: `shipx shipments get ${quoted(order_id)}`,
  })
}

export const verbs = { 'orders create': create }
