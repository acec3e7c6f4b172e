// `shipx webhooks set|list|test|remove`: the merchant's own systems, which receive changes of parcels' statuses and
// what happens to disputes.
import { ShipxError, invalid } from '../../../domain/errors.ts'
import { isCredential } from '../../../domain/keys.ts'
import { webhookEvents, type WebhookEvents } from '../../../domain/messages/messages.ts'
import { isoOf } from '../../../domain/time.ts'
import { readHook, shownUrl } from '../../../delivery/destination.ts'
import { newSecret } from '../../../delivery/signature.ts'
import { postToWebhook } from '../../../delivery/status.ts'
import { listWebhooks, removeWebhook, setWebhook, type Webhook } from '../../../engine/messages/webhooks.ts'
import { confirm } from '../../ask/confirm.ts'
import { answer, wouldDo } from '../../output/outcome.ts'
import { withEngine } from '../../source/engine.ts'
import { flag, someOf } from '../../args/kinds.ts'
import { verb } from '../../args/options.ts'
import type { Context } from '../../command/context.ts'
import { missingArgument, refuse } from '../../command/faults.ts'
import { clock, ending, posterFor } from './options.ts'
import { checkShape, printList } from '../../output/printer.ts'
import { safe } from '../../terminal/safe.ts'
import { secretLine } from '../../ask/secret.ts'
import { plainView } from '../../output/views.ts'
import { here } from '../../source/place.ts'

interface HookRecord extends Record<string, unknown> {
  readonly id: string
  readonly events?: readonly WebhookEvents[]
}

const plain = plainView<HookRecord>(['webhook', 'webhooks'], ({ id }) => id, [
  'id',
  'url',
  'secret',
  'api_key',
  'events',
  'created_at',
])
const view: typeof plain = {
  ...plain,
  columns: plain.columns.map((column) =>
    column.key === 'events' ? { ...column, raw: ({ events = [] }) => events.join(',') } : column,
  ),
}
const testView = plainView<HookRecord>(['webhook', 'webhooks'], ({ id }) => id, ['id', 'url', 'ok', 'ms', 'error'])

const recordOf = ({ id, url, secret, api_key, events, created_at }: Webhook): HookRecord => ({
  id,
  url: shownUrl(url),
  secret: ending(secret),
  api_key: api_key === null ? null : ending(api_key),
  events,
  created_at: isoOf(Number(created_at)),
})

const setOptions = {
  events: someOf(webhookEvents, 'event'),
  api_key_stdin: flag,
  allow_private: flag,
  dry_run: flag,
}

/** What a webhook receives, in words. */
const received: Readonly<Record<WebhookEvents, string>> = {
  status: 'status changes',
  disputes: 'what happens to disputes',
}

const set = verb(setOptions, async (context, options) => {
  const { args, io } = context
  const [typed] = args
  const target = typed === undefined || typed === '' ? undefined : readHook(typed, options.allow_private)
  refuse(
    context,
    target === undefined
      ? [missingArgument(context, 'url')]
      : 'fault' in target
        ? [{ field: '<url>', message: target.fault }]
        : [],
  )
  const url = (target as { readonly value: URL }).value.href
  const api_key = options.api_key_stdin ? await secretLine(context, '--api-key-stdin') : null
  if (api_key !== null && !isCredential(api_key))
    throw invalid([{ field: '--api-key-stdin', message: 'must be 8 to 512 visible ASCII characters without spaces' }])
  if (options.dry_run)
    return wouldDo(context, `save the webhook ${shownUrl(url)} ${here(context)}`, { set: shownUrl(url) })
  return withEngine(context, 'write', async ({ database, account }) => {
    const { webhook, made } = await database.write(() =>
      setWebhook(account, { url, secret: newSecret(), api_key, events: options.events }, io.host),
    )
    const once = made ? '. Its signing secret is shown this once:' : ''
    const who = `${webhook.id} ${here(context)}`
    const what = webhook.events.map((one) => received[one]).join(' and ')
    const sentence = `Saved webhook ${who}: ${shownUrl(url)} now receives ${what}${once}`
    const exit = await answer(context, sentence, {
      ...recordOf(webhook),
      ...(made ? { signing_secret: webhook.secret } : {}),
    })
    if (context.format === 'plain' && made) await io.stdout.write(`${webhook.secret}\n`)
    return exit
  })
})

async function list(context: Context): Promise<number> {
  refuse(context, [])
  checkShape(context, view)
  return withEngine(context, 'read', async ({ database, account }) => {
    const found = await database.read(() => listWebhooks(account), 'single')
    await printList(context, view, found.map(recordOf), 'No webhooks yet: shipx webhooks set https://…')
    return 0
  })
}

const test = verb({ allow_private: flag }, async (context, { allow_private: allowPrivate }) => {
  const { args, io } = context
  refuse(context, [])
  checkShape(context, testView)
  return withEngine(context, 'read', async ({ database, account }) => {
    const poster = posterFor(context, { allowPrivate, concurrency: 4 })
    try {
      const all = await database.read(() => listWebhooks(account), 'single')
      const asked = args[0] === undefined ? all : all.filter(({ id }) => id === args[0])
      if (asked.length === 0)
        throw new ShipxError(
          'not_found',
          args[0] === undefined ? 'there is no webhook' : `there is no webhook ${safe(args[0])}`,
          { hint: args[0] === undefined ? 'shipx webhooks set https://…' : 'shipx webhooks list' },
        )
      const results = await Promise.all(
        asked.map(async (webhook) => {
          const id = io.host.uuid()
          const body = JSON.stringify({ event: 'test', event_id: id, event_timestamp: isoOf(io.host.now()), data: {} })
          const begun = performance.now()
          const tried = await postToWebhook({ poster, allowPrivate, clock }, webhook, id, body)
          return {
            id: webhook.id,
            url: shownUrl(webhook.url),
            ok: tried.ok,
            ms: Math.round(performance.now() - begun),
            error: tried.ok ? null : tried.error,
          }
        }),
      )
      await printList(context, testView, results)
      return results.every(({ ok }) => ok) ? 0 : 7
    } finally {
      await poster.close()
    }
  })
})

const remove = verb({ dry_run: flag }, async (context, { dry_run: dry }) => {
  const [id] = context.args
  refuse(context, id === undefined || id === '' ? [missingArgument(context, 'webhook')] : [])
  return withEngine(context, dry ? 'read' : 'write', async ({ database, account }) => {
    const known = (await database.read(() => listWebhooks(account), 'single')).find((webhook) => webhook.id === id)
    if (known === undefined)
      throw new ShipxError('not_found', `there is no webhook ${safe(id!)}`, { hint: 'shipx webhooks list' })
    if (dry) return wouldDo(context, `remove webhook ${id!} ${here(context)}`, { remove: id })
    await confirm(
      context,
      `Remove webhook ${known.id} at ${shownUrl(known.url)} (messages that wait for it are not sent)`,
    )
    await database.write(() => removeWebhook(account, id!))
    return answer(context, `Removed webhook ${known.id} ${here(context)}`, { id: known.id })
  })
})

export const verbs = { 'webhooks set': set, 'webhooks list': list, 'webhooks test': test, 'webhooks remove': remove }
