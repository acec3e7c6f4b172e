// Work on many things, some at a time, whose answers come in the order of the things; knows nothing of what the work is.

/**
 * What `work` gives for each item, in the items' order, while up to `width` are under way. When one fails or nobody takes
 * any more answers, no other is begun.
 */
export async function* inOrder<T, A>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<A>,
): AsyncGenerator<A, void> {
  const running: Promise<A>[] = []
  let next = 0
  const begin = (): void => {
    const answer = work(items[next++]!)
    // A failure is told when its turn comes.
    answer.catch(() => undefined)
    running.push(answer)
  }
  while (next < items.length && running.length < width) begin()
  for (let first = running.shift(); first !== undefined; first = running.shift()) {
    const answer = await first
    if (next < items.length) begin()
    yield answer
  }
}
