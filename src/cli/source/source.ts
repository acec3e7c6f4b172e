// The source of listings and quotes, whatever kind of service answers.
import type { RemoteService } from '../../client/service.ts'
import type { Query, WalkingService } from '../../domain/contract.ts'
import { ShipxError } from '../../domain/errors.ts'
import type { SentKind } from '../../domain/foreign/records.ts'
import type { Scope } from '../../engine/records/plan.ts'
import type { Context } from '../command/context.ts'
import type { Engine } from './engine.ts'

/**
 * What a command opens a source for: to read; to write a few records, or many (`bulk`); or to keep something `beside`
 * them, which a mirror also takes.
 */
export type Purpose = 'read' | 'write' | 'bulk' | 'beside'

/** How a database is opened for a purpose: what a dry run keeps beside the records is only read. */
export const openingOf = ({ flags }: Pick<Context, 'flags'>, use: Purpose): Exclude<Purpose, 'beside'> =>
  use !== 'beside' ? use : flags.has('dry-run') ? 'read' : 'write'

/** The service that a command calls, and its engine when the service is embedded. */
export interface Source {
  readonly service: WalkingService
  readonly engine: Engine | undefined
  /**
   * The client of the deployment, if it is one. With a mirror, the engine reads the mirror and the service refuses
   * writes.
   */
  readonly remote: RemoteService | undefined
  /** The mirror that answers, if any: its name, and when the last pull of each kind ended, ms. */
  readonly mirror?: { readonly name: string; readonly pulled: ReadonlyMap<SentKind, number | undefined> }
  /** For a mirror: throws `not_supported` for a question about data that its deployment does not send. */
  readonly check?: (kind: SentKind, input: Query) => void
  readonly close: () => Promise<void>
}

/** Where an engine's listings are read. */
export const placeOf = ({ database, account }: Engine): Scope => ({ dialect: database.dialect, account })

/** The error when a deployment is asked for something that only the embedded engine can do. */
export function notOffered(what: string): ShipxError {
  return new ShipxError('not_supported', `${what}: your account cannot do this online`, {
    hint: 'add --db <file> to use data on this computer; shipx local path shows the file',
  })
}

/**
 * The error for something that a deployment has no endpoint for and a mirror of it can answer; `way` is the command to
 * use.
 */
export function mirrorOnly(what: string, way = 'shipx pull, then the same command with --local'): ShipxError {
  return new ShipxError('not_supported', `${what}: your account cannot do this online`, { hint: way })
}

/** The engine of a source. Throws `not_supported` for a deployment. */
export function engineOf({ engine }: Source, what: string): Engine {
  if (engine === undefined) throw notOffered(what)
  return engine
}
