// `shipx messages list|show|retry|cancel`: what customers and the merchant's own systems were told, are told, and are not.
import { ShipxError, type Fault } from '../../../domain/errors.ts'
import { customerSteps } from '../../../domain/parcels/journeys.ts'
import { messageChannels, messageStatuses } from '../../../domain/messages/messages.ts'
import { isoOf } from '../../../domain/time.ts'
import { notOneOf } from '../../../domain/values.ts'
import {
  cancelMessages,
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
import { list as listFlag } from '../../command/flags.ts'
import { momentFrom, limitFrom } from '../../args/input.ts'
import { checkShape, printer, printRecord } from '../../output/printer.ts'
import { count } from '../../output/display.ts'
import { safe } from '../../terminal/safe.ts'
import { messageView, type MessageRecord } from './views.ts'

const iso = (ms: number | null): string | null => (ms === null ? null : isoOf(ms))

/** A message as it is shown. */
const recordOf = (message: ShownMessage): MessageRecord => ({
  id: message.id,
  // Of a webhook the step holds which event and which webhook it is; the body says the one, `webhook` the other.
  step: message.channel === 'webhook' ? 'status' : message.step,
  tracking_number: message.tracking_number,
  order_id: message.order_id,
  store_name: message.store_name,
  brand_name: message.brand_name,
  channel: message.channel,
  status: message.status,
  phone: message.phone,
  email: message.email,
  webhook: message.target,
  attempts: Number(message.attempts),
  created_at: isoOf(Number(message.created_at)),
  due_at: isoOf(Number(message.due_at)),
  next_at: message.status === 'waiting' ? isoOf(Number(message.next_at)) : null,
  sent_at: iso(message.sent_at),
  error: message.error,
})

/** The filter of the flags, with its faults. */
function filterFrom({ flags, io }: Context): { readonly value: MessageFilter; readonly faults: readonly Fault[] } {
  const faults: Fault[] = []
  const oneOf = <T extends string>(name: string, known: readonly T[], noun: string): readonly T[] | undefined => {
    const given = listFlag(flags, name)
    for (const value of given ?? [])
      if (!known.includes(value as T)) faults.push({ field: `--${name}`, message: notOneOf(value, known, noun) })
    return given as readonly T[] | undefined
  }
  const [stores, tracking] = [listFlag(flags, 'store'), listFlag(flags, 'tracking-number')]
  const [said, channels, steps] = [
    oneOf('status', messageStatuses, 'status'),
    oneOf('channel', messageChannels, 'channel'),
    oneOf('step', [...customerSteps, 'status'] as const, 'step'),
  ]
  const statuses = flags.has('failed') ? (['parked', 'expired'] as const) : said
  const since = momentFrom(flags, 'since', io.host.now())
  faults.push(...since.faults)
  return {
    value: {
      ...(statuses === undefined ? {} : { statuses }),
      ...(channels === undefined ? {} : { channels }),
      ...(steps === undefined ? {} : { steps }),
      ...(stores === undefined ? {} : { stores }),
      ...(tracking === undefined ? {} : { tracking }),
      ...(since.value === undefined ? {} : { since: since.value }),
    },
    faults,
  }
}

/** Messages of one question. */
const page = 500

async function list(context: Context): Promise<number> {
  const filter = filterFrom(context)
  const limit = context.flags.has('all') ? { value: Infinity, faults: [] } : limitFrom(context.flags, 20)
  refuse(context, [...filter.faults, ...limit.faults])
  checkShape(context, messageView)
  return withEngine(context, 'read', async ({ database, account }) => {
    const out = printer(context, messageView)
    let [left, after] = [limit.value, undefined as ShownMessage | undefined]
    while (left > 0) {
      const found = await database.read(
        () => listMessages(account, filter.value, Math.min(page, left), after),
        'single',
      )
      if (found.length > 0) await out.batch(found.map((message) => JSON.stringify(recordOf(message))))
      left -= found.length
      if (found.length < page) break
      after = found.at(-1)
    }
    await out.end()
    if (left === limit.value) await context.note('No messages.')
    return 0
  })
}

async function show(context: Context): Promise<number> {
  const [id] = context.args
  refuse(context, id === undefined || id === '' ? [missingArgument(context, 'message')] : [])
  checkShape(context, messageView)
  return withEngine(context, 'read', async ({ database, account }) => {
    const message = await database.read(() => getMessage(account, id!), 'single')
    const told: unknown = JSON.parse(message.doc)
    const record = { ...recordOf(message), ...(message.channel === 'webhook' ? { payload: told } : { facts: told }) }
    await printRecord(context, messageView, record)
    return 0
  })
}

async function retry(context: Context): Promise<number> {
  const { args, flags, io } = context
  const failed = flags.has('failed')
  refuse(context, named(context, failed))
  if (flags.has('dry-run')) return wouldDo(context, { retry: failed ? 'failed' : args })
  return change(context, 'goes now', 'go now', ({ account }) =>
    retryMessages(account, failed ? 'failed' : args, io.host.now()),
  )
}

async function cancel(context: Context): Promise<number> {
  refuse(context, named(context, false))
  if (context.flags.has('dry-run')) return wouldDo(context, { cancel: context.args })
  return change(context, 'is cancelled', 'are cancelled', ({ account }) => cancelMessages(account, context.args))
}

function named(context: Context, failed: boolean): readonly Fault[] {
  if (failed)
    return context.args.length === 0 ? [] : [{ field: '--failed', message: 'means all that failed; leave the ids out' }]
  return context.args.length === 0 ? [missingArgument(context, 'message')] : []
}

/** Changes messages and says which stayed as they are, and why. */
async function change(
  context: Context,
  one: string,
  many: string,
  work: (engine: Engine) => ReturnType<typeof cancelMessages>,
): Promise<number> {
  return withEngine(context, 'write', async (engine) => {
    const { database, account } = engine
    const changed = new Set(await database.write(() => work(engine)))
    const stayed = [...new Set(context.args)].filter((id) => !changed.has(id))
    for (const id of stayed) {
      const message = await database
        .read(() => getMessage(account, id), 'single')
        .catch((error: unknown) => {
          if (stayed.length === 1 && changed.size === 0) throw error
          return undefined
        })
      const why = message === undefined ? 'is not there' : `is ${message.status.replaceAll('_', ' ')}`
      if (changed.size === 0 && stayed.length === 1)
        throw new ShipxError('wrong_state', `${safe(id)} ${why}, and stays so`)
      await context.warn(`${safe(id)} ${why}, and stays so`)
    }
    const sentence = changed.size === 1 ? `1 message ${one}` : `${count(changed.size)} messages ${many}`
    const ids = [...changed].toSorted().map((id) => ({ id }))
    await answer(context, sentence, ids, true)
    return stayed.length === 0 ? 0 : 7
  })
}

export const verbs = {
  'messages list': list,
  'messages show': show,
  'messages retry': retry,
  'messages cancel': cancel,
}
