// Picks one of a parcel's offers: the cheapest, the fastest, or the first of some couriers.
import { byPrice, type ComparableOffer } from './pricing.ts'
import type { Service } from './ratecard.ts'

/** The names of a courier's service. */
export type CourierNames = Pick<Service, 'carrier_id' | 'carrier_code' | 'carrier_name'>

/** Whether a word names a courier: by its id, its code in any case, or a part of its name. */
export function isCourier({ carrier_id, carrier_code, carrier_name }: CourierNames, word: string): boolean {
  const wanted = word.toLowerCase()
  return carrier_id === word || carrier_code.toLowerCase() === wanted || carrier_name.toLowerCase().includes(wanted)
}

/**
 * The couriers that a word means: those whose id, code or whole name it is, else all that have it in their names.
 * Capitals make no difference in codes and names.
 */
export function couriersMeant<C extends CourierNames>(word: string, couriers: readonly C[]): readonly C[] {
  const wanted = word.toLowerCase()
  const whole = couriers.filter(
    ({ carrier_id, carrier_code, carrier_name }) =>
      carrier_id === word || carrier_code.toLowerCase() === wanted || carrier_name.toLowerCase() === wanted,
  )
  return whole.length > 0 ? whole : couriers.filter((courier) => isCourier(courier, word))
}

/** Picks an offer of a parcel; the offers come in order of price. Undefined when none fits. */
export type Picker = <O extends ComparableOffer>(offers: readonly O[]) => O | undefined

const byDelivery = (a: ComparableOffer, b: ComparableOffer): number =>
  a.delivery === b.delivery
    ? byPrice(a, b)
    : a.delivery === '' || (b.delivery !== '' && a.delivery > b.delivery)
      ? 1
      : -1

/**
 * What `--pick` asks for: the first of its words that has an offer. `cheapest` is the first offer, `fastest` the one
 * that is delivered first (the cheapest of several), any other word the cheapest offer of the courier that it names.
 */
export function pickerOf(words: readonly string[]): Picker {
  // Each parcel asks about the same services again.
  const known = words.map(() => new WeakMap<CourierNames, boolean>())
  const named = (service: CourierNames, i: number): boolean => {
    let is = known[i]!.get(service)
    if (is === undefined) {
      is = isCourier(service, words[i]!)
      known[i]!.set(service, is)
    }
    return is
  }
  return (offers) => {
    for (const [i, word] of words.entries()) {
      const found =
        word === 'cheapest'
          ? offers[0]
          : word === 'fastest'
            ? offers.reduce<(typeof offers)[number] | undefined>(
                (best, offer) => (best === undefined || byDelivery(offer, best) < 0 ? offer : best),
                undefined,
              )
            : offers.find(({ service }) => named(service, i))
      if (found !== undefined) return found
    }
    return undefined
  }
}
