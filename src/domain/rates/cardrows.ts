// The prices of a service by journey, as tables and comparisons of cards walk through them.
import type { Band, Service } from './ratecard.ts'

/** The journeys that have prices of their own. */
export type PricedJourney = 'forward' | 'return' | 'rto'

/** The prices of each journey of a service by zone; RTO only where it has bands of its own. */
export const journeyTariffs = (
  service: Service,
): readonly { readonly journey: PricedJourney; readonly tariff: Readonly<Record<string, readonly Band[]>> }[] => [
  { journey: 'forward', tariff: service.forward },
  { journey: 'return', tariff: service.return },
  { journey: 'rto', tariff: 'bands' in service.rto ? service.rto.bands : {} },
]
