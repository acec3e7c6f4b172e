// Answers that are ready in one turn of the event loop go out one after the other, at its end. The processor then does
// the same work many times in a row, and a client on the same machine wakes up once for all its answers
// (docs/inside/performance.md, P9).

/**
 * Has `go` called at the end of this turn of the event loop, or as soon as something else is ready after the first one
 * has waited for `mostWaitMs`. `failed` gets what it throws.
 */
export type AtEndOfTurn = (go: () => void, failed: (error: unknown) => void) => void

/** An answer waits no longer for the work of others, such as orders that the disk confirms one by one. */
const mostWaitMs = 2

/** Nothing waits yet. */
export function endOfTurn(): AtEndOfTurn {
  let waiting: (readonly [go: () => void, failed: (error: unknown) => void])[] = []
  let since = 0
  const all = (): void => {
    const ready = waiting
    waiting = []
    for (const [go, failed] of ready) {
      try {
        go()
      } catch (error) {
        failed(error)
      }
    }
  }
  return (go, failed) => {
    const now = performance.now()
    if (waiting.push([go, failed]) === 1) {
      since = now
      setImmediate(all)
    } else if (now - since > mostWaitMs) all()
  }
}
