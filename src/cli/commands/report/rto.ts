// How the parcels of a report ended: returns to origin in all, week by week, and by courier like for like
// (docs/guides/returns.md). The figures are those of `shipx shipments rto`.
import type { Query } from '../../../domain/contract.ts'
import type { LikeForLike } from '../../../domain/parcels/likeforlike.ts'
import { rtoFigures, type RtoFigures } from '../../../domain/parcels/rto.ts'
import type { Work } from '../../../engine/database/port.ts'
import { addRtoCosts, type Pricer } from '../../../engine/orders/rtocosts.ts'
import { groupsIn, outcomeGroupings, type Grouping } from '../../../engine/records/outcomes.ts'
import type { Scope } from '../../../engine/records/plan.ts'
import { alikeOf, alikeRow } from '../shipments/outcomes.ts'
import type { Row } from './groups.ts'

/** How parcels ended. */
export interface RtoReport {
  readonly totals: RtoFigures
  /** Weeks by their Monday in IST of the date that the period applies to, the earliest first. */
  readonly by_week: readonly Row<RtoFigures, 'week'>[]
  readonly like_for_like: readonly LikeForLike[]
}

/** The groupings that `rtoOf` reads. */
export const rtoGroupings = (input: Query): readonly Grouping[] =>
  outcomeGroupings(input, [['all'], ['week'], ['carrier', 'zone', 'payment']])

/** How the shipments that match and are counted in the groupings ended; undefined while none has. */
export function* rtoOf(
  place: Scope,
  input: Query,
  groupings: readonly Grouping[],
  price: Pricer,
): Work<RtoReport | undefined> {
  yield* addRtoCosts(place, input, groupings, price)
  const [all = [], weeks = [], cells = []] = groupings.map(groupsIn)
  const [first] = all
  if (first === undefined || first.sums.delivered + first.sums.rto === 0) return undefined
  return {
    totals: rtoFigures(first.sums, first.costs),
    by_week: weeks.map(({ keys, sums, costs }) => ({ week: keys[0]!, ...rtoFigures(sums, costs) })),
    like_for_like: alikeOf(cells).map(alikeRow),
  }
}
