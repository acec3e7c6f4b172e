// `shipx messages deliver`: sends the messages that are due, once or until it is stopped.
import { invalid, ShipxError } from '../../../domain/errors.ts'
import { newSecret } from '../../../delivery/signature.ts'
import { deliver as work, type DeliveryCounts } from '../../../delivery/worker.ts'
import { isSetUp, listGateways, saveGateway } from '../../../engine/messages/gateways.ts'
import { countMessages, type SendOutcome } from '../../../engine/messages/queue.ts'
import { done } from '../../output/outcome.ts'
import { withEngine, type Engine } from '../../source/engine.ts'
import type { Context } from '../../command/context.ts'
import { refuse } from '../../command/faults.ts'
import { deliveringFrom, deliveryOptions, outside, posterFor, waysFor, type Delivering } from './options.ts'
import { flag, limit } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import { count } from '../../../domain/count.ts'
import { jsonText, safe } from '../../terminal/safe.ts'

/** How many failures are listed one by one. */
const shownFailures = 5

const options = { ...deliveryOptions, limit: limit(Infinity), watch: flag, ignore_quiet_hours: flag }

const deliver = verb(options, async (context, { limit, watch, ignore_quiet_hours: anyHour, ...flags }) => {
  const { io } = context
  const delivering = deliveringFrom(context, flags)
  refuse(context, delivering.faults)
  if (/:\/\/[^/@:]*:[^/@]+@/.test(flags.smtp ?? ''))
    await context.warn('others on this machine can see the password of --smtp; put it in SHIPX_SMTP')
  return withEngine(context, 'write', async (engine) => {
    const poster = posterFor(context, delivering.value)
    const stopping = new AbortController()
    const quieten = io.onInterrupt(() => stopping.abort())
    const { database, account } = engine
    const ways = waysFor(context, database, poster, delivering.value)(account)
    try {
      await haveSecret(context, engine, delivering.value)
      if ((await ways.now()).channels.length === 0 && !watch)
        throw withoutWay(await database.read(() => isSetUp(account), 'single'))
      const failures: string[] = []
      const delivered = await work({
        ...outside(context, stopping.signal),
        database,
        account,
        ways: ways.now,
        concurrency: delivering.value.concurrency,
        limit,
        watch,
        quiet: !anyHour,
        told: (settled) => {
          if (settled.outcome !== 'failed') return
          if (watch) void context.warn(failureText(settled)).catch(() => undefined)
          else if (failures.length < shownFailures) failures.push(failureText(settled))
        },
      })
      if (failures.length > 0) await context.warn(failures.join('\n'))
      await tell(context, engine, delivered)
      if (stopping.signal.aborted && !watch)
        throw new ShipxError('interrupted', 'stopped; what was under way was finished, the rest waits', {
          hint: 'run the same command again to go on',
        })
      return delivered.failed + delivered.parked > 0 ? 7 : 0
    } finally {
      quieten()
      ways.close()
      await poster.close()
    }
  })
})

/** The error where nothing can be sent; what is set up but unusable had a warning of its own. */
const withoutWay = (setUp: boolean): ShipxError =>
  setUp
    ? invalid([{ field: null, message: 'what is set up cannot be used here; nothing was sent' }], 'shipx messages set')
    : invalid(
        [{ field: null, message: 'there is no gateway, mail server or webhook to deliver to' }],
        'shipx messages set --gateway https://…',
      )

/** Gives a gateway a secret when it has none, and says how to get one that is shown: a receiver needs that. */
async function haveSecret(context: Context, { database, account }: Engine, { over }: Delivering): Promise<void> {
  if (over.gateway === undefined || over.secret !== undefined) return
  const known = await database.read(() => listGateways(account), 'single')
  if (known.some(({ name, secret }) => name === 'gateway' && secret !== null)) return
  await database.write(() => saveGateway(account, 'gateway', { secret: newSecret() }, context.io.host.now()))
  await context.note(
    'Messages are signed with a secret that was never shown; shipx messages set --new-secret makes one and shows it',
  )
}

const failureText = ({
  message: { id, tracking_number: number },
  error,
  at,
}: Extract<SendOutcome, { outcome: 'failed' }>): string =>
  `${id}${number === null ? '' : ` of ${safe(number)}`}: ${safe(error)}${at === undefined ? '; parked' : ''}`

async function tell(context: Context, { database, account }: Engine, delivered: DeliveryCounts): Promise<void> {
  const waiting = (await database.read(() => countMessages(account), 'single')).get('waiting') ?? 0
  if (context.format === 'plain') {
    const { sent, failed, parked, expired } = delivered
    const parts = [
      `${count(sent)} sent`,
      ...(failed === 0 ? [] : [`${count(failed)} failed and will be tried again`]),
      ...(parked === 0 ? [] : [`${count(parked)} parked (shipx messages list --failed)`]),
      ...(expired === 0 ? [] : [`${count(expired)} too old to be sent`]),
      ...(waiting === 0 ? [] : [`${count(waiting)} wait`]),
    ]
    // No tick on a run that only failed.
    const text = parts.join(', ')
    await (sent === 0 && failed + parked + expired > 0 ? context.warn(text) : done(context, text))
    if (context.screen.tty) return
  }
  await context.io.stdout.write(`${jsonText({ data: { ...delivered, waiting } })}\n`)
}

export const verbs = { 'messages deliver': deliver }
