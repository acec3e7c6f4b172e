// Listings at a deployment that may ignore a filter: shipx leaves out records that do not satisfy it and says so, so
// that an unfiltered answer is never taken for a filtered one.
import type { Walk, WalkBatch } from '../domain/contract.ts'
import type { Ignored } from '../domain/foreign/evidence.ts'
import type { ReadPage } from './answers.ts'

/** A batch of a walk, and what is known of its records; undefined where all satisfy the filters. */
export interface JudgedBatch extends WalkBatch {
  readonly ignored?: Ignored | undefined
}

/** A walk whose records may have to be left out. */
export interface JudgedWalk extends Walk {
  readonly batches: AsyncIterable<JudgedBatch>
}

/** Reports the records that shipx leaves out: `note` counts them as they come, `tell` warns at the end. */
export interface Report {
  readonly note: (ignored: Ignored) => void
  readonly tell: () => void
}

const satisfying = <T>(list: readonly T[], ignored: Ignored): T[] => list.filter((_, n) => ignored[n] === undefined)

/** A page without the records that do not satisfy the question; its total is then that of the page. */
export function matchingPage(page: ReadPage, report: Report): ReadPage {
  const { ignored, records, ids, meta } = page
  if (ignored === undefined) return page
  report.note(ignored)
  report.tell()
  const kept = satisfying(records, ignored)
  return {
    ...page,
    records: kept,
    ids: satisfying(ids, ignored),
    lines: undefined,
    meta: { ...meta, total: kept.length },
  }
}

/**
 * A walk without the records that do not satisfy the question. Where its first batch holds some, its total is unknown:
 * only the end tells it.
 */
export async function matchingWalk({ total, batches }: JudgedWalk, report: Report): Promise<Walk> {
  const matching = (batch: JudgedBatch): WalkBatch => {
    const { ignored } = batch
    if (ignored === undefined) return batch
    report.note(ignored)
    return { records: satisfying(batch.records, ignored), next: batch.next }
  }
  const source = batches[Symbol.asyncIterator]()
  const start = await source.next()
  const first = start.done === true ? [] : [matching(start.value)]
  return {
    total: start.done === true || start.value.ignored === undefined ? total : undefined,
    batches: (async function* () {
      try {
        yield* first
        for (let step = await source.next(); step.done !== true; step = await source.next()) yield matching(step.value)
      } finally {
        report.tell()
        await source.return?.()
      }
    })(),
  }
}
