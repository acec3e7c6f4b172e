// Everything else that the engine can do, done once: settings, stores, orders, returns, messages, pulls.
import { disputeStatuses } from '../../src/domain/money/disputes.ts'
import { expect } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import type { Store } from '../../src/domain/stores.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import type { Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import type { Database } from '../../src/engine/database/port.ts'
import { brandedStore, findBrand } from '../../src/engine/messages/brands.ts'
import { importReady, readyRecord } from '../../src/engine/transfer/imports.ts'
import { createKey, findKey, listKeys, revokeKey } from '../../src/engine/accounts/keys.ts'
import {
  beginPull,
  countCreated,
  openMoments,
  pullStates,
  removeUnseen,
  replaceStores,
  savePull,
  saveSent,
} from '../../src/engine/transfer/mirror.ts'
import { readSent } from '../../src/domain/foreign/records.ts'
import { messageIds } from '../../src/engine/messages/ids.ts'
import { isSetUp, listGateways, saveGateway } from '../../src/engine/messages/gateways.ts'
import {
  cancelMessages,
  claimMessages,
  countFailed,
  countMessages,
  getMessage,
  listMessages,
  retryMessages,
  settleMessages,
} from '../../src/engine/messages/queue.ts'
import { messageMaker } from '../../src/engine/messages/outbox.ts'
import { recordPlaces, recordSpan } from '../../src/engine/recordplaces.ts'
import { settledScans, track } from '../../src/engine/tracking.ts'
import { keepAnswers, lastAnswers, markSent, unsentSince } from '../../src/engine/records/ndranswers.ts'
import {
  documentOf,
  documentsNumbered,
  documentsReplaced,
  keepsAny,
  listDocuments,
  nextInstant,
  removeDocument,
  sameNumber,
} from '../../src/engine/money/documents.ts'
import { disputeCouriers, documentCouriers, parcelCouriers } from '../../src/engine/money/couriers.ts'
import { claimedLines, creditedIn } from '../../src/engine/money/claims.ts'
import { awbsBilledAs, earlierOf, linesOf, linesOfAwbs } from '../../src/engine/money/lines.ts'
import { listPolicies, policyNamed, savePolicy } from '../../src/engine/money/policies.ts'
import { documentGone, documentKept, settleCredits } from '../../src/engine/money/credits.ts'
import { awbsAwaited, awbsNamed, turnLines } from '../../src/engine/money/waitinglines.ts'
import { linesOfDisputes, raisedOf } from '../../src/engine/money/disputelines.ts'
import { answerDisputes } from '../../src/engine/money/disputeanswers.ts'
import { tellDeadlines, untoldDeadlines } from '../../src/engine/money/disputeclocks.ts'
import {
  disputesNumbered,
  disputesOfAwbs,
  eventsOf,
  sumDisputes,
  walkDisputes,
} from '../../src/engine/money/disputes.ts'
import { stepsTold } from '../../src/engine/messages/messagerows.ts'
import { evidenceOf, keepEvidence } from '../../src/engine/money/evidence.ts'
import {
  announcedBefore,
  countOver,
  makeDisputes,
  moveDeadlines,
  overLines,
  undisputed,
} from '../../src/engine/money/newdisputes.ts'
import { disputesAbout, invoicesOfMonth, parcelsBilled } from '../../src/engine/money/months.ts'
import { shortParts } from '../../src/engine/money/shorttransfers.ts'
import { codDoubts } from '../../src/engine/money/coddoubts.ts'
import { codPlaces } from '../../src/engine/money/codplaces.ts'
import { markSeen, transfersByDocument } from '../../src/engine/money/codmarks.ts'
import { keepSought, transfersInBank } from '../../src/engine/money/transfers.ts'
import { pickedUpBetween, skusOfAwbs, unbilledBetween, unbilledOf } from '../../src/engine/money/unbilled.ts'
import {
  asRemitted,
  codFlows,
  keepsPayments,
  owedParcels,
  owedSums,
  paymentsKept,
  remittedByDay,
} from '../../src/engine/money/codowed.ts'
import { owedByDay } from '../../src/engine/money/coddays.ts'
import {
  changeCredits,
  creditChanges,
  creditedTogether,
  creditsNaming,
  utrsInBank,
} from '../../src/engine/money/bankcredits.ts'
import {
  linesOfUtrs,
  netsOfTransfers,
  paymentsOf,
  remittanceLinesOf,
  remittancesIn,
  remittedUtrs,
  utrsOfLines,
} from '../../src/engine/money/remittances.ts'
import { hasShipments, parcelsOf, parcelsOfOrders } from '../../src/engine/money/parcels.ts'
import { parcelPlace } from '../../src/engine/money/parcelplace.ts'
import { keepsSkus, skuSizesOf } from '../../src/engine/money/skusizes.ts'
import { keepInvoice, keepRemittance, keptDocument, keptRemittance } from './keptinvoice.ts'
import { addOptout, listOptouts, removeOptout } from '../../src/engine/messages/optouts.ts'
import { listWebhooks, removeWebhook, setWebhook } from '../../src/engine/messages/webhooks.ts'
import { createOrders, previewOrders, ordersThere } from '../../src/engine/orders/orders.ts'
import { assignOrder, cancelOrder } from '../../src/engine/orders/changes.ts'
import { offersOf } from '../../src/engine/orders/booking.ts'
import { keepsOrders } from '../../src/engine/orders/parcelrows.ts'
import { priceSome, pricingBy } from '../../src/engine/orders/pricing.ts'
import { addRtoCosts } from '../../src/engine/orders/rtocosts.ts'
import { countOutcomes } from '../../src/engine/records/outcomes.ts'
import { addCharges, anyPriced, costsOf, replaceCharges } from '../../src/engine/records/charges.ts'
import { sumShipments } from '../../src/engine/records/summary.ts'
import { createReturn, updateReturn } from '../../src/engine/orders/returns.ts'
import { seedReturns, seedShipments } from '../../src/engine/sample/seed.ts'
import type { SeedPlan } from '../../src/engine/sample/plan.ts'
import {
  cardVersions,
  listCards,
  removeCard,
  removeVersion,
  saveCard,
  useCard,
  usedName,
  versionsInUse,
} from '../../src/engine/accounts/ratecards.ts'
import { listSkus, removeSku, saveSkus } from '../../src/engine/accounts/skus.ts'
import {
  detailedWarehouses,
  findAccount,
  listWarehouses,
  removeWarehouse,
  setWarehouse,
} from '../../src/engine/accounts/settings.ts'
import { brandNames, ordersOf } from '../../src/engine/orders/labelsources.ts'
import { hasManifests, notTaken } from '../../src/engine/orders/handover.ts'
import { handovers, keepPrints, labelsPrinted, manifestsOf, type Print } from '../../src/engine/orders/prints.ts'
import { listStores, logoOf, saveStore, setStoreStatus } from '../../src/engine/accounts/stores.ts'
import { moveSome, parcelsWith, planSome, sceneOf } from '../../src/engine/sample/simulation.ts'
import {
  listTemplates,
  removeTemplate,
  saveTemplate,
  templateFor,
  useLanguage,
} from '../../src/engine/messages/templates.ts'
import { saveWantedStores, matchStores, storesAfter } from '../../src/engine/accounts/storesbulk.ts'
import type { Host } from '../../src/engine/runtime.ts'
import { testNow, type TestEngine } from './engine.ts'
import { png } from './pictures.ts'
import { ndrAnswer, orderRequest, rateRequest } from './requests.ts'

type Json = Readonly<Record<string, unknown>>

const plan: SeedPlan = { shipments: 400, returns: 150, stores: 6, days: 60, seed: 5, now: testNow }

const orderOf = (order_id: string, over: Json = {}) =>
  parseInput(
    'orchestrateForwardOrder',
    orderRequest({ order_id, payment_method: 'COD', cod_collectible: 999, tags: ['gift'], ...over }),
  )

/** Does whatever else the engine can do. */
export async function doEverything(engine: TestEngine): Promise<void> {
  const { service, database, account, host, save } = engine
  const shipments = [...seedShipments(plan)]
  await save('shipment', shipments)
  const returns = [...seedReturns(plan)]
  await save('return', returns)
  await setEverything(engine)
  const store = await openStore(engine)
  await orderEverything(engine)
  await changeStores(engine, store)
  await recordEverything(engine, shipments, returns)
  await tellEverything(database, account, host)
  await pullEverything(engine)
  await service.getRates(parseInput('getRates', rateRequest))
  await doMoney(
    engine,
    shipments.slice(0, 3).map(({ id }) => id),
  )
  await doPrints(
    engine,
    shipments.slice(0, 3).map(({ id }) => id),
  )
}

/** Warehouses, rate cards and keys. */
async function setEverything({ database, account, host }: TestEngine): Promise<void> {
  const { read, write } = database
  const now = host.now()
  await write(() => setWarehouse(account, 'WH1', '400001'))
  await write(() => setWarehouse(account, 'WH2', '400001'))
  await write(() => removeWarehouse(account, 'WH2'))
  await read(() => listWarehouses(account), 'single')
  await write(() => saveCard(account, { ...sampleCard, name: 'own' }, now))
  await write(() => useCard(account, 'own'))
  await read(() => listCards(account), 'single')
  await read(() => cardVersions(account, 'own'))
  await read(() => usedName(account), 'single')
  await read(() => versionsInUse(account))
  await write(() => saveCard(account, { ...sampleCard, name: 'gone' }, now))
  await write(() => saveCard(account, { ...sampleCard, name: 'gone', valid_from: '2026-10-01' }, now))
  await write(() => removeVersion(account, 'gone', '2026-10-01', { now, day: '2026-09-01' }))
  await write(() => removeCard(account, 'gone'))
  await write(() => saveSkus(account, [{ sku: 'CR-02', weight: 400, length: 20, width: 15, height: 10 }], now))
  await read(() => listSkus(account))
  await write(() => removeSku(account, 'CR-02'))
  await read(() => findAccount('routed'), 'single')

  const { entry } = await write(() => createKey(account, { label: 'till' }, host))
  await read(() => listKeys(), 'single')
  await read(() => listKeys(account), 'single')
  await read(() => findKey('0'.repeat(64)), 'single')
  await write(() => revokeKey(entry.id, now))
}

/** A store with templates of its own. */
async function openStore({ service, database, account, host }: TestEngine): Promise<Store> {
  const { read, write } = database
  const now = host.now()
  const call = { idempotency_key: 'store-1' }
  const wish = parseInput('createStore', { store_name: 'acme', logo: { bytes: png(), name: 'logo.png' } })
  const { data: store } = await service.createStore(wish, call)
  expect(await service.createStore(wish, call)).toEqual({ data: store })
  await service.listStores({})
  await service.getStore({ id: store.id })
  await read(() => listStores(account, { all: true, after: 'a', limit: 5 }), 'single')
  await read(() => logoOf(account, store.id), 'single')
  await write(() => saveTemplate(account, store.id, { language: 'hi', steps: {} }, now))
  await write(() => useLanguage(account, null, 'hi', now))
  expect((await read(() => templateFor(account, store.id))).documents).toHaveLength(1)
  expect(await read(() => listTemplates(account))).toHaveLength(2)
  await write(() => removeTemplate(account, store.id, 'hi'))
  expect((await read(() => brandedStore(account, 'acme'), 'single')).id).toBe(store.id)
  await expect(read(() => getMessage(account, 'none'), 'single')).rejects.toMatchObject({ code: 'not_found' })
  return store
}

/** Orders one by one and several at once, again and over. */
async function orderEverything({ service, database, account, host }: TestEngine): Promise<void> {
  const { dialect, read, write } = database
  const now = host.now()
  const linked = await service.orchestrateForwardOrder(orderOf('A-1', { store_name: 'acme' }), {
    idempotency_key: 'o-1',
  })
  expect(linked.payload.awb_generated).toBe(1)
  await service.orchestrateForwardOrder(orderOf('A-1', { store_name: 'acme' }), { idempotency_key: 'o-1' })
  await expect(service.orchestrateForwardOrder(orderOf('A-1'))).rejects.toMatchObject({ code: 'duplicate_order' })
  await service.createForwardOrder(orderOf('A-2'))
  await read(() => previewOrders(dialect, account, host, [orderOf('A-1')], true))
  await read(() => offersOf(account, orderOf('A-1'), now))
  const placed = await write(() =>
    createOrders(
      dialect,
      account,
      host,
      ['A-1', 'A-3', 'A-4'].map((id) => orderOf(id)),
      true,
    ),
  )
  expect(placed.map((one) => Object.keys(one))).toEqual([['there'], ['answer'], ['answer']])
  expect([...(await read(() => ordersThere(account, ['A-1', 'A-4', 'A-9']))).keys()].toSorted()).toEqual(['A-1', 'A-4'])
  await write(() => assignOrder(dialect, account, host, 'A-2', undefined))
  await write(() => cancelOrder(dialect, account, host, 'A-2'))
  await priceEverything({ database, account, host }, linked.payload.shipment_id!)
}

/** Prices parcels, once more those that have a price, and reads what they cost. */
async function priceEverything(
  { database, account, host }: Pick<TestEngine, 'database' | 'account' | 'host'>,
  priced: string,
): Promise<void> {
  const { dialect, read, write } = database
  const over = { again: false, dry: false, now: host.now() }
  const pricing = await read(() => pricingBy(account, 'sample', over))
  expect((await read(() => pricingBy(account, undefined, over))).card).toBe('own')
  expect(await read(() => anyPriced(account), 'single')).toBe(true)
  const place = { dialect, account }
  const all = parseInput('listShipments', {})
  const ends = await read(() => countOutcomes(place, all, [['all'], ['carrier'], ['sku']], true))
  await read(() => addRtoCosts(place, all, ends, () => undefined))
  expect((await write(() => priceSome(place, pricing, all, 50, 1000))).priced).toBeGreaterThan(0)
  expect((await write(() => priceSome(place, { ...pricing, again: true }, all, 50, 1000))).known).toBe(0)
  expect((await read(() => costsOf(account, [priced])))?.get(priced)?.freight).toBeGreaterThan(0)
  await write(() => addCharges(account, []))
  await write(() => replaceCharges(account, []))
  await read(() => sumShipments(place, all, ['zone'], { cost: true }))
}

/** What happens to stores that are there. */
async function changeStores({ service, database, account, host }: TestEngine, store: Store): Promise<void> {
  const { dialect, read, write } = database
  const now = host.now()
  await service.updateStore(parseInput('updateStore', { id: store.id, store_name: 'acme-kids', brand_name: 'Acme' }))
  await service.updateStore(parseInput('updateStore', { id: store.id, logo: null }))
  await write(() => setStoreStatus(account, store.id, 'disconnected', now))
  await write(() => saveStore(account, { ...store, store_name: 'acme-2', logo_url: null }, now))
  const other = { id: host.uuid(), store_name: 'other' }
  expect(await write(() => importReady(dialect, account, 'stores', [() => [other as never]], now))).toEqual([
    { outcome: 'created', rewound: false },
  ])
  const logo = { bytes: png(), name: 'logo.png' }
  const wanted = [
    { store_name: 'other', brand_name: 'Other', logo: undefined },
    { store_name: 'wanted', brand_name: null, logo },
  ]
  expect(await write(() => saveWantedStores(dialect, account, wanted, 'update', host))).toEqual(['updated', 'created'])
  expect(await read(() => matchStores(account, wanted))).toEqual(['same', 'same'])
  expect(await read(() => storesAfter(account, 'other', 10), 'single')).toHaveLength(1)
}

/** Records that are imported, and returns that are made of them. */
async function recordEverything(
  { database, account, host }: TestEngine,
  shipments: readonly Shipment[],
  returns: readonly Return[],
): Promise<void> {
  const { dialect, write } = database
  const now = host.now()
  const { attributes, id } = shipments[0]!
  const changed = { id, type: 'shipment', attributes: { ...attributes, tags: ['new'], items: [] } } as Shipment
  const ready = [changed, shipments[1]!].map((one) => readyRecord('shipments', one))
  const imported = await write(() => importReady(dialect, account, 'shipments', [() => ready], now))
  expect(imported.map(({ outcome }) => outcome)).toEqual(['updated', 'unchanged'])

  const back = new Set(returns.map((one) => one.attributes.shipment?.id))
  const delivered = shipments.find(
    (one) => one.attributes.status === 'delivered' && one.id !== id && !back.has(one.id),
  )!
  const draft = { reason: 'too small', skus: [], exchange: false, qc: true, dangerous: false }
  const made = await write(() => createReturn(dialect, account, host, { ...draft, shipment: delivered.id }))
  const display = made.attributes.display_id!
  await write(() => updateReturn(dialect, account, host, display, { status: 'return_pickup_scheduled', qc: 'passed' }))
  await write(() => updateReturn(dialect, account, host, made.id, { refund: 'processed' }))
}

/** What a mirror saves of another deployment. */
async function pullEverything({ database, account, host }: TestEngine): Promise<void> {
  const { dialect, read, write } = database
  const now = host.now()
  const row = { kind: 'shipments', owner: 'one', state: '{}' }
  await write(() => beginPull(account, row, now))
  await write(() => savePull(account, row, now))
  await read(() => pullStates(account), 'single')
  for (const kind of ['shipments', 'returns'] as const) {
    await read(() => openMoments(dialect, account, kind, { from: 0, to: now, now }), 'single')
    await read(() => countCreated(account, kind, 0, now), 'single')
    const sent = readSent(
      kind,
      JSON.stringify({ id: 'sent', attributes: { created_at: '2020-01-02T00:00:00Z', tags: ['x'] } }),
    )
    await write(() => saveSent(dialect, account, kind, [sent!]))
    const at = Date.parse('2020-01-02T00:00:00Z')
    const stretch = { after: [at - 1, 'x'], upTo: [at, 'z'], from: at - 1, to: at } as const
    expect(await write(() => removeUnseen(dialect, account, kind, stretch, new Set()))).toBe(1)
  }
  const mirrored = { id: 'm', store_name: 'mirrored' } as const
  await write(() => replaceStores(account, [mirrored], now))
}

/** Does whatever there is to do with messages. */
async function tellEverything({ dialect, read, write }: Database, account: number, host: Host): Promise<void> {
  const now = host.now()
  const parcel = (await read(() => listMessages(account, {}, 1), 'single'))[0]!.tracking_number!
  const scans = ['one', 'two'].map(
    (id, n) =>
      ({
        tracking: parcel,
        id,
        event: 'in_transit',
        at: now - 1 - n,
        reason: null,
        location: null,
        description: null,
      }) as const,
  )
  await read(() => handovers(account, [parcel]))
  await read(() => recordSpan(dialect, account))
  await read(() => recordPlaces(account, [parcel]))
  await read(() => settledScans(account, host, scans))
  for (const scan of scans) await write(() => track(dialect, account, host, [scan], messageMaker(account, host)))
  const course = { seed: 42, days: 7, now }
  const scene = await read(() => sceneOf(account, testNow))
  await read(() => parcelsWith(account, [parcel]), 'single')
  for (const wanted of [{ numbers: [parcel] }, { kind: 'return', after: [0, 'x'] }] as const) {
    await read(() => planSome(dialect, account, host, course, scene, wanted))
    await write(() => moveSome(dialect, account, host, course, scene, wanted, 'waiting'))
  }
  await write(() => saveGateway(account, 'gateway', { url: 'https://example.com', secret: 'x' }, now))
  await read(() => listGateways(account), 'single')
  await read(() => isSetUp(account), 'single')
  const { webhook } = await write(() =>
    setWebhook(account, { url: 'https://example.com', secret: 'x', api_key: null }, host),
  )
  await read(() => listWebhooks(account), 'single')
  const filter = {
    statuses: ['waiting'],
    channels: ['text'],
    steps: ['order_confirmed'],
    stores: ['acme'],
    tracking: ['x'],
    since: 1,
  } as const
  await read(() => listMessages(account, filter, 10, { created_at: now, id: 'x' }), 'single')
  const [message] = await read(() => listMessages(account, {}, 10), 'single')
  await read(() => getMessage(account, message!.id), 'single')
  await read(() => messageIds(account, [message!.id.slice(-12)]))
  await read(() => countMessages(account), 'single')
  await read(() => countFailed(account), 'single')
  await read(() => findBrand(account, 'x'), 'single')
  const ids = [message!.id]
  await write(() => retryMessages(account, 'failed', now))
  await write(() => retryMessages(account, ids, now))
  for (const quiet of [true, false]) {
    const claim = { now, until: now, channels: ['text', 'email', 'webhook'], limit: 10, quiet } as const
    const { claimed } = await write(() => claimMessages(dialect, account, claim))
    const [first, ...others] = claimed
    if (first === undefined) continue
    await write(() =>
      settleMessages(account, [
        { message: first, outcome: 'sent', at: now },
        ...others.map((one) => ({ message: one, outcome: 'failed', error: 'x', at: now }) as const),
      ]),
    )
    await write(() => settleMessages(account, [{ message: first, outcome: 'released' }]))
  }
  await write(() => cancelMessages(account, ids))
  await write(() => addOptout(account, '+919876543210', now))
  await read(() => listOptouts(account), 'single')
  await write(() => removeOptout(account, '+919876543210'))
  await write(() => keepAnswers(dialect, account, [ndrAnswer]))
  await read(() => lastAnswers(account, ['x', 'y']), 'single')
  await read(() => unsentSince(account, now), 'single')
  await write(() => markSent(account, ['x', 'y'], now))
  await write(() => removeWebhook(account, webhook.id))
}

/** Everything about labels and manifests. */
async function doPrints({ database: { read, write }, account }: TestEngine, ids: readonly string[]): Promise<void> {
  const print: Print = {
    id: 'p',
    shipment_id: ids[0]!,
    kind: 'manifest',
    tracking_number: 'AWB-1',
    manifest: 'M-1',
    handed_over: 0,
    printed_by: 'user',
    printed_at: 1,
  }
  await write(() => keepPrints(account, () => [print, { ...print, id: 'q', kind: 'label', manifest: null }]))
  await read(() => labelsPrinted(account, ids), 'single')
  await read(() => manifestsOf(account, 'M-'), 'single')
  await read(() => ordersOf(account, ids), 'single')
  await read(() => brandNames(account), 'single')
  await read(() => detailedWarehouses(account), 'single')
}

/** Everything about invoices that couriers send. */
async function doMoney(engine: TestEngine, ids: readonly string[]): Promise<void> {
  const { database, account } = engine
  const { dialect, read, write } = database
  const { id, number, sha256 } = keptDocument
  await write(() => keepInvoice(account))
  await read(() => keepsSkus(account))
  await read(() => keepsOrders(account))
  await read(() => skuSizesOf(dialect, account, 'shipment', ids))
  await read(() => skuSizesOf(dialect, account, 'return', ids))
  await read(() => keepsAny(account))
  await read(() => hasShipments(account))
  await read(() => hasManifests(account))
  await read(() => stepsTold(account, ids))
  await read(() => documentOf(account, sha256), 'single')
  await read(() => documentsNumbered(account, number), 'single')
  await read(() => sameNumber(account, { kind: 'invoice', courier: 'Delhivery', number }), 'single')
  await read(() => documentCouriers(account), 'single')
  await read(() => listDocuments(account), 'single')
  await read(() => linesOf(account, id, 0, 10), 'single')
  await read(() => linesOfAwbs(dialect, account, ['AWB-1']), 'single')
  await read(() => awbsBilledAs(account, ['AWB-1']), 'single')
  await read(() => earlierOf(dialect, account, ['AWB-1'], ['INV/2']), 'single')
  await read(() => unbilledOf(dialect, account, 0, 2, '', 10), 'single')
  await read(() => pickedUpBetween(account, 0, 2, ['Delhivery'], 10), 'single')
  await read(() => unbilledBetween(dialect, account, 0, 2, [], 10), 'single')
  await read(() => skusOfAwbs(account, ['AWB-1']), 'single')
  await read(() => parcelCouriers(dialect, account), 'single')
  await read(function* () {
    yield* notTaken(dialect, account, ['AWB-1'])
    const place = { ...(yield* parcelPlace(dialect, account, new Map())), manifests: true }
    yield* parcelsOf(place, ['AWB-1'])
    yield* parcelsOfOrders(place, ['A-1'])
  })
  await write(() => removeDocument(account, id))
  const own = { courier: 'Delhivery', values: { fuel: { value: '12.5%', at: 1 } } }
  await write(() => savePolicy(account, own, { by: 'anita', at: 1 }))
  await read(() => listPolicies(account), 'single')
  await read(() => policyNamed(account, 'Delhivery'), 'single')
  await write(() => savePolicy(account, { ...own, values: {} }, { by: 'anita', at: 2 }))
  await doCod(database, account)
  await disputeEverything(engine)
}

/** Everything about COD and the bank. */
async function doCod(
  { dialect, read, write }: Pick<TestEngine['database'], 'dialect' | 'read' | 'write'>,
  account: number,
): Promise<void> {
  const kinds = ['remittance', 'bank'] as const
  const { id, number, sha256 } = keptRemittance
  await write(() => keepRemittance(account))
  await read(() => keepsAny(account, kinds))
  await read(() => listDocuments(account, kinds), 'single')
  await read(() => nextInstant(account, kinds, 1), 'single')
  await read(() => documentOf(account, sha256, kinds), 'single')
  await read(() => documentsNumbered(account, number, kinds), 'single')
  await read(() => remittanceLinesOf(account, id, 0, 10), 'single')
  await read(() => paymentsOf(dialect, account, ['AWB-1'], { except: ['X'] }), 'single')
  await read(() => linesOfUtrs(dialect, account, ['UTR-1']), 'single')
  await read(() => utrsOfLines(account), 'single')
  await read(() => remittedUtrs(dialect, account, ['UTR-1'], { except: ['X'] }), 'single')
  await read(() => netsOfTransfers(account, ['UTR-1']))
  await read(() => remittancesIn(account, ['UTR-1']), 'single')
  await read(() => creditsNaming(account, ['UTR-1']))
  await read(() => utrsInBank(account, 'back'), 'single')
  await read(() => creditedTogether(account), 'single')
  const credit = {
    statement: '',
    line: 9,
    day: '2026-09-15',
    amount: -5,
    narration: '',
    reference: '',
    utrs: ['UTR-1'],
  }
  const changes = await read(() => creditChanges(account, id, [credit]), 'single')
  await write(() => changeCredits(account, id, changes))
  await read(() => keepsPayments(account), 'single')
  await write(() => keepSought(account, 'no-statement', '{}'))
  await read(() => documentsReplaced(account, { kind: 'remittance', courier: '', number, sha256 }), 'single')
  await read(() => transfersInBank(account))
  await read(() => shortParts(dialect, account, [{ transfer: 'UTR-1', amount: 5 }]))
  await read(() => paymentsKept(dialect, account))
  const until = { day: '2026-09-01', end: 2 }
  await read(() => codDoubts(dialect, account, until))
  await read(() => transfersByDocument(account), 'single')
  await read(() => codPlaces(account), 'single')
  await write(() => markSeen(account, ['UTR-1'], ['X']))
  const part = { awb: 'AWB-1', courier: null, day: null, amount: 5 }
  for (const payments of [
    {
      paid: true,
      compared: ['UTR-8', 'UTR-9'],
      missing: ['UTR-9'],
      short: [part],
      unseen: [{ document: 'X', transfer: 'UTR-8' }],
      until,
    },
    asRemitted(true),
    asRemitted(false),
  ]) {
    const [between, place] = [
      { since: 0, until: 2 },
      { delivered_at: 0, awb: '' },
    ]
    await read(() => owedSums(dialect, account, between, payments), 'single')
    await read(() => owedByDay(dialect, account, { since: 0, until: testNow }, payments))
    await read(() => owedParcels(dialect, account, between, place, 10, payments, { except: ['X'] }), 'single')
    await read(() => remittedByDay(account, '2026-09-01', payments), 'single')
  }
  await read(() => codFlows(account, 0), 'single')
  await write(() => removeDocument(account, id))
}

/** Disputes from their finding to a credit. */
async function disputeEverything({ database, account, host }: TestEngine): Promise<void> {
  const { dialect, read, write } = database
  const change = { at: 5, by: 'anita', source: 'a test', uuid: () => '00000000-0000-4000-8000-000000000000' }
  const document = { id: 'DOC-9', number: 'INV/9', day: '2026-09-01', courier: 'Delhivery', ledger: false }
  const line = {
    key: 'DOC-9:000000001',
    line: 2,
    awb: 'AWB-1',
    order_name: null,
    courier: null,
    due_at: 9,
    announced: '2026-09-02',
  }
  const over = { ...line, journey: 'forward', reason: 'weight' as const, amount: 3540 }
  const hook = { url: 'https://example.com', secret: 'x', api_key: null, events: ['disputes'] as const }
  const { webhook } = await write(() => setWebhook(account, hook, { ...host, now: () => 1 }))
  await read(() => overLines(account, 'DOC-9', { reasons: ['weight'], min: 100 }, '', 10), 'single')
  await read(() => countOver(account, 'DOC-9', { min: 100 }), 'single')
  await read(() => undisputed(account, document, [over]))
  await read(() => announcedBefore(account, ['AWB-1']), 'single')
  await read(() => claimedLines(dialect, account, 'DOC-9', [over]), 'single')
  await read(() => creditedIn(dialect, account, 'DOC-9'))
  const [made] = await write(() => makeDisputes(dialect, account, document, [over], change))
  await write(() => moveDeadlines(account, 'DOC-9', [over], () => 10, change))
  await read(() => untoldDeadlines(account, 5), 'single')
  for (const now of [5, 11]) await write(() => tellDeadlines(dialect, account, now, host))
  const filter = { couriers: ['Delhivery', 'Blue Dart'], min: 100, until: 100 }
  await read(() => disputeCouriers(account), 'single')
  await read(walkDisputes(account, disputeStatuses, filter, 7).next(10))
  await read(() => sumDisputes(account, disputeStatuses, filter, 7))
  await read(() => disputesOfAwbs(dialect, account, ['AWB-1']), 'single')
  await read(() => disputesNumbered(account, [made!.id]), 'single')
  await read(() => linesOfDisputes(dialect, account, [{ document_id: 'DOC-9', line: 2, awb: 'AWB-1' }]), 'single')
  const answer = { id: made!.id, status: 'raised' as const, settled: null, note: null }
  await write(() => answerDisputes(dialect, account, [answer], change))
  await write(() => settleCredits(dialect, account, ['AWB-1'], change))
  await write(() => documentKept(dialect, account, { id: 'DOC-8', ledger: true, replaced: ['DOC-9'] }, change))
  await read(() => awbsNamed(dialect, account, 'DOC-8'))
  await read(() => awbsAwaited(dialect, account, 'DOC-8'))
  await write(() => turnLines(dialect, account, ['AWB-1']))
  await write(() => documentGone(dialect, account, 'DOC-8', () => removeDocument(account, 'DOC-8'), change))
  await write(() => removeWebhook(account, webhook.id))
  await read(() => eventsOf(dialect, account, made!.id), 'single')
  await read(() => raisedOf(account, 'DOC-9'), 'single')
  await read(() => invoicesOfMonth(account, '2026-09'))
  await read(() => parcelsBilled(account, ['DOC-9']), 'single')
  await read(() => disputesAbout(account, [{ ...document, form: 'generic' }], 7))

  const file = {
    awb: 'AWB-1',
    sha256: '0'.repeat(64),
    name: 'a.jpg',
    shows: 'scale',
    bytes: 9,
    added_at: 1,
    added_by: 'anita',
  }
  await write(() => keepEvidence(account, [file]))
  await read(() => evidenceOf(account, ['AWB-1']), 'single')
}
