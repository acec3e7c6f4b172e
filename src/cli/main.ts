// The first file that runs: answers `--version` and completion at once and loads the rest only for a command.
/** Set when the bundle is made. */
declare const SHIPX_VERSION: string

const argv = process.argv.slice(2)

/** Writes what needs no command; a reader that has gone is a quiet end, a full disk is not. */
function answer(text: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.stderr.write(`✗ the output could not be written: ${error.message}\n`)
    process.exitCode = 1
  })
  process.stdout.write(text)
}

if (argv.length === 1 && (argv[0] === '--version' || argv[0] === '-V')) {
  answer(`shipx ${SHIPX_VERSION}\n`)
} else if (argv[0] === 'complete') {
  const { complete } = await import('./complete.ts')
  answer(complete(argv.slice(argv[1] === '--' ? 2 : 1)))
} else {
  const { start } = await import('./run.ts')
  process.exitCode = await start(argv, process)
}
