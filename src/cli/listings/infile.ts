// What the formats have in common that write a file: it is written whole or not at all. It is in its place when the
// command has ended, and not there when the command fails or is stopped.
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { ShipxError } from '../../domain/errors.ts'
import { commandLine } from '../args/commandline.ts'
import type { Context } from '../command/context.ts'
import type { FlagValues } from '../command/flags.ts'
import { stoppedError, type Unfinished } from '../output/untilstopped.ts'
import { safe } from '../terminal/safe.ts'

/** What a command prints into. */
export interface Output extends Unfinished {
  /** Whether there is something to write. */
  readonly begun: () => boolean
  /** Writes what must close, puts the file in its place and says so; once. Throws `output_failed`. */
  readonly finish: () => Promise<void>
}

/** Runs a command that prints into a file, and returns its exit code. Throws its errors and `interrupted`. */
export async function printedInto(
  context: Context,
  path: string,
  output: Output,
  work: () => Promise<number>,
): Promise<number> {
  let quieten = (): void => undefined
  const stopped = new Promise<never>((_, reject) => {
    quieten = context.io.onInterrupt(() => {
      reject(stoppedError(path, output))
      output.drop()
    })
  })
  const finish = (): Promise<void> => Promise.race([stopped, output.finish()])
  try {
    const exit = await Promise.race([stopped, work()])
    if (output.begun()) await finish()
    else if (!context.flags.has('dry-run')) await context.warn(`nothing to write into ${path}`)
    return exit
  } catch (error) {
    // The records are all there: the error says which of them have no answer.
    if (error instanceof ShipxError && error.code === 'partial' && output.begun()) await finish()
    throw error
  } finally {
    quieten()
    output.drop()
  }
}

/**
 * Why a file may not be written, if so. shipx replaces its own files where they can be `made` again, and others with
 * `--force` only, which not every command has.
 */
export async function placeFault(
  { command, flags }: Pick<Context, 'command' | 'flags'>,
  path: string,
  made: boolean,
  isOwn: () => boolean | Promise<boolean>,
): Promise<string | undefined> {
  const folder = dirname(path)
  if (!existsSync(folder)) return `${safe(folder)}: there is no such folder`
  const there = statSync(path, { throwIfNoEntry: false })
  if (there === undefined || flags.has('force')) return undefined
  if (!there.isFile()) return `${safe(path)} is not a file`
  if (!made) return `${safe(path)} is there already; --force replaces it`
  if (await isOwn()) return undefined
  const forced = command.flags.some(({ name }) => name === 'force') ? ', or replace it with --force' : ''
  return `${safe(path)} is there already, and not as shipx wrote it; name another file${forced}`
}

/** Flags whose values are secret. */
const secret = /secret|token|password|key$/

/** The flags of a command as a file says them: those of its own first, without secrets. */
export function flagsAsSaid({ command, flags }: Context): FlagValues {
  const own = new Set(command.flags.map(({ name }) => name))
  return new Map(
    [...flags]
      .toSorted(([a], [b]) => Number(own.has(b)) - Number(own.has(a)))
      .map(([name, value]) => [name, secret.test(name) && value !== true ? '***' : value]),
  )
}

/** The command line as a file says it. */
export const commandAsSaid = (context: Context): string => commandLine(context, flagsAsSaid(context))
