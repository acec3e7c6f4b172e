// What message tests tell of: a brand with a logo, and the message of a step for the sample order.
import { renderMessage } from '../../src/delivery/render.ts'
import type { Brand } from '../../src/domain/messages/messages.ts'
import { sampleFacts } from '../../src/delivery/sample.ts'
import type { CustomerStep } from '../../src/domain/parcels/journeys.ts'
import type { Language, TemplateDocument } from '../../src/domain/messages/templates.ts'
import { png } from '../support/pictures.ts'

/** When the steps happen: 14:00 on 29 September 2026 in India. */
export const at = '2026-09-29T08:30:00Z'

/** A brand with a logo. */
export const acme: Brand = { brand_name: 'Acme Kids', logo_type: 'image/png', logo: png(120, 40) }

/** The message of a step; documents go before the built-in texts, the first one first. */
export const told = (
  step: CustomerStep,
  language: Language,
  brand: Brand | undefined,
  ...documents: readonly TemplateDocument[]
) => renderMessage(sampleFacts(step, at), brand, { language, documents }, 'cid')
