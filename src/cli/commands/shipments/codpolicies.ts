// The policies of couriers on COD for prices of parcels that came back.
import { withCodPolicies } from '../../../domain/money/codonrto.ts'
import type { Versions } from '../../../domain/rates/cardversions.ts'
import { listPolicies } from '../../../engine/money/policies.ts'
import type { OwnSource } from '../pull/offer.ts'

/** What gives cards the policies that the account set beside its records. */
export async function codPolicies({
  engine: { database, account },
}: OwnSource): Promise<(versions: Versions) => Versions> {
  const own = await database.read(() => listPolicies(account), 'single')
  return (versions) => withCodPolicies(versions, own)
}
