// Sorts offers as requested, and marks the cheapest and the fastest.
import type { Fault } from '../../../domain/errors.ts'
import { nearest } from '../../../domain/nearest.ts'
import { paidFor, type CourierOffer } from './offerview.ts'

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** 1 for an offer without a price, else 0: every sort puts it last. */
export const unpriced = (offer: CourierOffer): 0 | 1 => (paidFor(offer) === undefined ? 1 : 0)

const byPaid = (a: CourierOffer, b: CourierOffer): number => (paidFor(a) ?? 0) - (paidFor(b) ?? 0)

/** The earliest delivery first; without a date last. */
const byDelivery = ({ expected_delivery: a }: CourierOffer, { expected_delivery: b }: CourierOffer): number =>
  byText(a.delivery || '~', b.delivery || '~')

const byPrice = (a: CourierOffer, b: CourierOffer): number =>
  byPaid(a, b) || byDelivery(a, b) || byText(a.carrier_id, b.carrier_id)

/** The sorts of `--sort`. The API sorts by price; other deployments sort differently. */
export const sorts: Readonly<Record<string, (a: CourierOffer, b: CourierOffer) => number>> = {
  price: byPrice,
  delivery: (a, b) => byDelivery(a, b) || byPaid(a, b),
  courier: (a, b) => byText(a.carrier_name, b.carrier_name) || byText(a.carrier_id, b.carrier_id),
}

/** Whether two offers are the same one: a courier may offer several services. */
const sameOffer = (a: CourierOffer, b: CourierOffer): boolean =>
  a.carrier_id === b.carrier_id && a.carrier_name === b.carrier_name && a.service_level === b.service_level

/** What marks an offer: `cheapest`, `fastest`, both, or ''. */
export function marksOf(offers: readonly CourierOffer[]): (offer: CourierOffer) => string {
  const priced = offers.filter((offer) => unpriced(offer) === 0)
  const cheapest = priced.toSorted(byPaid)[0]
  const fastest = priced
    .filter((offer) => offer.expected_delivery.delivery !== '')
    .toSorted((a, b) => byDelivery(a, b) || byPaid(a, b))[0]
  return (offer) =>
    [
      cheapest !== undefined && sameOffer(offer, cheapest) ? 'cheapest' : '',
      fastest !== undefined && sameOffer(offer, fastest) ? 'fastest' : '',
    ]
      .filter((word) => word !== '')
      .join(', ')
}

/** The fault of an unknown courier or service (`what`): suggests the nearest name, and lists all of them. */
export function notACourier(
  field: string,
  word: string,
  what: string,
  names: readonly string[],
  words: readonly string[] = [],
): Fault {
  const near = nearest(word, [...names, ...words])
  const guess = near === undefined ? '' : ` Did you mean "${near}"?`
  return { field, message: `"${word.slice(0, 60)}" isn't ${what}.${guess}\nOne of: ${names.join(', ')}` }
}
