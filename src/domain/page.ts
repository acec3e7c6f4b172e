// Pages of a listing: the parameters, the envelope and the records as JSON text (spec 2.6).
import * as z from 'zod/mini'
import { about, documented, integer, oneOf, rule } from './values.ts'

/** Records on a page by default, and at most (spec 8). */
export const defaultPerPage = 20
export const maxPerPage = 100

const cursor = documented(
  z.tuple([z.string(), z.string()], { error: 'must be a pair of strings, as in meta.next_search_after' }).check(
    rule(([value, id]: readonly string[]) => {
      if (!/^-?\d{1,16}$/.test(value!)) return 'must start with a number in text, as in meta.next_search_after'
      return id!.trim() === '' ? 'must end with the id of a record, as in meta.next_search_after' : undefined
    }),
  ),
  {
    note: 'Then page must be absent or 1. A cursor belongs to the sort of its page',
    form: {
      type: 'array',
      prefixItems: [
        { type: 'string', pattern: '^-?[0-9]{1,16}$' },
        { type: 'string', minLength: 1, pattern: '^(?=.*\\S)\\P{Cc}*$' },
      ],
      items: false,
      minItems: 2,
      maxItems: 2,
    },
  },
)

/** The parameters that both listings share. */
export const pageShape = {
  page: about(z.optional(integer(1, 100_000_000)), 'Page number, from 1'),
  per_page: about(z.optional(integer(1, maxPerPage)), 'Records on a page, at most 100'),
  sort_order: about(z.optional(oneOf(['asc', 'desc'], 'sort order')), 'asc or desc'),
  search_after: about(z.optional(cursor), 'Cursor: the meta.next_search_after of the page before'),
  next_search_after: about(z.optional(cursor), 'The same as search_after'),
}

/** Other names of those parameters, as some clients send them. */
export const pageAliases: Readonly<Record<string, string>> = { 'page[number]': 'page', 'page[size]': 'per_page' }

/** The `meta` of a page. `next_search_after` is `[sort value, record id]` of its last record, `[]` on an empty page. */
export interface Meta {
  readonly current_page: number
  readonly per_page: number
  readonly total: number
  readonly next_search_after: readonly string[]
}

/**
 * A page of records. Each record is kept as the JSON text that is sent, and parsed only by callers that look inside.
 */
export interface Page {
  readonly records: readonly string[]
  readonly meta: Meta
}

/** A page whose records are one text, with commas between them: for callers that pass them on. */
export interface JoinedPage {
  readonly joined: string
  readonly meta: Meta
}
