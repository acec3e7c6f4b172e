// The template language: Liquid without files, without tags that affect more than their own text, and always with
// escaped values. A separate file next to the command (src/build/bundle.js), since few commands need it.
import QuickLRU from 'quick-lru'
import { Liquid, TokenKind, Tokenizer, type LiquidOptions, type Template as Parsed } from 'liquidjs'

/** What a source becomes: plain text, or markup in which every value is escaped. */
export type SourceKind = 'text' | 'markup'

const tags: ReadonlySet<string> = new Set(['if', 'unless', 'case', 'for', 'break', 'continue', 'assign', 'comment'])
const filters: ReadonlySet<string> = new Set([
  'append',
  'capitalize',
  'default',
  'downcase',
  'first',
  'join',
  'last',
  'minus',
  'plus',
  'prepend',
  'remove',
  'replace',
  'size',
  'slice',
  'split',
  'strip',
  'truncate',
  'upcase',
  'url_encode',
])
/** Names of tags and filters, for hints. */
export const knownNames = { tags: [...tags], filters: [...filters] } as const

/** Markup that was rendered before; a page contains it unchanged. */
interface Content {
  readonly markup: string
}

const marks: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const marked = /[&<>"']/

/** Text for an element or a quoted attribute; `Content` stays unchanged. */
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
  // There are no files to read, as no tag that reads one is known.
  templates: {},
  // Every part of a template is far below these limits; an endless loop stops there.
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

const dialects: Readonly<Record<SourceKind, Liquid>> = {
  text: languageOf({}),
  markup: languageOf({ outputEscape: escaped }),
}
/** One dialect for checks, which reports every fault, and one that reads on after an unknown filter. */
const careful = languageOf({ catchAllErrors: true })
const lenient = languageOf({ strictFilters: false })

/** Parsed sources: an account has few, but a server has many accounts. */
const parsed: Readonly<Record<SourceKind, QuickLRU<string, readonly Parsed[]>>> = {
  text: new QuickLRU({ maxSize: 1000 }),
  markup: new QuickLRU({ maxSize: 1000 }),
}

function parsedOf(kind: SourceKind, source: string): Parsed[] {
  const there = parsed[kind].get(source)
  if (there !== undefined) return there as Parsed[]
  const made = dialects[kind].parse(source)
  parsed[kind].set(source, made)
  return made
}

/** What a template can name. */
export type Values = Readonly<Record<string, unknown>>

/** Fills in a template. Throws Liquid's errors for a source that was not checked. */
export const filledIn = (kind: SourceKind, source: string, values: Values): string =>
  dialects[kind].renderSync(parsedOf(kind, source), values) as string

/** A fault in a source, with its line and column, both from 1. */
export interface SourceFault {
  readonly line: number
  readonly column: number
  readonly message: string
}

/** A value that a source names: the parts of its path, and its place. */
export interface NamedValue {
  readonly path: readonly string[]
  readonly line: number
  readonly column: number
}

/** Reads a source without filling it in: its faults, and the outside values that it names. */
export function readSource(source: string): {
  readonly faults: readonly SourceFault[]
  readonly named: readonly NamedValue[]
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

function namedIn(dialect: Liquid, source: string): readonly NamedValue[] {
  const { globals } = dialect.analyzeSync(dialect.parse(source))
  return Object.values(globals).flatMap((list) =>
    list.map(({ segments, location }) => ({ path: segments.map(String), line: location.row, column: location.col })),
  )
}

/** A tag or a value in a source: its offsets (with blanks that it removes), the tag's name, and the text inside. */
export interface LiquidMark {
  readonly from: number
  readonly to: number
  /** Undefined for a value. */
  readonly tag: string | undefined
  readonly inside: string
}

/** The tags and values of a source, in its order; empty if Liquid cannot read the source. */
export function marksOf(source: string): readonly LiquidMark[] {
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

/** Fills in a source to find out whether that works. */
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
