// Sends messages to customers through the merchant's own gateway: signed posts over HTTPS that contain everything to
// send.
import type { Facts } from '../domain/messages/messages.ts'
import { isoOf } from '../domain/time.ts'
import type { Message } from '../engine/messages/queue.ts'
import type { Poster } from './post.ts'
import { signatureHeaders } from './signature.ts'
import type { LogoPlacement } from './render.ts'
import type { ReadyMessage, Send } from './attempt.ts'

/** How long a gateway may take to answer, ms. */
const timeout = 10_000

/** What sending to a gateway needs. */
export interface GatewayOptions {
  readonly poster: Poster
  readonly url: URL
  readonly secret: string
  /** The clock that receivers see, ms UTC: they refuse signatures of another time. */
  readonly clock: () => number
  readonly ready: (message: Message, logo: LogoPlacement) => Promise<ReadyMessage>
}

/** The body of a message (docs/guides/delivery.md). */
function bodyOf(message: Message, { rendered, brand }: ReadyMessage): string {
  const { language, text, subject, html, parts, dlt } = rendered
  const facts = JSON.parse(message.doc) as Facts
  return JSON.stringify({
    type: `message.${facts.step}`,
    timestamp: facts.at,
    data: {
      id: message.id,
      step: facts.step,
      channel: message.channel,
      to: { phone: message.phone, email: message.email, name: facts.customer.name },
      language,
      text,
      subject,
      html,
      parts,
      dlt,
      store_name: message.store_name,
      brand_name: brand?.brand_name ?? null,
      tracking_number: message.tracking_number,
      order_id: message.order_id,
      courier: facts.courier,
      attempt: facts.attempt,
      reason: facts.reason,
      cod: facts.cod,
      return: facts.return,
      created_at: isoOf(message.created_at),
    },
  })
}

/** Sends by a gateway. */
export const byGateway =
  ({ poster, url, secret, clock, ready }: GatewayOptions): Send =>
  async (message) => {
    // A gateway that makes an e-mail from it has no other way to get the logo.
    const body = bodyOf(message, await ready(message, message.channel === 'email' ? 'inline' : 'none'))
    return poster.post(url, body, signatureHeaders(secret, message.id, clock(), body), timeout)
  }
