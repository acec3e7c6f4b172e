// The rate card: a merchant's contract with its couriers as data, its schema and its checks; knows nothing of one parcel.
import * as z from 'zod/mini'
import type { Fault } from './errors.ts'
import { paiseOf, rupeesText } from './money.ts'
import { nearest } from './nearest.ts'
import { stateNames } from './pincodes.ts'
import { readDay, readTimeOfDay } from './time.ts'
import { oneOf, wholeError } from './values.ts'
import { zoneOptionsFault, zones, type Zone } from './zones.ts'

/** A number from `least` to `most`. */
const between = <S extends z.ZodMiniNumber>(schema: S, least: number, most: number): S =>
  schema.check(z.gte(least, `must be ${least} or more`), z.lte(most, `must be ${most} or less`))

const money = z
  .number({ error: 'must be a number of rupees' })
  .check(z.gte(0, 'must not be negative'), z.lte(10_000_000, 'is too large'))
const grams = z
  .number({ error: 'must be a number of grams' })
  // Slabs are counted in hundredths of a gram, and nothing can be divided into steps of none.
  .check(z.gte(0.01, 'must be 0.01 or more'), z.lte(100_000_000, 'is too large'))
const name = z
  .string({ error: 'must be text' })
  .check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(100, 'has more than 100 characters'))
const date = z
  .string({ error: 'must be a date YYYY-MM-DD' })
  .check(z.refine((value) => readDay(value) !== undefined, 'must be a date YYYY-MM-DD of the calendar'))

/**
 * One band of a tariff: it serves weights up to `up_to` grams (null: any), and a weight `w` in it costs
 * `first_price + ceil((w - first_weight) / step_weight) x step_price` rupees.
 */
export const Band = z.strictObject({
  up_to: z.nullable(grams),
  first_weight: grams,
  first_price: money,
  step_weight: grams,
  step_price: money,
})
export type Band = z.output<typeof Band>

const tariff = z.partialRecord(
  z.enum(zones),
  z.array(Band).check(z.minLength(1, 'needs one band at least'), z.maxLength(50, 'has more than 50 bands')),
)

/** The bands of a journey for each zone; a zone without bands is not served. */
export type Tariff = Readonly<Partial<Record<Zone, readonly Band[]>>>

const days = z.partialRecord(z.enum(zones), between(z.int(wholeError('days')), 0, 60))

const prefix = z.string().check(z.regex(/^[1-9]\d{0,5}$/, 'must be the first 1 to 6 digits of a pincode'))
const prefixes = z.array(prefix).check(z.maxLength(20_000, 'has more than 20,000 prefixes'))
const area = z.strictObject({
  zones: z.optional(z.array(oneOf(zones, 'zone'))),
  states: z.optional(z.array(z.string())),
  not_states: z.optional(z.array(z.string())),
  pincodes: z.optional(prefixes),
  not_pincodes: z.optional(prefixes),
})

/**
 * Where a service works: only the zones, states and pincode prefixes that are named, never the `not_` ones; what is absent
 * does not limit.
 */
export type Area = z.output<typeof area>

export const Service = z.strictObject({
  carrier_id: z
    .string()
    .check(z.regex(/^[A-Za-z0-9_-]{1,40}$/, 'must be 1 to 40 letters, digits, - or _; ours are CAR and 10 more')),
  carrier_name: name,
  carrier_code: name,
  service_level: oneOf(['standard', 'express'], 'service level'),
  is_fast: z.boolean(),
  is_prime: z.boolean(),
  divisor: between(z.int(wholeError()), 1000, 10_000),
  min_weight: grams,
  max_weight: grams,
  max_side: z.nullable(z.number().check(z.gt(0, 'must be more than 0'))),
  forward: tariff,
  return: tariff,
  cod: z.strictObject({
    available: z.boolean(),
    fixed: money,
    percent: between(z.number(), 0, 100),
    rule: oneOf(['max', 'sum'], 'COD rule'),
    max_value: z.nullable(money),
  }),
  rto: z.union([z.strictObject({ percent: between(z.number(), 0, 1000) }), z.strictObject({ bands: tariff })]),
  qc: z.strictObject({ available: z.boolean(), price: money }),
  platform_fee: money,
  transit_days: z.strictObject({ forward: days, return: days }),
  pickup_cutoff: z.string().check(z.refine((value) => readTimeOfDay(value) !== undefined, 'must be a time HH:mm')),
  working_days: z
    .array(between(z.int(wholeError()), 0, 6))
    .check(z.minLength(1, 'needs one day at least, 0 Sunday to 6 Saturday')),
  serviceability: z.strictObject({ pickup: z.optional(area), delivery: z.optional(area), cod: z.optional(area) }),
})
export type Service = z.output<typeof Service>

const clusters = z.record(
  z.string(),
  z.array(
    z
      .string()
      .check(z.regex(/^[1-9]\d{0,5}(-[1-9]\d{5})?$/, 'must be a pincode prefix or a range such as 121001-121015')),
  ),
)

/** A rate card, the full form (docs/rates.md): money in rupees, weights in grams, sides in centimetres. */
export const RateCard = z.strictObject({
  name: z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'must be 1 to 64 letters, digits, dots, dashes or underscores'),
    ),
  note: z.optional(z.string().check(z.maxLength(1000, 'has more than 1,000 characters'))),
  currency: z.literal('INR', { error: 'must be INR' }),
  valid_from: z.nullable(date),
  valid_to: z.nullable(date),
  gst_percent: between(z.number(), 0, 100),
  holidays: z.array(date).check(z.maxLength(1000, 'has more than 1,000 days')),
  zones: z.strictObject({
    metros: z.optional(clusters),
    special_states: z.optional(z.array(z.string())),
    regions: z.optional(z.array(z.array(z.string()))),
    ncr_one_city: z.optional(z.boolean()),
    matrix: z.optional(
      z.array(
        z.strictObject({
          from: prefix,
          to: prefix,
          zone: oneOf(zones, 'zone'),
        }),
      ),
    ),
  }),
  services: z
    .array(Service)
    .check(z.minLength(1, 'needs one service at least'), z.maxLength(500, 'has more than 500 services')),
})
export type RateCard = z.output<typeof RateCard>

/** A band in integers: weights in hundredths of a gram, prices in paise. */
export interface Slabs {
  readonly upTo: number
  readonly first: number
  readonly firstPrice: number
  readonly step: number
  readonly stepPrice: number
}

const compiled = new WeakMap<readonly Band[], readonly Slabs[]>()

/** The bands in integers, worked out once for each card. */
export function slabsOf(bands: readonly Band[]): readonly Slabs[] {
  let slabs = compiled.get(bands)
  if (slabs === undefined) {
    slabs = bands.map((band) => ({
      upTo: band.up_to === null ? Infinity : hundredths(band.up_to),
      first: hundredths(band.first_weight),
      firstPrice: paiseOf(band.first_price)!,
      step: hundredths(band.step_weight),
      stepPrice: paiseOf(band.step_price)!,
    }))
    compiled.set(bands, slabs)
  }
  return slabs
}

/** Grams in hundredths of a gram, the unit that slabs are counted in, so that no fraction of a gram adds one. */
export function hundredths(grams: number): number {
  return Math.round(grams * 100)
}

/** The band that serves a weight (hundredths of a gram), or undefined when the tariff has none for it. */
export function bandFor(slabs: readonly Slabs[], weight: number): Slabs | undefined {
  return slabs.find((band) => weight <= band.upTo)
}

/** Whole steps above the first weight (hundredths of a gram); a weight exactly on a step stays in it. */
export function stepsOf(band: Slabs, weight: number): number {
  return weight <= band.first ? 0 : Math.ceil((weight - band.first) / band.step)
}

/** Freight of a weight (hundredths of a gram) in a band, in integer paise. */
export function freightOf(band: Slabs, weight: number): number {
  return band.firstPrice + stepsOf(band, weight) * band.stepPrice
}

/**
 * What is wrong with a card beyond its schema: carriers named twice, bands out of order, freight that falls as weight
 * grows (the band is named), zones with a price and no transit days, dates the wrong way round, states and pincode
 * prefixes that are none.
 */
export function cardFaults(card: RateCard): readonly Fault[] {
  const faults: Fault[] = []
  if (card.valid_from !== null && card.valid_to !== null && card.valid_from > card.valid_to) {
    faults.push({ field: 'valid_to', message: `${card.valid_to} is before valid_from ${card.valid_from}` })
  }
  const zoneFault = zoneOptionsFault(card.zones)
  if (zoneFault !== undefined) faults.push({ field: 'zones', message: zoneFault })
  const seen = new Set<string>()
  card.services.forEach((service, index) => {
    const at = `services.${index}`
    if (seen.has(service.carrier_id))
      faults.push({ field: `${at}.carrier_id`, message: `${service.carrier_id} is there twice` })
    seen.add(service.carrier_id)
    if (service.min_weight > service.max_weight)
      faults.push({ field: `${at}.min_weight`, message: 'is above max_weight' })
    for (const journey of ['forward', 'return'] as const) {
      for (const zone of zones) {
        const bands = service[journey][zone]
        if (bands === undefined) continue
        const where = `${service.carrier_name}, ${journey} ${zone}`
        faults.push(...bandFaults(bands, `${at}.${journey}.${zone}`, where))
        if (service.transit_days[journey][zone] === undefined) {
          faults.push({
            field: `${at}.transit_days.${journey}.${zone}`,
            message: `${where} has a price and no transit days`,
          })
        }
      }
    }
    if ('bands' in service.rto) {
      for (const zone of zones) {
        const bands = service.rto.bands[zone]
        if (bands !== undefined)
          faults.push(...bandFaults(bands, `${at}.rto.bands.${zone}`, `${service.carrier_name}, rto ${zone}`))
        else if (service.forward[zone] !== undefined) {
          faults.push({
            field: `${at}.rto.bands.${zone}`,
            message: `${service.carrier_name} has a forward price for ${zone} and no RTO price`,
          })
        }
      }
    }
    for (const [use, area] of Object.entries(service.serviceability)) {
      if (area !== undefined) faults.push(...stateFaults(area, `${at}.serviceability.${use}`))
    }
  })
  return faults
}

// A misspelt state would match no place, and its service would go on serving or refusing it without a word.
function stateFaults(area: Area, field: string): readonly Fault[] {
  return (['states', 'not_states'] as const).flatMap((list) =>
    (area[list] ?? []).flatMap((state, index) => {
      if (stateNames().includes(state)) return []
      const near = nearest(state, stateNames())
      const message = `"${state.slice(0, 40)}" is not a state or union territory${near === undefined ? '' : `; did you mean "${near}"?`}`
      return [{ field: `${field}.${list}.${index}`, message }]
    }),
  )
}

function bandFaults(bands: readonly Band[], field: string, where: string): readonly Fault[] {
  const faults: Fault[] = []
  const slabs = slabsOf(bands)
  for (let i = 0; i + 1 < slabs.length; i++) {
    const [band, next] = [slabs[i]!, slabs[i + 1]!]
    if (next.upTo <= band.upTo) {
      faults.push({
        field: `${field}.${i + 1}.up_to`,
        message: `${where}: bands must grow; band ${i + 2} can never be reached`,
      })
      continue
    }
    // Weights are charged to the hundredth of a gram, so the next weight after the band's end is one hundredth more.
    const [last, first] = [freightOf(band, band.upTo), freightOf(next, band.upTo + 1)]
    if (first < last) {
      faults.push({
        field: `${field}.${i + 1}`,
        message: `${where}: freight falls from ₹${rupeesText(last)} at ${band.upTo / 100} g to ₹${rupeesText(first)} just above it (band ${i + 2})`,
      })
    }
  }
  return faults
}
