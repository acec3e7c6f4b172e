// Templates of messages: their documents, their languages, and which of several documents decides a part.
import type { CustomerStep } from '../parcels/journeys.ts'

/** Languages that messages are written in. */
export const languages = ['en', 'hi'] as const
export type Language = (typeof languages)[number]

/** The parts of a message that are written: the short text, an e-mail's subject, and what its page says. */
export const wordingParts = ['text', 'subject', 'html'] as const
export type WordingPart = (typeof wordingParts)[number]

/** What a sender has registered for short texts (docs/guides/messages.md, DLT). */
export interface Registration {
  readonly entity_id: string
  readonly header: string
  readonly template_ids: Readonly<Partial<Record<CustomerStep, string>>>
}

/**
 * One document of templates: of a store, of an account, or the built-in one. The next document has what it leaves out.
 */
export interface TemplateDocument {
  readonly language: Language
  readonly dlt?: Registration
  readonly steps: Readonly<Partial<Record<CustomerStep, Readonly<Partial<Record<WordingPart, string>>>>>>
  /** The page around `html`. */
  readonly layout?: string
}

/** The documents of one language; for each part the first document that has it decides. */
export interface Template {
  readonly language: Language
  readonly documents: readonly TemplateDocument[]
}

/** The ids under which a short text is registered. */
export interface Dlt {
  readonly entity_id: string
  readonly header: string
  readonly template_id: string
}

/**
 * The registration of a step's text. An id belongs to one wording, so a document that changes the wording without
 * naming an id has none.
 */
export function dltOf({ documents }: Template, step: CustomerStep): Dlt | null {
  for (const { dlt, steps } of documents) {
    const id = dlt?.template_ids[step]
    if (id !== undefined) return { entity_id: dlt!.entity_id, header: dlt!.header, template_id: id }
    if (steps[step]?.text !== undefined) return null
  }
  return null
}

/**
 * What is wrong with an id of a registration, or undefined: entity and template ids have 19 digits, headers 3 to 6
 * signs.
 */
export function registrationFault(kind: 'entity_id' | 'header' | 'template_id', value: string): string | undefined {
  if (kind === 'header')
    return /^[A-Za-z0-9]{3,6}$/.test(value)
      ? undefined
      : `"${value.slice(0, 40)}" is not a header of 3 to 6 letters or digits`
  return /^\d{19}$/.test(value) ? undefined : `"${value.slice(0, 40)}" is not an id of 19 digits`
}
