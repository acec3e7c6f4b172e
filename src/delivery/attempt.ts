// What a try to send came to, and how a message is made ready: the words that senders and the worker share; knows no transport.
import type { Brand, Facts } from '../domain/messages/messages.ts'
import type { Message } from '../engine/messages/queue.ts'
import type { Logo, Rendered } from './render.ts'

/** What a try came to. `retry_after` and `date` are headers of an answer; `final` says that it will never be otherwise. */
export type Tried =
  | { readonly ok: true }
  | {
      readonly ok: false
      /** One line for people; never what a receiver said. */
      readonly error: string
      readonly retry_after?: string | undefined
      readonly date?: string | undefined
      readonly final?: true
    }

/** Tries to send a message; throws nothing for what happens on the way. */
export type Send = (message: Message) => Promise<Tried>

/** Makes the text of a message in the brand that it was made in. */
export type Render = (
  facts: Facts,
  brand: Brand | undefined,
  message: Pick<Message, 'store_id' | 'store_name'>,
  logo: Logo,
) => Promise<Rendered>

/** A message ready to be sent, and its brand. */
export interface Ready {
  readonly rendered: Rendered
  readonly brand: Brand | undefined
}
