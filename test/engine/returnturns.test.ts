// Defends that a customer is refunded once: of returns of one parcel that are made at the same moment, one is kept.
// @module-tag full: a PostgreSQL
import { expect, onTestFinished, test } from 'vitest'
import { createReturn } from '../../src/engine/orders/returns.ts'
import { seedShipments } from '../../src/engine/sample/seed.ts'
import { openEngine, openPostgresEngine, testNow } from '../support/engine.ts'

const plan = { shipments: 60, returns: 0, stores: 1, days: 30, seed: 3, now: testNow }

test.each([
  ['SQLite', openEngine],
  ['PostgreSQL', openPostgresEngine],
] as const)('two returns of one parcel at once were both kept: %s', async (_, open) => {
  const engine = await open()
  onTestFinished(() => engine.close())
  const { database, account, host } = engine
  const shipments = [...seedShipments(plan)]
  await engine.save('shipment', shipments)
  const delivered = shipments.filter(({ attributes }) => attributes.status === 'delivered').slice(0, 5)
  expect(delivered).toHaveLength(5)
  const asked = { reason: 'too small', skus: [], exchange: false, qc: false, dangerous: false }
  for (const { id } of delivered) {
    const draft = { ...asked, shipment: id }
    const made = (): Promise<unknown> =>
      database
        .write(() => createReturn(database.dialect, account, host, draft))
        .then(
          () => 'kept',
          (error: { code?: string }) => error.code,
        )
    const all = await Promise.all([made(), made(), made(), made()])
    expect(all.toSorted()).toEqual(['kept', 'wrong_state', 'wrong_state', 'wrong_state'])
  }
})
