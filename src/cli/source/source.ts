// Where listings and quotes come from, whichever kind of place answers; opens none.
import type { RemoteService } from '../../client/service.ts'
import type { Query, WalkingService } from '../../domain/contract.ts'
import { ShipxError } from '../../domain/errors.ts'
import type { SentKind } from '../../domain/foreign/records.ts'
import type { Scope } from '../../engine/records/plan.ts'
import type { Engine } from './engine.ts'

/** The service that a command asks, and the engine behind it when that is embedded. */
export interface Source {
  readonly service: WalkingService
  readonly engine: Engine | undefined
  /**
   * The client of the deployment, when it is one. With a mirror, the engine is on that, and the service refuses writes.
   */
  readonly remote: RemoteService | undefined
  /** The mirror that answers, when one does: its name, and when each kind that it holds was pulled last, ms. */
  readonly mirror?: { readonly name: string; readonly pulled: ReadonlyMap<SentKind, number | undefined> }
  /** Of a mirror: throws `not_supported` for a question about what its deployment does not send. */
  readonly check?: (kind: SentKind, input: Query) => void
  readonly close: () => Promise<void>
}

/** Where an engine's listings are asked. */
export const placeOf = ({ database, account }: Engine): Scope => ({ dialect: database.dialect, account })

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
