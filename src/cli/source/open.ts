// Opens the embedded engine or the client of a deployment for a command. It decides after target.ts has read flags,
// environment and profile; nothing else decides.
import type { BulkPace } from './remote.ts'
import { contract, type Call, type Name, type WalkingService } from '../../domain/contract.ts'
import { invalid, ShipxError } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import { inFlags } from '../command/faults.ts'
import { mirrorPlace, type MirrorPlace } from './mirrorpath.ts'
import type { Target } from '../command/target.ts'
import { openingOf, type Purpose, type Source } from './source.ts'

/**
 * Opens the source of answers. `use` is its purpose, as for `connect`; `bulk` is the pace of many requests to a
 * deployment. Throws what `connect` and `targetOf` throw.
 */
export async function sourceOf(context: Context, use: Purpose, bulk?: BulkPace): Promise<Source> {
  const target = await context.target()
  if (target.kind === 'remote') {
    if (context.flags.has('account'))
      throw invalid([{ field: '--account', message: 'is for data on this computer; a key belongs to one account' }])
    return remoteSource(context, target, bulk)
  }
  const place = mirrorFor(context)
  if (place !== undefined) return (await import('./mirror.ts')).mirrorSource(context, place, use)
  const { connect } = await import('./engine.ts')
  const engine = await connect(context, openingOf(context, use))
  return { service: engine.service, engine, remote: undefined, close: engine.database.close }
}

/** Opens the source, runs the work and closes the source, also after an error. Throws as `sourceOf`. */
export async function withSource<T>(
  context: Context,
  use: Purpose,
  work: (source: Source) => Promise<T>,
  bulk?: BulkPace,
): Promise<T> {
  const source = await sourceOf(context, use, bulk)
  try {
    return await work(source)
  } finally {
    await source.close()
  }
}

/** Commands that need data that no deployment lists: prices come from the engine's own rate cards. */
const priced: ReadonlySet<string> = new Set(['rates', 'serviceability'])

/** The mirror that `--local` selects, or undefined when it selects the embedded engine. */
export const mirrorFor = (context: Context): MirrorPlace | undefined =>
  context.flags.has('local') && !priced.has(context.command.path[0]!) ? mirrorPlace(context) : undefined

/** Whether answers come over HTTP. */
export async function isRemote(context: Pick<Context, 'target'>): Promise<boolean> {
  return (await context.target()).kind === 'remote'
}

async function remoteSource(
  context: Context,
  target: Extract<Target, { kind: 'remote' }>,
  bulk?: BulkPace,
): Promise<Source> {
  const { remoteFor } = await import('./remote.ts')
  const remote = remoteFor(context, target, bulk)
  await context.debug(`account at ${target.base_url}, key from ${target.key_from}`)
  const total: typeof remote.total = (...asked) => remote.total(...asked).catch(byFlag(context))
  return {
    service: toldInFlags(context, remote),
    engine: undefined,
    remote: { ...remote, total },
    close: remote.close,
  }
}

/** Throws an error again, but its input faults name flags: a deployment may refuse what this shipx accepted. */
const byFlag =
  (context: Context) =>
  (error: unknown): never => {
    if (error instanceof ShipxError && error.code === 'invalid_input')
      throw new ShipxError(error.code, error.message, { details: inFlags(context, error.details), cause: error })
    throw error
  }

/** The same service, but its input faults name flags. */
function toldInFlags(context: Context, service: WalkingService): WalkingService {
  const methods = Object.fromEntries(
    (Object.keys(contract) as Name[]).map((name) => [
      name,
      (input: never, call?: Call) =>
        (service[name] as (input: never, call?: Call) => Promise<unknown>)(input, call).catch(byFlag(context)),
    ]),
  ) as unknown as WalkingService
  return {
    ...methods,
    walkShipments: (input) => service.walkShipments(input).catch(byFlag(context)),
    walkReturns: (input) => service.walkReturns(input).catch(byFlag(context)),
  }
}
