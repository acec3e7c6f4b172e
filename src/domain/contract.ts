// The contract: one row for each endpoint of the specification, and the port made of them.
import * as z from 'zod/mini'
import type { Fault } from './errors.ts'
import { OrderAnswer, OrderCreate, orderRules } from './orders.ts'
import type { Page } from './page.ts'
import { RateAnswer, RateRequest, rateRules, type QuoteFacts } from './rates/rates.ts'
import { listings, rangesOf } from './parcels/listings.ts'
import { ReturnQuery } from './parcels/returns.ts'
import { ShipmentQuery } from './parcels/shipments.ts'
import { Store, StoreCreate, StoreUpdate } from './stores.ts'
import { readDay, readInstant } from './time.ts'
import { lazily, rawNumber } from './values.ts'

/** An endpoint: method and path, input, output, and the rules between input fields that a schema cannot express. */
export interface Endpoint<I extends z.ZodMiniObject = z.ZodMiniObject, O = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  readonly summary: string
  /** Made when it is first asked for. */
  readonly input: () => I
  /** A schema, or `'page'` for a listing, whose records stay JSON text. */
  readonly output: O
  readonly rules: (raw: Readonly<Record<string, unknown>>) => readonly Fault[]
  /** Whether the call changes nothing, so that it may be sent again. */
  readonly reads: boolean
}

/** The path that every endpoint begins with (spec 9). */
export const basePath = '/custom/api/v1'

const oneStore = z.lazy(() => z.looseObject({ data: Store }))
const noRules = (): readonly Fault[] => []

/** Reversed ranges, two different cursors, and a cursor together with a page (docs/decisions.md, Listings). */
function listingRules(raw: Readonly<Record<string, unknown>>): readonly Fault[] {
  const faults: Fault[] = []
  for (const [low, high] of ranges()) {
    const [least, most] = [comparable(raw[low], 0), comparable(raw[high], 1)]
    if (least !== undefined && most !== undefined && least > most)
      faults.push({ field: high, message: `is below ${low}; the range is reversed` })
  }
  const { search_after: after, next_search_after: next } = raw
  if (after !== undefined && next !== undefined && String(after) !== String(next))
    faults.push({ field: 'next_search_after', message: 'is another cursor than search_after; send one of them' })
  const cursor = after ?? next
  if (cursor !== undefined && raw['page'] !== undefined && rawNumber(raw['page']) !== 1) {
    faults.push({ field: 'page', message: 'must be absent or 1 with search_after' })
  }
  return faults
}

const ranges = lazily(() => Object.values(listings).flatMap(rangesOf))

function comparable(value: unknown, end: 0 | 1): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  return /^\d{1,15}(\.\d+)?$/.test(value) ? Number(value) : (readDay(value)?.[end] ?? readInstant(value))
}

// prettier-ignore
/** Every endpoint of the specification (spec 4). */
export const contract = {
  listStores:              { method: 'GET',  path: '/client-stores',               summary: 'List stores',                   input: () => z.strictObject({}),                 output: z.lazy(() => z.looseObject({ data: z.array(Store) })), rules: noRules,      reads: true },
  getStore:                { method: 'GET',  path: '/client-stores/:id',           summary: 'Show one store',                input: () => z.strictObject({ id: z.string() }), output: oneStore,                                rules: noRules,      reads: true },
  createStore:             { method: 'POST', path: '/client-stores',               summary: 'Create a store',                input: StoreCreate,                        output: oneStore,                                rules: noRules,      reads: false },
  updateStore:             { method: 'PUT',  path: '/client-stores/:id',           summary: 'Change a store',                input: StoreUpdate,                        output: oneStore,                                rules: noRules,      reads: false },
  createForwardOrder:      { method: 'POST', path: '/forward-order',               summary: 'Create an order, no courier',   input: OrderCreate,                        output: OrderAnswer,                             rules: orderRules,   reads: false },
  orchestrateForwardOrder: { method: 'POST', path: '/forward-order-orchestration', summary: 'Create an order and assign it', input: OrderCreate,                        output: OrderAnswer,                             rules: orderRules,   reads: false },
  getRates:                { method: 'POST', path: '/rates',                       summary: 'Compare courier prices',        input: RateRequest,                        output: RateAnswer,                              rules: rateRules,    reads: true },
  listShipments:           { method: 'POST', path: '/shipments',                   summary: 'List forward shipments',        input: ShipmentQuery,                      output: 'page',                                  rules: listingRules, reads: true },
  listReturns:             { method: 'POST', path: '/returns',                     summary: 'List return orders',            input: ReturnQuery,                        output: 'page',                                  rules: listingRules, reads: true },
} as const satisfies Record<string, Endpoint>

/** The name of an endpoint. */
export type Name = keyof typeof contract

/** What an endpoint takes, checked. */
export type Input<N extends Name> = z.output<ReturnType<(typeof contract)[N]['input']>>

/** What an endpoint returns; a listing returns a page whose records are JSON text. */
export type Output<N extends Name> = (typeof contract)[N]['output'] extends z.ZodMiniType
  ? z.output<(typeof contract)[N]['output']>
  : Page

/** What may accompany a call: an idempotency key of 1 to 255 visible ASCII characters, and callbacks. */
export interface Call {
  readonly idempotency_key?: string
  /** Called when the answer is the first one, sent again. */
  readonly onReplay?: () => void
  /** Called with the facts about a quote, where the service sends them. */
  readonly onQuote?: (facts: QuoteFacts) => void
  /** Whether the caller has stopped waiting: work that has not started may be skipped. */
  readonly gone?: () => boolean
}

/**
 * The port: the service for one account. The embedded engine and the HTTP client both implement all of it. Every method
 * takes input that `parseInput` has checked and throws a `ShipxError`.
 */
export type ShippingService = { readonly [N in Name]: (input: Input<N>, call?: Call) => Promise<Output<N>> }

/** A listing's question, checked. */
export type Query = Input<'listShipments'> | Input<'listReturns'>

/** A walk through all matches of a listing: the total when it started, and its records as JSON text, batch by batch. */
export interface Walk {
  readonly total: number
  readonly batches: AsyncIterable<WalkBatch>
}

/** Some records of a walk. */
export interface WalkBatch {
  readonly records: readonly string[]
  /**
   * The same records one on each line, as UTF-8, where they were read in one piece: a caller that only passes them on
   * need not split them.
   */
  readonly lines?: Uint8Array
  /** The cursor after the last record, where the service has one. */
  readonly next: readonly [string, string] | undefined
}

/** The port with its listings as walks: what joins pages for `--all` (docs/decisions.md, Listings). */
export interface WalkingService extends ShippingService {
  readonly walkShipments: (input: Query) => Promise<Walk>
  readonly walkReturns: (input: Query) => Promise<Walk>
}
