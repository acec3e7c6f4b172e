// From the answers of a service to the values of the port: reads every form that deployments were seen to send, invents
// nothing, and keeps unknown fields.
import type * as z from 'zod/mini'
import type { Endpoint, Output } from '../domain/contract.ts'
import { codes, kinds, ShipxError, type Code } from '../domain/errors.ts'
import { defaultPerPage, type Meta, type Page } from '../domain/page.ts'
import type { RateAnswer } from '../domain/rates/rates.ts'
import type { OrderAnswer } from '../domain/orders.ts'
import type { Store } from '../domain/stores.ts'
import { isFields as isObject, textIn, type Fields } from '../domain/foreign/values.ts'
import type { Ignored, Judge } from '../domain/foreign/evidence.ts'
import { errorFrom, headers as own, nextFrom } from '../domain/wire.ts'
import { cutRecords, outline, type CutLines } from './recordtext.ts'
import type { Answer } from './exchange.ts'
import { badAnswer } from './networkerrors.ts'

/** A page, with what a walk needs of it. */
export interface ReadPage extends Page {
  /** The records' ids, undefined where there is none; empty where nobody needs them. */
  readonly ids: readonly (string | undefined)[]
  /** The records one on each line, where they came in one piece. */
  readonly lines: Uint8Array | undefined
  /** Takes their memory back, once neither `lines` nor `records` is read any more. */
  readonly release?: (() => void) | undefined
  /** Whether no record follows, where the service says so itself. */
  readonly ended?: boolean
  /** Whether the service itself said how many records there are. */
  readonly counted: boolean
  /** The filter that each record does not satisfy; undefined where all satisfy the question. */
  readonly ignored: Ignored | undefined
}

/** An answer to be read: `origin` is for messages. */
export interface AnswerSource {
  readonly origin: string
  readonly answer: Answer
}

const failing: ReadonlySet<unknown> = new Set([0, '0', false, 'false', 'error', 'fail', 'failed', 'failure'])

const word = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value)

/** Whether a body with a status of success says that nothing was done. */
function refuses(body: Fields): boolean {
  if (body['status'] !== undefined) return failing.has(word(body['status']))
  const empty = body['data'] === undefined && body['result'] === undefined && body['payload'] === undefined
  return (
    empty &&
    body['id'] === undefined &&
    (body['errors'] !== undefined || body['error'] !== undefined || body['success'] === false)
  )
}

function refusal({ answer }: AnswerSource): ShipxError {
  return errorFrom({
    status: answer.status,
    headers: answer.headers,
    body: answer.json,
    text: answer.text().slice(0, 300),
  })
}

/** The body as an object. Throws the refusal that it is, or `bad_answer`. */
function bodyOf(reading: AnswerSource): Fields {
  const { answer, origin } = reading
  if (answer.json === undefined) throw badAnswer(origin, `answered ${answer.status} with an empty body`)
  if (!isObject(answer.json)) throw badAnswer(origin, 'sent JSON that is not an answer of this service')
  if (refuses(answer.json)) throw refusal(reading)
  return answer.json
}

/**
 * Throws `bad_answer` for nesting so deep that printing the answer later would run out of stack. Only a page that was
 * cut while it was parsed has not been judged so far (answerkind.ts).
 */
function shallow(reading: AnswerSource): AnswerSource {
  if (reading.answer.records !== undefined && outline(reading.answer.text()).deep) throw tooDeep(reading.origin)
  return reading
}

const tooDeep = (origin: string): ShipxError => badAnswer(origin, 'answered with JSON that is nested too deep')

/**
 * Reads answers by an endpoint's output schema; they stay as they were sent. Throws the refusal that one is, or
 * `bad_answer`.
 */
export function readAnswer({ output }: Endpoint): (reading: AnswerSource) => unknown {
  const schema = output as z.ZodMiniType
  return (reading) => {
    const body = bodyOf(shallow(reading))
    if (schema.safeParse(body).success) return body
    throw badAnswer(reading.origin, 'sent JSON that is not an answer of this service')
  }
}

/* ---- Stores ---- */

/**
 * A list of stores, in `data` or bare; of each its id, name and brand are text, and the rest is as it was sent. Calls
 * `leftOut` with the number of those without an id or a name. Throws the refusal that it is, or `bad_answer`, also
 * where none is a store.
 */
export function readStores(reading: AnswerSource, leftOut?: (count: number) => void): Output<'listStores'> {
  const { json } = shallow(reading).answer
  const body: Fields = Array.isArray(json) ? { data: json as unknown } : bodyOf(reading)
  const list = body['data']
  if (!Array.isArray(list)) throw badAnswer(reading.origin, 'answered without a list of stores')
  const data = (list as unknown[]).flatMap((value) => storeIn(value) ?? [])
  if (data.length === 0 && list.length > 0) throw badAnswer(reading.origin, 'listed something that is not a store')
  leftOut?.(list.length - data.length)
  return { ...body, data }
}

/**
 * One store, in `data` or bare; undefined when the answer is a success that shows no store. Throws the refusal that it
 * is.
 */
export function readStore(reading: AnswerSource): Output<'getStore'> | undefined {
  if (reading.answer.json === undefined) return undefined
  const body = bodyOf(shallow(reading))
  if (isObject(body['data'])) {
    const data = storeIn(body['data'])
    return data === undefined ? undefined : { ...body, data }
  }
  const bare = storeIn(body)
  return bare === undefined ? undefined : { data: bare }
}

/** The same for a read, which must show a store: throws `bad_answer` where none is shown. */
export function readExistingStore(reading: AnswerSource): Output<'getStore'> {
  const found = readStore(reading)
  if (found === undefined) throw badAnswer(reading.origin, 'answered without a store')
  return found
}

function storeIn(value: unknown): Store | undefined {
  if (!isObject(value)) return undefined
  const [id, store_name] = [textIn(value['id']), textIn(value['store_name'])]
  if (id === undefined || store_name === undefined) return undefined
  const brand_name = textIn(value['brand_name']) ?? null
  return { ...value, id, store_name, ...('brand_name' in value ? { brand_name } : {}) } as Store
}

/* ---- Orders and quotes ---- */

/** The answer of an order endpoint as it was sent, in `data` or not. Throws the refusal that it is, or `bad_answer`. */
export function readOrder(reading: AnswerSource): OrderAnswer {
  const outer = bodyOf(shallow(reading))
  const body = isObject(outer['data']) && outer['payload'] === undefined ? outer['data'] : outer
  const payload = body['payload']
  if (refuses(body) || (isObject(payload) && failing.has(word(payload['order_created'])))) throw refusal(reading)
  const created = (value: Fields): boolean =>
    value['order_created'] !== undefined || textual(value['order_id']) || textual(value['shipment_id'])
  if (isObject(payload) && created(payload)) return body as unknown as OrderAnswer
  throw badAnswer(reading.origin, 'answered without an order')
}

const textual = (value: unknown): boolean => (typeof value === 'string' && value !== '') || typeof value === 'number'

/** The answer of the rates endpoint as it was sent. Throws the refusal that it is, or `bad_answer`. */
export function readRates(reading: AnswerSource): RateAnswer {
  const outer = bodyOf(shallow(reading))
  const body = isObject(outer['data']) && outer['result'] === undefined ? outer['data'] : outer
  const { status, result } = body
  if (status !== undefined && !succeeding.has(word(status))) throw refusal(reading)
  const couriers = isObject(result) ? result['serviceable_couriers'] : undefined
  if (Array.isArray(couriers) && (couriers as unknown[]).every(isObject)) return body as unknown as RateAnswer
  // No list can mean no courier, but only where the rest of a quote is there: it could be something else.
  const none = (couriers === undefined || couriers === null) && isObject(result) && isObject(result['shipment_details'])
  if (none && status !== undefined)
    return { ...body, result: { ...result, serviceable_couriers: [] } } as unknown as RateAnswer
  throw badAnswer(reading.origin, 'answered without a list of couriers')
}

const succeeding: ReadonlySet<unknown> = new Set(['success', 'ok', 1, '1', true])

/* ---- Listings ---- */

/**
 * A page whose records are text as sent; `asked` fills what its `meta` leaves out, `judge` looks for records that do
 * not satisfy the question. Throws a refusal or `bad_answer`.
 */
export function readPage(
  reading: AnswerSource,
  asked: { readonly page?: number | undefined; readonly per_page?: number | undefined },
  judge?: Judge,
): ReadPage {
  const { origin, answer } = reading
  const bare = Array.isArray(answer.json)
  const body: Fields = bare ? { data: answer.json } : bodyOf(reading)
  const data = body['data']
  if (!Array.isArray(data) || !(data as unknown[]).every(isObject))
    throw badAnswer(
      origin,
      Array.isArray(data) ? 'listed something that is not a record' : 'answered without a list of records',
    )
  const records = answer.records ?? cut(origin, answer.text())
  const ids = (data as Fields[]).map(({ id }) =>
    typeof id === 'string' || typeof id === 'number' ? String(id) : undefined,
  )
  const meta = isObject(body['meta']) ? body['meta'] : {}
  return {
    records,
    ids,
    lines: answer.lines,
    meta: metaOf(meta, asked, records.length),
    counted: wholeOf(meta['total']) !== undefined,
    ignored: judge === undefined ? undefined : judged(data as Fields[], judge),
  }
}

/** The same of records one on each line: their end is where the service says so, and nowhere else. */
export function readLines({ origin, answer }: AnswerSource, listed: CutLines): ReadPage {
  const { headers } = answer
  const [total, onward] = [wholeOf(headers[own.total]), nextFrom(headers[own.next])]
  if (total === undefined || onward === undefined)
    throw badAnswer(origin, 'sent records without saying how many there are and where they go on')
  const { count, lines, release } = listed
  return {
    get records() {
      return listed.records
    },
    ids: [],
    lines: count === 0 ? undefined : lines,
    release,
    meta: { current_page: 1, per_page: count, total, next_search_after: onward.next ?? [] },
    counted: true,
    ended: onward.ended,
    ignored: undefined,
  }
}

function judged(records: readonly Fields[], judge: Judge): Ignored | undefined {
  const ignored = records.map(({ attributes }) => judge(attributes))
  return ignored.some((name) => name !== undefined) ? ignored : undefined
}

function cut(origin: string, text: string): readonly string[] {
  try {
    const records = cutRecords(text)
    if (records !== undefined) return records
  } catch (error) {
    if (error instanceof RangeError) throw tooDeep(origin)
    throw error
  }
  throw badAnswer(origin, 'answered without a list of records')
}

function metaOf(
  meta: Fields,
  asked: { readonly page?: number | undefined; readonly per_page?: number | undefined },
  count: number,
): Meta {
  const current_page = wholeOf(meta['current_page']) ?? asked.page ?? 1
  const per_page = wholeOf(meta['per_page']) ?? asked.per_page ?? defaultPerPage
  const cursor = meta['next_search_after']
  const pair = Array.isArray(cursor) && cursor.length === 2 && (cursor as unknown[]).every(textual)
  return {
    ...meta,
    current_page,
    per_page,
    total: wholeOf(meta['total']) ?? (current_page - 1) * per_page + count,
    next_search_after: pair ? (cursor as unknown[]).map(String) : [],
  }
}

/** A whole number of at least 0, as a number or as text. */
function wholeOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

/* ---- Refusals ---- */

/** Codes that another deployment's sentence shows and its status does not, by what the call is about. */
const closer: Readonly<Record<'store' | 'order', readonly (readonly [said: RegExp, code: Code])[]>> = {
  store: [
    [/already (?:been taken|taken|exists?|in use)|duplicate/i, 'store_name_taken'],
    [/\bnot (?:be )?found\b|does not exist|no such store/i, 'not_found'],
  ],
  order: [
    [
      /order.{0,120}already exists?|already exists?.{0,40}order|duplicate order|order.{0,120}duplicate/i,
      'duplicate_order',
    ],
    [/store.{0,120}(?:not found|does not exist|invalid)/i, 'unknown_store'],
    [/(?:warehouse|pickup location).{0,120}(?:not found|does not exist|invalid)/i, 'unknown_warehouse'],
    [/no courier/i, 'no_courier'],
  ],
}

/** The error with a closer code, where the service's sentence is a known one. */
export function closerError(error: ShipxError, about: 'store' | 'order' | undefined): ShipxError {
  if (about === undefined || error.code !== 'rejected') return error
  const text = [error.message, ...error.details.map(({ message }) => message)].join('\n')
  const code = closer[about].find(([pattern]) => pattern.test(text))?.[1]
  return code === undefined ? error : rewordedError(error, { code })
}

/**
 * The error again with another code, message or hint; secrets are taken out of its texts, and stacks of the service.
 */
export function rewordedError(
  error: ShipxError,
  over: { readonly code?: Code; readonly message?: string; readonly hint?: string | undefined } = {},
  clean: (text: string) => string = (text) => text,
): ShipxError {
  const tidy = (text: string): string => {
    const stack = text.search(/\n[^\S\n]*at /)
    return clean(stack === -1 ? text : text.slice(0, stack).trimEnd())
  }
  const hint = over.hint ?? error.hint
  const code = over.code ?? error.code
  return new ShipxError(code, tidy(over.message ?? error.message), {
    details: error.details.map((fault) => ({ ...fault, message: tidy(fault.message) })),
    status:
      code !== error.code && error.status === kinds[error.kind].status ? kinds[codes[code].kind].status : error.status,
    ...(hint === undefined ? {} : { hint }),
    ...(error.retry_after_ms === undefined ? {} : { retry_after_ms: error.retry_after_ms }),
    ...(error.cause === undefined ? {} : { cause: error.cause }),
  })
}
