// How the parcels of a report ended: returns to origin in all, week by week, and by courier like for like
// (docs/guides/returns.md). The figures are those of `shipx shipments rto`.
import type { Query } from '../../../domain/contract.ts'
import type { LikeForLike } from '../../../domain/parcels/likeforlike.ts'
import { rtoFigures, type RtoFigures } from '../../../domain/parcels/rto.ts'
import type { Work } from '../../../engine/database/port.ts'
import type { Pricer } from '../../../engine/orders/rtocosts.ts'
import type { Scope } from '../../../engine/records/plan.ts'
import { alikeOf, alikeRow, outcomesBy } from '../shipments/outcomes.ts'
import type { Row } from './groups.ts'

/** How parcels ended. */
export interface RtoReport {
  readonly totals: RtoFigures
  /** Weeks by their Monday in IST of the date that the period applies to, the earliest first. */
  readonly by_week: readonly Row<RtoFigures, 'week'>[]
  readonly like_for_like: readonly LikeForLike[]
}

/** How the shipments that match ended; undefined while none has. */
export function* rtoOf(place: Scope, input: Query, price: Pricer): Work<RtoReport | undefined> {
  const [all = [], weeks = [], cells = []] = yield* outcomesBy(
    place,
    input,
    [['all'], ['week'], ['carrier', 'zone', 'payment']],
    price,
  )
  const [first] = all
  if (first === undefined || first.sums.delivered + first.sums.rto === 0) return undefined
  return {
    totals: rtoFigures(first.sums, first.costs),
    by_week: weeks.map(({ keys, sums, costs }) => ({ week: keys[0]!, ...rtoFigures(sums, costs) })),
    like_for_like: alikeOf(cells).map(alikeRow),
  }
}
