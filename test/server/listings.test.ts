// Listings take, refuse and answer over HTTP what the API description says of each parameter.
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { contract, type Name } from '../../src/domain/contract.ts'
import { shipmentFilters } from '../../src/domain/parcels/shipments.ts'
import type { Json } from './apidocument.ts'
import { valueField, filterField, listingFilters } from './fieldvalues.ts'
import { describedService } from './describedservice.ts'
import { first } from '../support/size.ts'

const service = describedService()

describe.each(Object.entries(listingFilters) as [Name, typeof shipmentFilters][])('%s', (name, filters) => {
  test.each(first(12, Object.keys(filters)))('takes and refuses %s as the document says', async (field) => {
    const filter = filters[field as keyof typeof filters]
    const { good, bad, beyond = [] } = filterField(filter)
    const several = filter.comparison === 'any_of' || filter.comparison === 'holds_any'
    for (const value of good) {
      await service.taken(name, { [field]: value, per_page: 1 })
      if (several) await service.taken(name, { [`${field}[]`]: value, per_page: 1 })
    }
    for (const value of bad) {
      await service.refused(name, { [field]: value })
      if (several) await service.refused(name, { [`${field}[]`]: value })
    }
    for (const value of beyond) await service.refused(name, { [field]: value }, false)
    await service.refused(name, { [`${field}x`]: good[0] })
    if (several) await service.refused(name, { [field]: good[0], [`${field}[]`]: good[0] })
  })

  const { properties } = z.toJSONSchema(contract[name].input(), { io: 'input', unrepresentable: 'any' }) as {
    readonly properties: Readonly<Record<string, Json>>
  }
  const others = Object.keys(properties).filter((field) => !(field in filters) && !field.endsWith('search_after'))
  test.each(others)('takes and refuses %s as the document says', async (field) => {
    const { good, bad } = valueField(properties[field]!)
    for (const value of good) await service.taken(name, { [field]: value })
    for (const value of bad) await service.refused(name, { [field]: value })
  })

  test('takes a cursor, alone or with page 1', async () => {
    const whole = (await service.taken(name, { per_page: 7 })).json() as {
      readonly meta: { readonly next_search_after: unknown }
    }
    const cursor = whole.meta.next_search_after
    for (const field of ['search_after', 'next_search_after']) {
      await service.taken(name, { [field]: cursor })
      await service.taken(name, { [field]: cursor, page: 1 })
      await service.taken(name, { [field]: cursor, page: '1' })
      await service.refused(name, { [field]: cursor, page: 2 })
      await service.taken(name, { search_after: cursor, next_search_after: cursor })
      await service.refused(
        name,
        { [field]: cursor, [field === 'search_after' ? 'next_search_after' : 'search_after']: ['1', 'a'] },
        false,
      )
      for (const value of [
        '',
        [],
        ['1'],
        ['1', ''],
        ['1', ' '],
        ['1', '\t'],
        ['x', 'y'],
        [1, 'a'],
        ['1', 'a', 'b'],
        null,
        {},
      ])
        await service.refused(name, { [field]: value })
    }
  })

  test('answers every record as described, page by page, and nothing behind the last one', async () => {
    let seen = 0
    for (let page = 1; ; page++) {
      const { data, meta } = (await service.taken(name, { page, per_page: 100 })).json() as {
        readonly data: readonly unknown[]
        readonly meta: { readonly total: number }
      }
      seen += data.length
      if (data.length > 0) continue
      expect(seen).toBe(meta.total)
      break
    }
    expect(seen).toBeGreaterThanOrEqual(50)
    await service.taken(name, {})
    expect((await service.ask(name)).statusCode).toBe(200)
  })

  test('refuses a range with its ends the wrong way round, and what is no object', async () => {
    const reversed: Readonly<Partial<Record<Name, Json>>> = {
      listShipments: { start_time: 2, end_time: 1 },
      listReturns: { created_at__gte: '2025-11-02', created_at__lte: '2025-11-01' },
    }
    await service.refused(name, reversed[name], false)
    for (const body of [[], 'x', 5, null]) await service.refused(name, body)
    expect(
      (await service.ask(name, { payload: '{"page":', headers: { 'content-type': 'application/json' } })).statusCode,
    ).toBe(400)
    expect((await service.ask(name, { query: '?page=2' })).statusCode).toBe(400)
  })
})
