// Whether a record that a deployment sent satisfies the filters of a question: one that does not shows that the
// deployment ignores a filter.
import type { Query } from '../contract.ts'
import type { Filter } from '../filters.ts'
import type { Column } from '../parcels/columns.ts'
import type { Listing } from '../parcels/listings.ts'
import { isFields, textIn, truthIn, type Fields } from './values.ts'

/** The name of the first filter that a record's attributes do not satisfy; undefined for none. */
export type Judge = (attributes: unknown) => string | undefined

/** The filter that each record does not satisfy, undefined for those that satisfy all. */
export type Ignored = readonly (string | undefined)[]

/** Whether attributes satisfy a filter; undefined where they do not say it in a form that shipx knows. */
type Check = (attributes: Fields) => boolean | undefined

/**
 * The judge of a question, over its filters for one value or one of several; undefined for a question without any. What
 * a record lacks, and words that shipx does not know, are no evidence: another deployment may map them in its own way.
 */
export function judgeOf(listing: Listing, input: Query): Judge | undefined {
  const checks = Object.entries(listing.filters).flatMap(([name, filter]) => {
    const asked = [(input as Readonly<Record<string, unknown>>)[name] ?? []].flat()
    const check = asked.length === 0 ? undefined : checkOf(listing, filter, asked)
    return check === undefined ? [] : [[name, check] as const]
  })
  if (checks.length === 0) return undefined
  return (attributes) =>
    isFields(attributes) ? checks.find(([, check]) => check(attributes) === false)?.[0] : undefined
}

function checkOf({ columns }: Listing, filter: Filter, asked: readonly unknown[]): Check | undefined {
  if (filter.comparison !== 'is' && filter.comparison !== 'any_of') return undefined
  const column = typeof filter.column === 'string' ? columns[filter.column] : undefined
  const path = column?.value ?? column?.at ?? undefined
  if (column === undefined || path === undefined) return undefined
  const read = readerOf(path)
  if (typeof column.noun !== 'string') return truthCheck(read, asked)
  return column.closed === true ? wordCheck(read, column, filter, asked) : textCheck(read, column, asked)
}

type Read = (attributes: Fields) => unknown

/** Reads the value at a path such as `order.channel`. */
function readerOf(path: string): Read {
  const steps = path.split('.')
  return (attributes) => {
    let value: unknown = attributes
    for (const step of steps) {
      if (!isFields(value)) return undefined
      value = value[step]
    }
    return value
  }
}

function truthCheck(read: Read, asked: readonly unknown[]): Check {
  return (attributes) => {
    const found = truthIn(read(attributes))
    return found === undefined ? undefined : asked.includes(found)
  }
}

/* ---- Ids and names ---- */

/** Ids and names alike but for case, and the # of an order. A number beyond 2^53 has lost digits. */
function folded(value: unknown): string | undefined {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return undefined
  const text = textIn(value)?.trim().normalize('NFC').toLowerCase().replace(/^#/, '')
  return text === '' ? undefined : text
}

function textCheck(read: Read, { added = false }: Column, asked: readonly unknown[]): Check {
  const wanted = new Set(asked.map(folded))
  // The specification does not have an added filter, so a record has to show that it satisfies it.
  const silent = added ? false : undefined
  return (attributes) => {
    const found = folded(read(attributes))
    return found === undefined ? silent : wanted.has(found)
  }
}

/* ---- Words of a closed list ---- */

/** A word as our lists write it: `In Transit` is `in_transit`. */
const spelled = (value: unknown): string => {
  const text = typeof value === 'string' ? value.trim() : ''
  return text
    .toLowerCase()
    .split(/[\s_-]+/)
    .join('_')
}

/** At most this many spellings are remembered. */
const mostKnown = 500

function wordCheck(read: Read, column: Column, filter: Filter, asked: readonly unknown[]): Check | undefined {
  const { detail = [], finer, shown = {} } = column
  const schema = filter.schema()
  const known = new Map<string, string | undefined>()
  /** The filter's own word for a value, undefined where it has none. */
  const ownWord = (value: unknown): string | undefined => {
    if (typeof value !== 'string') return undefined
    if (known.has(value)) return known.get(value)
    const word = spelled(value)
    const judged = schema.safeParse(filter.comparison === 'is' ? word : [word])
    const own = judged.success ? String([judged.data].flat()[0]) : undefined
    if (known.size < mostKnown) known.set(value, own)
    return own
  }
  const wanted = new Set(asked.map(ownWord))
  // A deployment may take a word that shipx does not know for any of its own.
  if (wanted.has(undefined)) return undefined
  const details = detail.map(readerOf)
  return (attributes) => {
    const value = read(attributes)
    const own = ownWord(Object.hasOwn(shown, String(value)) ? shown[String(value)] : value)
    if (own !== undefined && wanted.has(own)) return true
    let sure = own !== undefined
    for (const other of details) {
      const said = other(attributes)
      if (said === undefined || said === null || said === '') continue
      const word = spelled(said)
      const under = finer !== undefined && Object.hasOwn(finer, word) ? finer[word] : ownWord(said)
      if (wanted.has(under ?? '') || wanted.has(ownWord(said) ?? '')) return true
      if (finer !== undefined && under === undefined) sure = false
    }
    return sure ? false : undefined
  }
}
