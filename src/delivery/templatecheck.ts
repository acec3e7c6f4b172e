// Checks a file of templates: reports every fault with its line and column, and returns the document if there are none.
// It fills in every part twice, with all facts and with none.
import { customerSteps, type CustomerStep } from '../domain/parcels/journeys.ts'
import { nearest } from '../domain/nearest.ts'
import { partsOf } from '../domain/messages/sms.ts'
import {
  languages,
  registrationFault,
  wordingParts,
  type Language,
  type TemplateDocument,
  type WordingPart,
} from '../domain/messages/templates.ts'
import { filledIn, knownNames, readSource, tryOut, type SourceFault } from './liquid.ts'
import { markupFaults } from './markup.ts'
import { renderMessage, valuesOf } from './render.ts'
import { bareFacts, sampleFacts } from './sample.ts'
import { sectionsOf, type Section } from './templatefile.ts'
import { wordsOf } from './variables.ts'

/** The result of reading a file. Lines and columns count from 1. */
export interface CheckedTemplate {
  readonly document: TemplateDocument | undefined
  readonly faults: readonly SourceFault[]
  readonly warnings: readonly SourceFault[]
}

/** A text of more parts is probably a mistake. */
const mostParts = 10
/** Gmail cuts off longer mails, bytes. */
const mostHtml = 102_400

interface Draft {
  language: string | undefined
  dlt: { entity_id?: string; header?: string; template_ids: Partial<Record<CustomerStep, string>> } | undefined
  steps: Partial<Record<CustomerStep, Partial<Record<WordingPart, string>>>>
  layout?: string
}

/** Reads a file of templates. `language` applies if the file names none; `at` is the time of the samples. */
export function readTemplate(file: string, at: string, language?: Language): CheckedTemplate {
  const faults: SourceFault[] = []
  const warnings: SourceFault[] = []
  const draft: Draft = { language, dlt: undefined, steps: {} }
  const seen = new Set<string>()
  const where = new Map<string, Section>()
  for (const section of sectionsOf(file)) {
    const { heading, line } = section
    const fault = (message: string): void => void faults.push({ line: Math.max(1, line), column: 1, message })
    if (heading === '' && line === 0) readHead(section, draft, faults)
    else if (seen.has(heading)) fault(`${heading} appears twice`)
    else if (section.text === '')
      fault(`${heading || 'the section'} is empty; leave the section out to use the default`)
    else if (heading === 'dlt') readDlt(section, draft, faults)
    else if (heading === 'layout') draft.layout = section.text
    else {
      const found = wordingOf(heading)
      if (typeof found === 'string') fault(found)
      else draft.steps[found.step] = { ...draft.steps[found.step], [found.part]: section.text }
    }
    if (!seen.has(heading) && section.text !== '') where.set(heading, section)
    seen.add(heading)
  }
  if (draft.language === undefined)
    faults.push({
      line: 1,
      column: 1,
      message: `language is missing: write language: en, or hi, above the first section`,
    })
  const spoken = languages.find((one) => one === draft.language) ?? 'en'
  for (const step of customerSteps)
    for (const part of wordingParts) {
      const section = where.get(`${step} ${part}`)
      if (section !== undefined) faults.push(...partFaults(section, part, step, at, spoken))
    }
  const layout = where.get('layout')
  if (layout !== undefined) faults.push(...partFaults(layout, 'layout', 'shipped', at, spoken))
  const sorted = faults.toSorted((a, b) => a.line - b.line || a.column - b.column)
  if (sorted.length > 0) return { document: undefined, faults: sorted, warnings }
  const document: TemplateDocument = {
    language: spoken,
    ...(draft.dlt === undefined
      ? {}
      : { dlt: { entity_id: draft.dlt.entity_id!, header: draft.dlt.header!, template_ids: draft.dlt.template_ids } }),
    steps: draft.steps,
    ...(draft.layout === undefined ? {} : { layout: draft.layout }),
  }
  for (const step of customerSteps) {
    const rendered = renderMessage(
      sampleFacts(step, at),
      sampleBrand,
      { language: spoken, documents: [document] },
      'cid',
    )
    const text = where.get(`${step} text`)
    const { count } = partsOf(rendered.text)
    const warn = (section: Section | undefined, message: string): void =>
      void warnings.push({ line: section?.begins ?? 1, column: 1, message })
    if (text !== undefined && count > mostParts)
      warn(text, `${step} text is sent in ${count} parts, and each part is charged`)
    if (text !== undefined && draft.dlt !== undefined && rendered.dlt === null)
      warn(text, `${step} text has no DLT template id`)
    const page = where.get(`${step} html`) ?? layout
    const bytes = Buffer.byteLength(rendered.html)
    if (page !== undefined && bytes > mostHtml) {
      const [size, most] = [bytes, mostHtml].map((count) => count.toLocaleString('en-IN'))
      warn(page, `${step} html is a page of ${size} bytes; mail programs cut it at ${most}`)
    }
  }
  return { document, faults: [], warnings }
}

const sampleBrand = { brand_name: 'Acme Kids', logo_type: 'image/png', logo: new Uint8Array(1) }

const hint = (word: string, names: readonly string[]): string => {
  const near = nearest(word, names)
  return near === undefined ? `. One of: ${names.join(', ')}` : `. Did you mean ${near}?`
}

/** The step and part of a heading, or the fault in it. */
function wordingOf(heading: string): { readonly step: CustomerStep; readonly part: WordingPart } | string {
  const [step, part, ...more] = heading.split(' ')
  const known = customerSteps.find((one) => one === step)
  if (known === undefined) return `"${heading}" is not a step${hint(step!, [...customerSteps, 'dlt', 'layout'])}`
  const found = wordingParts.find((one) => one === part)
  if (found === undefined || more.length > 0) return `"${heading}" is not a part of ${known}: text, subject or html`
  return { step: known, part: found }
}

/** Lines of the form `name: value`; comments start with #. */
function pairsOf(
  { text, begins }: Section,
  faults: SourceFault[],
): readonly { readonly name: string; readonly value: string; readonly line: number; readonly column: number }[] {
  return text.split('\n').flatMap((line, n) => {
    if (line.trim() === '' || line.startsWith('#')) return []
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(0, colon)).trim()
    const column = line.length - line.trimStart().length + 1
    if (/^\w+$/.test(name)) return [{ name, value: line.slice(colon + 1).trim(), line: begins + n, column }]
    faults.push({
      line: begins + n,
      column: 1,
      message: 'a line here must be name: value, or a comment that starts with #',
    })
    return []
  })
}

function readHead(section: Section, draft: Draft, faults: SourceFault[]): void {
  for (const { name, value, line, column } of pairsOf(section, faults)) {
    if (name !== 'language')
      faults.push({ line, column, message: `"${name}" is not known here; the file starts with language: en, or hi` })
    else if (!(languages as readonly string[]).includes(value))
      faults.push({
        line,
        column,
        message: `"${value}" is not a language of messages; one of: ${languages.join(', ')}`,
      })
    else if (draft.language !== undefined && draft.language !== value)
      faults.push({ line, column, message: `the file is in ${value}, and --language says ${draft.language}` })
    if (name === 'language') draft.language ??= value
  }
}

function readDlt(section: Section, draft: Draft, faults: SourceFault[]): void {
  const dlt: NonNullable<Draft['dlt']> = { template_ids: {} }
  const seen = new Set<string>()
  for (const { name, value, line, column } of pairsOf(section, faults)) {
    const step = customerSteps.find((one) => one === name)
    const kind = name === 'entity_id' || name === 'header' ? name : step === undefined ? undefined : 'template_id'
    const wrong =
      kind === undefined
        ? `"${name}" is not a step${hint(name, ['entity_id', 'header', ...customerSteps])}`
        : seen.has(name)
          ? `${name} appears twice`
          : registrationFault(kind, value)
    seen.add(name)
    if (wrong !== undefined)
      faults.push({ line, column, message: kind === undefined || wrong.startsWith(name) ? wrong : `${name}: ${wrong}` })
    else if (step !== undefined) dlt.template_ids[step] = value
    else dlt[name as 'entity_id' | 'header'] = value
  }
  for (const name of ['entity_id', 'header'])
    if (!seen.has(name)) faults.push({ line: section.line, column: 1, message: `${name} is missing` })
  draft.dlt = dlt
}

const customer = ['name', 'first_name', 'city', 'pincode']
const inText = [
  'step',
  'language',
  'brand',
  'order',
  'return',
  'tracking_number',
  'courier',
  'customer',
  ...customer.map((one) => `customer.${one}`),
  'items',
  'more_items',
  'total',
  'cod',
  'attempt',
  'reason',
  'retry',
  'date',
  'time',
]
const inPage = [...inText, 'subject', 'text', 'logo']
const inLayout = [...inPage, 'content', 'details']

/** The faults in the lines of a part, at their places in the file. */
function partFaults(
  section: Section,
  part: WordingPart | 'layout',
  step: CustomerStep,
  at: string,
  language: Language,
): readonly SourceFault[] {
  const { text, begins } = section
  const { faults, named } = readSource(text)
  const found = faults.map((fault) => ({ ...fault, message: said(fault.message) }))
  const names = part === 'layout' ? inLayout : part === 'html' ? inPage : inText
  for (const { path, line, column } of named) {
    // The markup check looks for the markup that shipx makes.
    if (part === 'html' && (path[0] === 'content' || path[0] === 'details')) continue
    const whole = path[0] === 'items' || path.at(-1) === 'size' ? path[0]! : path.join('.')
    if (!names.includes(whole))
      found.push({
        line,
        column,
        message: `"${path.join('.')}" is not a value of messages${hint(path.join('.'), names)}`,
      })
  }
  if (part === 'subject' && text.includes('\n')) found.push({ line: 2, column: 1, message: 'a subject is one line' })
  if (part === 'html' || part === 'layout') found.push(...markupFaults(text, part === 'layout'))
  // Some faults show only when the part is filled in: names inside loops, values of the wrong kind, too much of
  // anything.
  if (found.length === 0)
    for (const facts of [sampleFacts(step, at), bareFacts(step, at)]) {
      const values =
        part === 'text' || part === 'subject'
          ? wordsOf(facts, 'Acme Kids', language)
          : valuesOf(facts, sampleBrand, language)
      found.push(...tryOut(text, values).map((fault) => ({ ...fault, message: said(fault.message) })))
      if (found.length > 0) break
      if (filledIn('text', text, values).trim() === '' && part !== 'html')
        found.push({ line: 1, column: 1, message: `the ${part} is empty for an order with few details` })
    }
  return found.map(({ line, column, message }) => ({ line: begins + line - 1, column, message }))
}

/** Liquid's message, in our words. */
function said(message: string): string {
  const filter = /undefined filter: (\S+)/.exec(message)?.[1]
  if (filter !== undefined) return `there is no filter "${filter}"${hint(filter, knownNames.filters)}`
  const tag = /tag "(\S+)" not found/.exec(message)?.[1]
  if (tag !== undefined) return `there is no tag "${tag}"${hint(tag, knownNames.tags)}`
  const name = /undefined variable: (\S+)/.exec(message)?.[1]
  if (name !== undefined) return `"${name}" is not a value of messages`
  return message
}
