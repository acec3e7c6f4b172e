// The first file that runs: answers `--version` and completion at once and loads the rest only for a command.
/** Set when the bundle is made. */
declare const SHIPX_VERSION: string

const argv = process.argv.slice(2)
if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  process.stdout.write(`shipx ${SHIPX_VERSION}\n`)
} else if (argv[0] === 'complete') {
  const { complete } = await import('./complete.ts')
  process.stdout.write(complete(argv.slice(argv[1] === '--' ? 2 : 1)))
} else {
  const { start } = await import('./run.ts')
  process.exitCode = await start(argv, process)
}
