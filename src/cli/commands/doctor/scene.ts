// What several checks of `shipx doctor` need, looked up once: the profiles in their file, and where answers come from.
// Changes and sends nothing.
import type { Context } from '../../command/context.ts'
import { variable } from '../../terminal/io.ts'
import { peekProfiles, type Profiles } from '../../config/profiles.ts'
import { deploymentOf, type Deployment } from '../../config/target.ts'
import type { Target } from '../../command/target.ts'

/** A value, or the error that prevented it. */
export type Outcome<T> = { readonly value: T } | { readonly error: unknown }

/** What checks examine. */
export interface Scene {
  readonly context: Context
  readonly profiles: Outcome<Profiles>
  /** The deployment that applies; undefined for the embedded engine. */
  readonly deployment: () => Outcome<Deployment | undefined>
  /** Where answers come from, with the key. */
  readonly target: () => Promise<Outcome<Target>>
  /** Every key that shipx knows here, so that no check prints one by mistake. */
  readonly secrets: () => readonly string[]
  /** What the deployment answered, for later checks: they call nothing that cannot be reached. */
  readonly heard: { unreachable: boolean; date?: string | undefined; at?: number }
}

/** Collects the scene. Never throws. */
export function sceneOf(context: Context): Scene {
  const { io } = context
  const profiles = outcome(() => peekProfiles(io))
  let target: Promise<Outcome<Target>> | undefined
  const environment = variable(io, 'SHIPX_API_KEY')
  const secrets = new Set(environment === undefined ? [] : [environment])
  if ('value' in profiles)
    for (const { key } of Object.values(profiles.value.profiles)) if (key !== undefined) secrets.add(key)
  const find = async (): Promise<Outcome<Target>> => {
    if ('error' in profiles) return profiles
    try {
      const value = await context.target()
      if (value.kind === 'remote') secrets.add(value.key)
      return { value }
    } catch (error) {
      return { error }
    }
  }
  return {
    context,
    profiles,
    deployment: () => ('error' in profiles ? profiles : outcome(() => deploymentOf(context))),
    target: () => (target ??= find()),
    secrets: () => [...secrets],
    heard: { unreachable: false },
  }
}

function outcome<T>(find: () => T): Outcome<T> {
  try {
    return { value: find() }
  } catch (error) {
    return { error }
  }
}
