// Cards with the policies of couriers on COD: whether the fee of a parcel that came back stays, where the card does not
// say it (docs/guides/disputes.md, Policies).
import type { Versions } from '../rates/cardversions.ts'
import type { RateCard } from '../rates/ratecard.ts'
import { policyOf, type OwnPolicy } from './policies.ts'

/** The versions of a card, with the policy of each courier whose service does not say what happens to the COD fee. */
export function withCodPolicies(versions: Versions, own: readonly OwnPolicy[]): Versions {
  const charged = new Map<string, boolean>()
  const keeps = (courier: string): boolean => {
    let known = charged.get(courier)
    if (known === undefined) charged.set(courier, (known = policyOf(courier, own).cod_on_rto === 'charged'))
    return known
  }
  const ofCard = (card: RateCard): RateCard =>
    card.services.some(({ cod, carrier_name: name }) => cod.on_rto === undefined && keeps(name))
      ? {
          ...card,
          services: card.services.map((service) =>
            service.cod.on_rto === undefined && keeps(service.carrier_name)
              ? { ...service, cod: { ...service.cod, on_rto: 'charged' } }
              : service,
          ),
        }
      : card
  return versions.map(ofCard) as unknown as Versions
}
