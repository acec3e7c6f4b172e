// The file that labels or a manifest go into: whole or not at all, or standard output.
import type { Fault } from '../../../domain/errors.ts'
import type { Context } from '../../command/context.ts'
import { checkPlace, openWhole } from '../../files/userfiles.ts'
import { untilStopped } from '../../output/untilstopped.ts'

/** Where a file goes. */
export interface OutPlace {
  readonly out: string
  readonly force: boolean
}

/** The faults of --out; a terminal shows no PDF. */
export function outFaults({ io }: Context, out: string | undefined, example: string): readonly Fault[] {
  const field = '--out'
  if (out === undefined || out === '') return [{ field, message: `is required: ${example}, or - for standard output` }]
  if (out === '-' && io.stdout.tty) return [{ field, message: `- writes to the terminal; name a file: ${example}` }]
  return []
}

/** Throws `invalid_input` where the file may not be written. */
export function checkOut({ out, force }: OutPlace): void {
  if (out !== '-') checkPlace(out, force, '--out')
}

/**
 * Writes a file: `work` gets what takes its bytes. The file is in its place when this ends, and not before. Throws
 * `output_failed`, and `interrupted` where the user stops it.
 */
export async function intoFile<T>(
  { io }: Context,
  { out, force }: OutPlace,
  work: (write: (bytes: Uint8Array) => Promise<void>) => Promise<T>,
): Promise<T> {
  if (out === '-') return work((bytes) => io.stdout.write(bytes))
  const file = openWhole(out, force, '--out')
  return untilStopped({ io }, out, { placed: file.placed, drop: file.close }, async () => {
    const result = await work(async (bytes) => {
      file.write(bytes)
      // Signals arrive between two pieces.
      await new Promise(setImmediate)
    })
    file.finish()
    return result
  })
}
