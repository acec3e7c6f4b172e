// The tests and their two sizes: `npm test` is `vitest run --mode quick`; everything else, also a single file named to vitest,
// is everything at full size (test/support/size.ts). `--mode rest` leaves out of that what `npm test` runs all of (.ci/run).
import { readFileSync, readdirSync } from 'node:fs'
import { defineConfig } from 'vitest/config'
import { BaseSequencer } from 'vitest/node'

/** The files that take minutes start first, so that no worker waits at the end; a fresh checkout has no times to go by. */
// prettier-ignore
const longest = [
  'scorecard', 'scripts', 'build/texts', 'engine/conformance', 'engine/move', 'examples', 'imports/stores', 'engine/sql', 'returns/rto',
  'engine/simulate', 'delivery/webhooks', 'rates/prices', 'ask/asks',
]

/**
 * Files that add to modules, or whose helpers hold a sandbox: they have modules of their own. The others share what they
 * import in `npm test`, which saves a fifth of its time.
 */
const alone = ['test/cli/{ask,screen,setup,windows}/**/*.test.ts', 'test/house/newfilter.test.ts']

/** The paths of the test files whose text is so. */
const filesWhere = (holds: (text: string) => boolean): string[] =>
  readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `test/${name.replaceAll('\\', '/')}`)
    .filter((path) => holds(readFileSync(path, 'utf8')))

/** The files of which every test is `full`: `npm test` does not even load them. */
const wholeFiles = (): string[] => filesWhere((text) => /^\/\/ @module-tag full\b/m.test(text))

/** The files that are the same at both sizes: no tag, and nothing of test/support/size.ts (test/house/architecture.test.ts). */
const sameFiles = (): string[] => filesWhere((text) => !/@module-tag full\b|'full'|support\/size\.ts'/.test(text))

class LongestFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer['sort']>[0]): ReturnType<BaseSequencer['sort']> {
    // Files alone first: a worker that has loaded modules keeps them only as long as no other kind of file comes.
    const place = ({ moduleId, project }: (typeof files)[0]): number => {
      const at = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`))
      return (project.config.isolate ? 0 : longest.length + 1) + (at === -1 ? longest.length : at)
    }
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b))
  }
}

export default defineConfig(({ mode }) => {
  const quick = mode === 'quick'
  // SHIPX_ORACLE=all tries everything as often as a named file does.
  const size = quick ? 'quick' : mode === 'rest' && process.env['SHIPX_ORACLE'] !== 'all' ? 'rest' : 'full'
  const left = quick ? wholeFiles() : mode === 'rest' ? sameFiles() : []
  // Each project has them whole: it inherits none of them.
  const common = {
    // These end what hangs; what has to be quick says so itself.
    testTimeout: quick ? 120_000 : 300_000,
    hookTimeout: quick ? 120_000 : 300_000,
    env: { SHIPX_TEST: size },
    tags: [{ name: 'full', description: 'takes its time: not in npm test, but in npm run test:full' }],
    ...(quick ? { tagsFilter: ['!full'] } : {}),
  }
  return {
    test: {
      projects: [
        { test: { ...common, name: 'alone', include: alone, exclude: left } },
        {
          test: {
            ...common,
            name: 'shared',
            include: ['test/**/*.test.ts'],
            exclude: [...alone, ...left],
            isolate: !quick,
          },
        },
      ],
      ...common,
      // As many as there are cores: two took 0.83 of the time of four in `npm test`, since the processes that tests start
      // have the cores busy already. The long files of the rest wait for servers and clocks, so that four have two cores busy.
      maxWorkers: quick ? 2 : 4,
      sequence: { sequencer: LongestFirst },
      globalSetup: ['test/support/build.setup.ts', 'test/support/postgres.setup.ts'],
    },
  }
})
