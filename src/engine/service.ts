// The embedded service: the whole service port on a database, for one account.
import type { Call, Query, ShippingService, Walk, WalkBatch, WalkingService } from '../domain/contract.ts'
import { quote, quoteFacts, rateAnswer, type Quote, type RateRequest } from '../domain/rates/rates.ts'
import type { JoinedPage, Page } from '../domain/page.ts'
import type { Database, RecordKind } from './database/port.ts'
import type { Host } from './runtime.ts'
import { rateText } from '../domain/rates/answertext.ts'
import { versionFor } from '../domain/rates/cardversions.ts'
import type { RateCard } from '../domain/rates/ratecard.ts'
import { namesPincode } from '../domain/rates/zonetables.ts'
import { istDate, readDay } from '../domain/time.ts'
import { runOnce } from './accounts/idempotency.ts'
import { listLines, type Lines, type LinesOptions } from './records/lines.ts'
import { countMatches, listIds, listNear, listNext, listPage, rememberTotal, walkStep } from './records/listing.ts'
import { queryMemory } from './records/plan.ts'
import { readCache } from './database/cache.ts'
import { createOrder } from './orders/orders.ts'
import { cardInUse, versionsInUse } from './accounts/ratecards.ts'
import { createStore, getStore, listStores, updateStore as changeStore } from './accounts/stores.ts'
import { renameStoreInRecords } from './records/records.ts'

/** Bytes in a piece of records that are passed on, and how many records it has at most. */
const [pieceBytes, mostPiece] = [2_000_000, 900]

/** How many records the piece after a whole one has, if its records are as large. */
const stepAfter = ({ lines, count }: WalkBatch): number =>
  Math.max(walkStep, Math.min(mostPiece, Math.round((count! * pieceBytes) / lines!.length)))

/** What the embedded service can do in addition to the port. */
export interface EmbeddedService extends WalkingService {
  /** A quote with all of its reasons, of now or of a day in IST. Throws `no_card_for_day` for a day without prices. */
  readonly explain: (request: RateRequest, date?: string) => Promise<Quote>
  /** The answer of `getRates` as text, for a service that only sends it. */
  readonly rateText: (request: RateRequest, call?: Call) => Promise<string>
  /** Whether the zones of the card in use name a pincode: it is then priced, also when India Post does not list it. */
  readonly namesPincode: (pincode: string) => Promise<boolean>
  readonly near: NearPages
  readonly lines: LineListings
  readonly shipmentIds: NonNullable<WalkingService['shipmentIds']>
  readonly returnIds: NonNullable<WalkingService['returnIds']>
}

/** The listings as lines of JSON, a large piece of a walk at a time. */
export type LineListings = Readonly<
  Record<'listShipments' | 'listReturns', (input: Query, options?: LinesOptions) => Promise<Lines>>
>

/** Pages for a thread that must never be busy for long. */
export interface NearPages {
  /** A page that is quick to find; undefined for any other query. */
  readonly page: (kind: RecordKind, input: Query) => Promise<Page | JoinedPage | undefined>
  /** Fetches a page from the same database in another way, and remembers the total if nothing changed meanwhile. */
  readonly elsewhere: (kind: RecordKind, input: Query, ask: () => Promise<Page>) => Promise<Page>
}

/** The account and its database, as listings take them. */
type Place = Parameters<typeof listPage>[0]

/** The service of an account (by its number) on a database. The records of a page have `mostBytes` together at most. */
export function embeddedService(
  database: Database,
  account: number,
  host: Host,
  { mostBytes }: { readonly mostBytes?: number } = {},
): EmbeddedService {
  const { dialect, read, write } = database
  const place: Place = { dialect, account, known: queryMemory(host.now, database.changes), mostBytes }
  // Quotes share one parsed card: it can have a hundred prices.
  const remember = readCache(database, 1)
  const cardOn = (day: string): RateCard | Promise<RateCard> =>
    remember(`card ${day}`, () => read(() => cardInUse(account, day), 'single'))
  const explain = async (request: RateRequest, date?: string): Promise<Quote> => {
    if (date !== undefined)
      return quote(request, versionFor(await read(() => versionsInUse(account)), date), readDay(date)![0])
    const now = host.now()
    return quote(request, await cardOn(istDate(now)), now)
  }
  return {
    listStores: () =>
      read(function* () {
        return { data: [...(yield* listStores(account))] }
      }, 'single'),
    getStore: ({ id }) =>
      read(function* () {
        return { data: yield* getStore(account, id) }
      }, 'single'),
    createStore: (input, call = {}) =>
      write(() =>
        runOnce(dialect, account, 'createStore', input, call, host, function* () {
          return { data: yield* createStore(account, input, { id: host.uuid(), now: host.now() }) }
        }),
      ),
    updateStore: (input) => updateStore(database, account, input, host.now),
    createForwardOrder: orderMaker(database, account, host, false),
    orchestrateForwardOrder: orderMaker(database, account, host, true),
    getRates: async (request, { onQuote } = {}) => {
      const found = await explain(request)
      onQuote?.(quoteFacts(found))
      return rateAnswer(found)
    },
    rateText: async (request, { onQuote } = {}) => {
      const found = await explain(request)
      onQuote?.(quoteFacts(found))
      return rateText(found)
    },
    listShipments: (input) => read(() => listPage(place, 'shipment', input), 'page'),
    listReturns: (input) => read(() => listPage(place, 'return', input), 'page'),
    explain,
    namesPincode: async (pincode) => namesPincode((await cardOn(istDate(host.now()))).zone_tables ?? [], pincode),
    near: nearPages(database, place),
    lines: {
      listShipments: (input, options) => read(() => listLines(place, 'shipment', input, options)),
      listReturns: (input, options) => read(() => listLines(place, 'return', input, options)),
    },
    walkShipments: (input, passedOn) => walk(database, place, 'shipment', input, passedOn),
    walkReturns: (input, passedOn) => walk(database, place, 'return', input, passedOn),
    shipmentIds: (input) => idsOf(database, place, 'shipment', input),
    returnIds: (input) => idsOf(database, place, 'return', input),
  }
}

function orderMaker(
  { dialect, write }: Database,
  account: number,
  host: Host,
  assign: boolean,
): ShippingService['createForwardOrder'] {
  const operation = assign ? 'orchestrateForwardOrder' : 'createForwardOrder'
  return (input, call = {}) =>
    write(() =>
      runOnce(dialect, account, operation, input, call, host, () => createOrder(dialect, account, host, input, assign)),
    )
}

async function updateStore(
  { dialect, write }: Database,
  account: number,
  input: Parameters<ShippingService['updateStore']>[0],
  now: Host['now'],
): ReturnType<ShippingService['updateStore']> {
  let was: string | undefined
  const data = await write(function* () {
    const before = yield* getStore(account, input.id)
    const after = yield* changeStore(dialect, account, input, now())
    was = before.store_name === after.store_name ? undefined : before.store_name
    return after
  })
  // An order may have held the store's lock while it linked to the old name. This transaction did not see it, so rename
  // again. Where only one transaction writes at a time, there is no such order.
  const old = was
  if (old !== undefined && dialect.planning === undefined)
    await write(() => renameStoreInRecords(dialect, account, old, data.store_name))
  return { data }
}

async function walk({ read }: Database, place: Place, kind: RecordKind, input: Query, passedOn = false): Promise<Walk> {
  const total = await read(() => countMatches(place, kind, input))
  const batches = async function* (): Walk['batches'] {
    let query = input
    let records = walkStep
    let whole = passedOn
    for (;;) {
      const step = await read(() => listNext(place, kind, query, records, total))
      if (step.next === undefined) return
      yield step
      // One of fewer records met a large one, or is the last: further long ones would be read for nothing.
      whole &&= step.count === records
      records = whole ? stepAfter(step) : walkStep
      query = { ...input, search_after: [...step.next], next_search_after: undefined }
    }
  }
  return { total, batches: batches() }
}

/** Ids that a walk finds at a time: their text is a piece that is written at once. */
const idsAtOnce = 500

async function* idsOf(
  { read }: Database,
  place: Place,
  kind: RecordKind,
  input: Query,
): AsyncGenerator<readonly string[], void> {
  const total = await read(() => countMatches(place, kind, input))
  for (let query = input; ;) {
    const { ids, next } = await read(() => listIds(place, kind, query, idsAtOnce, total))
    if (ids.length > 0) yield ids
    if (next === undefined || ids.length < idsAtOnce) return
    query = { ...input, search_after: [...next], next_search_after: undefined }
  }
}

const nearPages = ({ read, changes }: Database, place: Place): NearPages => ({
  page: (kind, input) => read(() => listNear(place, kind, input)),
  elsewhere: async (kind, input, ask) => {
    const at = changes?.()
    const page = await ask()
    if (at !== undefined && changes?.() === at) rememberTotal(place, kind, input, page.meta.total, at)
    return page
  },
})
