// The service over HTTP, put together: fastify with our limits, hooks, the contract's routes, health and the API page
// (docs/reference/http.md).
import Fastify, { type FastifyInstance } from 'fastify'
import QuickLRU from 'quick-lru'
import { contract, type ShippingService } from '../domain/contract.ts'
import { ShipxError } from '../domain/errors.ts'
import type { Database } from '../engine/database/port.ts'
import type { Host } from '../engine/runtime.ts'
import { findKey } from '../engine/accounts/keys.ts'
import { embeddedService, type EmbeddedService } from '../engine/service.ts'
import { admission } from './admission.ts'
import { addDocs } from './docs.ts'
import { addBodies, limits, type CountBytes } from './bodies.ts'
import { limitConnections } from './connections.ts'
import { inTime, lookUpMs } from './deadline.ts'
import { faultAnswers } from './faults.ts'
import { addHooks, faultAnswer, type AnswerFault, type Closing } from './hooks.ts'
import type { LogEntry } from './log.ts'
import { bucketsOf } from './ratelimit.ts'
import type { LineAnswers, Listings, Readers } from './readers.ts'
import { addEndpoints, addLogo, refuseOtherMethods } from './routes.ts'
import type { Turns } from './turns.ts'
import { underway } from './underway.ts'

/** What the service is made of. */
export interface ServiceOptions {
  readonly database: Database
  /** Throws while nothing can be saved (`storageOf`). */
  readonly checkStorage?: () => Promise<void>
  readonly host: Host
  /** Listings by worker threads, for a database that answers synchronously. */
  readonly readers?: Readers
  /** Places at the database that accounts take in turn, for one that answers over a network. */
  readonly turns?: Turns
  readonly version: string
  /** A file of the API page. Throws where there is none. */
  readonly asset: (name: string) => Buffer
  /** Requests a second for one key, with bursts of twice as many; large bodies count as several; 0 for no limit. */
  readonly rateLimit: number
  /** Connections at most; the requests of one account take a quarter of them. */
  readonly mostConnections?: number
  /** Takes each line of the access log. */
  readonly log: (entry: LogEntry) => void
}

/** Connections where nothing else limits them. */
export const usualConnections = 20_000

/** Services that are kept, of the accounts that asked last; there may be twice as many for a while. */
const keptServices = 500

/** Makes the service; the caller calls `listen`. `close` lets requests that run end. */
export async function serviceApp(options: ServiceOptions): Promise<FastifyInstance> {
  const { database, host, log, turns, mostConnections = usualConnections } = options
  const answerFault = faultAnswer(log)
  const app = bareApp(options, answerFault)
  const connections = limitConnections(app.server, mostConnections)
  const buckets = bucketsOf(options.rateLimit, () => performance.now())
  const closing = addHooks(app, connections, log, answerFault)
  const countBytes: CountBytes = ({ key }, bytes) => {
    if (key !== undefined) buckets.spend(key.id, bytes)
  }
  addBodies(app, countBytes)
  const admit = admission({
    database,
    host,
    connections,
    buckets,
    underway: underway(Math.floor(mostConnections / 4)),
    remote: turns !== undefined,
  })
  const kept = keptServicesOf(options)
  const methods = await addEndpoints(app, {
    table: contract,
    serviceOf: (account) => kept(account).service,
    linesOf: (account) => kept(account).lines,
    namesPincode: (account, pincode) => kept(account).namesPincode(pincode),
    admit,
    countBytes,
    turns,
    log,
  })
  refuseOtherMethods(app, new Map([...methods, [addLogo(app, { database, admit, turns }), ['GET']]]))
  addHealth(app, options, closing)
  // Few ask for the description, which takes longer to make than the rest of the service.
  const document = async (): Promise<object> => (await import('./openapi.ts')).openApi({ version: options.version })
  addDocs(app, { document, asset: options.asset })
  return app
}

/** Fastify with the limits of the service, without hooks and routes. */
function bareApp({ host, log }: ServiceOptions, answerFault: AnswerFault): FastifyInstance {
  return Fastify({
    logger: false,
    bodyLimit: limits.json,
    requestTimeout: limits.requestMs,
    connectionTimeout: limits.silenceMs,
    keepAliveTimeout: 65_000,
    // Clients with a request under way when the service stops get an answer; idle connections are closed.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    genReqId: () => host.uuid(),
    routerOptions: { maxParamLength: 4096 },
    http: {
      maxHeaderSize: limits.headers,
      headersTimeout: limits.headersMs,
      connectionsCheckingInterval: 1000,
      // A hook checks it, with an answer like every other one.
      requireHostHeader: false,
    },
    frameworkErrors: (error, request, reply) => void answerFault(error, request, reply),
    clientErrorHandler: faultAnswers(host.uuid, log),
  }) as FastifyInstance
}

/** Methods whose answers are text already. */
type Texts = { readonly getRates: EmbeddedService['rateText'] }

/** A service of an account, what its card knows, and its listings as lines. */
interface KeptService extends Pick<EmbeddedService, 'namesPincode'> {
  readonly lines: LineAnswers
  readonly service: Omit<ShippingService, keyof Listings | 'getRates'> & Listings & Texts
}

/** The services of accounts, kept for those that asked last. */
function keptServicesOf({ database, host, readers }: ServiceOptions): (account: number) => KeptService {
  const services = new QuickLRU<number, KeptService>({ maxSize: keptServices })
  return (account) => {
    const kept = services.get(account)
    if (kept !== undefined) return kept
    const embedded = embeddedService(database, account, host, { mostBytes: limits.page })
    const { lines, ...listings } = readers?.listings(account, embedded.near) ?? {
      ...embedded,
      lines: wholeLines(embedded.lines),
    }
    const made = {
      service: { ...embedded, ...listings, getRates: embedded.rateText },
      namesPincode: embedded.namesPincode,
      lines,
    }
    services.set(account, made)
    return made
  }
}

/** Lines that are read before anything is sent. */
function wholeLines({ listShipments, listReturns }: EmbeddedService['lines']): LineAnswers {
  const whole =
    (listing: typeof listShipments): LineAnswers['listShipments'] =>
    async (input) => {
      const { lines, ...head } = await listing(input)
      return { head, lines: Promise.resolve(lines) }
    }
  return { listShipments: whole(listShipments), listReturns: whole(listReturns) }
}

/** `/live` says that the process runs, `/ready` that requests can be answered. */
function addHealth(app: FastifyInstance, { database, turns, checkStorage }: ServiceOptions, closing: Closing): void {
  app.get('/live', async () => ({ status: 'ok' }))
  app.get('/ready', async () => {
    if (closing.now) throw new ShipxError('unavailable', 'the service is stopping', { retry_after_ms: 1000 })
    const found = database.current().then(() => database.read(() => findKey(''), 'single'))
    await (turns === undefined ? found : inTime(lookUpMs, found, true))
    await checkStorage?.()
    return { status: 'ok' }
  })
}
