// Renders a message: short text, subject and e-mail page from facts, brand and templates. Text from outsiders is always
// a value, never a template.
import type { Brand, Facts } from '../domain/messages/messages.ts'
import { partsOf, type Parts } from '../domain/messages/sms.ts'
import { shortened } from '../domain/messages/plaintext.ts'
import {
  dltOf,
  type Dlt,
  type Language,
  type Template,
  type TemplateDocument,
  type WordingPart,
} from '../domain/messages/templates.ts'
import { detailsOf } from './details.ts'
import { filledIn, type Values } from './liquid.ts'
import { english, englishLabels } from './texts/en.ts'
import { hindi, hindiLabels } from './texts/hi.ts'
import { shortWordsOf, wordsOf } from './variables.ts'

/** Where a page gets the logo: inline, from an attachment of the mail (`logoCid`), or not at all. */
export type LogoPlacement = 'inline' | 'cid' | 'none'

/** The Content-ID of the attached logo. */
export const logoCid = 'logo@shipx'

/** A message as it is sent. */
export interface RenderedMessage {
  readonly language: Language
  readonly subject: string
  readonly text: string
  readonly parts: Parts
  readonly html: string
  readonly dlt: Dlt | null
}

/** The documents that come with shipx. */
export const builtIn: Readonly<Record<Language, TemplateDocument>> = { en: english, hi: hindi }

const labels = { en: englishLabels, hi: hindiLabels } as const

/** The longest subject, UTF-16 units. */
const longestSubject = 150

/**
 * Renders a message. Each part comes from the first document of the template that has it; the last one is the built-in
 * document of the language. The subject is one line, and text from outsiders stays text. Throws for templates that were
 * not checked.
 */
export function renderMessage(
  facts: Facts,
  brand: Brand | undefined,
  template: Template,
  logo: LogoPlacement,
): RenderedMessage {
  const { step } = facts
  const { language } = template
  const from = (part: WordingPart): string =>
    template.documents.find(({ steps }) => steps[step]?.[part] !== undefined)?.steps[step]?.[part] ??
    builtIn[language].steps[step]![part]!
  const long = wordsOf(facts, brand?.brand_name ?? null, language)
  const short = shortWordsOf(long)
  const text = tidied(filledIn('text', from('text'), short))
  const subject = shortened(tidied(filledIn('text', from('subject'), long)).replace(/\s+/g, ' '), longestSubject)
  const page = { ...long, subject, text, logo: logoOf(brand, logo) }
  const content = { markup: filledIn('markup', from('html'), page) }
  const layout =
    template.documents.find((document) => document.layout !== undefined)?.layout ?? builtIn[language].layout!
  const details = { markup: detailsOf(long, labels[language]) }
  const html = filledIn('markup', layout, { ...page, content, details })
  return { language, subject, text, parts: partsOf(text), html, dlt: dltOf(template, step) }
}

/** What a layout can name, for trying one out. */
export function valuesOf(facts: Facts, brand: Brand, language: Language): Values {
  const words = wordsOf(facts, brand.brand_name, language)
  return { ...words, subject: 'x', text: 'x', logo: logoOf(brand, 'cid'), content: 'x', details: 'x' }
}

/** Removes the blanks that missing values leave. */
const tidied = (text: string): string => text.replace(/ {2,}/g, ' ').trim()

const inlined = new WeakMap<Uint8Array, string>()

function logoOf(brand: Brand | undefined, logo: LogoPlacement): string | null {
  if (brand?.logo == null || logo === 'none') return null
  if (logo === 'cid') return `cid:${logoCid}`
  const made =
    inlined.get(brand.logo) ??
    `data:${brand.logo_type ?? 'image/png'};base64,${Buffer.from(brand.logo).toString('base64')}`
  inlined.set(brand.logo, made)
  return made
}
