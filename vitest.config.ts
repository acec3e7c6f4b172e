// The tests and their two sizes: `npm test` is `vitest run --mode quick`; everything else, also a single file named to vitest,
// is everything at full size (test/support/size.ts).
import { defineConfig } from 'vitest/config'

export default defineConfig(({ mode }) => {
  const quick = mode === 'quick'
  return {
    test: {
      include: ['test/**/*.test.ts'],
      // Most of a test's time is waiting for processes, disks and clocks: two at a time, also on two cores.
      maxWorkers: 2,
      // These end what hangs; what has to be quick says so itself.
      testTimeout: quick ? 120_000 : 300_000,
      hookTimeout: quick ? 120_000 : 300_000,
      globalSetup: ['test/build.setup.ts', 'test/postgres.setup.ts'],
      env: { SHIPX_TEST: quick ? 'quick' : 'full' },
      tags: [{ name: 'full', description: 'takes its time: not in npm test, but in npm run test:full' }],
      ...(quick ? { tagsFilter: ['!full'] } : {}),
    },
  }
})
