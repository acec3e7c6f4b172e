// The terms of a courier in words: surcharges, COD, RTO and the rules of weight.
import type { Service, Surcharge } from '../../../domain/rates/ratecard.ts'
import { showMoney, showWeight } from '../../output/display.ts'

/** How a surcharge is worked out. */
export function surchargeRule(surcharge: Surcharge): string {
  const { percent, percents, of, amount, per_kg: each, percent_of_value: share, ...rest } = surcharge
  const base = of === 'freight_and_cod' ? 'freight and COD' : 'freight'
  const bounds = [
    rest.least === undefined ? '' : `, at least ${showMoney(rest.least)}`,
    rest.most === undefined ? '' : `, at most ${showMoney(rest.most)}`,
  ].join('')
  if (percent !== undefined) return `${percent} % of ${base}${bounds}`
  if (percents !== undefined) return `its rate of the day, of ${base}${bounds}`
  if (each !== undefined) return `${showMoney(each)} for each kg${bounds}`
  if (share !== undefined) return `${share} % of the value${bounds}`
  return `${showMoney(amount ?? 0)} a parcel${bounds}`
}

/** The COD fee. */
export function codRule({ cod }: Service): string {
  if (cod.slabs !== undefined) return 'by value and zone'
  const [fixed, share] = [showMoney(cod.fixed), `${cod.percent} % of the value`]
  return cod.rule === 'sum' ? `${fixed} and ${share}` : `the greater of ${fixed} and ${share}`
}

/** When a surcharge is due, and on which legs; '' for always. */
function surchargeLimits({ when = {}, legs, percents }: Surcharge): string {
  const parts = [
    ...(percents ?? []).map(({ from, percent }) => `${percent} % from ${from}`),
    ...(when.above_weight === undefined ? [] : [`above ${showWeight(when.above_weight)}`]),
    ...(when.above_side === undefined ? [] : [`a side above ${when.above_side} cm`]),
    ...(when.above_value === undefined ? [] : [`value above ${showMoney(when.above_value)}`]),
    ...(when.zones === undefined ? [] : [`in ${when.zones.join(', ')}`]),
    ...(when.pincodes === undefined ? [] : [`at ${shortList(when.pincodes)}`]),
    ...(when.payment === undefined ? [] : [when.payment === 'cod' ? 'COD' : when.payment]),
    ...(legs === undefined ? [] : [`on ${legs.map((leg) => (leg === 'rto' ? 'RTO' : leg)).join(', ')}`]),
  ]
  return parts.length === 0 ? '' : ` (${parts.join('; ')})`
}

const shortList = (list: readonly string[]): string =>
  list.length > 3 ? `${list.slice(0, 3).join(', ')} and ${list.length - 3} more` : list.join(', ')

/** A surcharge in full. */
export const surchargeText = (surcharge: Surcharge): string =>
  `${surchargeRule(surcharge)}${surchargeLimits(surcharge)}`

/** The COD fee of a service as contracts write it: `max(₹40.00, 1.8 %)`. */
export function codText({ cod }: Service): string {
  if (!cod.available) return 'none'
  const fee = ({ fixed, percent }: { readonly fixed: number; readonly percent: number }): string =>
    percent === 0
      ? showMoney(fixed)
      : fixed === 0
        ? `${percent} %`
        : cod.rule === 'sum'
          ? `${showMoney(fixed)} + ${percent} %`
          : `max(${showMoney(fixed)}, ${percent} %)`
  const slabs = (cod.slabs ?? []).map((slab) => {
    const till = slab.up_to === null ? 'any value' : `to ${showMoney(slab.up_to)}`
    return `${till}${slab.zones === undefined ? '' : ` in ${slab.zones.join(', ')}`}: ${fee(slab)}`
  })
  const most = cod.max_value === null ? '' : `, values to ${showMoney(cod.max_value)}`
  const kept = cod.on_rto === 'charged' ? ', also when the parcel returns' : ''
  return `${slabs.length > 0 ? slabs.join('; ') : fee(cod)}${most}${kept}`
}

/** What a parcel that returns costs. */
export function rtoText({ rto }: Service): string {
  if ('percent' in rto) return `${rto.percent} % of the freight`
  if ('per_slab' in rto)
    return `for each slab ${Object.entries(rto.per_slab)
      .map(([zone, price]) => `${zone} ${showMoney(price)}`)
      .join(', ')}`
  const bands = Object.entries(rto.bands).map(([zone, [band]]) => {
    const { first_price: first, step_price: step } = band!
    return `${zone} ${showMoney(first)} + ${showMoney(step)}`
  })
  return bands.join(', ')
}

/** The rules of weight. */
export function weightText(service: Service): string {
  const { kg_per_cft: dense, divisor, whole_cm: whole, dead_only_to: light, tolerance } = service
  const rules = [
    dense === undefined ? `divisor ${divisor}` : `${dense} kg a cubic foot`,
    ...(whole === true ? ['sides in whole cm'] : []),
    ...(light === undefined ? [] : [`dead weight alone up to ${showWeight(light)}`]),
    ...(tolerance === undefined ? [] : [`tolerance ${showWeight(tolerance)}`]),
    ...(service.min_weight > 1 ? [`at least ${showWeight(service.min_weight)}`] : []),
    ...(service.max_weight >= 10_000_000 ? [] : [`at most ${showWeight(service.max_weight)}`]),
  ]
  return rules.join(', ')
}

/** The terms of a service as one line each. */
export const termLines = (service: Service): readonly string[] => [
  `weight: ${weightText(service)}`,
  `COD: ${codText(service)}`,
  `RTO: ${rtoText(service)}`,
  ...(service.surcharges ?? []).map((surcharge) => `${surcharge.name}: ${surchargeText(surcharge)}`),
  ...(service.minimum_charge === undefined ? [] : [`least charge: ${showMoney(service.minimum_charge)}`]),
]
