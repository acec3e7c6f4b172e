// Every filter of both listings keeps exactly the records that its sentence in the decisions says, in order, on any data.
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Page } from '../../src/domain/page.ts'
import { parseInput } from '../../src/domain/parse.ts'
import type { Return } from '../../src/domain/parcels/returns.ts'
import type { Shipment } from '../../src/domain/parcels/shipments.ts'
import { checkRecord } from '../../src/engine/transfer/imports.ts'
import type { EmbeddedService } from '../../src/engine/service.ts'
import { openEngine } from '../support/engine.ts'
import { runs } from '../support/size.ts'
import type { Json } from '../support/mangledrecords.ts'
import { sent, back, none, reversed, expected, type Listing } from '../support/filteroracle.ts'
import { filteredServices, type On, type FilteredServices } from '../support/filteredservices.ts'
import { questions, wireOf, type Question } from '../support/filterquestions.ts'

const services = filteredServices()

test('SQLite as a database that plans for itself is given no hint, and SQLite itself is', async () => {
  const asked = (on: On): Promise<Page> =>
    services.on(on).listShipments(parseInput('listShipments', { status: 'delivered', zone: ['a', 'b'] }))
  const from = services.unhinted.length
  const [hinted, plain] = [await asked('hints'), await asked('no hints')]
  expect(plain).toEqual(hinted)
  const unhinted = services.unhinted.slice(from)
  expect(unhinted).toEqual(
    expect.arrayContaining([expect.stringMatching(/ as total from .* from shipments r where /s)]),
  )
  expect(unhinted.filter((sql) => sql.includes('indexed by'))).toEqual([])
})

/** Asks and compares: the total and the text of every record of every page. */
async function check(services: FilteredServices, listing: Listing, question: Question): Promise<void> {
  const raw = wireOf(question)
  const service = services.on(question.on)
  if (reversed(question.filters)) {
    await expect(async () => listing.page(service, raw)).rejects.toMatchObject({ code: 'invalid_input' })
    return
  }
  const wanted = expected(listing, question)
  // Long answers come on large pages, so that a question costs some dozen pages at most.
  const per_page = Math.max(question.per_page, Math.min(100, Math.ceil(wanted.length / 12)))
  const given: string[] = []
  for (let page = 1; page <= Math.ceil(wanted.length / per_page) + 1; page++) {
    const { records, meta } = await listing.page(service, { ...raw, page, per_page })
    expect(meta).toMatchObject({ current_page: page, per_page, total: wanted.length })
    given.push(...records)
  }
  expect(given).toEqual(wanted)
}

const everyFilter = [sent, back].flatMap((listing) =>
  Object.keys(listing.filters).map((name) => [listing.kind, name, listing] as const),
)

describe('one filter', () => {
  test.each(everyFilter)('%s %s keeps what it says', async (_, name, listing) => {
    await fc.assert(
      fc.asyncProperty(questions(listing, [name]), (question) => check(services, listing, question)),
      { numRuns: runs(1, 25) },
    )
  })

  test.each(everyFilter)('%s %s keeps some of the data and not all of it', async (_, name, listing) => {
    const some = fc.sample(questions(listing, [name]), { numRuns: 300, seed: 1 }).some((question) => {
      const kept = none(question.filters[name]) ? 0 : expected(listing, question).length
      return kept > 0 && kept < listing.records.length
    })
    expect(some).toBe(true)
  })
})

describe.each([sent, back])('filters of $kind together', (listing) => {
  test('keep what all of them keep', async () => {
    const names = fc.uniqueArray(fc.constantFrom(...Object.keys(listing.filters)), { minLength: 2, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(
        names.chain((some) => questions(listing, some)),
        (question) => check(services, listing, question),
      ),
      { numRuns: runs(30, 600) },
    )
  })

  test('keep everything when there is none', async () => {
    await fc.assert(
      fc.asyncProperty(questions(listing, []), (question) => check(services, listing, question)),
      { numRuns: runs(3, 12) },
    )
  })
})

describe('what went wrong once', () => {
  const created_at = '2025-11-01T00:00:00Z'
  const holding = async (kind: 'shipment' | 'return', attributes: Json): Promise<EmbeddedService> => {
    const { save, service, close } = await openEngine()
    onTestFinished(close)
    const checked = checkRecord(`${kind}s`, { id: 'one', attributes: { created_at, ...attributes } })
    await save(kind, 'record' in checked ? [checked.record as Shipment | Return] : [])
    return service
  }

  test('a return is not found by the external id of its order', async () => {
    const service = await holding('return', { order: { external_id: 'SHOP-77123' } })
    for (const search of ['shop-77123', '77', '9'])
      expect((await service.listReturns({ search })).meta.total).toBe(search === '9' ? 0 : 1)
  })

  test('an empty granular status hides the sub-status', async () => {
    const shipments = await holding('shipment', { granular_status: '', sub_status: 'lost', status: 'others' })
    expect((await shipments.listShipments({ granular_status: ['lost'] })).meta.total).toBe(1)
    const returns = await holding('return', { granular_status: '', sub_status: 'return_qc_failed', status: 'odd' })
    expect((await returns.listReturns({ status: 'cancelled' })).meta.total).toBe(1)
  })

  test.each([1e300, 1e16, -1e300])('a weight of %d grams stops an import', async (value) => {
    const service = await holding('shipment', { applied_weight: { value } })
    expect((await service.listShipments({ applied_weight_min: 1e9 })).meta.total).toBe(value > 0 ? 1 : 0)
    expect((await service.listShipments({ applied_weight_max: 0 })).meta.total).toBe(value > 0 ? 0 : 1)
  })
})

describe.each([sent, back])('search of $kind', (listing) => {
  /** The first page and the total: enough to tell a wrong answer, and cheap enough for thousands. */
  async function glance(question: Question): Promise<void> {
    const wanted = expected(listing, question)
    const service = services.on(question.on)
    const { records, meta } = await listing.page(service, { ...wireOf(question), per_page: 100 })
    expect(meta.total).toBe(wanted.length)
    expect(records).toEqual(wanted.slice(0, 100))
  }

  // Thousands of questions: what a slow machine needs for them is no fault of the search.
  test('is the naive definition for any words', async () => {
    await fc.assert(fc.asyncProperty(questions(listing, ['search']), glance), { numRuns: runs(40, 3000) })
  })

  test('is the naive definition beside another filter', async () => {
    const names = fc.constantFrom(...Object.keys(listing.filters).filter((name) => name !== 'search'))
    const question = names.chain((name) => questions(listing, ['search', name]))
    await fc.assert(fc.asyncProperty(question, glance), { numRuns: runs(40, 600) })
  })
})
