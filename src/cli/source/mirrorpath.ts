// Where the mirror of a deployment lies, from flags, environment and profile; opens nothing (docs/mirror.md).
import { join } from 'node:path'
import type { Context } from '../command/context.ts'
import { dataFolder } from '../config/paths.ts'
import { variable } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'
import { deploymentOf, type Deployment } from '../config/target.ts'
import type { Target } from '../command/target.ts'

/** The file of a mirror, and what it is called for people. */
export interface MirrorPlace {
  readonly path: string
  readonly name: string
}

type Asking = Pick<Context, 'io' | 'flags'>

/**
 * The mirror of the deployment that applies when `--local` is not looked at; undefined where none is named. Throws what
 * `deploymentOf` throws, and `unauthorized` where only a key says whose mirror it is.
 */
export function mirrorPlace(context: Asking): MirrorPlace | undefined {
  const flags = new Map([...context.flags].filter(([name]) => name !== 'local'))
  const deployment = deploymentOf({ ...context, flags })
  return deployment === undefined ? undefined : placeOf(context, deployment)
}

/**
 * A profile has one mirror for each address that it had. A key from the environment may be anyone's, and has a
 * mirror of its own, as has an address without a profile: only a hash of both is in its name.
 */
function placeOf({ io }: Asking, { base_url, origin, chosen }: Deployment): MirrorPlace {
  const key = variable(io, 'SHIPX_API_KEY')
  const short = (text: string): string => io.host.digest(text).slice(0, 16)
  const file = (name: string): string => join(dataFolder(io), 'mirrors', `${name}.sqlite`)
  if (key === undefined && chosen !== undefined)
    return { path: file(`${chosen.name}-${short(`${chosen.name}\n${base_url}`)}`), name: chosen.name }
  return { path: file(`key-${short(`${base_url}\n${key ?? ''}`)}`), name: safe(new URL(origin).host) }
}

/** The mark of a mirror that was pulled with another key or from another address. */
export const keyMark = (
  { io }: Asking,
  { base_url, key }: Pick<Extract<Target, { kind: 'remote' }>, 'base_url' | 'key'>,
): string => io.host.digest(`${base_url}\n${key}`)

/** The deployment to be pulled, and its mirror; undefined for the embedded engine. Throws as `targetOf`. */
export async function pullTarget(
  context: Asking & Pick<Context, 'target'>,
): Promise<{ readonly target: Extract<Target, { kind: 'remote' }>; readonly place: MirrorPlace } | undefined> {
  const [target, deployment] = [await context.target(), deploymentOf(context)]
  if (target.kind === 'embedded' || deployment === undefined) return undefined
  return { target, place: placeOf(context, deployment) }
}
