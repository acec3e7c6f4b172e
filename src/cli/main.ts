// The first file of the bundle: a process's command line through a run. Called by bin/start.js.
import { start } from './run.ts'

/** Runs a process's command line and sets its exit code; never throws. */
export async function main(process: NodeJS.Process): Promise<void> {
  process.exitCode = await start(process.argv.slice(2), process)
}
