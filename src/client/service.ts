// The port over HTTP: a deployment of the specification, ours or another, as somebody's service. Every endpoint's request is
// made here; how it is sent, repeated, read and walked is in the files beside.
import {
  contract,
  type Call,
  type Input,
  type Name,
  type Output,
  type Query,
  type Walk,
  type WalkingService,
} from '../domain/contract.ts'
import { invalid, ShipxError } from '../domain/errors.ts'
import { pictureOf } from '../domain/images.ts'
import { defaultPerPage } from '../domain/page.ts'
import type { OrderAnswer } from '../domain/orders.ts'
import { addedFilters, isBound, listings, type Listing, type ListingName } from '../domain/parcels/listings.ts'
import type { Store } from '../domain/stores.ts'
import { isoOf, readDay } from '../domain/time.ts'
import { capabilitiesFrom, headers as own, quoteFactsFrom, type Capability } from '../domain/wire.ts'
import { keyInAddress, readAddress, readIdempotencyKey, readKey, segment } from './address.ts'
import {
  closerError,
  readOrder,
  readPage,
  readRates,
  readStore,
  readStores,
  remade,
  type ReadPage,
  type Reading,
} from './answers.ts'
import type { Budget } from './budget.ts'
import { matchingPage, matchingWalk, type Dropped } from './matching.ts'
import { redactor } from './redact.ts'
import {
  bulkRefusals,
  usualPatience,
  named,
  once,
  reading,
  repeatable,
  tries,
  type Announced,
  type Past,
  type Verdict,
} from './tries.ts'
import { transport } from './transport.ts'
import type { Answer, Exchange, File, Outgoing } from './exchange.ts'
import type { Failed, Timeouts } from './networkerrors.ts'
import { walker, type Onward } from './walk.ts'
import { rest } from './wait.ts'

/** What a remote service is made of. */
export interface RemoteOptions {
  /** Where the service is; a path in it is kept. */
  readonly base_url: string
  /** The account's credential, 8 to 512 visible ASCII characters. */
  readonly key: string
  /** How the key goes into the Authorization header: behind `Bearer`, or alone. */
  readonly scheme: 'bearer' | 'bare'
  /** ms UTC. */
  readonly now: () => number
  /** From 0 up to and without 1. */
  readonly random: () => number
  readonly uuid: () => string
  /** Waits so many ms; rejects when the signal is aborted. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** ms; what is left out is 10 s to connect, 30 s to the headers and between pieces of the body, 120 s for one try. */
  readonly timeouts?: Partial<Timeouts>
  /** ms; stands for the limit to the headers and the limit of one try (`SHIPX_TIMEOUT`). */
  readonly timeout_ms?: number | undefined
  /** ms that waits which the service asks for may take in all; 120 s, and 600 s for bulk work. */
  readonly patience_ms?: number
  /** What requests have to wait for, tries of the same call included. */
  readonly budget?: Budget
  /** Certificates in PEM form that are trusted besides the built-in ones. */
  readonly ca?: string | undefined
  /** The environment, for its proxies: https_proxy, all_proxy, no_proxy, in either case. */
  readonly env?: Readonly<Record<string, string | undefined>>
  /** Told of each request with what came back; the key is never in it. */
  readonly trace?: (entry: Exchange) => void
  /** Told, in a sentence, what a person should know. */
  readonly warn?: (text: string) => void
  /** Whether a filter that the deployment does not know fails the listing (`filter_ignored`) instead of a warning. */
  readonly strict?: boolean
}

/** The port over HTTP. Its methods throw `ShipxError`s that never show the key. */
export interface RemoteService extends WalkingService {
  /** What the service announced in the last answer that told; undefined before one. */
  readonly capabilities: () => ReadonlySet<Capability> | undefined
  /**
   * The same, asked for with one cheap read where nothing has been heard. A refusal of that read counts as nothing announced;
   * only a key that is not taken (`unauthorized`) and an interruption are thrown.
   */
  readonly learn: () => Promise<ReadonlySet<Capability>>
  /** Ends everything that is under way. */
  readonly close: () => Promise<void>
}

const usualTimeouts: Timeouts = { connect: 10_000, headers: 30_000, body: 30_000, attempt: 120_000 }

/** The filter for order ids, and its name at deployments that announce nothing. */
const [orderFilter, orderFilterElsewhere] = ['order_display_id', 'order_display_id[]'] as const

/**
 * The service at a base URL. Nothing is sent yet. Throws `invalid_input` for an address or a key that must not be used, a
 * CA text without certificates, or a proxy that is no URL.
 */
export function remoteService(options: RemoteOptions): RemoteService {
  const address = readAddress(options.base_url)
  const key = readKey(options.key)
  const redact = redactor([key])
  // What is in an address is told in messages, in --debug and in the names of profiles.
  if (redact(address.prefix) !== address.prefix) throw invalid([{ field: 'base_url', message: keyInAddress }])
  const timeouts = timeoutsOf(options)
  const warn = (text: string): void => options.warn?.(text)
  let known: ReadonlySet<Capability> | undefined
  const { attempt, close } = transport({
    address,
    authorization: options.scheme === 'bare' ? key : `Bearer ${key}`,
    now: options.now,
    timeouts,
    ca: options.ca,
    env: options.env ?? {},
    clean: redact,
    trace: options.trace,
    // An error page of something in between says nothing about the service.
    seen: (headers, success) => {
      const said = headers[own.capabilities]
      if (said !== undefined || success) known = capabilitiesFrom(said)
    },
  })
  const send = tries({
    random: options.random,
    sleep: options.sleep ?? rest,
    patience_ms: options.patience_ms ?? usualPatience,
    refusals: options.budget === undefined ? 0 : bulkRefusals,
    attempt_ms: timeouts.attempt,
  })

  /* ---- How a request becomes a value ---- */

  interface Asking<T> {
    readonly name: Name
    readonly request: Omit<Outgoing, 'method' | 'reads'>
    readonly read: (reading: Reading) => T
    readonly rule?: (failure: Failed, past: Past) => Verdict<T> | Promise<Verdict<T>>
    readonly onAnswer?: (answer: Answer) => void
  }

  async function ask<T>({
    name,
    request,
    read,
    rule = repeatable,
    onAnswer,
  }: Asking<T>): Promise<{ readonly value: T; readonly replayed: boolean }> {
    const { method, reads } = contract[name]
    const about = subjects[name]
    try {
      return await send<T>(
        async (n) => {
          await options.budget?.turn(request.signal)
          const answer = await attempt({ ...request, method, reads }, n)
          options.budget?.heard(!answer.ok && answer.error.code === 'rate_limited')
          const got = answer.ok
            ? reading(
                () => read({ origin: address.origin, answer }),
                answer.headers[own.replayed]?.toLowerCase() === 'true',
              )
            : answer
          if (answer.ok && got.ok) onAnswer?.(answer)
          return got.ok ? got : { ...got, error: closerError(got.error, about) }
        },
        rule,
        request.signal,
      )
    } catch (error) {
      if (!(error instanceof ShipxError)) throw error
      throw remade(error, { hint: hintFor(error) }, redact)
    }
  }

  const value = async <T>(asking: Asking<T>): Promise<T> => (await ask(asking)).value

  /* ---- What the service can do ---- */

  const listStores = (): Promise<Output<'listStores'>> =>
    value({ name: 'listStores', request: { path: '/client-stores' }, read: readStores })

  let asked: Promise<unknown> | undefined

  /** What the service announces, asked for with a cheap read when nothing has been heard of it; throws what a read throws. */
  async function announcedNow(): Promise<ReadonlySet<Capability>> {
    if (known === undefined) {
      asked ??= listStores().finally(() => (asked = undefined))
      await asked
    }
    return known ?? new Set()
  }

  let refused = false

  /** The same for who can do without: not every key may list stores, and listings do not need them. */
  async function learn(): Promise<ReadonlySet<Capability>> {
    if (known !== undefined || refused) return known ?? new Set()
    try {
      await value({
        name: 'listStores',
        request: { path: '/client-stores' },
        read: readStores,
        rule: ({ error }) => ({ error }),
      })
    } catch (error) {
      if (!(error instanceof ShipxError) || error.kind === 'unauthorized' || error.kind === 'interrupted') throw error
      refused = true
    }
    return known ?? new Set()
  }

  const announced: Announced = {
    idempotency: async (hold) => {
      try {
        if (known === undefined && !hold()) return undefined
        return (await announcedNow()).has('idempotency')
      } catch {
        return undefined
      }
    },
  }

  const keyed = (call: Call): { readonly 'idempotency-key': string } => ({
    [own.idempotencyKey]: readIdempotencyKey(call.idempotency_key ?? options.uuid()),
  })

  /* ---- Stores ---- */

  const getStore = async ({ id }: Input<'getStore'>): Promise<Output<'getStore'>> => {
    const found = await value({ name: 'getStore', request: { path: `/client-stores/${segment(id)}` }, read: readStore })
    if (found !== undefined) return found
    throw new ShipxError('bad_answer', `${address.origin} answered without a store`, { hint: 'shipx auth status' })
  }

  async function createStore(input: Input<'createStore'>, call: Call = {}): Promise<Output<'createStore'>> {
    const { store_name } = input
    const find = async (): Promise<Output<'createStore'> | undefined> => {
      const { data } = await listStores()
      const store = data.find((other) => other.store_name === store_name)
      // One with another brand was there before, or was made by somebody else.
      return store !== undefined && sameBrand(store, input) ? { data: store } : undefined
    }
    const rule = named<Output<'createStore'> | undefined>({
      ...announced,
      find: async () => {
        const found = await find()
        if (found !== undefined)
          warn(
            `no answer came to the creation of store ${store_name}; a store with this name is there and is taken for it`,
          )
        return found
      },
      unknown: (failure) =>
        unknownOutcome(failure, `store ${store_name} may or may not have been created`, 'shipx stores list'),
    })
    const { value: made, replayed } = await ask({
      name: 'createStore',
      request: { path: '/client-stores', ...storeBody(input), headers: keyed(call) },
      read: readStore,
      rule,
    })
    if (replayed) call.onReplay?.()
    // A success that shows no store: the name finds it.
    const store = made ?? (await find())
    if (store !== undefined) return store
    throw new ShipxError(
      'unknown_outcome',
      `store ${store_name} may or may not have been created: ${address.origin} answered with success and without a store`,
      { hint: 'shipx stores list' },
    )
  }

  async function updateStore({ id, ...changes }: Input<'updateStore'>): Promise<Output<'updateStore'>> {
    const rule = (failure: Failed, past: Past): Verdict<Output<'updateStore'> | undefined> => {
      const verdict = repeatable<Output<'updateStore'> | undefined>(failure, past)
      if (verdict === 'again' || !past.uncertain || failure.error.kind !== 'unavailable') return verdict
      return {
        error: unknownOutcome(
          failure,
          `store ${id} may or may not have been changed`,
          `shipx stores get ${quoted(id)}`,
        ),
      }
    }
    const request = { path: `/client-stores/${segment(id)}`, ...storeBody(changes) }
    const changed = await value({ name: 'updateStore', request, read: readStore, rule })
    return changed ?? (await getStore({ id }))
  }

  /* ---- Orders and quotes ---- */

  const order =
    (name: 'createForwardOrder' | 'orchestrateForwardOrder') =>
    async (input: Input<'createForwardOrder'>, call: Call = {}): Promise<OrderAnswer> => {
      const { order_id } = input
      const { value: answer, replayed } = await ask({
        name,
        request: { path: contract[name].path, json: JSON.stringify(input), headers: keyed(call) },
        read: readOrder,
        rule: once<OrderAnswer>(announced, (failure) =>
          unknownOutcome(
            failure,
            `order ${order_id} may or may not exist; look before sending it again`,
            `shipx shipments list --search ${quoted(order_id)}`,
          ),
        ),
      })
      if (replayed) call.onReplay?.()
      return answer
    }

  const getRates = (input: Input<'getRates'>, { onQuote }: Call = {}): Promise<Output<'getRates'>> =>
    value({
      name: 'getRates',
      request: { path: '/rates', json: JSON.stringify(input) },
      read: readRates,
      onAnswer: ({ headers }) => {
        const facts = quoteFactsFrom(headers[own.quote])
        if (facts !== undefined) onQuote?.(facts)
      },
    })

  /* ---- Listings ---- */

  /** Throws `not_supported` where the service would silently answer with everything, or with the first page again. */
  async function checkSupport(
    name: 'listShipments' | 'listReturns',
    body: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const fields = ['search_after', ...addedFilters(listings[name])].filter((field) => body[field] !== undefined)
    if (fields.length === 0) return
    const can = await learn()
    const details = fields
      .filter((field) => !can.has(field === 'search_after' ? 'search_after' : 'extra_filters'))
      .map((field) => ({ field, message: `is not known to ${address.origin}, which would answer with everything` }))
    if (details[0] === undefined) return
    throw new ShipxError('not_supported', `${details[0].field} ${details[0].message}`, { details })
  }

  const page =
    (name: 'listShipments' | 'listReturns') =>
    async (input: Query, onward?: Onward, early?: (bytes: Buffer) => void): Promise<ReadPage> => {
      const { [orderFilter]: orders, ...rest } = questionOf(name, input)
      if (onward === undefined) await checkSupport(name, rest)
      // Both names are known to our own service; others are known to take only the second, if any.
      const body =
        orders === undefined
          ? rest
          : { ...rest, [known?.has('extra_filters') === true ? orderFilter : orderFilterElsewhere]: orders }
      const request = { path: contract[name].path, json: JSON.stringify(body), signal: onward?.signal, early }
      return value({ name, request, read: (got) => readPage(got, input) })
    }

  const listing =
    (name: 'listShipments' | 'listReturns') =>
    async (input: Query): Promise<Output<'listShipments'>> => {
      const found = await wholePage(name, input)
      const orders = ordersIn(input)
      const { records, meta } = orders === undefined ? found : matchingPage(found, orders, unfiltered())
      return { records, meta }
    }

  /** A page as it was asked for, of a deployment that ends pages early: our own service limits the bytes of a page. */
  async function wholePage(name: 'listShipments' | 'listReturns', input: Query): Promise<ReadPage> {
    const wanted = input.per_page ?? defaultPerPage
    const first = await page(name)(input)
    let [found, asked] = [first, wanted]
    const records = [...first.records]
    for (let after = cursorOf(found, asked); after !== undefined; after = cursorOf(found, asked)) {
      asked = wanted - records.length
      found = await page(name)({
        ...input,
        page: undefined,
        per_page: asked,
        search_after: [...after],
        next_search_after: undefined,
      })
      records.push(...found.records)
    }
    return found === first
      ? first
      : { ...found, records, meta: { ...found.meta, current_page: first.meta.current_page, per_page: wanted } }
  }

  /** Where a page goes on that ended early, as `per_page` says: our own service limits the bytes of a page. */
  function cursorOf({ records, meta }: ReadPage, asked: number): readonly [string, string] | undefined {
    const [value, id] = meta.next_search_after
    const full = records.length > 0 && records.length === meta.per_page
    const early = full && meta.per_page < asked && known?.has('search_after') === true
    return early && value !== undefined && id !== undefined ? [value, id] : undefined
  }

  /** Tells once of a question that the deployment does not filter orders for; throws `filter_ignored` where that is asked for. */
  const unfiltered = (): Dropped => {
    let told = false
    return (count) => {
      const message = `${address.origin} does not know the filter order_display_id and sent ${count} ${count === 1 ? 'record' : 'records'} of other orders`
      if (options.strict === true) throw new ShipxError('filter_ignored', message, { hint: 'use search instead' })
      if (!told) warn(`${message}; shipx leaves them out`)
      told = true
    }
  }

  const walk = (kind: 'shipments' | 'returns') => {
    const walkAll = everyPage(kind)
    return async (input: Query): Promise<Walk> => {
      const orders = ordersIn(input)
      const found = await walkAll(input)
      return orders === undefined ? found : matchingWalk(found, orders, unfiltered())
    }
  }

  const everyPage = (kind: 'shipments' | 'returns') =>
    walker({
      kind,
      page: page(kind === 'shipments' ? 'listShipments' : 'listReturns'),
      byCursor: async () => (await learn()).has('search_after'),
      now: options.now,
      warn,
      origin: address.origin,
    })

  return {
    listStores,
    getStore,
    createStore,
    updateStore,
    createForwardOrder: order('createForwardOrder'),
    orchestrateForwardOrder: order('orchestrateForwardOrder'),
    getRates,
    listShipments: listing('listShipments'),
    listReturns: listing('listReturns'),
    walkShipments: walk('shipments'),
    walkReturns: walk('returns'),
    capabilities: () => known,
    learn,
    close,
  }
}

const ordersIn = (input: Query): readonly string[] | undefined =>
  orderFilter in input && input[orderFilter]?.length !== 0 ? input[orderFilter] : undefined

function timeoutsOf({ timeouts = {}, timeout_ms }: RemoteOptions): Timeouts {
  const own = { ...usualTimeouts, ...timeouts }
  return timeout_ms === undefined ? own : { ...own, headers: timeout_ms, attempt: timeout_ms }
}

/** What the sentences of a foreign refusal are about. */
const subjects: Readonly<Partial<Record<Name, 'store' | 'order'>>> = {
  getStore: 'store',
  createStore: 'store',
  updateStore: 'store',
  createForwardOrder: 'order',
  orchestrateForwardOrder: 'order',
}

// prettier-ignore

function hintFor({ code, hint, retry_after_ms }: ShipxError): string | undefined {
  if (hint !== undefined) return hint
  if (code === 'unauthorized') return 'shipx auth login'
  if (code === 'rate_limited' || code === 'unavailable')
    return retry_after_ms === undefined ? 'try again later' : `try again in ${Math.ceil(retry_after_ms / 1000)} s`
  return undefined
}

function unknownOutcome({ error }: Failed, what: string, hint: string): ShipxError {
  return new ShipxError('unknown_outcome', `${what}: ${error.message}`, {
    hint,
    cause: error.cause,
    ...(error.retry_after_ms === undefined ? {} : { retry_after_ms: error.retry_after_ms }),
  })
}

/** A value as a word of a shell. */
const quoted = (text: string): string =>
  /^[\w@%+:,./][\w@%+:,./-]*$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

// prettier-ignore

const brandOf = (brand: string | null | undefined): string | null =>
  brand === undefined || brand === '' ? null : brand

const sameBrand = (store: Store, input: Input<'createStore'>): boolean =>
  brandOf(store.brand_name) === brandOf(input.brand_name)

/** The body of a store: a form when there is a logo, else JSON, in which `null` removes. */
function storeBody(fields: Omit<Input<'updateStore'>, 'id'>): Pick<Outgoing, 'json' | 'form'> {
  const { logo, ...rest } = fields
  if (logo === undefined || logo === null) return { json: JSON.stringify(fields) }
  const file: File = { ...logo, type: pictureOf(logo.bytes)?.type ?? 'application/octet-stream' }
  const form: Record<string, string | File> = {}
  for (const [name, text] of Object.entries(rest)) if (text !== undefined) form[name] = text ?? ''
  return { form: { ...form, logo: file } }
}

/**
 * A listing's question as it is sent: without filters that filter nothing, with one name for the cursor, and with bare
 * dates as the instants that they mean here (IST), because other deployments may take them for something else.
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
