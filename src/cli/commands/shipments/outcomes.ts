// How parcels ended, asked of the records on this computer: groups with what their returns cost, and couriers like for
// like (docs/guides/returns.md).
import type { Query } from '../../../domain/contract.ts'
import { likeForLike, type LikeForLike, type Standardised } from '../../../domain/parcels/likeforlike.ts'
import type { RtoKey } from '../../../domain/parcels/rto.ts'
import type { Work } from '../../../engine/database/port.ts'
import { returnedPricer } from '../../../engine/orders/recordprice.ts'
import { addRtoCosts, type Pricer } from '../../../engine/orders/rtocosts.ts'
import { countOutcomes, groupsIn, type OutcomeGroup } from '../../../engine/records/outcomes.ts'
import type { Scope } from '../../../engine/records/plan.ts'
import type { Context } from '../../command/context.ts'
import type { OwnSource } from '../pull/offer.ts'
import { versionsNamed } from '../ratecards/cards.ts'
import { warehousesHere } from '../reconcile/warehouses.ts'
import { codPolicies } from './codpolicies.ts'

/** What prices returned parcels that have no price yet: the card in use, by the version of their day. */
export async function rtoPricer(context: Context, source: OwnSource): Promise<Pricer> {
  const [versions, warehouses] = [await versionsNamed(context, undefined), await warehousesHere(context)]
  return returnedPricer((await codPolicies(source))(versions), warehouses)
}

/** The groups of lists of keys, with what their returned parcels cost; `values` also adds up what parcels are worth. */
export function* outcomesBy(
  place: Scope,
  input: Query,
  lists: readonly (readonly RtoKey[])[],
  price: Pricer,
  values = false,
): Work<readonly (readonly OutcomeGroup[])[]> {
  const groupings = yield* countOutcomes(place, input, lists, values)
  yield* addRtoCosts(place, input, groupings, price)
  return groupings.map(groupsIn)
}

/** The couriers in the account's mix of zone and payment. */
export function* couriersAlike(place: Scope, input: Query): Work<readonly (LikeForLike & Standardised)[]> {
  const [groups = []] = (yield* countOutcomes(place, input, [['carrier', 'zone', 'payment']])).map(groupsIn)
  return alikeOf(groups)
}

/** The same out of the groups by courier, zone and payment. */
export const alikeOf = (groups: readonly OutcomeGroup[]): readonly (LikeForLike & Standardised)[] =>
  likeForLike(
    groups.map(({ keys, sums }) => ({
      courier: keys[0]!,
      zone: keys[1]!,
      payment: keys[2]!,
      settled: sums.delivered + sums.rto,
      rto: sums.rto,
    })),
  )

/** A courier without the exact shares behind its percentages. */
export function alikeRow(one: LikeForLike & Standardised): LikeForLike {
  const { own: _, account: __, ...row } = one
  return row
}
