// Work on many things at the same time whose results come in the order of the things; knows nothing of what is done.

/** Results that may wait for an earlier one, for each that is worked on at the same time. */
const ahead = 8

/** The things of batches, one by one. */
export async function* eachOf<T>(batches: AsyncIterable<Iterable<T>>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch
}

/**
 * The results of `work` in the order of the items, at most `most` of them worked on at a time. What the items or the work
 * throw is thrown in its place in that order; whoever stops reading stops the items, and after a failure or a
 * `stop` none is begun.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  work: (item: T) => Promise<R>,
  most: number,
  stop: { readonly asked: boolean } = { asked: false },
): AsyncGenerator<R> {
  const queue: Promise<R>[] = []
  let [running, over, left] = [0, false, false]
  let [moved, move] = signal()
  const tell = (): void => {
    const before = move
    ;[moved, move] = signal()
    before()
  }
  const begin = (item: T): void => {
    running++
    const result = work(item).finally(() => {
      running--
      tell()
    })
    // Whoever comes to its place in the queue hears of its failure; until then nothing more is begun.
    result.catch(() => {
      left = true
    })
    queue.push(result)
    tell()
  }
  const ended = (): boolean => left || stop.asked
  const full = (): boolean => running >= most || queue.length >= most * ahead
  const fill = async (): Promise<void> => {
    for await (const item of items) {
      while (!ended() && full()) await moved
      if (ended()) return
      begin(item)
    }
  }
  let failure: unknown
  const filled = fill()
    .catch((error: unknown) => {
      failure = error
    })
    .finally(() => {
      over = true
      tell()
    })
  const empty = (): boolean => queue.length === 0 && !over
  try {
    for (;;) {
      while (empty()) await moved
      if (queue.length === 0) break
      const result = await queue[0]!
      queue.shift()
      tell()
      yield result
    }
    await filled
    if (failure !== undefined) throw failure
  } finally {
    left = true
    tell()
  }
}

/** A promise and what fulfils it. */
function signal(): [Promise<void>, () => void] {
  let done = (): void => undefined
  const promise = new Promise<void>((resolve) => {
    done = resolve
  })
  return [promise, done]
}
