// Sends status changes to the merchant's own systems: the body that receivers of such deployments know, an optional API
// key, and the same signature as for a gateway.
import type { Message } from '../engine/messages/queue.ts'
import type { Webhook } from '../engine/messages/webhooks.ts'
import { readHook } from './destination.ts'
import type { Poster } from './post.ts'
import { signatureHeaders } from './signature.ts'
import type { Send, SendResult } from './attempt.ts'

/** How long a receiver may take to answer, ms (docs/guides/delivery.md). */
const timeout = 5_000

/** What sending to webhooks needs. */
export interface StatusOptions {
  readonly poster: Poster
  readonly webhooks: readonly Webhook[]
  readonly allowPrivate: boolean
  /** The clock that receivers see, ms UTC. */
  readonly clock: () => number
}

/** Sends a body to one webhook, under an id. */
export async function postToWebhook(
  { poster, allowPrivate, clock }: Omit<StatusOptions, 'webhooks'>,
  { url, secret, api_key }: Webhook,
  id: string,
  body: string,
): Promise<SendResult> {
  const target = readHook(url, allowPrivate)
  if ('fault' in target) return { ok: false, error: `its address ${target.fault}` }
  const headers = {
    ...signatureHeaders(secret, id, clock(), body),
    ...(api_key === null ? {} : { 'x-api-key': api_key }),
  }
  return poster.post(target.value, body, headers, timeout)
}

/** Sends each message to its webhook. */
export function toWebhooks(options: StatusOptions): Send {
  const known = new Map(options.webhooks.map((webhook) => [webhook.id, webhook]))
  return async (message: Message) => {
    const webhook = known.get(message.target ?? '')
    if (webhook === undefined) return { ok: false, error: 'its webhook no longer exists', final: true }
    return postToWebhook(options, webhook, message.id, message.doc)
  }
}
