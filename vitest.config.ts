// The tests and their two sizes: `npm test` is `vitest run --mode quick`; everything else, also a single file named to vitest,
// is everything at full size (test/support/size.ts).
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'

/** The files that take minutes start first, so that no worker waits at the end; a fresh checkout has no times to go by. */
const longest = ['scorecard', 'scripts', 'build/texts', 'imports/stores', 'rates/prices', 'examples', 'ask/asks']

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]): ReturnType<BaseSequencer['sort']> {
    const place = (path: string): number => {
      const at = longest.findIndex((name) => path.endsWith(`/${name}.test.ts`))
      return at === -1 ? longest.length : at
    }
    return (await super.sort(files)).toSorted((a, b) => place(a.moduleId) - place(b.moduleId))
  }
}

export default defineConfig(({ mode }) => {
  const quick = mode === 'quick'
  return {
    test: {
      include: ['test/**/*.test.ts'],
      // Most of a test's time is waiting for processes, disks and clocks: two at a time, also on two cores.
      maxWorkers: 2,
      sequence: { sequencer: LongestFirst },
      // These end what hangs; what has to be quick says so itself.
      testTimeout: quick ? 120_000 : 300_000,
      hookTimeout: quick ? 120_000 : 300_000,
      globalSetup: ['test/support/build.setup.ts', 'test/support/postgres.setup.ts'],
      env: { SHIPX_TEST: quick ? 'quick' : 'full' },
      tags: [{ name: 'full', description: 'takes its time: not in npm test, but in npm run test:full' }],
      ...(quick ? { tagsFilter: ['!full'] } : {}),
    },
  }
})
