// The result of a try to send, and a message ready to be sent: the types that senders and the worker share.
import type { Brand, Facts } from '../domain/messages/messages.ts'
import type { Message } from '../engine/messages/queue.ts'
import type { LogoPlacement, RenderedMessage } from './render.ts'

/**
 * The result of a try. `retry_after` and `date` are headers of an answer; `final` means that no later try can succeed.
 */
export type SendResult =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** One line for people; never text from a receiver. */
      readonly error: string
      readonly retry_after?: string | undefined
      readonly date?: string | undefined
      readonly final?: true
    }

/** Tries to send a message. Failures on the way are results, not exceptions. */
export type Send = (message: Message) => Promise<SendResult>

/** Makes the text of a message, in the brand that it was made with. */
export type Render = (
  facts: Facts,
  brand: Brand | undefined,
  message: Pick<Message, 'store_id' | 'store_name'>,
  logo: LogoPlacement,
) => Promise<RenderedMessage>

/** A message ready to be sent, and its brand. */
export interface ReadyMessage {
  readonly rendered: RenderedMessage
  readonly brand: Brand | undefined
}
