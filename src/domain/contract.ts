// The contract: one row for each endpoint of the specification, and the port that is made of them.
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

/**
 * An endpoint: everything that HTTP, the client, the mirror and the API description must know of it. Each of them is
 * made from these rows, so that a new row reaches all of them.
 */
export interface Endpoint<I extends z.ZodMiniObject = z.ZodMiniObject, O = unknown> {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  /** The HTTP status of a success. */
  readonly status: 200 | 201
  /** The name of its JSON body in the API description; undefined where there is none. */
  readonly body: string | undefined
  /** The thing that another deployment's refusal is about, which decides how its sentences are read. */
  readonly subject: 'store' | 'order' | undefined
  /** Whether the call changes nothing, so that it may be sent again. */
  readonly reads: boolean
  /** Whether it honours an `Idempotency-Key`. */
  readonly keyed: boolean
  /** Whether a mirror can answer it from the records that it holds. */
  readonly mirrored: boolean
  readonly summary: string
  /** Made when it is first used. */
  readonly input: () => I
  /** A schema, or `'page'` for a listing, whose records stay JSON text. */
  readonly output: O
  /** The rules between input fields that a schema cannot express. */
  readonly rules: (raw: Readonly<Record<string, unknown>>) => readonly Fault[]
}

/** Endpoints by name: the contract, or another table of the same form. */
export type EndpointTable = Readonly<Record<string, Endpoint>>

/** The path that every endpoint begins with (spec 9). */
export const basePath = '/custom/api/v1'

const noRules = (): readonly Fault[] => []

/** Reversed ranges, two different cursors, and a cursor together with a page (docs/inside/decisions.md, Listings). */
function listingRules(raw: Readonly<Record<string, unknown>>): readonly Fault[] {
  const faults: Fault[] = []
  for (const [low, high] of ranges()) {
    const [least, most] = [comparable(raw[low], 0), comparable(raw[high], 1)]
    if (least !== undefined && most !== undefined && least > most)
      faults.push({ field: high, message: `is below ${low}; the range is reversed` })
  }
  const { search_after: after, next_search_after: next } = raw
  if (after !== undefined && next !== undefined && String(after) !== String(next))
    faults.push({ field: 'next_search_after', message: 'differs from search_after; send only one of them' })
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

const oneStore = z.lazy(() => z.looseObject({ data: Store }))
const severalStores = z.lazy(() => z.looseObject({ data: z.array(Store) }))
const noInput = () => z.strictObject({})
const onlyId = () => z.strictObject({ id: z.string() })

/** Every endpoint of the specification (spec 4). */
// prettier-ignore
export const contract = {
  listStores:              { method: 'GET',  path: '/client-stores',               status: 200, body: undefined,       subject: undefined, reads: true,  keyed: false, mirrored: true,  summary: 'List stores',                   input: noInput,       output: severalStores, rules: noRules },
  getStore:                { method: 'GET',  path: '/client-stores/:id',           status: 200, body: undefined,       subject: 'store',   reads: true,  keyed: false, mirrored: true,  summary: 'Show one store',                input: onlyId,        output: oneStore,      rules: noRules },
  createStore:             { method: 'POST', path: '/client-stores',               status: 201, body: 'StoreCreate',   subject: 'store',   reads: false, keyed: true,  mirrored: false, summary: 'Create a store',                input: StoreCreate,   output: oneStore,      rules: noRules },
  updateStore:             { method: 'PUT',  path: '/client-stores/:id',           status: 200, body: 'StoreUpdate',   subject: 'store',   reads: false, keyed: false, mirrored: false, summary: 'Change a store',                input: StoreUpdate,   output: oneStore,      rules: noRules },
  createForwardOrder:      { method: 'POST', path: '/forward-order',               status: 200, body: 'OrderCreate',   subject: 'order',   reads: false, keyed: true,  mirrored: false, summary: 'Create an order, no courier',   input: OrderCreate,   output: OrderAnswer,   rules: orderRules },
  orchestrateForwardOrder: { method: 'POST', path: '/forward-order-orchestration', status: 200, body: 'OrderCreate',   subject: 'order',   reads: false, keyed: true,  mirrored: false, summary: 'Create an order and assign it', input: OrderCreate,   output: OrderAnswer,   rules: orderRules },
  getRates:                { method: 'POST', path: '/rates',                       status: 200, body: 'RateRequest',   subject: undefined, reads: true,  keyed: false, mirrored: false, summary: 'Compare courier prices',        input: RateRequest,   output: RateAnswer,    rules: rateRules },
  listShipments:           { method: 'POST', path: '/shipments',                   status: 200, body: 'ShipmentQuery', subject: undefined, reads: true,  keyed: false, mirrored: true,  summary: 'List forward shipments',        input: ShipmentQuery, output: 'page',        rules: listingRules },
  listReturns:             { method: 'POST', path: '/returns',                     status: 200, body: 'ReturnQuery',   subject: undefined, reads: true,  keyed: false, mirrored: true,  summary: 'List return orders',            input: ReturnQuery,   output: 'page',        rules: listingRules },
} as const satisfies EndpointTable

/** The name of an endpoint. */
export type Name = keyof typeof contract

/** What an endpoint takes, checked. */
export type Input<N extends Name> = z.output<ReturnType<(typeof contract)[N]['input']>>

/** What an endpoint returns; a listing returns a page whose records are JSON text. */
export type Output<N extends Name> = (typeof contract)[N]['output'] extends z.ZodMiniType
  ? z.output<(typeof contract)[N]['output']>
  : Page

/** What may go with a call. */
export interface Call {
  /** 1 to 255 visible ASCII characters. */
  readonly idempotency_key?: string
  /** Called when the answer is the first answer to the key, sent again. */
  readonly onReplay?: () => void
  /** Called with the facts of a quote, where the service sends them. */
  readonly onQuote?: (facts: QuoteFacts) => void
  /** Whether the caller no longer waits: work that has not started may be left out. */
  readonly gone?: () => boolean
}

/**
 * The port: the service of one account. The embedded engine and the HTTP client both implement all of it. Every method
 * takes input that `parseInput` has checked and throws a `ShipxError`.
 */
export type ShippingService = { readonly [N in Name]: (input: Input<N>, call?: Call) => Promise<Output<N>> }

/** A listing's question, checked. */
export type Query = Input<'listShipments'> | Input<'listReturns'>

/** A walk through all matches of a listing: its records as JSON text, batch by batch. */
export interface Walk {
  /** The total when it started; undefined where only its end tells, because records are left out on the way. */
  readonly total: number | undefined
  readonly batches: AsyncIterable<WalkBatch>
}

/** Some records of a walk. */
export interface WalkBatch {
  readonly records: readonly string[]
  /**
   * The same records one on each line, as UTF-8, where they were found in one piece: a caller that only passes them on
   * need not cut them up. Once they are passed on, `records` is gone too.
   */
  readonly lines?: Uint8Array
  /** How many they are, where that is known without looking at them. */
  readonly count?: number
  /** Takes their memory back for later records, once the caller reads neither `lines` nor `records` any more. */
  readonly release?: (() => void) | undefined
  /** The cursor after the last record, where the service has one. */
  readonly next: readonly [string, string] | undefined
}

/**
 * The port with its listings also as walks, which join pages for `--all` (docs/inside/decisions.md, Listings). With
 * `passedOn` the caller wants the records in large pieces, and reads none of them.
 */
export interface WalkingService extends ShippingService {
  readonly walkShipments: (input: Query, passedOn?: boolean) => Promise<Walk>
  readonly walkReturns: (input: Query, passedOn?: boolean) => Promise<Walk>
  /** The ids alone of what the walk has, batch by batch, where no record is read for them. */
  readonly shipmentIds?: (input: Query) => AsyncIterable<readonly string[]>
  readonly returnIds?: (input: Query) => AsyncIterable<readonly string[]>
}
