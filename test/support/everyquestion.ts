// Every question that listings and work lists can be asked: each filter alone and with the others, in each order and
// way.
import { expect } from 'vitest'
import type { Filter } from '../../src/domain/filters.ts'
import { parseInput } from '../../src/domain/parse.ts'
import { returnFilters, returnSorts } from '../../src/domain/parcels/returns.ts'
import { shipmentFilters } from '../../src/domain/parcels/shipments.ts'
import { openStatuses, shipmentDates } from '../../src/domain/parcels/statuses.ts'
import { manyKeys, returnKeys, shipmentKeys } from '../../src/domain/parcels/summary.ts'
import type { RecordKind } from '../../src/engine/database/port.ts'
import { matches, recordsAt } from '../../src/engine/records/listing.ts'
import { absentNames, courierNames, namesThere } from '../../src/engine/records/absentnames.ts'
import { shipmentsNamed } from '../../src/engine/records/references.ts'
import { quietShipments, quietTexts } from '../../src/engine/records/stuck.ts'
import { reportReturns, reportShipments } from '../../src/engine/records/report.ts'
import { sumReturns, sumShipments } from '../../src/engine/records/summary.ts'
import { holdsSample } from '../../src/engine/sample/mark.ts'
import { testNow, type TestEngine } from './engine.ts'

type Json = Readonly<Record<string, unknown>>

const places = {
  city: [['Pune'], ['Pune', 'y']],
  state: [['Goa'], ['Goa', 'Delhi']],
  pincode: [['560001'], ['560001', '400001']],
} as const

/** Values that each filter is asked with; the first one is asked in pairs too. */
const values = {
  shipment: {
    search: ['kurta cotton', 'kurta', 'an', 'kurta an', 'कुर्ता', '%_\\'],
    status: ['delivered'],
    statuses: [['delivered'], ['delivered', 'pending']],
    granular_status: [['delivered'], ['delivered', 'lost']],
    carrier_id: [['x'], ['x', 'y']],
    warehouse_ids: [['x'], ['x', 'y']],
    channel: [['x'], ['x', 'y']],
    zone: [['zone_a'], ['zone_a', 'zone_e']],
    is_cod: [true],
    sku: [['x'], ['x', 'y']],
    tags: [['gift'], ['gift', 'y']],
    ndr_reason: [['other'], ['other', 'premises_closed']],
    rto_reason: [['other'], ['other', 'premises_closed']],
    applied_weight_min: [0],
    applied_weight_max: [50_000],
    attempts_count__gte: [0],
    attempts_count__lte: [9],
    store_name: [['x'], ['x', 'y']],
    order_display_id: [['x'], ['x', 'y']],
    tracking_number: [['x'], ['x', 'y']],
    ...places,
    start_time: [0],
    end_time: [9_999_999_999],
  } satisfies Record<keyof typeof shipmentFilters, readonly unknown[]>,
  return: {
    search: ['kurta cotton', 'kurta', 'an', 'kurta an'],
    status: ['return_received'],
    statuses: [['return_received'], ['return_received', 'in_transit']],
    granular_status: [['return_delivered'], ['return_delivered', 'return_lost']],
    warehouse_id: [['x'], ['x', 'y']],
    channel: [['x'], ['x', 'y']],
    store_name: [['x'], ['x', 'y']],
    carrier_ids: [['x'], ['x', 'y']],
    zone: [['zone_a'], ['zone_a', 'zone_e']],
    refund_status: [['processed'], ['processed', 'failed']],
    qc_status: [['passed'], ['passed', 'failed']],
    display_id: [['x'], ['x', 'y']],
    tracking_number: [['x'], ['x', 'y']],
    ...places,
    sku: [['x'], ['x', 'y']],
    is_dangerous_goods: [false],
    created_at__gte: ['1970-01-02'],
    created_at__lte: ['2030-01-01'],
    return_pickup_scheduled_at__gte: ['1970-01-02'],
    return_pickup_scheduled_at__lte: ['2030-01-01'],
    return_delivered_at__gte: ['1970-01-02'],
    return_delivered_at__lte: ['2030-01-01'],
  } satisfies Record<keyof typeof returnFilters, readonly unknown[]>,
} as const

const filtersOf: Readonly<Record<RecordKind, Readonly<Record<string, Filter>>>> = {
  shipment: shipmentFilters,
  return: returnFilters,
}

/** Asks every listing question: each filter alone and with every other one, in each order, by page, cursor and walk. */
export async function askListings({ service }: TestEngine): Promise<void> {
  for (const kind of ['shipment', 'return'] as const) {
    const page = (raw: Json) =>
      kind === 'shipment'
        ? service.listShipments(parseInput('listShipments', raw))
        : service.listReturns(parseInput('listReturns', raw))
    const sorts: readonly Json[] = kind === 'shipment' ? [{}] : returnSorts.map((sort_by) => ({ sort_by }))
    const everyWay = async (raw: Json): Promise<void> => {
      for (const sort of sorts) {
        const asked = { ...raw, ...sort }
        const { meta } = await page({ ...asked, per_page: 3 })
        const search_after = meta.next_search_after.length > 0 ? meta.next_search_after : ['1762000000000', 'a']
        await page({ ...asked, per_page: 100 })
        for (const sort_order of ['asc', 'desc']) {
          await page({ ...asked, sort_order, page: 2, per_page: 3 })
          await page({ ...asked, sort_order, search_after, per_page: 3 })
        }
      }
      const walk =
        kind === 'shipment'
          ? await service.walkShipments(parseInput('listShipments', raw))
          : await service.walkReturns(parseInput('listReturns', raw))
      const walked: string[] = []
      for await (const { records } of walk.batches)
        walked.push(...records.map((record) => (JSON.parse(record) as { id: string }).id))
      const found: string[] = []
      for await (const ids of kind === 'shipment'
        ? service.shipmentIds(parseInput('listShipments', raw))
        : service.returnIds(parseInput('listReturns', raw)))
        found.push(...ids)
      expect(found).toEqual(walked)
      await (kind === 'shipment'
        ? service.lines.listShipments(parseInput('listShipments', raw))
        : service.lines.listReturns(parseInput('listReturns', raw)))
    }
    const asked: Readonly<Record<string, readonly unknown[]>> = values[kind]
    const names = Object.keys(filtersOf[kind])
    await everyWay({})
    for (const name of names) {
      for (const value of asked[name]!) await everyWay({ [name]: value })
      if (typeof filtersOf[kind][name]!.column !== 'string')
        for (const date_field of shipmentDates) await everyWay({ date_field, [name]: asked[name]![0] })
      for (const other of names) {
        if (other <= name) continue
        await page({ [name]: asked[name]![0], [other]: asked[other]![0], per_page: 1 })
        await page({ [name]: asked[name]![0], [other]: asked[other]!.at(-1), per_page: 100 })
      }
    }
  }
}

/** Sums up by every key, alone and with another, and asks what work lists ask. */
export async function askLists({ database, account }: TestEngine): Promise<void> {
  const { dialect, read } = database
  const place = { dialect, account }
  const all = parseInput('listShipments', {})
  const some = parseInput('listShipments', { sku: ['x', 'y'], search: 'kurta an', zone: ['zone_a'] })
  for (const [i, key] of shipmentKeys.entries()) {
    await read(() => sumShipments(place, all, [key]))
    const other = shipmentKeys[(i + 3) % shipmentKeys.length]!
    if (!manyKeys.has(key) || !manyKeys.has(other)) await read(() => sumShipments(place, some, [key, other]))
  }
  for (const key of returnKeys) await read(() => sumReturns(place, parseInput('listReturns', {}), [key]))
  await read(() => reportShipments(place, some))
  await read(() => reportReturns(place, parseInput('listReturns', {})))
  for (const status of openStatuses) {
    const quiet = await read(() => quietShipments(place, some, status, testNow))
    await read(() => quietShipments(place, all, status, testNow))
    await read(() => quietTexts(place, status, testNow, [...quiet.map(({ seq }) => seq), 1]), 'single')
  }
  await read(() => recordsAt(place, 'return', [1, 2]), 'single')
  await read(() => matches(place, 'return', parseInput('listReturns', {})))
  await read(() => shipmentsNamed(account, ['a', 'b']), 'single')
  await read(() => holdsSample(account))
  for (const named of ['store', 'courier', 'warehouse', 'channel', 'sku', 'tag'] as const) {
    expect(await read(() => absentNames(account, named, ['nobody']))).toEqual(['nobody'])
    await read(() => namesThere(account, named, 3))
  }
  await read(() => courierNames(account, ['nobody']), 'single')
}
