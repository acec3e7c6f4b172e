// The template language: Liquid without files, without tags that reach further than the text they stand in, and without a way
// around the escaping of values. A file of its own beside the command (src/build/bundle.js), since few commands need it.
import QuickLRU from 'quick-lru'
import { Liquid, TokenKind, Tokenizer, type LiquidOptions, type Template as Parsed } from 'liquidjs'

/** What a source becomes: text as it is, or markup in which every value is escaped. */
export type Kind = 'text' | 'markup'

const tags: ReadonlySet<string> = new Set(['if', 'unless', 'case', 'for', 'break', 'continue', 'assign', 'comment'])
// prettier-ignore
const filters: ReadonlySet<string> = new Set([
  'append', 'capitalize', 'default', 'downcase', 'first', 'join', 'last', 'minus', 'plus', 'prepend', 'remove', 'replace', 'size',
  'slice', 'split', 'strip', 'truncate', 'upcase', 'url_encode',
])
/** Names of tags and filters, for hints. */
export const known = { tags: [...tags], filters: [...filters] } as const

/** Markup that was rendered before and stands in a page as it is. */
interface Content {
  readonly markup: string
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const marked = /[&<>"']/

/** Text for an element or an attribute in quotes; `Content` as it is. */
export function escaped(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object' && 'markup' in value) return (value as Content).markup
  const text = String(value)
  return marked.test(text) ? text.replace(/[&<>"']/g, (mark) => marks[mark]!) : text
}

const options: LiquidOptions = {
  strictVariables: true,
  strictFilters: true,
  ownPropertyOnly: true,
  // There is nothing to read: no tag that reads is known.
  templates: {},
  // Every part of a template is far below it; a loop that is not ends.
  parseLimit: 200_000,
  renderLimit: 1000,
  memoryLimit: 1_000_000,
}

function languageOf(more: LiquidOptions): Liquid {
  const made = new Liquid({ ...options, ...more })
  for (const name of Object.keys(made.tags)) if (!tags.has(name)) delete made.tags[name]
  for (const name of Object.keys(made.filters)) if (!filters.has(name)) delete made.filters[name]
  return made
}

const dialects: Readonly<Record<Kind, Liquid>> = {
  text: languageOf({}),
  markup: languageOf({ outputEscape: escaped }),
}
/** The same for checking, which tells every fault; and what reads on where a filter is not known. */
const careful = languageOf({ catchAllErrors: true })
const lenient = languageOf({ strictFilters: false })

/** Sources that were parsed; an account has few, a server has many accounts. */
const parsed: Readonly<Record<Kind, QuickLRU<string, readonly Parsed[]>>> = {
  text: new QuickLRU({ maxSize: 1000 }),
  markup: new QuickLRU({ maxSize: 1000 }),
}

function parsedOf(kind: Kind, source: string): Parsed[] {
  const there = parsed[kind].get(source)
  if (there !== undefined) return there as Parsed[]
  const made = dialects[kind].parse(source)
  parsed[kind].set(source, made)
  return made
}

/** What a template may name. */
export type Values = Readonly<Record<string, unknown>>

/** Fills a template in. Throws what Liquid throws for a source that was not checked. */
export const filledIn = (kind: Kind, source: string, values: Values): string =>
  dialects[kind].renderSync(parsedOf(kind, source), values) as string

/** Something wrong in a source, at a line and column of it, both from 1. */
export interface SourceFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A value that a source names, as the words of its path, and where. */
export interface Named {
  readonly path: readonly string[]
  readonly line: number
  readonly column: number
}

/** Reads a source without filling it in: what is wrong with it, and the values from outside that it names. */
export function readSource(source: string): {
  readonly faults: readonly SourceFault[]
  readonly named: readonly Named[]
} {
  try {
    return { faults: [], named: namedIn(careful, source) }
  } catch (error) {
    const faults = faultsOf(error)
    try {
      return { faults, named: namedIn(lenient, source) }
    } catch {
      return { faults, named: [] }
    }
  }
}

function namedIn(dialect: Liquid, source: string): readonly Named[] {
  const { globals } = dialect.analyzeSync(dialect.parse(source))
  return Object.values(globals).flatMap((list) =>
    list.map(({ segments, location }) => ({ path: segments.map(String), line: location.row, column: location.col })),
  )
}

/** A tag or a value in a source: offsets, blanks that it removes included, the tag's name, and what is written inside. */
export interface Mark {
  readonly from: number
  readonly to: number
  /** Undefined for a value. */
  readonly tag: string | undefined
  readonly inside: string
}

/** The tags and values of a source, in its order. None where Liquid cannot read it. */
export function marksOf(source: string): readonly Mark[] {
  try {
    return new Tokenizer(source).readTopLevelTokens().flatMap((token) => {
      if (token.kind !== TokenKind.Tag && token.kind !== TokenKind.Output) return []
      const { begin, end, trimLeft, trimRight, content } = token as unknown as Delimited
      const from = trimLeft ? source.slice(0, begin).trimEnd().length : begin
      const to = trimRight ? source.length - source.slice(end).trimStart().length : end
      const tag = token.kind === TokenKind.Tag ? /^\w*/.exec(content)![0] : undefined
      return [{ from, to, tag, inside: content.trim() }]
    })
  } catch {
    return []
  }
}

interface Delimited {
  readonly begin: number
  readonly end: number
  readonly trimLeft: boolean
  readonly trimRight: boolean
  readonly content: string
}

/** Fills a source in to see whether that can be done. */
export function tryOut(source: string, values: Values): readonly SourceFault[] {
  try {
    careful.renderSync(careful.parse(source), values)
    return []
  } catch (error) {
    return faultsOf(error)
  }
}

interface LiquidFault {
  readonly message: string
  readonly errors?: readonly LiquidFault[]
  readonly token?: { readonly getPosition: () => [row: number, column: number] }
}

function faultsOf(error: unknown): readonly SourceFault[] {
  const { message, errors, token } = error as LiquidFault
  if (errors !== undefined) return errors.flatMap(faultsOf)
  const [line, column] = token?.getPosition() ?? [1, 1]
  return [{ line, column, message: message.replace(/, (?:file:.*|line:\d+, col:\d+)$/s, '') }]
}
