// Listings of orders by their display ids, at a deployment that may not know the filter: records of other orders are
// dropped and reported, so that an unfiltered answer is never taken for a filtered one.
import type { Walk, WalkBatch } from '../domain/contract.ts'
import { readRecord } from '../domain/foreign/records.ts'
import type { ReadPage } from './answers.ts'

/** Called when records had to be dropped, with how many. */
export type OnDropped = (count: number) => void

/** The records of some orders, and which of the given ones they are. */
function ofOrders(records: readonly string[], wanted: ReadonlySet<string>): readonly number[] {
  return records.flatMap((record, n) => {
    const { order } = readRecord('shipments', record).attributes
    return wanted.has(order?.display_id ?? '') ? [n] : []
  })
}

/**
 * A page with only the records of these orders. The deployment's total counts others too when any had to be dropped.
 */
export function matchingPage(page: ReadPage, orders: readonly string[], dropped: OnDropped): ReadPage {
  const kept = ofOrders(page.records, new Set(orders))
  if (kept.length === page.records.length) return page
  dropped(page.records.length - kept.length)
  return {
    ...page,
    records: kept.map((n) => page.records[n]!),
    ids: kept.map((n) => page.ids[n]),
    lines: undefined,
    meta: { ...page.meta, total: kept.length },
  }
}

/**
 * A walk with only the records of these orders. Where its first batch holds others, all of it is read before the
 * walk starts: only then is the total known.
 */
export async function matchingWalk(
  { total, batches }: Walk,
  orders: readonly string[],
  dropped: OnDropped,
): Promise<Walk> {
  const wanted = new Set(orders)
  const matching = (batch: WalkBatch): WalkBatch => {
    const kept = ofOrders(batch.records, wanted)
    if (kept.length === batch.records.length) return batch
    dropped(batch.records.length - kept.length)
    return { records: kept.map((n) => batch.records[n]!), next: batch.next }
  }
  const source = batches[Symbol.asyncIterator]()
  const first = await source.next()
  const begun = first.done === true ? undefined : matching(first.value)
  if (begun === undefined || begun === first.value) {
    return {
      total,
      batches: (async function* () {
        try {
          if (begun !== undefined) yield begun
          for (let step = await source.next(); step.done !== true; step = await source.next())
            yield matching(step.value)
        } finally {
          await source.return?.()
        }
      })(),
    }
  }
  const found = [...begun.records]
  for (let step = await source.next(); step.done !== true; step = await source.next())
    found.push(...matching(step.value).records)
  return { total: found.length, batches: batchesOf(found) }
}

async function* batchesOf(records: readonly string[]): AsyncGenerator<WalkBatch> {
  if (records.length > 0) yield { records, next: undefined }
}
