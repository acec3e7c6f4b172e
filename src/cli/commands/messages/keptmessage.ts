// A message that was made, as its customer reads it: with its facts, the brand of that time and the template of today.
import type { Brand, Facts } from '../../../domain/messages/messages.ts'
import type { Language, Template } from '../../../domain/messages/templates.ts'
import { findBrand } from '../../../engine/messages/brands.ts'
import type { Work } from '../../../engine/database/port.ts'
import type { ShownMessage } from '../../../engine/messages/queue.ts'
import { templateFor } from '../../../engine/messages/templates.ts'

/** What a message is rendered from. */
export interface Shown {
  readonly facts: Facts
  readonly brand: Brand | undefined
  readonly template: Template
}

/** What a message to a customer is rendered from, in its own language if none is asked for. */
export function* keptMessage(account: number, message: ShownMessage, language?: Language): Work<Shown> {
  const { doc, store_id, brand } = message
  return {
    facts: JSON.parse(doc) as Facts,
    brand: brand === null ? undefined : yield* findBrand(account, brand),
    template: yield* templateFor(account, store_id, language),
  }
}
