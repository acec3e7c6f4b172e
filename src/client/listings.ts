// The listings of a deployment: the question as it is sent, pages, walks, and filters that a deployment may not know.
import {
  contract,
  type Output,
  type Query,
  type ShippingService,
  type Walk,
  type WalkingService,
} from '../domain/contract.ts'
import { ShipxError } from '../domain/errors.ts'
import { judgeOf, type Ignored, type Judge } from '../domain/foreign/evidence.ts'
import { defaultPerPage, maxPerPage } from '../domain/page.ts'
import {
  addedFilters,
  columnName,
  isBound,
  listings,
  type Listing,
  type ListingName,
} from '../domain/parcels/listings.ts'
import { isoOf, readDay } from '../domain/time.ts'
import type { Capability } from '../domain/wire.ts'
import { shellWord } from '../domain/shellword.ts'
import { readLines, readPage, type AnswerSource, type ReadPage } from './answers.ts'
import type { Deployment } from './deployment.ts'
import { matchingPage, matchingWalk, type Report } from './matching.ts'
import type { RemoteOptions } from './options.ts'
import { walkerOf, type WalkPage } from './walk.ts'

/** The filter for order ids, and its name at deployments that announce nothing. */
const [orderFilter, orderFilterElsewhere] = ['order_display_id', 'order_display_id[]'] as const

/** Counts a question with other filters `over` its own, as the deployment counts it. */
export interface Totals {
  /** Throws `filter_ignored` where the deployment ignores a filter of `input`: its total then counts other records. */
  readonly total: (name: ListingName, input: Query, over: Readonly<Record<string, unknown>>) => Promise<number>
}

/** The listings, their walks and their totals. */
export function listingCalls(
  deployment: Deployment,
  { now, strict = false }: Pick<RemoteOptions, 'now' | 'strict'>,
): Pick<ShippingService, ListingName> & Pick<WalkingService, 'walkShipments' | 'walkReturns'> & Totals {
  const told = new Set<string>()
  const reporter = (name: ListingName, input: Query): Report => reportOf(deployment, { name, input, strict, told })
  const judge = (name: ListingName, input: Query): Judge | undefined => judgeOf(listings[name], input)
  const listing =
    (name: ListingName) =>
    async (input: Query): Promise<Output<ListingName>> => {
      const found = await wholePage(deployment, name, input, judge(name, input))
      const { records, meta } = matchingPage(found, reporter(name, input))
      return { records, meta }
    }
  const walk =
    (name: ListingName) =>
    async (input: Query): Promise<Walk> => {
      const judged = judge(name, input)
      const walkAll = walkerOf({
        kind: name === 'listShipments' ? 'shipments' : 'returns',
        page: (question, of) => page(deployment, name, question, judged, of),
        byCursor: async () => (await deployment.learn(true)).has('search_after'),
        now,
        warn: (text) => deployment.warn(text),
        origin: deployment.origin,
      })
      return matchingWalk(await walkAll(input), reporter(name, input))
    }
  return {
    listShipments: listing('listShipments'),
    listReturns: listing('listReturns'),
    walkShipments: walk('listShipments'),
    walkReturns: walk('listReturns'),
    total: async (name, input, over) => {
      const given = Object.fromEntries(Object.entries(input).filter(([field]) => over[field] === undefined)) as Query
      // The question itself is asked for a page, which shows more of what is ignored than one record.
      const per_page = Object.keys(over).length === 0 ? defaultPerPage : 1
      const found = await page(deployment, name, { ...input, ...over, per_page } as Query, judge(name, given))
      matchingPage(found, reportOf(deployment, { name, input: given, strict: true, told }))
      return found.meta.total
    },
  }
}

/** One page; of a walk it is as large as the service sends. */
async function page(
  deployment: Deployment,
  name: ListingName,
  input: Query,
  judge: Judge | undefined,
  walk?: WalkPage,
): Promise<ReadPage> {
  // What announces our filters refuses one that it does not know; lines of any other service are not judged.
  const announced = (name: Capability): boolean => deployment.capabilities?.has(name) === true
  const lines = walk?.cursors === true && announced('extra_filters') && announced('lines')
  const asked: Query =
    walk === undefined ? input : { per_page: maxPerPage, ...input, ...(lines ? { per_page: undefined } : {}) }
  const { [orderFilter]: orders, ...rest } = questionOf(name, asked)
  if (walk?.onward === undefined) await checkSupport(deployment, name, rest)
  // Our own service knows both names; of others it is known that they accept only the second, if any.
  const filter = announced('extra_filters') ? orderFilter : orderFilterElsewhere
  const body = orders === undefined ? rest : { ...rest, [filter]: orders }
  const request = {
    path: contract[name].path,
    json: JSON.stringify(body),
    signal: walk?.onward?.signal,
    early: walk?.early,
    lines,
    inWalk: lines,
  }
  // The first answer may be the one that announces; and what announced lines may answer with a page.
  const read = (got: AnswerSource): ReadPage =>
    got.answer.listed !== undefined
      ? readLines(got, got.answer.listed)
      : readPage(got, asked, announced('extra_filters') ? undefined : judge)
  return deployment.value({ row: contract[name], request, read, competes: walk === undefined ? undefined : true })
}

/** Throws `not_supported` where the service would silently answer with everything, or with the first page again. */
async function checkSupport(
  deployment: Deployment,
  name: ListingName,
  body: Readonly<Record<string, unknown>>,
): Promise<void> {
  const fields = ['search_after', ...addedFilters(listings[name])].filter((field) => body[field] !== undefined)
  if (fields.length === 0) return
  const can = await deployment.learn()
  const details = fields
    .filter((field) => !can.has(field === 'search_after' ? 'search_after' : 'extra_filters'))
    .map((field) => ({ field, message: `is not known to ${deployment.origin}, which would answer with everything` }))
  if (details[0] === undefined) return
  const { field, message } = details[0]
  if (field === 'search_after') throw new ShipxError('not_supported', `${field} ${message}`, { details })
  const { filters, columns }: Listing = listings[name]
  // The column's noun: a command's flag may have another name than the field.
  const noun = String(columns[columnName(filters[field]!, body)]!.noun)
  throw new ShipxError('not_supported', `the filter by ${noun} ${message}`, {
    details,
    hint: wayOut(name, field, body as Query),
  })
}

/** A page of the wanted length, from a deployment that ends pages early: our own service limits the bytes of a page. */
async function wholePage(
  deployment: Deployment,
  name: ListingName,
  input: Query,
  judge: Judge | undefined,
): Promise<ReadPage> {
  const wanted = input.per_page ?? defaultPerPage
  const first = await page(deployment, name, input, judge)
  let [found, asked] = [first, wanted]
  const records = [...first.records]
  const ignored = [...ignoredIn(first)]
  for (
    let after = cursorOf(deployment, found, asked);
    after !== undefined;
    after = cursorOf(deployment, found, asked)
  ) {
    asked = wanted - records.length
    const next = { page: undefined, per_page: asked, search_after: [...after], next_search_after: undefined }
    found = await page(deployment, name, { ...input, ...next } as Query, judge)
    records.push(...found.records)
    ignored.push(...ignoredIn(found))
  }
  if (found === first) return first
  const meta = { ...found.meta, current_page: first.meta.current_page, per_page: wanted }
  return { ...found, records, ignored: ignored.some((field) => field !== undefined) ? ignored : undefined, meta }
}

const ignoredIn = ({ ignored, records }: ReadPage): Ignored => ignored ?? records.map(() => undefined)

/** Where a page continues that ended early, as its `per_page` says. */
function cursorOf(
  deployment: Deployment,
  { records, meta }: ReadPage,
  asked: number,
): readonly [string, string] | undefined {
  const [value, id] = meta.next_search_after
  const full = records.length > 0 && records.length === meta.per_page
  const early = full && meta.per_page < asked && deployment.capabilities?.has('search_after') === true
  return early && value !== undefined && id !== undefined ? [value, id] : undefined
}

/** A question whose answer may hold records that do not satisfy it. `told` holds the filters already warned about. */
interface Doubted {
  readonly name: ListingName
  readonly input: Query
  readonly strict: boolean
  readonly told: Set<string>
}

/**
 * Counts the records that are left out, and warns once of each filter that the deployment ignores; throws
 * `filter_ignored` at the first record instead where `strict` asks for that.
 */
function reportOf(deployment: Deployment, { name, input, strict, told }: Doubted): Report {
  const counts = new Map<string, number>()
  const messageOf = (field: string, n: number): string => {
    const records = n === 1 ? '1 record that does' : `${n} records that do`
    return `${deployment.origin} ignores the filter ${field} and sent ${records} not match it`
  }
  return {
    note: (ignored) => {
      for (const field of ignored) if (field !== undefined) counts.set(field, (counts.get(field) ?? 0) + 1)
      const [first] = counts
      if (!strict || first === undefined) return
      counts.clear()
      throw new ShipxError('filter_ignored', messageOf(...first), { hint: wayOut(name, first[0], input) })
    },
    tell: () => {
      for (const [field, n] of counts) {
        if (!told.has(field))
          deployment.warn(`${messageOf(field, n)}; shipx leaves them out; ${wayOut(name, field, input)}`)
        told.add(field)
      }
      counts.clear()
    },
  }
}

/** What finds the records all the same: a look-up by search, or a mirror, which filters by itself. */
function wayOut(name: ListingName, field: string, input: Query): string {
  const noun = name === 'listShipments' ? 'shipments' : 'returns'
  const [value] = [(input as Readonly<Record<string, unknown>>)[field]].flat()
  const reference = name === 'listShipments' ? [orderFilter, 'tracking_number'] : ['display_id']
  return reference.includes(field)
    ? `shipx ${noun} get ${shellWord(String(value))}`
    : `shipx pull, then shipx ${noun} list --local`
}

/**
 * A listing's question as it is sent: without filters that filter nothing, with one name for the cursor, and with bare
 * dates as the instants that they mean in IST, because other deployments may read them in another way.
 */
function questionOf(name: ListingName, input: Query): Readonly<Record<string, unknown>> {
  const { next_search_after, search_after = next_search_after, ...rest } = input
  const filters: Listing['filters'] = listings[name].filters
  const body: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(rest)) {
    const blank = (field === 'search' && String(value).trim() === '') || (Array.isArray(value) && value.length === 0)
    if (value === undefined || blank) continue
    const filter = filters[field]
    const day = filter !== undefined && isBound(filter) && typeof value === 'string' ? readDay(value) : undefined
    body[field] = day === undefined ? value : isoOf(day[filter?.comparison === 'at_least' ? 0 : 1])
  }
  return search_after === undefined ? body : { ...body, search_after }
}
