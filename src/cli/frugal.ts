// Little memory for work that goes on for long: V8 lets the garbage of bulk work grow, which is most of what such a process
// holds, and gives it back when it is told that size matters (docs/mirror.md).
import { setFlagsFromString } from 'node:v8'

/** Keeps the heap of this process small from now on. */
export const beFrugal = (): void => setFlagsFromString('--optimize-for-size')
