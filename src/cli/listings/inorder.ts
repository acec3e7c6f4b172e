// Works on many things at once, and returns results in their order, or no results.
import { pMapIterable, pMapSkip } from 'p-map'

/** For each parallel worker, how many results may wait for an earlier one. */
const ahead = 8

/** The things of batches, one by one. */
export async function* eachOf<T>(batches: AsyncIterable<Iterable<T>>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch
}

/** The things of a stream in batches of `size`; the last one may be smaller. */
export async function* inBatches<T>(items: AsyncIterable<T>, size: number): AsyncGenerator<readonly T[]> {
  let batch: T[] = []
  for await (const item of items) {
    batch.push(item)
    if (batch.length < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

/**
 * The results of `work` in the order of the items, at most `most` of them worked on at a time. What the items or the
 * work throw is thrown when its turn in that order comes. Nothing starts after a failure, after a `stop`, or after the
 * caller stopped reading.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<R>,
  most: number,
  stop: { readonly asked: boolean } = { asked: false },
): AsyncGenerator<R> {
  let failed = false
  const over = (): boolean => failed || stop.asked
  // p-map reads ahead of a stop, and starts what precedes a failure.
  const start = async (item: T): Promise<R | typeof pMapSkip> => {
    if (over()) return pMapSkip
    try {
      return await work(item)
    } catch (error) {
      failed = true
      throw error
    }
  }
  const results = pMapIterable(until(items, over), start, { concurrency: most, backpressure: most * ahead })
  yield* results as AsyncIterable<Awaited<R>>
}

/**
 * Does `work` for all items, at most `most` of them at a time and whichever comes next. Nothing starts after a failure
 * or a `stop`; the first failure of the items or the work is thrown when what was under way has come back.
 */
export async function forEachOf<T>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<void>,
  most: number,
  stopped: () => boolean = () => false,
): Promise<void> {
  let failure: { readonly error: unknown } | undefined
  const over = (): boolean => failure !== undefined || stopped()
  const noted = (error: unknown): void => {
    failure ??= { error }
  }
  const start = async (item: T): Promise<typeof pMapSkip> => {
    if (!over()) await work(item).catch(noted)
    return pMapSkip
  }
  const done = pMapIterable(until(items, over, noted), start, { concurrency: most, preserveOrder: false })
  for await (const _ of done);
  if (failure !== undefined) throw failure.error
}

/** Items until `over`, which ends them; what they throw ends them too where it is `noted`. */
async function* until<T>(
  items: AsyncIterable<T> | Iterable<T>,
  over: () => boolean,
  noted?: (error: unknown) => void,
): AsyncGenerator<T> {
  try {
    for await (const item of items) {
      if (over()) return
      yield item
    }
  } catch (error) {
    if (noted === undefined) throw error
    noted(error)
  }
}
