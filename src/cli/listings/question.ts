// A listing's question, made ready for the source that answers it: its couriers as ids, its names there, its statuses known.
import type { Query } from '../../domain/contract.ts'
import { invalid, ShipxError } from '../../domain/errors.ts'
import type { Context } from '../command/context.ts'
import type { Source } from '../source/source.ts'
import { absentHere } from './absentnames.ts'
import { withCourierIds } from './couriers.ts'
import { detailedOf, type Kind } from './listing.ts'

/**
 * The query for a source, with the ids of its couriers. Throws `invalid_input` for names that nothing there has, and
 * `not_supported` for what the source cannot answer.
 */
export async function questionFor<R>(context: Context, kind: Kind<R>, source: Source, input: Query): Promise<Query> {
  // A mirror refuses what it cannot know at all with another error.
  source.check?.(kind.endpoint === 'listShipments' ? 'shipments' : 'returns', input)
  await refuseStatuses(kind, source, input)
  const absent = await absentHere(context, kind, source, input)
  const meant = await withCourierIds(context, kind, source, input)
  const faults = [...absent, ...meant.faults]
  if (faults.length > 0) throw invalid(faults)
  return meant.input
}

/** Refuses several statuses at a deployment that would ignore them, with the detailed statuses that it may know. */
async function refuseStatuses<R>(kind: Kind<R>, { remote }: Source, { statuses }: Query): Promise<void> {
  if (remote === undefined || statuses === undefined || statuses.length === 0) return
  if ((await remote.learn()).has('extra_filters')) return
  const message = 'takes one value at this deployment'
  const detailed = detailedOf(kind, statuses).join()
  throw new ShipxError('not_supported', `--status ${message}; several: --granular-status ${detailed}`, {
    details: [{ field: '--status', message }],
    hint: 'shipx pull, then the same command with --local',
  })
}
