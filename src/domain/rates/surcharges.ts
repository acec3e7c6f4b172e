// Surcharges: named amounts beside the freight, such as fuel, handling, ODA and insurance, and the least charge of a
// leg (docs/guides/contracts.md, Surcharges). All amounts are integer paise.
import type { Fault } from '../errors.ts'
import { paiseOf, percentage } from '../money.ts'
import type { Service, Surcharge } from './cardschema.ts'
import { longestPrefix, prefixesOf, type Prefixes } from './prefixes.ts'

/** The legs of a parcel's way that are charged. */
export type Leg = 'forward' | 'return' | 'rto'

/** A named part of a charge, paise. */
export interface Component {
  readonly name: string
  readonly amount: number
}

/** What surcharges depend on besides the leg: grams, centimetres, paise, an IST day. */
export interface Charged {
  /** The weight that is charged. */
  readonly weight: number
  /** The tariff's name of the zone. */
  readonly zone: { readonly name: string }
  readonly day: string
  readonly parcel: {
    readonly longest: number
    readonly cod: boolean
    /** Undefined when it is not known. */
    readonly worth: number | undefined
    readonly customer: string
  }
}

/** A surcharge with everything that does not depend on a parcel worked out. */
interface Ready {
  readonly name: string
  readonly legs: readonly Leg[]
  /** The amount by the freight and the COD fee of the leg, or why there is none. */
  readonly amount: (charged: Charged, freight: number, cod: number) => number | string
  /** Undefined for a surcharge without conditions. */
  readonly applies: ((charged: Charged) => boolean) | undefined
}

/** The surcharges that are due on a leg, and its least charge; a parcel that comes back has none. */
export interface LegSurcharges {
  readonly due: readonly Ready[]
  readonly least: number
}

/** The surcharges of a service by leg. */
export type ReadySurcharges = Readonly<Record<Leg, LegSurcharges>>

/** The name of the component that fills a leg up to the least charge. */
export const leastName = 'Minimum charge'

const readyBefore = new WeakMap<Service, ReadySurcharges>()

/** The surcharges of a service, worked out once. */
export function readySurcharges(service: Service): ReadySurcharges | undefined {
  const { surcharges = [], minimum_charge: least = 0 } = service
  if (surcharges.length === 0 && least === 0) return undefined
  let known = readyBefore.get(service)
  if (known === undefined) {
    const list = surcharges.map(ready)
    const on = (leg: Leg): LegSurcharges => ({
      due: list.filter(({ legs }) => legs.includes(leg)),
      least: leg === 'rto' ? 0 : paiseOf(least)!,
    })
    known = { forward: on('forward'), return: on('return'), rto: on('rto') }
    readyBefore.set(service, known)
  }
  return known
}

/** The legs of a surcharge that names none: what grows with the freight is due on each, the rest not on RTO. */
const usualLegs = ({ percent, percents }: Surcharge): readonly Leg[] =>
  percent === undefined && percents === undefined ? ['forward', 'return'] : ['forward', 'return', 'rto']

function ready(surcharge: Surcharge): Ready {
  const { least, most } = surcharge
  const bare = bareAmount(surcharge)
  const [floor, cap] = [paiseOf(least ?? 0)!, most === undefined ? Infinity : paiseOf(most)!]
  return {
    name: surcharge.name,
    legs: surcharge.legs ?? usualLegs(surcharge),
    amount:
      least === undefined && most === undefined
        ? bare
        : (charged, freight, cod) => {
            const amount = bare(charged, freight, cod)
            return typeof amount === 'string' ? amount : Math.min(cap, Math.max(floor, amount))
          },
    applies: condition(surcharge.when),
  }
}

/** The amount before `least` and `most`. */
function bareAmount({ name, percent, percents, of, amount, per_kg, percent_of_value }: Surcharge): Ready['amount'] {
  const withCod = of === 'freight_and_cod'
  if (percent !== undefined) {
    const share = percentage(percent)
    return (_, freight, cod) => share(withCod ? freight + cod : freight)
  }
  if (percents !== undefined) {
    const series = percents.toSorted((a, b) => (a.from < b.from ? 1 : -1))
    const shares = series.map((entry) => ({ from: entry.from, share: percentage(entry.percent) }))
    // Most parcels of a file have the day of the one before.
    let [last, share] = ['', undefined as ReturnType<typeof percentage> | undefined]
    return ({ day }, freight, cod) => {
      if (day !== last) {
        share = shares.find(({ from }) => from <= day)?.share
        last = day
      }
      return share === undefined ? `${name} has no rate for ${day}` : share(withCod ? freight + cod : freight)
    }
  }
  if (per_kg !== undefined) {
    const each = paiseOf(per_kg)!
    return ({ weight }) => Math.ceil(weight / 1000) * each
  }
  if (percent_of_value !== undefined) {
    const share = percentage(percent_of_value)
    return ({ parcel }) => (parcel.worth === undefined ? 0 : share(parcel.worth))
  }
  const fixed = paiseOf(amount ?? 0)!
  return () => fixed
}

function condition(when: Surcharge['when']): Ready['applies'] {
  if (when === undefined) return undefined
  const { above_weight = -1, above_side = -1, payment } = when
  const above = when.above_value === undefined ? undefined : paiseOf(when.above_value)!
  const places = when.pincodes && prefixSet(when.pincodes)
  const zones = when.zones && new Set(when.zones)
  return ({ weight, zone, parcel }) =>
    weight > above_weight &&
    parcel.longest > above_side &&
    (payment === undefined || (payment === 'cod') === parcel.cod) &&
    (above === undefined || (parcel.worth ?? 0) > above) &&
    (zones === undefined || zones.has(zone.name)) &&
    (places === undefined || longestPrefix(places, parcel.customer) === true)
}

const prefixSet = (texts: readonly string[]): Prefixes<true> =>
  new Map(texts.flatMap(prefixesOf).map((prefix) => [prefix, true]))

/** What a surcharge adds to a leg, paise, or why it has no amount. */
const addedBy = (one: Ready, charged: Charged, freight: number, cod: number): number | string =>
  one.applies === undefined || one.applies(charged) ? one.amount(charged, freight, cod) : 0

/**
 * The surcharges of a leg together, paise, from its freight and COD fee, or why one of them has no amount. Each offer
 * of each parcel asks: nothing is made here but a number.
 */
export function surchargeSum(
  { due, least }: LegSurcharges,
  charged: Charged,
  freight: number,
  cod: number,
): number | string {
  let sum = 0
  for (const one of due) {
    const paise = addedBy(one, charged, freight, cod)
    if (typeof paise === 'string') return paise
    sum += paise
  }
  return Math.max(sum, least - freight)
}

/** The same by name, those of zero left out: for what `surchargeSum` has an amount. */
export function surchargesOn(
  { due, least }: LegSurcharges,
  charged: Charged,
  freight: number,
  cod: number,
): readonly Component[] {
  const found = due.map((one) => ({ name: one.name, amount: Number(addedBy(one, charged, freight, cod)) }))
  const sum = found.reduce((all, { amount }) => all + amount, 0)
  return [...found, { name: leastName, amount: least - freight - sum }].filter(({ amount }) => amount > 0)
}

const ways = ['percent', 'percents', 'amount', 'per_kg', 'percent_of_value'] as const

/** What is wrong with the surcharges of a service beyond their schema. */
export function surchargeFaults({ surcharges = [] }: Service, at: string): readonly Fault[] {
  return surcharges.flatMap((surcharge, i) => {
    const field = `${at}.surcharges.${i}`
    const faults: Fault[] = []
    const given = ways.filter((way) => surcharge[way] !== undefined)
    if (given.length !== 1) {
      const message = `${surcharge.name} has ${given.join(' and ') || 'no amount'}; give one of ${ways.join(', ')}`
      faults.push({ field, message })
    }
    if (surcharge.of !== undefined && surcharge.percent === undefined && surcharge.percents === undefined)
      faults.push({ field: `${field}.of`, message: 'goes with percent or percents' })
    if (surcharge.least !== undefined && surcharge.most !== undefined && surcharge.least > surcharge.most)
      faults.push({ field: `${field}.least`, message: 'is above most' })
    if (surcharges.findIndex(({ name }) => name === surcharge.name) !== i || surcharge.name === leastName)
      faults.push({ field: `${field}.name`, message: `"${surcharge.name}" appears twice` })
    return faults
  })
}
