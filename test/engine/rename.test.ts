// Defends renaming a store on PostgreSQL while an order links to it: no record keeps the old name, whoever is first.
// @module-tag full: two processes at a time
import pg from 'pg'
import { expect, test } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import { openPostgresEngine, testHost } from '../support/engine.ts'

test('an order that holds the store while it is renamed gets the new name', async () => {
  const engine = await openPostgresEngine(testHost())
  const order = new pg.Client({ connectionString: engine.url })
  try {
    const { service, account } = engine
    const { data } = await service.createStore(parseInput('createStore', { store_name: 'acme' }))
    await order.connect()
    // What an order does: it looks at the store, which may then not change, and saves its shipment.
    await order.query('begin isolation level repeatable read')
    await order.query('select status from stores where account_id = $1 and store_name = $2 for share', [
      account,
      'acme',
    ])
    const doc = {
      id: 's-1',
      type: 'shipment',
      attributes: { created_at: '2025-11-21T10:00:00Z', order: { store_name: 'acme' } },
    }
    await order.query(
      'insert into shipments (seq, account_id, id, created_at, store_name) values (1, $1, $2, $3, $4)',
      [account, 's-1', Date.parse(doc.attributes.created_at), 'acme'],
    )
    await order.query('insert into shipment_docs (seq, account_id, doc) values (1, $1, $2)', [
      account,
      JSON.stringify(doc),
    ])
    await order.query(`insert into shipment_search (seq, account_id, text) values (1, $1, 's-1')`, [account])
    let renamed = false
    const rename = service.updateStore(parseInput('updateStore', { id: data.id, store_name: 'acme-home' })).then(() => {
      renamed = true
    })
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(renamed).toBe(false)
    await order.query('commit')
    await rename
    const total = async (name: string): Promise<number> =>
      (await service.listShipments(parseInput('listShipments', { store_name: name }))).meta.total
    expect([await total('acme'), await total('acme-home')]).toEqual([0, 1])
  } finally {
    await order.end()
    await engine.close()
  }
})
