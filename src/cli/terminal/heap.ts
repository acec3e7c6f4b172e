// Saves memory in long work. V8 lets garbage grow to several times the live data before it collects. That is most of
// the memory of the process (docs/inside/performance.md, Peak memory).
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { flagChanged } from './heapflags.ts'
import { setForRun } from './runflag.ts'

/** V8 collects garbage each time the heap has grown by `percent`. At 20, that takes 1 to 2 % of the time. */
export const growHeapSlowly = (percent = 20): void => setForRun('--heap-growing-percent', percent, 0)

/**
 * V8 saves memory at the cost of speed, from now on. For work that waits for a deployment or the disk. Printing 100,000
 * records as CSV takes a third longer.
 */
export function shrinkHeap(): void {
  setFlagsFromString('--optimize-for-size')
  // It sets others too, which V8 does not take back.
  flagChanged(() => false)
}

/**
 * V8 lets new values take no more room than now, from now on: by itself it gives them up to 32 MB. For work that holds
 * much besides. Scavenges are then more frequent.
 */
export const keepNewSpace = (): void => setForRun('--semi-space-growth-factor', 1, 2)

/** Both: for a long list, most of whose reading is garbage at once. `percent` as in `growHeapSlowly`. */
export function keepHeapSmall(percent?: number): void {
  keepNewSpace()
  growHeapSlowly(percent)
}

/** New values get no more room than this, bytes of both halves; and how often shipx looks at it, ms. */
const [enoughNewSpace, lookEvery] = [16_000_000, 20]

/** Does that once they have 16 MB: with less, short work takes a fifth longer. Returns what ends the looking. */
export function boundNewSpace(): () => void {
  const look = setInterval(() => {
    const room = getHeapSpaceStatistics().find((space) => space.space_name === 'new_space')
    if (room !== undefined && room.space_size < enoughNewSpace) return
    clearInterval(look)
    keepNewSpace()
  }, lookEvery)
  look.unref()
  return () => clearInterval(look)
}

/** Smaller pieces may share their memory with others. */
const leastReleased = 65_536

/**
 * Gives back the memory of bytes that nothing needs any more: V8 keeps up to 64 MB of them, because they lie outside
 * its heap. They must have it for themselves. What is sent to a closed port is gone at once.
 */
export function releaser(): (bytes: Uint8Array) => void {
  const { port1: closed, port2 } = new MessageChannel()
  let open = true
  closed.addEventListener('close', () => (open = false))
  closed.close()
  port2.close()
  return ({ buffer }) => {
    if (!open && buffer.byteLength >= leastReleased) closed.postMessage(undefined, [buffer as ArrayBuffer])
  }
}
