import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Most of a test's time is waiting for processes, disks and clocks: two at a time, also on two cores.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    globalSetup: ['test/build.setup.ts', 'test/postgres.setup.ts'],
  },
})
