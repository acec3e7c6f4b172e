// How much of the tests runs. `npm test` leaves out what carries the tag `full` and makes property tests short; a file that is
// named to vitest, and `npm run test:full`, leave out nothing (vitest.config.ts).

/** Whether everything runs, at full size. */
export const full = process.env['SHIPX_TEST'] !== 'quick'

/** How often something is tried: `few` times in `npm test`, `many` times in `npm run test:full`. */
export const runs = (few: number, many: number): number => (full ? many : few)

/** The first `few` of a list in `npm test`, all of it in `npm run test:full`. */
export const first = <T>(few: number, all: readonly T[]): readonly T[] => (full ? all : all.slice(0, few))
