// The routes of a table of endpoints: each row as a handler, the other methods of its path as refusals, and the logo.
import type { Readable } from 'node:stream'
import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest, HTTPMethods } from 'fastify'
import { basePath, type Call, type Endpoint, type EndpointTable, type Query } from '../domain/contract.ts'
import { ShipxError, invalid } from '../domain/errors.ts'
import type { JoinedPage, Page } from '../domain/page.ts'
import { parseFor, unknownParameter } from '../domain/parse.ts'
import { headers, linesType, quoteHeader } from '../domain/wire.ts'
import { logoOf } from '../engine/accounts/stores.ts'
import type { Database } from '../engine/database/port.ts'
import type { Admit } from './admission.ts'
import { formOf, limits, type CountBytes } from './bodies.ts'
import { inTime } from './deadline.ts'
import type { Log } from './hooks.ts'
import { linesBody } from './linesbody.ts'
import { givesMinimal, minimalAnswer, prefersMinimal } from './minimal.ts'
import { rateInput } from './rateinput.ts'
import type { ComingLines, LineAnswers } from './readers.ts'
import type { Turns } from './turns.ts'

/** The logo of a store, next to the endpoints of the contract. */
const logoPath = `${basePath}/client-stores/:id/logo`

/** How long a database that answers over a network may take for a whole request, ms: clients wait 30 s. */
const answerMs = 26_000

const json = 'application/json; charset=utf-8'

/** The methods of a service that answer a table of endpoints, by the names of its rows. */
export type Answering = Readonly<Record<string, (input: never, call?: Call) => Promise<unknown>>>

/** What the routes are made with. */
export interface RoutesOptions {
  readonly table: EndpointTable
  /** The service of an account, by its number. */
  readonly serviceOf: (account: number) => Answering
  /** Its listings as lines of JSON; absent, they have pages only. */
  readonly linesOf?: (account: number) => LineAnswers
  /** Whether the card of an account names a pincode that India Post does not list; absent, no card does. */
  readonly namesPincode?: (account: number, pincode: string) => Promise<boolean>
  readonly admit: (reads: boolean) => Admit
  readonly countBytes: CountBytes
  /** Absent where the database answers synchronously. */
  readonly turns: Turns | undefined
  readonly log: Log
}

/** Adds a route for each row of the table, and returns the methods of each path. */
export async function addEndpoints(
  app: FastifyInstance,
  options: RoutesOptions,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const methods = new Map<string, string[]>()
  const rows = Object.entries(options.table)
  const add = (to: FastifyInstance, [name, row]: (typeof rows)[0]): void => {
    to.route({
      method: row.method,
      url: urlOf(row),
      onRequest: options.admit(row.reads),
      handler: handlerOf(name, row, options),
    })
  }
  for (const [, row] of rows) methods.set(urlOf(row), [...(methods.get(urlOf(row)) ?? []), row.method])
  for (const entry of rows) if (!takesForm(entry[1])) add(app, entry)
  // Apart from the others: the reader of forms adds two promises to each request of its routes.
  await app.register(async (forms) => {
    await forms.register(multipart, { limits: limits.multipart })
    for (const entry of rows) if (takesForm(entry[1])) add(forms, entry)
  })
  return methods
}

const urlOf = ({ path }: Endpoint): string => `${basePath}${path}`

/** Whether an endpoint takes a logo, and so a form. */
const takesForm = (row: Endpoint): boolean => Object.hasOwn(row.input().shape, 'logo')

/** Answers one endpoint: its input checked, its work in the account's turn, its output as JSON. */
function handlerOf(name: string, row: Endpoint, options: RoutesOptions) {
  const { serviceOf, linesOf, countBytes, turns, log, namesPincode = async () => false } = options
  const { status, output, reads } = row
  const hasParams = row.path.includes(':')
  const forms = takesForm(row)
  const brief = givesMinimal(row)
  // It returns what Fastify sends, and not the reply: waiting for a reply takes six listeners for each request.
  return async (request: FastifyRequest, reply: FastifyReply): Promise<string | Readable> => {
    const account = request.key!.account_id
    const service = serviceOf(account)
    const body = forms && request.isMultipart() ? await formOf(request, countBytes) : request.body
    const given = inputOf(request, body)
    if (brief && prefersMinimal(request)) return minimalAnswer(reply)
    const raw = hasParams ? { ...given, ...(request.params as object) } : given
    const input =
      name === 'getRates' ? await rateInput(row, raw, (one) => namesPincode(account, one)) : parseFor(row, raw)
    const call = callOf(row, request, reply)
    const listing = output === 'page' && asksForLines(request) ? linesOf?.(account) : undefined
    const work = (): Promise<unknown> =>
      listing === undefined
        ? service[name]!(input as never, call)
        : listing[name as keyof LineAnswers](alongCursor(input as Query), call)
    const answer = await (turns === undefined ? work() : inTurn(turns, request, reply, reads, work))
    reply.code(status)
    if (listing !== undefined) return linesBody(request, reply, answer as ComingLines, log)
    const text = output === 'page' ? pageText(answer as Page | JoinedPage) : answerText(answer)
    // A change that was made must be answered, however much waits already.
    if (reads) request.holding!.answer(text.length)
    reply.type(json)
    return text
  }
}

/** Whether a listing is asked for as records one on each line; a client that can read both names both. */
function asksForLines({ headers: { accept = '' } }: FastifyRequest): boolean {
  const named = accept.toLowerCase()
  if (!named.includes(linesType)) return false
  return named.split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim())
    return type === linesType && !parameters.some((part) => notAcceptable.test(part))
  })
}

/** A weight of a type that must not be sent (RFC 9110, 12.4.2). */
const notAcceptable = /^q=0(?:\.0{0,3})?$/

/** Lines go on along the cursor. */
function alongCursor(input: Query): Query {
  if ((input.page ?? 1) > 1)
    throw invalid([{ field: 'page', message: `does not go with ${linesType}: send search_after` }])
  return input
}

/** Adds the logo of a store, and returns its path. */
export function addLogo(
  app: FastifyInstance,
  { database, admit, turns }: Pick<RoutesOptions, 'admit' | 'turns'> & { readonly database: Database },
): string {
  app.route({
    method: 'GET',
    url: logoPath,
    onRequest: admit(true),
    handler: async (request, reply) => {
      const { id } = request.params as { readonly id: string }
      const work = () => database.read(() => logoOf(request.key!.account_id, id), 'single')
      const logo = await (turns === undefined ? work() : inTurn(turns, request, reply, true, work))
      request.holding!.answer(logo.bytes.length)
      reply.header('content-security-policy', "default-src 'none'; sandbox")
      reply.type(logo.type)
      return Buffer.from(logo.bytes)
    },
  })
  return logoPath
}

const everyMethod: readonly HTTPMethods[] = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Refuses the methods that a path does not take. */
export function refuseOtherMethods(app: FastifyInstance, methods: ReadonlyMap<string, readonly string[]>): void {
  for (const [url, known] of methods) {
    const allowed = known.includes('GET') ? [...known, 'HEAD'] : known
    app.route({
      method: everyMethod.filter((method) => !allowed.includes(method)),
      url,
      handler: async (request, reply) => {
        reply.header('allow', allowed.join(', '))
        throw new ShipxError(
          'method_not_allowed',
          `this path does not take ${request.method}; it takes ${known.join(' and ')}`,
        )
      },
    })
  }
}

/** Runs the work of a request in its account's turn, and answers before clients give up. */
async function inTurn<T>(
  turns: Turns,
  request: FastifyRequest,
  reply: FastifyReply,
  reads: boolean,
  work: () => Promise<T>,
): Promise<T> {
  const leave = await turns.place(request.key!.account_id, () => request.raw.socket.destroyed)
  return inTime(answerMs - reply.elapsedTime, work().finally(leave), reads)
}

/** The raw input of a request: its body; the query string must be empty. */
function inputOf(request: FastifyRequest, body: unknown): Readonly<Record<string, unknown>> {
  const queried = Object.keys(request.query as object)
  if (queried.length > 0)
    throw invalid(
      queried.map((field) => ({ field, message: `${unknownParameter(field, [])}; parameters go into the body` })),
    )
  if (body === undefined) return {}
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid([{ field: null, message: 'the request must be a JSON object' }])
  if (Object.hasOwn(body, 'id') && Object.hasOwn(request.params as object, 'id'))
    throw invalid([{ field: 'id', message: unknownParameter('id', []) }])
  return body as Readonly<Record<string, unknown>>
}

/** What goes with a call: the idempotency key where the endpoint honours it, and what becomes headers of the answer. */
function callOf({ keyed }: Endpoint, request: FastifyRequest, reply: FastifyReply): Call {
  const given = request.headers[headers.idempotencyKey]
  const key = Array.isArray(given) ? given.join() : given
  return {
    ...(keyed && key !== undefined ? { idempotency_key: key } : {}),
    onReplay: () => void reply.header(headers.replayed, 'true'),
    onQuote: (facts) => void reply.header(headers.quote, quoteHeader(facts)),
    gone: () => request.raw.socket.destroyed,
  }
}

/** An answer as it is sent; no endpoint answers with a text that is not JSON. */
const answerText = (answer: unknown): string => (typeof answer === 'string' ? answer : JSON.stringify(answer))

/** A page as it is sent: its records are text already. */
function pageText(page: Page | JoinedPage): string {
  const records = 'joined' in page ? page.joined : page.records.join(',')
  return `{"data":[${records}],"meta":${JSON.stringify(page.meta)}}`
}
