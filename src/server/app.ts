// The service over HTTP: routes out of the contract table, keys, limits, errors as answers (docs/http.md); knows no
// database driver and no command.
import multipart from '@fastify/multipart'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { basePath, contract, type Call, type Name } from '../domain/contract.ts'
import { ShipxError, invalid } from '../domain/errors.ts'
import { credentialIn } from '../domain/keys.ts'
import type { Page } from '../domain/page.ts'
import { parseInput, unknownParameter } from '../domain/parse.ts'
import { errorAnswer, headers, quoteHeader } from '../domain/wire.ts'
import type { Database } from '../engine/database/port.ts'
import type { Host } from '../engine/runtime.ts'
import { findKey, keyHash, usable, type KeyEntry } from '../engine/accounts/keys.ts'
import { remembering } from '../engine/database/cache.ts'
import { embeddedService } from '../engine/service.ts'
import { logoOf } from '../engine/accounts/stores.ts'
import { addDocs } from './docs.ts'
import { addBodies, bodyBytes, formOf, limits, type Reading } from './bodies.ts'
import { limitConnections } from './connections.ts'
import { everyAnswer, faultAnswers, serviceError } from './faults.ts'
import type { LogEntry } from './log.ts'
import { openApi } from './openapi.ts'
import { bucketsOf } from './ratelimit.ts'
import type { Readers } from './readers.ts'
import type { Turns } from './turns.ts'
import { underway, type Holding } from './underway.ts'

/** What the service is made of. */
export interface ServiceOptions {
  readonly database: Database
  /** Throws while nothing can be saved (`storageOf`). */
  readonly checkStorage?: () => Promise<void>
  readonly host: Host
  /** Listings by worker threads, where the database is one that answers synchronously. */
  readonly readers?: Readers
  /** Places at the database that accounts take in turn, where it is one that answers over a network. */
  readonly turns?: Turns
  readonly version: string
  /** The folder of the API page's files. */
  readonly assets: string
  /** Requests a second for one key, with bursts of twice as many; large bodies count as several; 0 for no limit. */
  readonly rateLimit: number
  /** Connections at most; the requests of one account take a quarter of them. */
  readonly mostConnections?: number
  /** Takes each line of the access log. */
  readonly log: (entry: LogEntry) => void
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The key of the request, once it has been checked. */
    key: KeyEntry | undefined
    /** What it holds in memory, once its key has been checked. */
    holding: Holding | undefined
  }
}

/** Connections where nothing else limits them. */
export const usualConnections = 20_000

/** Services that are kept, one for each account that was asked last. */
const keptServices = 1000

/** How long a database that answers over a network may take for a key, and for the whole request, ms: clients wait 30 s. */
const lookUpMs = 10_000
const answerMs = 26_000

/** Keys that are remembered until somebody changes the database. */
const rememberedKeys = 10_000

/** The logo of a store, beside the endpoints of the contract. */
const logoPath = `${basePath}/client-stores/:id/logo`

/** Makes the service; `listen` is the caller's. `close` lets requests that run end. */
export async function serviceApp(options: ServiceOptions): Promise<FastifyInstance> {
  const { database, host, log } = options
  const app = Fastify({
    logger: false,
    bodyLimit: limits.json,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.silenceMs,
    keepAliveTimeout: 65_000,
    // Who is there when the service stops gets an answer; idle connections are closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => host.uuid(),
    routerOptions: { maxParamLength: 4096 },
    http: {
      maxHeaderSize: limits.headers,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: 1000,
      // Checked below, with an answer like every other one.
      requireHostHeader: false,
    },
    frameworkErrors: (error, request, reply) => void answerFault(error, request, reply),
    clientErrorHandler: faultAnswers(host.uuid, log),
  })
  const { mostConnections = usualConnections } = options
  const connections = limitConnections(app.server, mostConnections)
  const remember = remembering(database, rememberedKeys)
  const { begin } = underway(Math.floor(mostConnections / 4))
  const buckets = bucketsOf(options.rateLimit, () => performance.now())
  const services = new Map<number, ReturnType<typeof embeddedService>>()
  const serviceOf = (account: number) => {
    const kept = services.get(account)
    if (kept !== undefined) return kept
    if (services.size >= keptServices) services.delete(services.keys().next().value!)
    const embedded = embeddedService(database, account, host, { mostBytes: limits.page })
    const made =
      options.readers === undefined ? embedded : { ...embedded, ...options.readers.listings(account, embedded.near) }
    services.set(account, made)
    return made
  }
  const answerFault = (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const own = serviceError(error, request.id)
    if (own.code === 'internal') {
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error)
      log({ level: 'error', id: request.id, message: cause })
    }
    const { status, body, headers: said } = errorAnswer(own)
    // What the router refuses has not met the hooks.
    if (!reply.hasHeader(headers.requestId)) reply.headers(everyAnswer(request.id))
    return reply.code(status).headers(said).type('application/json; charset=utf-8').send(JSON.stringify(body))
  }

  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  // Hooks that wait for nothing call back: a promise for each of them is what a request would feel.
  app.addHook('onSend', (_, reply, __, done) => {
    // Whoever is still being answered shall not hold the connection open for more.
    if (closing) reply.header('connection', 'close')
    done()
  })
  app.decorateRequest('key', undefined)
  app.decorateRequest('holding', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    const { socket } = request.raw
    connections.begin(socket)
    // One listener for all that ends with a request: each costs as much as a look-up of the key.
    reply.raw.on('close', () => {
      connections.end(socket)
      request.holding?.end()
    })
    reply.headers(everyAnswer(request.id))
    const fault = headerFault(request.raw) ?? (request.is404 ? noPath() : undefined)
    // What is refused at once is not waited for: a body that never ends would hold its connection.
    if (fault !== undefined && hasBody(request.raw)) reply.header('connection', 'close')
    done(fault)
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { key } = request
    const code = reply.getHeader(headers.error)
    log({
      level: 'info',
      id: request.id,
      method: request.method,
      // The pattern and not the path: it names nobody.
      route: request.routeOptions.url ?? 'unknown',
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      ...(key === undefined ? {} : { account: key.account, key: key.id }),
      ...(typeof code === 'string' ? { code } : {}),
    })
    done()
  })
  app.setErrorHandler(answerFault)
  app.setNotFoundHandler((request, reply) => answerFault(noPath(), request, reply))
  await app.register(multipart, { limits: limits.multipart })
  const read: Reading = ({ key }, bytes) => {
    if (key !== undefined) buckets.spend(key.id, bytes)
  }
  addBodies(app, read)

  /** Runs the work of a request in its account's turn, and answers before clients give up. */
  const inTurn = async <T>(
    turns: Turns,
    request: FastifyRequest,
    reply: FastifyReply,
    reads: boolean,
    work: () => Promise<T>,
  ): Promise<T> => {
    const leave = await turns.place(request.key!.account_id, () => request.raw.socket.destroyed)
    return inTime(answerMs - reply.elapsedTime, work().finally(leave), reads)
  }
  /** Looks up a key, for no longer than a database that hangs may take to be noticed. */
  const lookUp = (hash: string): Promise<KeyEntry | undefined> => {
    const found = remember(hash, () => database.read(() => findKey(hash), 'single'))
    return options.turns === undefined ? found : inTime(lookUpMs, found, true)
  }

  /** Lets in who has a key, at a moderate pace; and who may only read, to what only reads. */
  const admit =
    (reads: boolean) =>
    async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      const hash = keyHash(credentialIn(request.headers.authorization), host)
      const key = hash === undefined ? undefined : await lookUp(hash)
      if (key === undefined || !usable(key, host.now())) {
        reply.header('www-authenticate', 'Bearer')
        throw new ShipxError('unauthorized', 'the key is missing or not valid')
      }
      request.key = key
      connections.known(request.raw.socket)
      const wait = buckets.take(key.id)
      if (wait > 0)
        throw new ShipxError('rate_limited', 'too many requests with this key', {
          retry_after_ms: Math.max(1000, wait),
        })
      if (!reads && key.read_only === 1) throw new ShipxError('read_only_key', 'this key may only read')
      // A client that has left while its key was looked up holds nothing.
      if (reply.raw.destroyed) throw new ShipxError('unavailable', 'the client has gone')
      request.holding = begin(key.account_id)
      request.holding.body(bodyBytes(request))
    }

  const methods = new Map<string, string[]>()
  for (const name of Object.keys(contract) as Name[]) {
    const { method, path, reads } = contract[name]
    const url = `${basePath}${path}`
    methods.set(url, [...(methods.get(url) ?? []), method])
    app.route({
      method,
      url,
      onRequest: admit(reads),
      handler: async (request, reply) => {
        const service = serviceOf(request.key!.account_id)
        const body = request.isMultipart() ? await formOf(request, read) : request.body
        const input = parseInput(name, { ...inputOf(request, body), ...(request.params as object) })
        const call = callOf(name, request, reply)
        const ask = service[name] as (input: unknown, call: Call) => Promise<unknown>
        const work = (): Promise<unknown> => ask(input, call)
        const answer = await (options.turns === undefined
          ? work()
          : inTurn(options.turns, request, reply, contract[name].reads, work))
        reply.code(name === 'createStore' ? 201 : 200).type('application/json; charset=utf-8')
        const text = contract[name].output === 'page' ? pageText(answer as Page) : JSON.stringify(answer)
        // What has been changed must be answered.
        if (contract[name].reads) request.holding!.answer(text.length)
        return reply.send(text)
      },
    })
  }
  methods.set(logoPath, ['GET'])
  app.route({
    method: 'GET',
    url: logoPath,
    onRequest: admit(true),
    handler: async (request, reply) => {
      const { id } = request.params as { readonly id: string }
      const work = () => database.read(() => logoOf(request.key!.account_id, id), 'single')
      const logo = await (options.turns === undefined ? work() : inTurn(options.turns, request, reply, true, work))
      request.holding!.answer(logo.bytes.length)
      reply.header('content-security-policy', "default-src 'none'; sandbox")
      return reply.type(logo.type).send(Buffer.from(logo.bytes))
    },
  })
  for (const [url, known] of methods) {
    const allowed = known.includes('GET') ? [...known, 'HEAD'] : known
    app.route({
      method: (['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'] as const).filter(
        (m) => !allowed.includes(m),
      ),
      url,
      handler: async (request, reply) => {
        reply.header('allow', allowed.join(', '))
        throw new ShipxError(
          'method_not_allowed',
          `${request.method} is not possible here; ${known.join(' and ')} ${known.length === 1 ? 'is' : 'are'}`,
        )
      },
    })
  }

  app.get('/live', async () => ({ status: 'ok' }))
  app.get('/ready', async () => {
    if (closing) throw new ShipxError('unavailable', 'the service is stopping', { retry_after_ms: 1000 })
    const found = database.read(() => findKey(''), 'single')
    await (options.turns === undefined ? found : inTime(lookUpMs, found, true))
    await options.checkStorage?.()
    return { status: 'ok' }
  })
  addDocs(app, { document: openApi({ version: options.version }), assets: options.assets })
  return app
}

/** The result of work, or an error when it takes longer than `ms`: a read may be repeated, a write may still be done. */
async function inTime<T>(ms: number, work: Promise<T>, reads: boolean): Promise<T> {
  let late: NodeJS.Timeout | undefined
  const timeout = new Promise<never>((_, reject) => {
    const message = 'the database does not answer'
    const error = reads
      ? new ShipxError('unavailable', message, { retry_after_ms: 1000 })
      : new ShipxError('unknown_outcome', `${message}: the change may or may not be made`, { retry_after_ms: 1000 })
    late = setTimeout(() => reject(error), ms)
  })
  try {
    return await Promise.race([work, timeout])
  } finally {
    clearTimeout(late)
  }
}

/** What is wrong with the headers that count once (RFC 9112): a proxy may have read the other one. */
function headerFault({ rawHeaders, httpVersion }: FastifyRequest['raw']): ShipxError | undefined {
  let [hosts, credentials] = [0, 0]
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
    else if (name.length === 13 && name.toLowerCase() === 'authorization') credentials++
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === '1.1'))
    return invalid([{ field: null, message: 'the request must have one Host header' }])
  if (credentials > 1) return invalid([{ field: null, message: 'the request has more than one Authorization header' }])
  return undefined
}

const noPath = (): ShipxError => new ShipxError('not_found', 'there is no such path')

const hasBody = ({ headers: sent }: FastifyRequest['raw']): boolean =>
  sent['transfer-encoding'] !== undefined || Number(sent['content-length'] ?? 0) > 0

/** The raw input of a request: its body, and nothing in the query string. */
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

/** What goes with a call: the idempotency key where it is honoured, and what to tell in headers. */
function callOf(name: Name, request: FastifyRequest, reply: FastifyReply): Call {
  const given = request.headers[headers.idempotencyKey]
  const key = Array.isArray(given) ? given.join() : given
  const honoured = name === 'createStore' || name === 'createForwardOrder' || name === 'orchestrateForwardOrder'
  return {
    ...(honoured && key !== undefined ? { idempotency_key: key } : {}),
    onReplay: () => void reply.header(headers.replayed, 'true'),
    onQuote: (facts) => void reply.header(headers.quote, quoteHeader(facts)),
    gone: () => request.raw.socket.destroyed,
  }
}

/** A page as text: its records are text already. */
const pageText = ({ records, meta }: Page): string => `{"data":[${records.join(',')}],"meta":${JSON.stringify(meta)}}`
