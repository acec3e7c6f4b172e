// The target and the profile of one run, each found out once, when a command first asks for it.
import type { Context } from '../command/context.ts'
import type { FlagValues } from '../command/flags.ts'
import type { Chosen, Target } from '../command/target.ts'
import type { Io } from '../terminal/io.ts'
import { chosenProfile } from './profiles.ts'

/** What a context says about its target and its profile. A context with other flags needs these anew. */
export function targeting(io: Io, flags: FlagValues): Pick<Context, 'target' | 'profile'> {
  let target: Promise<Target> | undefined
  let chosen: { readonly profile: Chosen | undefined } | undefined
  // Commands that ask no service do without what reads addresses and keys.
  const find = async (): Promise<Target> => (await import('./target.ts')).targetOf({ io, flags })
  return {
    target: () => (target ??= find()),
    profile: () => (chosen ??= { profile: chosenProfile(io, flags) }).profile,
  }
}
