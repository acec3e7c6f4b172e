// Typed options: a command declares its flags and the kind of each value, and gets them as one object.
import type { Read } from '../../domain/errors.ts'
import type { Context, Verb } from '../command/context.ts'
import type { FlagValues } from '../command/flags.ts'

/**
 * How the value of a flag is read; `now` in ms UTC. A result with a fault also has a value, so that the command can
 * look for more faults.
 */
export type OptionKind<T> = (flags: FlagValues, name: string, now: number) => Read<T>

/** The flags of a command, by their names with underscores for dashes. */
export type Declared = Readonly<Record<string, OptionKind<unknown>>>

/** The values of the declared flags. */
export type OptionsOf<D extends Declared> = { readonly [K in keyof D]: D[K] extends OptionKind<infer T> ? T : never }

/** The name of an option on the command line, without the leading dashes. */
export const flagOf = (option: string): string => option.replaceAll('_', '-')

/** The values of the declared flags, with all faults at once. */
export function optionsOf<D extends Declared>(
  { flags, io }: Pick<Context, 'flags' | 'io'>,
  declared: D,
): Read<OptionsOf<D>> {
  const now = io.host.now()
  const read = Object.entries(declared).map(([option, kind]) => [option, kind(flags, flagOf(option), now)] as const)
  return {
    value: Object.fromEntries(read.map(([option, { value }]) => [option, value])) as OptionsOf<D>,
    faults: read.flatMap(([, { faults }]) => faults),
  }
}

/** A command's function with the flags that it declares. */
export interface TypedVerb extends Verb {
  readonly options: Declared
}

/** A command's function that receives its options. Their faults are in the context: `refuse` throws them. */
export function verb<D extends Declared>(
  options: D,
  work: (context: Context, options: OptionsOf<D>) => Promise<number>,
): TypedVerb {
  const run = (context: Context): Promise<number> => {
    const { value, faults } = optionsOf(context, options)
    return work({ ...context, faults: [...context.faults, ...faults] }, value)
  }
  return Object.assign(run, { options })
}
