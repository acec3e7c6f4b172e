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

/** A leg, and what it costs without surcharges, paise. */
export interface Way {
  readonly leg: Leg
  readonly freight: number
  readonly cod: number
}

/** What surcharges depend on in a parcel, whatever the leg: paise, grams, centimetres, an IST day. */
export interface Charged {
  /** The weight that is charged. */
  readonly weight: number
  readonly longest: number
  /** The tariff's name of the zone. */
  readonly zone: string
  /** The customer's pincode. */
  readonly pincode: string
  readonly payment: 'cod' | 'prepaid'
  /** The value of the parcel; undefined when it is not known. */
  readonly value: number | undefined
  readonly day: string
}

/** A surcharge with everything that does not depend on a parcel worked out. */
interface Ready {
  readonly name: string
  readonly legs: readonly Leg[]
  /** The amount for what is charged, or why there is none. */
  readonly amount: (charged: Charged, way: Way) => number | string
  /** Undefined for a surcharge without conditions. */
  readonly applies: ((charged: Charged) => boolean) | undefined
}

/** The surcharges of a service, and its least charge; undefined for a service without either. */
export interface ReadySurcharges {
  /** The surcharges that are due on each leg. */
  readonly on: Readonly<Record<Leg, readonly Ready[]>>
  readonly least: number
}

/** The name of the component that fills a leg up to the least charge. */
export const leastName = 'Minimum charge'

/** Works out the surcharges of a service once. */
export function readySurcharges({ surcharges = [], minimum_charge: least = 0 }: Service): ReadySurcharges | undefined {
  if (surcharges.length === 0 && least === 0) return undefined
  const list = surcharges.map(ready)
  const dueOn = (leg: Leg): readonly Ready[] => list.filter(({ legs }) => legs.includes(leg))
  return { on: { forward: dueOn('forward'), return: dueOn('return'), rto: dueOn('rto') }, least: paiseOf(least)! }
}

/** The legs of a surcharge that names none: what grows with the freight is due on each, the rest not on RTO. */
const usualLegs = ({ percent, percents }: Surcharge): readonly Leg[] =>
  percent === undefined && percents === undefined ? ['forward', 'return'] : ['forward', 'return', 'rto']

function ready(surcharge: Surcharge): Ready {
  const { least, most } = surcharge
  const [floor, cap] = [paiseOf(least ?? 0)!, most === undefined ? Infinity : paiseOf(most)!]
  const bare = bareAmount(surcharge)
  return {
    name: surcharge.name,
    legs: surcharge.legs ?? usualLegs(surcharge),
    amount: (charged, way) => {
      const amount = bare(charged, way)
      return typeof amount === 'string' ? amount : Math.min(cap, Math.max(floor, amount))
    },
    applies: condition(surcharge.when),
  }
}

/** The amount before `least` and `most`. */
function bareAmount({ name, percent, percents, of, amount, per_kg, percent_of_value }: Surcharge): Ready['amount'] {
  const base = ({ freight, cod }: Way): number => (of === 'freight_and_cod' ? freight + cod : freight)
  if (percent !== undefined) {
    const share = percentage(percent)
    return (_, way) => share(base(way))
  }
  if (percents !== undefined) {
    const series = percents.toSorted((a, b) => (a.from < b.from ? 1 : -1))
    const shares = series.map((entry) => ({ from: entry.from, share: percentage(entry.percent) }))
    // Most parcels of a file have the day of the one before.
    let [last, share] = ['', undefined as ReturnType<typeof percentage> | undefined]
    return ({ day }, way) => {
      if (day !== last) {
        share = shares.find(({ from }) => from <= day)?.share
        last = day
      }
      return share === undefined ? `${name} has no rate for ${day}` : share(base(way))
    }
  }
  if (per_kg !== undefined) {
    const each = paiseOf(per_kg)!
    return ({ weight }) => Math.ceil(weight / 1000) * each
  }
  if (percent_of_value !== undefined) {
    const share = percentage(percent_of_value)
    return ({ value }) => (value === undefined ? 0 : share(value))
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
  return (charged) =>
    charged.weight > above_weight &&
    charged.longest > above_side &&
    (payment === undefined || charged.payment === payment) &&
    (above === undefined || (charged.value ?? 0) > above) &&
    (zones === undefined || zones.has(charged.zone)) &&
    (places === undefined || longestPrefix(places, charged.pincode) === true)
}

const prefixSet = (texts: readonly string[]): Prefixes<true> =>
  new Map(texts.flatMap(prefixesOf).map((prefix) => [prefix, true]))

const none: readonly Component[] = []

/** The surcharges of a leg, those of zero left out, or why a surcharge has no amount. */
export function surchargesOn(
  { on, least }: ReadySurcharges,
  charged: Charged,
  way: Way,
): readonly Component[] | string {
  let found: Component[] | undefined
  let sum = way.freight
  for (const one of on[way.leg]) {
    if (one.applies !== undefined && !one.applies(charged)) continue
    const paise = one.amount(charged, way)
    if (typeof paise === 'string') return paise
    if (paise === 0) continue
    ;(found ??= []).push({ name: one.name, amount: paise })
    sum += paise
  }
  if (way.leg !== 'rto' && sum < least) (found ??= []).push({ name: leastName, amount: least - sum })
  return found ?? none
}

/** The sum of components, paise. */
export const sumOf = (components: readonly Component[]): number =>
  components.reduce((sum, { amount }) => sum + amount, 0)

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
