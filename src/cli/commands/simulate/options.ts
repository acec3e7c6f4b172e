// The options of `shipx ratecard simulate`: how a service is chosen for each parcel, and the questions beside it.
import type { Fault } from '../../../domain/errors.ts'
import type { Commitment } from '../../../domain/rates/commitment.ts'
import { isCourier, pickerOf, type Picker } from '../../../domain/rates/pick.ts'
import type { RateCard } from '../../../domain/rates/ratecard.ts'
import { faulty, flag, list, oneOf, optionKind, sound, word } from '../../args/kinds.ts'
import type { OptionKind, OptionsOf } from '../../args/options.ts'
import { list as listOf } from '../../command/flags.ts'
import { notACourier } from '../rates/ranking.ts'

/** A courier and its share of all parcels, percent. */
export interface MixShare {
  readonly courier: string
  readonly percent: number
}

const mix: OptionKind<readonly MixShare[] | undefined> = (flags, name) => {
  const given = listOf(flags, name)
  if (given === undefined) return sound(undefined)
  const shares = given.map((part): MixShare | undefined => {
    const [, courier = '', percent = ''] = /^(.*\S)\s+(\d{1,3})\s?%?$/.exec(part.trim()) ?? []
    return courier === '' ? undefined : { courier, percent: Number(percent) }
  })
  const wrong = given.find((_, i) => shares[i] === undefined)
  if (given.length === 0 || wrong !== undefined)
    return faulty(undefined, name, `is couriers with their percent: "alpha 60, bravo 40"`)
  const known = shares as readonly MixShare[]
  const all = known.reduce((sum, { percent }) => sum + percent, 0)
  if (all !== 100) return faulty(undefined, name, `adds up to ${all}%, and must add up to 100%`)
  const twice = known.find(({ courier }, i) => known.findIndex((one) => sameWord(one.courier, courier)) !== i)
  if (twice !== undefined) return faulty(undefined, name, `names ${twice.courier.slice(0, 40)} twice`)
  return sound(known)
}

const sameWord = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase()

const commit: OptionKind<readonly Commitment[] | undefined> = (flags, name) => {
  const given = listOf(flags, name)
  if (given === undefined) return sound(undefined)
  const found = given.map((part): Commitment | undefined => {
    const [, courier = '', parcels = ''] = /^(.*\S)\s+(\d{1,8})\s?\/\s?month$/i.exec(part.trim()) ?? []
    return courier === '' || Number(parcels) === 0 ? undefined : { courier, parcels: Number(parcels) }
  })
  if (found.length === 0 || found.includes(undefined))
    return faulty(undefined, name, 'is a courier and its parcels a month: "bravo 5000/month"')
  return sound(found as readonly Commitment[])
}

const percent = optionKind<number, undefined>(undefined, (given, name) => {
  const digits = given.trim().replace(/ ?%$/, '')
  if (/^\d{1,3}(\.\d{1,4})?$/.test(digits) && Number(digits) <= 100) return sound(Number(digits))
  return faulty(undefined, name, `"${given.slice(0, 20)}" is not a percentage from 0% to 100%, such as 25%`)
})

const cards: OptionKind<readonly string[] | undefined> = (flags, name) => {
  const given = listOf(flags, name)
  if (given === undefined) return faulty(undefined, name, 'is required: two cards or three, such as current,offer.csv')
  if (given.length < 1 || given.length > 3) return faulty(undefined, name, 'takes one to three cards: current,offer')
  const twice = given.find((card, i) => given.indexOf(card) !== i)
  return twice === undefined ? sound(given) : faulty(undefined, name, `names ${twice.slice(0, 60)} twice`)
}

/** The options. */
export const simulateOptions = {
  cards,
  pick: list,
  mix,
  gst: flag,
  rto: percent,
  rto_by: oneOf(['courier'], 'key'),
  commit,
  break_even: word,
  parcels_out: word,
  force: flag,
}
export type SimulateOptions = OptionsOf<typeof simulateOptions>

/** How a service is chosen for each parcel. */
export type Way =
  | { readonly name: 'as-shipped' }
  | { readonly name: 'cheapest' }
  | { readonly name: 'pick'; readonly words: readonly string[]; readonly pick: Picker }
  | { readonly name: 'mix'; readonly shares: readonly MixShare[] }

/** The way that the flags name; as shipped without them. */
export function wayOf({ pick, mix: shares }: SimulateOptions): Way {
  if (shares !== undefined) return { name: 'mix', shares }
  const words = pick ?? ['as-shipped']
  const [only = '', ...others] = words.map((one) => one.toLowerCase())
  if (others.length === 0 && (only === 'as-shipped' || only === 'cheapest')) return { name: only }
  return {
    name: 'pick',
    words,
    pick: pickerOf(words.map((one) => (one.toLowerCase() === 'fastest' ? 'fastest' : one))),
  }
}

/** The faults of options together. */
export function togetherFaults({
  cards: words,
  pick,
  mix: shares,
  commit: commitments,
  ...others
}: SimulateOptions): readonly Fault[] {
  const faults: Fault[] = []
  if (pick !== undefined && shares !== undefined)
    faults.push({ field: '--mix', message: 'and --pick exclude each other: both say which courier takes a parcel' })
  if (pick !== undefined && (pick.length === 0 || (pick.length > 1 && pick.some((one) => sameWord(one, 'as-shipped')))))
    faults.push({ field: '--pick', message: 'is as-shipped, or cheapest, fastest or the names of couriers' })
  if (commitments !== undefined && shares !== undefined)
    faults.push({ field: '--commit', message: 'does not go with --mix: a mix says how many parcels a courier gets' })
  if (others.break_even !== undefined && words !== undefined && words.length !== 2)
    faults.push({ field: '--break-even', message: 'compares two cards: --cards current,offer' })
  if (others.force && others.parcels_out === undefined)
    faults.push({ field: '--force', message: 'goes with --parcels-out' })
  return faults
}

/** The faults of couriers that none of the cards has. */
export function courierFaults(
  { pick = [], mix: shares = [], commit: commitments = [] }: SimulateOptions,
  all: readonly RateCard[],
): readonly Fault[] {
  const services = all.flatMap((card) => card.services)
  const names = [...new Set(services.map((service) => service.carrier_name))]
  const usual = ['as-shipped', 'cheapest', 'fastest']
  const on = all.map(({ name }) => name).join(' or ')
  const lacking = (
    field: string,
    words: readonly string[],
    what: string,
    others: readonly string[],
  ): readonly Fault[] =>
    words
      .filter((one) => !others.includes(one.toLowerCase()) && !services.some((service) => isCourier(service, one)))
      .map((one) => notACourier(field, one, what, names, others))
  return [
    ...lacking('--pick', pick, `as-shipped, cheapest, fastest or a courier of ${on}`, usual),
    ...lacking(
      '--mix',
      shares.map(({ courier }) => courier),
      `a courier of ${on}`,
      [],
    ),
    ...lacking(
      '--commit',
      commitments.map(({ courier }) => courier),
      `a courier of ${on}`,
      [],
    ),
  ]
}
