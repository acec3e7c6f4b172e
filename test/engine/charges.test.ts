// Defends what a parcel cost: an order keeps the price that it got, other parcels are priced by the version of their day,
// and sums over both are the same on both databases.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import type { Query } from '../../src/domain/contract.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { sampleCard } from '../../src/domain/rates/samplecard.ts'
import type { RateCard, Service } from '../../src/domain/rates/ratecard.ts'
import { quote } from '../../src/domain/rates/rates.ts'
import { saveCard, useCard } from '../../src/engine/accounts/ratecards.ts'
import { setWarehouse } from '../../src/engine/accounts/settings.ts'
import { rows, type Row, type Work } from '../../src/engine/database/port.ts'
import { assignOrder, cancelOrder } from '../../src/engine/orders/changes.ts'
import { createOrders } from '../../src/engine/orders/orders.ts'
import { priceSome, pricingBy, type PricedBatch } from '../../src/engine/orders/pricing.ts'
import { costsOf } from '../../src/engine/records/charges.ts'
import { sumShipments } from '../../src/engine/records/summary.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { seedWarehouses, type SeedPlan } from '../../src/engine/sample/plan.ts'
import { track } from '../../src/engine/tracking.ts'
import { openEngine, openPostgresEngine, testNow, type TestEngine } from '../support/engine.ts'
import { orderRequest } from '../support/requests.ts'
import { first } from '../support/size.ts'

const plan: SeedPlan = { shipments: 400, returns: 0, stores: 4, days: 40, seed: 11, now: testNow }
const service = sampleCard.services[0]!

/** The sample card with a fuel surcharge, and a COD fee that stays on the first of its services. */
const contract: RateCard = {
  ...sampleCard,
  name: 'contract',
  services: sampleCard.services.map((one, i) => ({
    ...one,
    surcharges: [{ name: 'Fuel', percent: 10 }],
    ...(i === 0 ? { cod: { ...one.cod, on_rto: 'charged' as const } } : {}),
  })),
}

const orderOf = (order_id: string, over: object = {}) =>
  parseInput(
    'orchestrateForwardOrder',
    orderRequest({ order_id, payment_method: 'COD', cod_collectible: 999, ...over }),
  )

const charges = ({ database, account }: TestEngine): Promise<readonly Row[]> => {
  const text = 'select * from charges where account_id = $1 order by shipment_id'
  return database.read(() => rows({ sql: text.replace('$1', '?'), text, values: [account] }))
}

const all = parseInput('listShipments', {}) as Query

/** Prices all parcels of a query in small batches. */
async function priceAll(
  { database, account }: TestEngine,
  over: { readonly again?: boolean; readonly dry?: boolean; readonly card?: string; readonly input?: Query } = {},
): Promise<readonly PricedBatch[]> {
  const { again = false, dry = false, card, input = all } = over
  const pricing = await database.read(() => pricingBy(account, card, { again, dry, now: testNow }))
  const batches: PricedBatch[] = []
  for (let query: Query | undefined = input; query !== undefined;) {
    const asked: Query = query
    const work = (): Work<PricedBatch> => priceSome({ dialect: database.dialect, account }, pricing, asked, 70, 100_000)
    const batch: PricedBatch = await (dry ? database.read(work) : database.write(work))
    batches.push(batch)
    query = batch.next === undefined ? undefined : ({ ...input, search_after: [...batch.next] } as Query)
  }
  return batches
}

const sum = (batches: readonly PricedBatch[], name: 'seen' | 'priced' | 'known' | 'open' | 'total'): number =>
  batches.reduce((total, batch) => total + batch[name], 0)

const costOf = ({ database, account }: TestEngine, id: string) =>
  database.read(() => costsOf(account, [id])).then((costs) => costs.get(id))

/** A parcel as another system has it. */
const foreign = (id: string, over: object = {}): Shipment =>
  ({
    id,
    type: 'shipment',
    attributes: {
      tracking_number: `AWB-${id}`,
      status: 'delivered',
      granular_status: 'delivered',
      created_at: '2025-11-01T06:00:00Z',
      warehouse_id: 'unknown',
      total_price: 1200,
      cod_amount: 0,
      is_cod: false,
      zone: 'zone_c',
      applied_weight: { value: 700, metric_unit: 'g' },
      carrier: { id: service.carrier_id, name: service.carrier_name },
      shipping_address: { city: 'Bengaluru', state: 'Karnataka', zip: '560001' },
      ...over,
    },
  }) as unknown as Shipment

describe.each(first(1, ['SQLite', 'PostgreSQL']))('on %s', (kind) => {
  let engine: TestEngine
  beforeAll(async () => {
    engine = kind === 'SQLite' ? await openEngine() : await openPostgresEngine()
    const { database, account } = engine
    await database.write(function* () {
      yield* setWarehouse(account, 'WH1', '400001')
      yield* saveCard(account, contract, testNow)
      yield* useCard(account, 'contract')
    })
  })
  afterAll(() => engine.close())

  test('an order keeps what its courier was quoted at, and one without a courier keeps nothing', async () => {
    const { database, account, host } = engine
    const { dialect, write } = database
    const made = await write(() => createOrders(dialect, account, host, [orderOf('A-1'), orderOf('A-2')], true))
    await write(() => createOrders(dialect, account, host, [orderOf('B-1')], false))
    const found = await charges(engine)
    expect(found).toHaveLength(2)
    const one = made[0] as { answer: { payload: Record<string, unknown> } }
    const { payload } = one.answer
    const row = found.find(({ shipment_id }) => shipment_id === payload['shipment_id'])!
    const text = payload['charges'] as Record<string, Record<string, string>>
    const paise = (rupees: string): number => Math.round(Number(rupees) * 100)
    expect(row).toMatchObject({
      carrier_id: payload['courier_company_id'],
      card: 'contract',
      valid_from: '',
      day: '2025-11-21',
      zone_by: 'card',
      weight: Number(payload['applied_weight']) * 1e6,
      freight: paise(text['frwd_charges']!['shipping_charges']!),
      cod: paise(text['frwd_charges']!['cod_charges']!),
      rto: paise(text['rto_charges']!['rto_charges']!),
      gst: 1800,
      quoted_by: 'order',
      quoted_at: testNow,
    })
    const fuel = Math.round(Number(row['freight']) / 10)
    expect(row['surcharges']).toBe(fuel)
    expect(JSON.parse(String(row['parts']))).toEqual([
      { leg: 'forward', name: 'Fuel', paise: fuel },
      { leg: 'rto', name: 'Fuel', paise: expect.any(Number) },
    ])
  })

  test('a prepaid order pays what the card asks of its value', async () => {
    const { database, account, host } = engine
    const { dialect, write } = database
    const surcharges = [{ name: 'Insurance', percent_of_value: 1 }]
    const insured = { ...contract, name: 'insured', services: [{ ...service, surcharges }] }
    await write(function* () {
      yield* saveCard(account, insured, testNow)
      yield* useCard(account, 'insured')
    })
    const order = orderOf('I-1', { payment_method: 'PREPAID', cod_collectible: undefined, sub_total: 5000 })
    await write(() => createOrders(dialect, account, host, [order], true))
    await write(() => useCard(account, 'contract'))
    const row = (await charges(engine)).find(({ card }) => card === 'insured')!
    expect(row).toMatchObject({ cod: 0, surcharges: 5000 })
  })

  test('a courier that is assigned later brings its price, and a cancelled order costs nothing', async () => {
    const { database, account, host } = engine
    const { dialect, write } = database
    const { shipment } = await write(() => assignOrder(dialect, account, host, 'B-1', undefined))
    const before = (await costOf(engine, shipment.id))!
    expect(before.cost).toBeGreaterThan(before.freight)
    await write(() => cancelOrder(dialect, account, host, 'B-1'))
    expect(await costOf(engine, shipment.id)).toEqual({ ...before, cost: 0 })
  })

  test('a parcel on its way back costs the RTO, and its COD fee only where the card says so', async () => {
    const { database, account, host } = engine
    const { dialect, write } = database
    for (const [order_id, carrier, kept] of [
      ['R-1', contract.services[0]!.carrier_id, true],
      ['R-2', contract.services[1]!.carrier_id, false],
    ] as const) {
      const made = await write(() =>
        createOrders(dialect, account, host, [{ ...orderOf(order_id), carrier_id: carrier }], true),
      )
      expect(made[0]).toHaveProperty('answer')
      const { payload } = (made[0] as { answer: { payload: { shipment_id: string; awb_code: string } } }).answer
      const before = (await costOf(engine, payload.shipment_id))!
      const scans = (['picked_up', 'in_transit', 'out_for_delivery', 'rto_initiated'] as const).map((event, n) => ({
        tracking: payload.awb_code,
        id: `${order_id}-${n}`,
        event,
        at: testNow + n,
        reason: null,
        location: null,
        description: null,
      }))
      await write(() => track(dialect, account, { ...host, now: () => testNow + 10 }, scans, function* () {}))
      const after = (await costOf(engine, payload.shipment_id))!
      expect(after.cost - before.cost).toBe(before.rto_freight - (kept ? 0 : before.cod_fee))
      expect(before.cod_fee).toBeGreaterThan(0)
    }
  })

  test('records that came otherwise get the price of a quote for them, each once', async () => {
    const other = await engine.as('seeded')
    const { database, account, save } = other
    await database.write(function* () {
      for (const { id, pincode } of seedWarehouses(plan)) yield* setWarehouse(account, id, pincode)
      yield* saveCard(account, contract, testNow)
      yield* useCard(account, 'contract')
    })
    const shipments = [...seedShipments(plan)]
    await save('shipment', shipments)
    const dry = await priceAll(other, { dry: true })
    expect(await charges(other)).toEqual([])
    const done = await priceAll(other)
    expect(done).toEqual(dry)
    const withCourier = shipments.filter(({ attributes }) => attributes.carrier != null)
    expect([sum(done, 'seen'), sum(done, 'priced'), sum(done, 'open')]).toEqual([
      shipments.length,
      withCourier.length,
      shipments.length - withCourier.length,
    ])
    const found = new Map((await charges(other)).map((row) => [row['shipment_id'], row]))
    const sites = new Map(seedWarehouses(plan).map(({ id, pincode }) => [id, pincode]))
    for (const { id, attributes: a } of withCourier) {
      const request = {
        journey_type: 'forward',
        origin_pincode: sites.get(a.warehouse_id!)!,
        destination_pincode: a.shipping_address!.zip!,
        dead_weight: a.applied_weight!.value!,
        length: 0.001,
        width: 0.001,
        height: 0.001,
        payment_method: a.is_cod === true ? 'cod' : 'prepaid',
        ...(a.is_cod === true ? { shipment_value: a.cod_amount! } : {}),
      } as const
      const { offers } = quote(request, contract, testNow)
      const offer = offers.find(({ service: { carrier_id } }) => carrier_id === a.carrier!.id)!
      expect(found.get(id)).toMatchObject({
        freight: offer.freight,
        cod: offer.cod,
        rto: offer.rto,
        zone: offer.zone.name,
        quoted_by: 'card',
      })
    }
    const again = await priceAll(other)
    expect([sum(again, 'priced'), sum(again, 'known')]).toEqual([0, withCourier.length])
    expect(sum(await priceAll(other, { again: true }), 'total')).toBe(sum(done, 'total'))
    const some = await priceAll(other, {
      again: true,
      input: parseInput('listShipments', { zone: ['zone_d'] }) as Query,
    })
    expect(sum(some, 'seen')).toBe(shipments.filter(({ attributes }) => attributes.zone === 'zone_d').length)
  })

  test('a parcel is priced by the version of its pickup day, and none is priced without one', async () => {
    const other = await engine.as('versions')
    const { database, account, save } = other
    const dearer: RateCard = {
      ...contract,
      valid_from: '2025-11-10',
      services: contract.services.map((one) => ({ ...one, platform_fee: one.platform_fee + 7 })),
    }
    await database.write(function* () {
      yield* saveCard(account, { ...contract, valid_from: '2025-10-01' }, testNow)
      yield* saveCard(account, dearer, testNow)
      yield* useCard(account, 'contract')
    })
    const picked = (at: string) => ({ shipment_milestones: [{ milestone: 'picked_up', milestone_at: at }] })
    await save('shipment', [
      // 20:00 UTC is the next day in India.
      foreign('before', picked('2025-11-09T18:00:00Z')),
      foreign('after', picked('2025-11-09T20:00:00Z')),
      foreign('created', { created_at: '2025-11-12T06:00:00Z' }),
      foreign('old', picked('2025-09-30T06:00:00Z')),
    ])
    const [batch] = await priceAll(other)
    expect(batch!.refused).toEqual([
      { reason: 'no_card_for_day', why: 'contract has no prices for 2025-09-30', name: 'AWB-old' },
    ])
    const found = await charges(other)
    expect(found.map((row) => [row['shipment_id'], row['valid_from'], row['day']])).toEqual([
      ['after', '2025-11-10', '2025-11-10'],
      ['before', '2025-10-01', '2025-11-09'],
      ['created', '2025-11-10', '2025-11-12'],
    ])
    const fee = (id: string): number => Number(found.find((row) => row['shipment_id'] === id)!['platform_fee'])
    expect(fee('after') - fee('before')).toBe(700)
  })

  test('a record without a known warehouse has the price of its own zone; what it lacks is said', async () => {
    const other = await engine.as('foreign')
    const { database, account, save } = other
    await database.write(function* () {
      yield* setWarehouse(account, 'WH1', '400001')
      yield* saveCard(account, contract, testNow)
      yield* useCard(account, 'contract')
    })
    await save('shipment', [
      foreign('zoned', { zone: 'zone_d' }),
      foreign('placed', { warehouse_id: 'WH1', zone: 'zone_d' }),
      foreign('named', { carrier: { id: '77', name: service.carrier_name.toUpperCase() } }),
      foreign('unnumbered', { carrier: { name: service.carrier_name } }),
      foreign('nowhere', { zone: null }),
      foreign('other', { carrier: { id: '78', name: 'Unknown Express' } }),
      foreign('uncollected', { is_cod: true, cod_amount: 0 }),
      foreign('collected', { is_cod: true, cod_amount: 0.01 }),
      // Beyond all counting is not the same as no amount, for which the value stands.
      foreign('boundless', { is_cod: true, cod_amount: 1e14 }),
      foreign('valued', { is_cod: true, cod_amount: null }),
      foreign('weightless', { applied_weight: null }),
      foreign('unpaid', { is_cod: null }),
      foreign('heavy', { applied_weight: { value: 9e9, metric_unit: 'g' } }),
      foreign('open', { carrier: null }),
    ])
    const [batch] = await priceAll(other)
    expect(batch!.open).toBe(1)
    const reasons = Object.fromEntries(batch!.refused.map(({ name, reason }) => [name, reason]))
    expect(reasons).toEqual({
      'AWB-nowhere': 'no_zone',
      'AWB-other': 'courier_not_on_card',
      'AWB-weightless': 'no_weight',
      'AWB-unpaid': 'no_payment',
      'AWB-uncollected': 'no_payment',
      'AWB-boundless': 'no_payment',
      'AWB-heavy': 'not_offered',
    })
    const found = new Map((await charges(other)).map((row) => [row['shipment_id'], row]))
    expect(found.get('zoned')).toMatchObject({ zone: 'zone_d', zone_by: 'record' })
    expect(found.get('placed')).toMatchObject({ zone: 'zone_c', zone_by: 'card' })
    for (const id of ['named', 'unnumbered'])
      expect(found.get(id)).toMatchObject({ carrier_id: service.carrier_id, weight: 700_000 })
  })

  test('the zone of a record is that of the courier when only one of its zones counts as it', async () => {
    const other = await engine.as('drawn')
    const { database, account, save } = other
    const zones = { A: 'zone_a', C1: 'zone_c', C2: 'zone_c', D: 'zone_d' } as const
    const prices = (of: Service['forward']) =>
      Object.fromEntries(Object.entries(zones).map(([name, five]) => [name, of[five]!]))
    const drawn: RateCard = {
      ...contract,
      zone_tables: [{ name: 'own', zones, origins: [{ from: '400001', to: { C2: ['560'] } }] }],
      services: [{ ...service, zone_table: 'own', forward: prices(service.forward), rto: { percent: 50 } }],
    }
    await database.write(function* () {
      yield* setWarehouse(account, 'WH1', '400001')
      yield* saveCard(account, drawn, testNow)
      yield* useCard(account, 'contract')
    })
    await save('shipment', [
      foreign('one', { zone: 'zone_d' }),
      foreign('two', { zone: 'zone_c' }),
      foreign('placed', { warehouse_id: 'WH1', zone: 'zone_d' }),
    ])
    const [batch] = await priceAll(other)
    expect(batch!.refused).toEqual([
      { reason: 'not_offered', name: 'AWB-two', why: `${service.carrier_name}: "zone_c" is not a zone of "own"` },
    ])
    expect((await charges(other)).map((row) => [row['shipment_id'], row['zone'], row['zone_by']])).toEqual([
      ['one', 'D', 'record'],
      ['placed', 'C2', 'card'],
    ])
  })

  test('sums leave cancelled parcels out and count those without a price', async () => {
    const other = await engine.as('summed')
    const { database, account, save } = other
    await database.write(() => saveCard(account, contract, testNow))
    await database.write(() => useCard(account, 'contract'))
    await save('shipment', [
      foreign('one', { total_price: 1000 }),
      foreign('two', { total_price: 500 }),
      foreign('gone', { status: 'cancelled', granular_status: 'cancelled', total_price: 9999 }),
    ])
    await priceAll(other)
    await save('shipment', [foreign('late', { total_price: 7777 }), foreign('open', { carrier: null })])
    const place = { dialect: database.dialect, account }
    const [group, ...more] = await database.read(() => sumShipments(place, all, ['zone'], { cost: true }))
    const one = (await costOf(other, 'one'))!
    expect(more).toEqual([])
    expect(group!.sums).toMatchObject({
      count: 5,
      priced: 2,
      freight: 2 * one.freight,
      cost: 2 * one.cost,
      priced_value: 150_000,
      unpriced: 1,
    })
    const [tagged] = await database.read(() => sumShipments(place, all, ['zone'], {}))
    expect(tagged!.sums).not.toHaveProperty('cost')
  })
})
