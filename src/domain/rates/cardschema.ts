// The schema of a rate card, for cards that come from outside.
import * as z from 'zod/mini'
import { readDay, readTimeOfDay } from '../time.ts'
import { decimalText } from '../money.ts'
import { oneOf, reading, wholeError } from '../values.ts'
import { bareGrams } from './cardcells.ts'
import { doubtfulGrams, readGrams } from '../read/weight.ts'
import { zones } from './zones.ts'

/** A number from `least` to `most`. */
const between = <S extends z.ZodMiniNumber>(schema: S, least: number, most: number): S =>
  schema.check(z.gte(least, `must be ${least} or more`), z.lte(most, `must be ${most} or less`))

const money = z
  .number({ error: 'must be a number of rupees' })
  .check(z.gte(0, 'must not be negative'), z.lte(10_000_000, 'is too large'))
/** A weight as a number of grams or as text with its unit; a number that could be kilograms stays text, a fault. */
const weight = (field: string, least: number) =>
  reading(
    (value) => {
      if (typeof value === 'number' && doubtfulGrams(field, value)) return decimalText(value)
      const read = typeof value === 'string' ? readGrams(value, bareGrams) : undefined
      return read !== undefined && 'grams' in read ? read.grams : value
    },
    z
      .number({ error: ({ input }) => weightFault(input) })
      .check(z.gte(least, `must be ${least} or more`), z.lte(100_000_000, 'is too large')),
  )
function weightFault(value: unknown): string {
  const read = typeof value === 'string' ? readGrams(value, bareGrams) : undefined
  return read !== undefined && 'fault' in read ? read.fault : 'must be a number of grams'
}
// Slabs are counted in hundredths of a gram, and a step must not be zero.
const grams = weight('', 0.01)
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

/** The name of a zone: one of the five, or the courier's own (`zonetables.ts`). */
const zoneName = z
  .string()
  .check(z.regex(/^[A-Za-z0-9][A-Za-z0-9 _-]{0,19}$/, 'must be 1 to 20 letters, digits, spaces, - or _'))

const tariff = z.record(
  zoneName,
  z.array(Band).check(z.minLength(1, 'needs at least one band'), z.maxLength(50, 'has more than 50 bands')),
)

const days = z.record(zoneName, between(z.int(wholeError('days')), 0, 60))

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
 * Where a service works: only the named zones, states and pincode prefixes, never the `not_` ones. An absent list does
 * not limit.
 */
export type Area = z.output<typeof area>

/** The COD fee for values up to `up_to` rupees (null: any), in these zones (absent: all). */
const codSlab = z.strictObject({
  up_to: z.nullable(money),
  fixed: money,
  percent: between(z.number(), 0, 100),
  zones: z.optional(z.array(zoneName)),
})

const percentOn = between(z.number(), 0, 1000)

/**
 * A named amount beside the freight (docs/guides/contracts.md, Surcharges): exactly one of `percent` (of freight, or of
 * freight and COD), `percents` by day, `amount` in rupees, `per_kg` in rupees, and `percent_of_value`; between `least`
 * and `most` rupees; on these legs, and only where all of `when` is true.
 */
export const Surcharge = z.strictObject({
  name: z.string().check(z.trim(), z.minLength(1, 'must not be empty'), z.maxLength(40, 'has more than 40 characters')),
  legs: z.optional(z.array(oneOf(['forward', 'return', 'rto'], 'leg')).check(z.minLength(1, 'needs at least one leg'))),
  percent: z.optional(percentOn),
  of: z.optional(oneOf(['freight', 'freight_and_cod'], 'base')),
  percents: z.optional(
    z
      .array(z.strictObject({ from: date, percent: percentOn }))
      .check(z.minLength(1, 'needs at least one day'), z.maxLength(1000, 'has more than 1,000 days')),
  ),
  amount: z.optional(money),
  per_kg: z.optional(money),
  percent_of_value: z.optional(percentOn),
  least: z.optional(money),
  most: z.optional(money),
  when: z.optional(
    z.strictObject({
      above_weight: z.optional(weight('above_weight', 0)),
      above_side: z.optional(z.number().check(z.gt(0, 'must be more than 0'))),
      above_value: z.optional(money),
      pincodes: z.optional(prefixes),
      zones: z.optional(z.array(zoneName)),
      payment: z.optional(oneOf(['cod', 'prepaid'], 'payment')),
    }),
  ),
})
export type Surcharge = z.output<typeof Surcharge>

/**
 * The zones that a courier draws (docs/guides/contracts.md, Zones): its own names, at most 40, each with the one of the
 * five that summaries count it in, and its pincodes: by origin (prefix, range, or "" for any), zone name → prefixes and
 * ranges.
 */
export const ZoneTable = z.strictObject({
  name,
  zones: z.record(zoneName, oneOf(zones, 'zone')),
  origins: z
    .array(z.strictObject({ from: z.string(), to: z.record(zoneName, z.array(z.string())) }))
    .check(z.minLength(1, 'needs at least one origin'), z.maxLength(20_000, 'has more than 20,000 origins')),
})
export type ZoneTable = z.output<typeof ZoneTable>

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
  /** Volumetric weight by cubic feet: kilograms for each; takes the place of the divisor. */
  kg_per_cft: z.optional(z.number().check(z.gt(0, 'must be more than 0'), z.lte(100, 'must be 100 or less'))),
  /** Sides are rounded up to whole centimetres before the volumetric weight. */
  whole_cm: z.optional(z.boolean()),
  /** Parcels up to this dead weight are charged on dead weight alone. */
  dead_only_to: z.optional(weight('dead_only_to', 0)),
  /** So much above the end of a slab still counts in it. */
  tolerance: z.optional(weight('tolerance', 0)),
  min_weight: weight('min_weight', 0),
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
    /** Fees by value and zone; they take the place of `fixed` and `percent`. */
    slabs: z.optional(z.array(codSlab).check(z.minLength(1, 'needs at least one slab'))),
    /** Whether the COD fee of a parcel that returns is given back; reversed without it. */
    on_rto: z.optional(oneOf(['reversed', 'charged'], 'rule for COD on RTO')),
  }),
  /** A share of the forward freight, bands of its own, or a price by zone for each slab of the size of the first. */
  rto: z.union([
    z.strictObject({ percent: between(z.number(), 0, 1000) }),
    z.strictObject({ bands: tariff }),
    z.strictObject({ per_slab: z.record(zoneName, money) }),
  ]),
  qc: z.strictObject({ available: z.boolean(), price: money }),
  platform_fee: money,
  surcharges: z.optional(z.array(Surcharge).check(z.maxLength(50, 'has more than 50 surcharges'))),
  /** The least of freight and surcharges together, rupees. */
  minimum_charge: z.optional(money),
  /** The zone table of the card that the service goes by; the five zones without it. */
  zone_table: z.optional(name),
  transit_days: z.strictObject({ forward: days, return: days }),
  pickup_cutoff: z.string().check(z.refine((value) => readTimeOfDay(value) !== undefined, 'must be a time HH:mm')),
  working_days: z
    .array(between(z.int(wholeError()), 0, 6))
    .check(z.minLength(1, 'needs at least one day, 0 Sunday to 6 Saturday')),
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

/** A rate card, the full form (docs/guides/rates.md): money in rupees, weights in grams, sides in centimetres. */
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
  zone_tables: z.optional(z.array(ZoneTable).check(z.maxLength(20, 'has more than 20 zone tables'))),
  services: z
    .array(Service)
    .check(z.minLength(1, 'needs at least one service'), z.maxLength(500, 'has more than 500 services')),
})
export type RateCard = z.output<typeof RateCard>
