// A listing's question, made ready for the source that answers it: its couriers as ids, its names and statuses known.
import type { Query } from '../../domain/contract.ts'
import { invalid, ShipxError } from '../../domain/errors.ts'
import { listings } from '../../domain/parcels/listings.ts'
import type { Context } from '../command/context.ts'
import type { Source } from '../source/source.ts'
import { absentHere } from './absentnames.ts'
import { filterWords } from './filterwords.ts'
import { detailedOf, flagIn, type Kind } from './listing.ts'

/**
 * The query for a source, with the ids of its couriers. Throws `invalid_input` for names that nothing there has, and
 * `not_supported` for what the source cannot answer.
 */
export async function questionFor<R>(context: Context, kind: Kind<R>, source: Source, input: Query): Promise<Query> {
  // A mirror refuses what it cannot know at all with another error.
  source.check?.(kind.endpoint === 'listShipments' ? 'shipments' : 'returns', input)
  await refuseStatuses(context, kind, source, input)
  const absent = await absentHere(context, kind, source, input)
  const meant = await courierIds(context, kind, source, input)
  const faults = [...absent, ...meant.faults]
  if (faults.length > 0) throw invalid(faults)
  return meant.input
}

/** Loads what knows couriers only for a query that names some. */
const courierIds = async <R>(context: Context, kind: Kind<R>, source: Source, input: Query) =>
  'carrier_id' in input || 'carrier_ids' in input
    ? (await import('./couriers.ts')).withCourierIds(context, kind, source, input)
    : { input, faults: [] }

/** The filters of a query for a source in words, with its couriers by name (`filterWords`). */
export async function questionWords<R>(context: Context, kind: Kind<R>, source: Source, input: Query): Promise<string> {
  return filterWords(context, listings[kind.endpoint], input, await courierNamesIn(context, kind, source, input))
}

/** The names of a query's couriers by id. */
export const courierNamesIn = async <R>(
  context: Context,
  kind: Kind<R>,
  source: Source,
  input: Query,
): Promise<ReadonlyMap<string, string>> =>
  'carrier_id' in input || 'carrier_ids' in input
    ? (await import('./couriers.ts')).namesOfCouriers(context, kind, source, input)
    : new Map()

/** Refuses several statuses at a deployment that would ignore them, with the detailed statuses that it may know. */
async function refuseStatuses<R>(
  context: Context,
  kind: Kind<R>,
  { remote }: Source,
  { statuses }: Query,
): Promise<void> {
  if (remote === undefined || statuses === undefined || statuses.length === 0) return
  if ((await remote.learn()).has('extra_filters')) return
  const flag = flagIn(context, kind, 'statuses')
  const detailed = detailedOf(kind, statuses).join()
  const other = detailed === '' ? '' : `; use --granular-status ${detailed}`
  const message = `means several statuses, and this deployment takes one${other}`
  throw new ShipxError('not_supported', `${flag} ${message}`, {
    details: [{ field: flag, message }],
    hint: 'shipx pull, then the same command with --local',
  })
}
