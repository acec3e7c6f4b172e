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

const tariff = z.partialRecord(
  z.enum(zones),
  z.array(Band).check(z.minLength(1, 'needs at least one band'), z.maxLength(50, 'has more than 50 bands')),
)

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
 * Where a service works: only the named zones, states and pincode prefixes, never the `not_` ones. An absent list does
 * not limit.
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
  }),
  rto: z.union([z.strictObject({ percent: between(z.number(), 0, 1000) }), z.strictObject({ bands: tariff })]),
  qc: z.strictObject({ available: z.boolean(), price: money }),
  platform_fee: money,
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
  services: z
    .array(Service)
    .check(z.minLength(1, 'needs at least one service'), z.maxLength(500, 'has more than 500 services')),
})
export type RateCard = z.output<typeof RateCard>
