// Little memory for work that goes on for long: V8 lets the garbage of such work grow to several times of what is alive
// before it looks for it, and that is most of what the process holds (docs/performance.md, Peak memory).
import { setFlagsFromString } from 'node:v8'

/**
 * From now on the heap of this process grows by a fifth between two collections, which then take 1 to 2 % of the time.
 */
export const beFrugal = (): void => setFlagsFromString('--heap-growing-percent=20')

/**
 * From now on memory matters more than time: for work that waits anyway, for a deployment or for the disk. Printing
 * 100,000 records as CSV takes a third longer so.
 */
export const beStingy = (): void => setFlagsFromString('--optimize-for-size')
