// The path of a deployment's mirror, from flags, environment and profile. Opens nothing (docs/guides/mirror.md).
import { join } from 'node:path'
import type { Context } from '../command/context.ts'
import { dataFolder } from '../files/folders.ts'
import { variable } from '../terminal/io.ts'
import { safe } from '../terminal/safe.ts'
import { deploymentOf, type Deployment } from '../config/target.ts'
import type { Target } from '../command/target.ts'

/** The file of a mirror, and its name for people. */
export interface MirrorPlace {
  readonly path: string
  readonly name: string
}

type Asking = Pick<Context, 'io' | 'flags'>

/**
 * The mirror of the deployment that applies, `--local` or not; undefined where none is named. Throws what
 * `deploymentOf` throws, and `unauthorized` where only a key identifies the mirror.
 */
export function mirrorPlace(context: Asking): MirrorPlace | undefined {
  const flags = new Map([...context.flags].filter(([name]) => name !== 'local'))
  const deployment = deploymentOf({ ...context, flags })
  return deployment === undefined ? undefined : placeOf(context, deployment)
}

/**
 * A profile has one mirror for each address that it had. A key from the environment may be anyone's, so it has a mirror
 * of its own. So does an address without a profile. The name of such a mirror contains only a hash of both.
 */
function placeOf({ io }: Asking, { base_url, origin, chosen }: Deployment): MirrorPlace {
  const key = variable(io, 'SHIPX_API_KEY')
  const short = (text: string): string => io.host.digest(text).slice(0, 16)
  const file = (name: string): string => join(dataFolder(io), 'mirrors', `${name}.sqlite`)
  if (key === undefined && chosen !== undefined)
    return { path: file(`${chosen.name}-${short(`${chosen.name}\n${base_url}`)}`), name: chosen.name }
  return { path: file(`key-${short(`${base_url}\n${key ?? ''}`)}`), name: safe(new URL(origin).host) }
}

/** The mark of a mirror, which changes with the key and the address. */
export const keyMark = (
  { io }: Asking,
  { base_url, key }: Pick<Extract<Target, { kind: 'remote' }>, 'base_url' | 'key'>,
): string => io.host.digest(`${base_url}\n${key}`)

/** The deployment to pull from, and its mirror; undefined for the embedded engine. Throws as `targetOf`. */
export async function pullTarget(
  context: Asking & Pick<Context, 'target'>,
): Promise<{ readonly target: Extract<Target, { kind: 'remote' }>; readonly place: MirrorPlace } | undefined> {
  const [target, deployment] = [await context.target(), deploymentOf(context)]
  if (target.kind === 'embedded' || deployment === undefined) return undefined
  return { target, place: placeOf(context, deployment) }
}
