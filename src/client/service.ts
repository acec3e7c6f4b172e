// The port over HTTP: a deployment of the specification, ours or another, as the service of one account. Most methods
// are made from the rows of the contract.
import {
  contract,
  type Call,
  type Endpoint,
  type EndpointTable,
  type ShippingService,
  type WalkingService,
} from '../domain/contract.ts'
import { headers, quoteFactsFrom, type Capability } from '../domain/wire.ts'
import { pathSegment } from './baseurl.ts'
import { readAnswer, readExistingStore, readRates, readStores, type AnswerSource } from './answers.ts'
import { Deployment, unknownOutcome } from './deployment.ts'
import type { Answer, OutgoingRequest } from './exchange.ts'
import { listingCalls, type Totals } from './listings.ts'
import type { RemoteOptions } from './options.ts'
import { orderCalls } from './orders.ts'
import { atMostOnce, repeatable, type RetryRule } from './retry.ts'
import { storeCalls } from './stores.ts'

/** The port over HTTP. Its methods throw `ShipxError`s that never show the key. */
export interface RemoteService extends WalkingService, Totals {
  /** What the service announced in its last answer; undefined before the first one. */
  readonly capabilities: () => ReadonlySet<Capability> | undefined
  /**
   * The same, found out by one cheap read where the service has announced nothing yet. A refusal of that read counts as
   * nothing announced; only a key that is not accepted (`unauthorized`) and an interruption are thrown.
   */
  readonly learn: () => Promise<ReadonlySet<Capability>>
  /** How many stores of the last list had no id or no name and were left out. */
  readonly storesLeftOut: () => number
  /** Ends everything that is under way. */
  readonly close: () => Promise<void>
}

/** The methods that need no more than their rows, and forms of answers that other deployments send. */
type PlainMethods = Omit<
  ShippingService,
  keyof ReturnType<typeof storeCalls> | keyof ReturnType<typeof orderCalls> | keyof ReturnType<typeof listingCalls>
>

/**
 * The service at a base URL. Nothing is sent yet. Throws `invalid_input` for a base URL or a key that must not be used,
 * a CA text without certificates, or a proxy that is not a URL.
 */
export function remoteService(options: RemoteOptions): RemoteService {
  const deployment = new Deployment(options)
  let leftOut = 0
  const plain = plainMethods<PlainMethods>(contract, deployment, {
    listStores: (reading) => readStores(reading, (count) => (leftOut = count)),
    getStore: readExistingStore,
    getRates: readRates,
  })
  return {
    ...plain,
    ...storeCalls(deployment, plain),
    ...orderCalls(deployment),
    ...listingCalls(deployment, options),
    capabilities: () => deployment.capabilities,
    learn: () => deployment.learn(),
    storesLeftOut: () => leftOut,
    close: () => deployment.close(),
  }
}

/** Reads the answer of an endpoint. */
type Reader = (reading: AnswerSource) => unknown

/**
 * A method for each row of a table that is not a listing: the path and the body come from the input, and the answer is
 * read by `readers`, or by the row's output schema. A write is sent at most once unless it may be repeated (PUT).
 */
export function plainMethods<S extends object>(
  table: EndpointTable,
  deployment: Deployment,
  readers: Readonly<Record<string, Reader>>,
): S {
  const rows = Object.entries(table).filter(([, { output }]) => output !== 'page')
  return Object.fromEntries(
    rows.map(([name, row]) => [name, plainMethod(row, deployment, readers[name] ?? readAnswer(row))]),
  ) as S
}

function plainMethod(row: Endpoint, deployment: Deployment, read: Reader) {
  const rule: RetryRule<unknown> =
    row.reads || row.method === 'PUT'
      ? repeatable
      : atMostOnce(deployment.keySupport, (failure) =>
          unknownOutcome(
            failure,
            `${row.summary}: this may or may not have been done`,
            'check before you send it again',
          ),
        )
  return async (input: Readonly<Record<string, unknown>>, call: Call = {}): Promise<unknown> => {
    const request = { ...requestOf(row, input), ...(row.keyed ? { headers: deployment.keyHeaders(call) } : {}) }
    const onAnswer = (answer: Answer): void => {
      const facts = quoteFactsFrom(answer.headers[headers.quote])
      if (facts !== undefined) call.onQuote?.(facts)
    }
    const { value, replayed } = await deployment.call({ row, request, read, rule, onAnswer })
    if (replayed) call.onReplay?.()
    return value
  }
}

/** The request of a row: the fields that its path names go into the path, all others into the body. */
function requestOf(
  { method, path }: Endpoint,
  input: Readonly<Record<string, unknown>> = {},
): Pick<OutgoingRequest, 'path' | 'json'> {
  const body = { ...input }
  const filled = path.replace(/:(\w+)/g, (_, field: string) => {
    delete body[field]
    return pathSegment(String(input[field]))
  })
  return { path: filled, ...(method === 'GET' ? {} : { json: JSON.stringify(body) }) }
}
