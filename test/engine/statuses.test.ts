// Defends several statuses in one question: what they find is what each finds alone, also in records whose detailed status is
// missing or strange; and open means that nothing which has ended is found.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parseInput } from '../../src/domain/parse.ts'
import {
  openReturnStatuses,
  openStatuses,
  returnBuckets,
  returnStatuses,
  settledReturns,
  settledShipments,
  shipmentBuckets,
  shipmentStatuses,
} from '../../src/domain/parcels/statuses.ts'
import { openEngine, type TestEngine } from '../support/engine.ts'
import { changed } from '../support/mangledrecords.ts'
import { runs } from '../support/size.ts'

let engine: TestEngine
beforeAll(async () => {
  engine = await openEngine()
  await engine.save('shipment', changed.shipments)
  await engine.save('return', changed.returns)
})
afterAll(() => engine.close())

/** The ids that a question finds, sorted; a page of each hundred. */
async function idsOf(kind: 'shipment' | 'return', raw: object): Promise<readonly string[]> {
  const ids: string[] = []
  const { service } = engine
  const walk =
    kind === 'shipment'
      ? await service.walkShipments(parseInput('listShipments', raw))
      : await service.walkReturns(parseInput('listReturns', raw))
  for await (const { records } of walk.batches)
    ids.push(...records.map((text) => (JSON.parse(text) as { id: string }).id))
  expect(ids.length).toBe(walk.total)
  return ids.toSorted()
}

describe.each([
  ['shipment', shipmentStatuses],
  ['return', returnStatuses],
] as const)('several statuses of a %s', (kind, known) => {
  test('find exactly what each of them finds', async () => {
    const alone = new Map<string, readonly string[]>()
    for (const status of known) alone.set(status, await idsOf(kind, { status }))
    expect([...alone.values()].filter((ids) => ids.length > 0).length).toBeGreaterThan(3)
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...known], { minLength: 1 }),
        fc.constantFrom('asc', 'desc'),
        async (some, order) => {
          const union = some.flatMap((status) => alone.get(status)!).toSorted()
          expect(await idsOf(kind, { statuses: some, sort_order: order })).toEqual(union)
        },
      ),
      { numRuns: runs(6, 200) },
    )
  })
})

test('an open status is one none of whose detailed statuses is final, and every such status is open', () => {
  const openIn = (
    known: readonly string[],
    bucketOf: Readonly<Record<string, string | null>>,
    final: readonly string[],
  ) => known.filter((status) => !final.some((detailed) => bucketOf[detailed] === status))
  expect(openIn(shipmentStatuses, shipmentBuckets, settledShipments.granular)).toEqual(openStatuses)
  const filters = Object.fromEntries(Object.entries(returnBuckets).map(([name, { filter }]) => [name, filter]))
  expect(openIn(returnStatuses, filters, settledReturns.granular)).toEqual(openReturnStatuses)
})
