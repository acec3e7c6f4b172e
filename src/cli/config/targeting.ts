// The target and the profile of a run, each looked up once, at first use.
import type { Context } from '../command/context.ts'
import type { FlagValues } from '../command/flags.ts'
import type { Chosen, Target } from '../command/target.ts'
import type { Io } from '../terminal/io.ts'
import { chosenProfile } from './profiles.ts'

/** The target and the profile for a context. A context with other flags needs its own. */
export function targeting(io: Io, flags: FlagValues): Pick<Context, 'target' | 'profile'> {
  let target: Promise<Target> | undefined
  let chosen: { readonly profile: Chosen | undefined } | undefined
  // A command that calls no service does not load the code that reads addresses and keys.
  const find = async (): Promise<Target> => (await import('./target.ts')).targetOf({ io, flags })
  return {
    target: () => (target ??= find()),
    profile: () => (chosen ??= { profile: chosenProfile(io, flags) }).profile,
  }
}
