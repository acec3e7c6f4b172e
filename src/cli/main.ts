// The first file of the bundle: completion at once, everything else through a run. Called by bin/shipx.js.

/** Writes what needs no command; a reader that has gone is a quiet end, a full disk is not. */
function answer(process: NodeJS.Process, text: string): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') return
    process.stderr.write(`✗ the output could not be written: ${error.message}\n`)
    process.exitCode = 1
  })
  process.stdout.write(text)
}

/** Runs a process's command line and sets its exit code; never throws. */
export async function main(process: NodeJS.Process): Promise<void> {
  const argv = process.argv.slice(2)
  if (argv[0] === 'complete') {
    const { complete } = await import('./complete.ts')
    answer(process, complete(argv.slice(argv[1] === '--' ? 2 : 1)))
    return
  }
  const { start } = await import('./run.ts')
  process.exitCode = await start(argv, process)
}
