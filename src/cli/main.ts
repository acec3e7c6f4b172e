// The entry of the bundle: runs the process's command line. Called by bin/start.js.
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { fileFormats, formats } from './command/flags.ts'
import { start } from './run.ts'
import { flagsSetBack } from './terminal/heapflags.ts'

/** The kind of a run: runs of one kind need much the same code. */
export interface RunKind {
  /** The first word of the command, or what the user typed instead of it. */
  readonly word: string
  /** The command, its format, and whether a terminal showed it. */
  readonly kind: string
}

/** A word that bin/start.js takes for the first of a command. */
const isWord = (arg: string): boolean => /^[a-z]{2,20}$/.test(arg)

/** In a longer run, ms, the start does not matter. */
const longest = 5_000

/**
 * Runs a process's command line and sets its exit code. `early` is the process of `shipx sql`, where it was started
 * before this. Returns the kind of a short run that succeeded and whose code may be kept. Never throws.
 */
export async function main(
  process: NodeJS.Process,
  early?: ChildProcessWithoutNullStreams,
): Promise<RunKind | undefined> {
  const began = performance.now()
  let run: RunKind | undefined
  if (early !== undefined) (await import('./commands/sql/child.ts')).useEarly(early)
  process.exitCode = await start(process.argv.slice(2), process, (command, flags, io) => {
    const format =
      [...formats, ...fileFormats].find((name) => flags.has(name)) ?? (io.stdout.tty ? 'terminal' : 'plain')
    const typed = process.argv.slice(2)
    // An alias or a short form has a file of its own: that word names it the next time too.
    const word = command === undefined || typed.includes(command.path[0]!) ? command?.path[0] : typed.find(isWord)
    if (command !== undefined && word !== undefined) run = { word, kind: `${command.path.join(' ')} ${format}` }
  })
  const short = process.exitCode === 0 && performance.now() - began < longest
  return short && flagsSetBack() ? run : undefined
}
