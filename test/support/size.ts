// How much of the tests runs. `npm test` leaves out what carries the tag `full` and makes property tests short; a file that is
// named to vitest, and `npm run test:full`, leave out nothing (vitest.config.ts). `.ci/run` is in between: every test, but what is
// tried by chance less often, unless SHIPX_ORACLE=all asks for all of it.

/** Whether everything runs, at full size. */
export const full = process.env['SHIPX_TEST'] !== 'quick'

/** `.ci/run` tries a third of what chance makes: the next run draws other ones. */
const share = process.env['SHIPX_TEST'] === 'rest' ? 1 / 3 : 1

/** How often something is tried: `few` times in `npm test`, `many` times in `npm run test:full`, a third of that in `.ci/run`. */
export const runs = (few: number, many: number): number => (full ? Math.max(few, Math.ceil(many * share)) : few)

/** The first `few` of a list in `npm test`, all of it in `npm run test:full`. */
export const first = <T>(few: number, all: readonly T[]): readonly T[] => (full ? all : all.slice(0, few))
