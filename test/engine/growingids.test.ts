// Defends ids that grow: valid UUIDs of version 7 with the time in front, in the order of their places, and new records have them.
import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import { setWarehouse } from '../../src/engine/accounts/settings.ts'
import { growingId } from '../../src/engine/growingids.ts'
import { openEngine, testNow } from '../support/engine.ts'
import { orderRequest } from '../support/requests.ts'

const versionSeven = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The time in front of an id, ms UTC. */
const timeOf = (id: string): number => Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)

test('ids of one moment are in the order of their places, also of more than 4,096', () => {
  const ids = Array.from({ length: 9000 }, (_, n) => growingId(randomUUID(), testNow, n))
  expect(ids.toSorted()).toEqual(ids)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of [ids[0]!, ids[4095]!, ids[4096]!, ids[8999]!]) expect(id).toMatch(versionSeven)
  expect([0, 4095, 4096, 8999].map((n) => timeOf(ids[n]!) - testNow)).toEqual([0, 0, 1, 2])
})

test('ids without a place share the time and nothing else', () => {
  const ids = Array.from({ length: 1000 }, () => growingId(randomUUID(), testNow))
  expect(new Set(ids).size).toBe(1000)
  for (const id of ids) {
    expect(id).toMatch(versionSeven)
    expect(timeOf(id)).toBe(testNow)
  }
  expect(new Set(ids.map((id) => id.slice(15, 18))).size).toBeGreaterThan(500)
})

test('a new order has such an id', async () => {
  const { service, database, account, close } = await openEngine()
  await database.write(() => setWarehouse(account, 'WH1', '400001'))
  const { payload } = await service.createForwardOrder(
    parseInput('orchestrateForwardOrder', orderRequest({ warehouse_id: 'WH1' })),
  )
  expect(payload.shipment_id).toMatch(versionSeven)
  expect(timeOf(payload.shipment_id)).toBe(testNow)
  await close()
})
