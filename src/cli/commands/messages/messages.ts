// `shipx messages list|retry|cancel`: messages to customers and to the merchant's own systems, in every status.
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { customerSteps } from '../../../domain/parcels/journeys.ts'
import { messageChannels, messageStatuses } from '../../../domain/messages/messages.ts'
import { orderSpellings } from '../../../domain/parcels/ordernumbers.ts'
import { isSetUp } from '../../../engine/messages/gateways.ts'
import { messageIds } from '../../../engine/messages/ids.ts'
import {
  cancelMessages,
  countFailed,
  getMessage,
  listMessages,
  retryMessages,
  type MessageFilter,
  type ShownMessage,
} from '../../../engine/messages/queue.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { withEngine, type Engine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { flag, limit, list as listed, moment, someOf } from '../../args/kinds.ts'
import { verb, type OptionsOf } from '../../args/options.ts'
import { checkShape, printer } from '../../output/printer.ts'
import { count, counted } from '../../../domain/count.ts'
import { safe } from '../../terminal/safe.ts'
import { messageRecord, messageView } from './views.ts'
import { here } from '../../source/place.ts'

/** The options that choose the messages of a list. */
const listOptions = {
  store: listed,
  tracking_number: listed,
  order: listed,
  status: someOf(messageStatuses, 'status'),
  channel: someOf(messageChannels, 'channel'),
  step: someOf([...customerSteps, 'status', 'dispute'] as const, 'step'),
  failed: flag,
  since: moment,
  all: flag,
  limit: limit(20),
}

/** The filter of the options. */
function filterOf(options: OptionsOf<typeof listOptions>): MessageFilter {
  const { store: stores, tracking_number: tracking, order, channel: channels, step: steps, since } = options
  const statuses = options.failed ? (['parked', 'expired'] as const) : options.status
  return {
    ...(statuses === undefined ? {} : { statuses }),
    ...(channels === undefined ? {} : { channels }),
    ...(steps === undefined ? {} : { steps }),
    ...(stores === undefined ? {} : { stores }),
    ...(tracking === undefined ? {} : { tracking }),
    ...(order === undefined ? {} : { orders: order.flatMap(orderSpellings) }),
    ...(since === undefined ? {} : { since }),
  }
}

/** Messages in one query. */
const page = 500

const list = verb(listOptions, async (context, options) => {
  const filter = filterOf(options)
  const most = options.all ? Infinity : options.limit
  refuse(context, [])
  checkShape(context, messageView)
  return withEngine(context, 'read', async ({ database, account }) => {
    const out = printer(context, messageView)
    let [left, after] = [most, undefined as ShownMessage | undefined]
    while (left > 0) {
      const found = await database.read(() => listMessages(account, filter, Math.min(page, left), after), 'single')
      if (found.length > 0) await out.batch(found.map((message) => JSON.stringify(messageRecord(message))))
      left -= found.length
      if (found.length < page) break
      after = found.at(-1)
    }
    await out.end()
    if (left === most) await context.note('No messages.')
    return 0
  })
})

const retry = verb({ failed: flag, dry_run: flag }, async (context, { failed, dry_run: dry }) => {
  const { args, io } = context
  refuse(context, idFaults(context, failed))
  if (dry) {
    const would = (messages: number): Promise<number> => {
      const which = counted(messages, failed ? ['failed message', 'failed messages'] : ['message', 'messages'])
      return wouldDo(context, `send ${which} ${here(context)} again`, { retry: failed ? 'failed' : args, messages })
    }
    if (!failed) return would(args.length)
    return withEngine(context, 'read', async ({ database, account }) => {
      return would(await database.read(() => countFailed(account), 'single'))
    })
  }
  return withEngine(context, 'write', async (engine) => {
    const idle = !(await engine.database.read(() => isSetUp(engine.account), 'single'))
    const says = idle ? (['is due', 'are due'] as const) : (['goes now', 'go now'] as const)
    const again = (ids: readonly string[]) => retryMessages(engine.account, failed ? 'failed' : ids, io.host.now())
    const { changed, exit } = await change(context, engine, says, again)
    if (idle && changed > 0)
      await context.warn('nothing is set up to send messages: shipx messages set --gateway <url>')
    return exit
  })
})

const cancel = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  refuse(context, idFaults(context, false))
  const which = counted(context.args.length, ['message', 'messages'])
  if (dry) return wouldDo(context, `cancel ${which} ${here(context)}`, { cancel: context.args })
  return withEngine(context, 'write', async (engine) => {
    const off = (ids: readonly string[]) => cancelMessages(engine.account, ids)
    return (await change(context, engine, ['is cancelled', 'are cancelled'], off)).exit
  })
})

/** The faults of the ids: required without --failed, refused with it, since it means every failed message. */
function idFaults(context: Context, failed: boolean): readonly Fault[] {
  if (failed)
    return context.args.length === 0 ? [] : [{ field: '--failed', message: 'means all that failed; leave the ids out' }]
  return context.args.length === 0 ? [missingArgument(context, 'message')] : []
}

/** Changes messages, and reports which ones stayed as they are, and why. */
async function change(
  context: Context,
  { database, account }: Engine,
  [one, many]: readonly [one: string, many: string],
  work: (ids: readonly string[]) => ReturnType<typeof cancelMessages>,
): Promise<{ readonly changed: number; readonly exit: number }> {
  const asked = await database.read(() => messageIds(account, context.args), 'single')
  const changed = new Set(await database.write(() => work(asked)))
  const stayed = [...new Set(asked)].filter((id) => !changed.has(id))
  for (const id of stayed) {
    const message = await database
      .read(() => getMessage(account, id), 'single')
      .catch((error: unknown) => {
        if (stayed.length === 1 && changed.size === 0) throw error
        return undefined
      })
    const why = message === undefined ? 'does not exist' : `is ${message.status.replaceAll('_', ' ')}`
    if (changed.size === 0 && stayed.length === 1)
      throw new ShipxError('wrong_state', `${safe(id)} ${why}, and stays so`)
    await context.warn(`${safe(id)} ${why}, and stays so`)
  }
  const sentence = changed.size === 1 ? `1 message ${one}` : `${count(changed.size)} messages ${many}`
  const ids = [...changed].toSorted().map((id) => ({ id }))
  await answer(context, `${sentence} ${here(context)}`, ids, true)
  return { changed: changed.size, exit: stayed.length === 0 ? 0 : 7 }
}

export const verbs = {
  'messages list': list,
  'messages retry': retry,
  'messages cancel': cancel,
}
