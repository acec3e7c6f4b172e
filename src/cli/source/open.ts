// Where a command's answers come from: the embedded engine, or a deployment over HTTP; the one place that decides, after
// flags, environment and profile have been read (target.ts).
import type { RemoteService } from '../../client/service.ts'
import type { BulkPace } from './remote.ts'
import { contract, type Call, type Name, type Query, type WalkingService } from '../../domain/contract.ts'
import { invalid, ShipxError } from '../../domain/errors.ts'
import type { SentKind } from '../../domain/foreign/records.ts'
import type { Place } from '../../engine/records/listing.ts'
import { inFlags, type Context } from '../command/context.ts'
import type { Engine } from './engine.ts'
import { mirrorPlace, type MirrorPlace } from './mirrorpath.ts'
import { targetOf, type Target } from '../config/target.ts'

/** The service that a command asks, and the engine behind it when that is embedded. */
export interface Source {
  readonly service: WalkingService
  readonly engine: Engine | undefined
  /** The client of the deployment, when it is one. With a mirror, the engine is on that, and the service refuses writes. */
  readonly remote: RemoteService | undefined
  /** The mirror that answers, when one does: its name, and when each kind that it holds was pulled last, ms. */
  readonly mirror?: { readonly name: string; readonly pulled: ReadonlyMap<SentKind, number | undefined> }
  /** Of a mirror: throws `not_supported` for a question about what its deployment does not send. */
  readonly check?: (kind: SentKind, input: Query) => void
  readonly close: () => Promise<void>
}

/**
 * Opens what answers; `use` says what for, as `connect` takes it, and `bulk` how a deployment is asked when there is much to
 * ask. Throws what `connect` and `targetOf` throw.
 */
export async function sourceOf(context: Context, use: 'read' | 'walk' | 'write', bulk?: BulkPace): Promise<Source> {
  const target = await targetOf(context)
  if (target.kind === 'remote') {
    if (context.flags.has('account'))
      throw invalid([{ field: '--account', message: 'is for the embedded engine; a key belongs to one account' }])
    return remoteSource(context, target, bulk)
  }
  const place = mirrorFor(context)
  if (place !== undefined) return (await import('./mirror.ts')).mirrorSource(context, place, use)
  const { connect } = await import('./engine.ts')
  const engine = await connect(context, use)
  return { service: engine.service, engine, remote: undefined, close: engine.database.close }
}

/** Commands whose answers are made of what no deployment lists: prices come from the engine's own rate cards. */
const priced: ReadonlySet<string> = new Set(['rates', 'serviceability'])

/** The mirror that `--local` asks, or undefined where it asks the embedded engine. */
export const mirrorFor = (context: Context): MirrorPlace | undefined =>
  context.flags.has('local') && !priced.has(context.command.path[0]!) ? mirrorPlace(context) : undefined

/** Whether answers come over HTTP. */
export async function isRemote(context: Context): Promise<boolean> {
  return (await targetOf(context)).kind === 'remote'
}

async function remoteSource(
  context: Context,
  target: Extract<Target, { kind: 'remote' }>,
  bulk?: BulkPace,
): Promise<Source> {
  const { remoteFor } = await import('./remote.ts')
  const remote = remoteFor(context, target, bulk)
  await context.debug(`deployment ${target.base_url}, key from ${target.key_from}`)
  return { service: toldInFlags(context, remote), engine: undefined, remote, close: remote.close }
}

/** The same service, whose faults of input are told by flag: a deployment may judge what this shipx let through. */
function toldInFlags(context: Context, service: WalkingService): WalkingService {
  const told = (error: unknown): never => {
    if (error instanceof ShipxError && error.code === 'invalid_input')
      throw new ShipxError(error.code, error.message, { details: inFlags(context, error.details), cause: error })
    throw error
  }
  const methods = Object.fromEntries(
    (Object.keys(contract) as Name[]).map((name) => [
      name,
      (input: never, call?: Call) => (service[name] as (input: never, call?: Call) => Promise<unknown>)(input, call).catch(told), // prettier-ignore
    ]),
  ) as unknown as WalkingService
  return {
    ...methods,
    walkShipments: (input) => service.walkShipments(input).catch(told),
    walkReturns: (input) => service.walkReturns(input).catch(told),
  }
}

/** Where an engine's listings are asked. */
export const placeOf = ({ database, account }: Engine): Place => ({ dialect: database.dialect, account })

/** What only the embedded engine can do, asked of a deployment. */
export function notOffered(what: string): ShipxError {
  return new ShipxError('not_supported', `${what}: the service offers no endpoint for this`, {
    hint: 'add --db <file> for the embedded engine; shipx local path says where it is',
  })
}

/** What a deployment has no endpoint for and a mirror of it answers. */
export function mirrorOnly(what: string): ShipxError {
  return new ShipxError('not_supported', `${what}: the service offers no endpoint for this`, {
    hint: 'shipx pull, then the same command with --local',
  })
}

/** The engine of a source; throws `not_supported` for a deployment. */
export function engineOf({ engine }: Source, what: string): Engine {
  if (engine === undefined) throw notOffered(what)
  return engine
}
