// The columns of a small card: the headers that people write above the prices of a contract, and what each one means
// (docs/guides/contracts.md, A contract as a sheet).
import { nearest } from '../nearest.ts'
import { guessZone } from '../read/zone.ts'
import { readGrams, readWeightUnit, type BareWeight } from '../read/weight.ts'

/** The way out for a user whose file is not a rate card. */
export const toTemplate = 'for a sheet to fill in: shipx ratecard template --out contract.csv'

/** The columns that are not prices by zone, each with other headers that mean it (letters and digits alone). */
const terms = {
  courier: ['carrier', 'couriername', 'carriername', 'partner', 'courierpartner'],
  courier_id: ['carrierid'],
  courier_code: ['carriercode'],
  service: ['servicelevel', 'mode', 'servicetype'],
  journey: ['leg', 'direction'],
  up_to: ['upto', 'weightupto'],
  first_weight: ['slab', 'weightslab', 'firstslab', 'baseweight', 'minimumslab', 'firstslabweight'],
  step_weight: ['additionalweight', 'additionalslab', 'stepslab', 'nextweight', 'nextslab', 'addlweight'],
  divisor: ['volumetricdivisor', 'volumetricfactor'],
  min_weight: ['minimumweight', 'minchargeableweight', 'minimumchargeableweight'],
  max_weight: ['maximumweight', 'weightlimit'],
  rto_percent: ['rto', 'rtocharge', 'rtocharges', 'rtopercentage'],
  cod_fixed: ['cod', 'codcharge', 'codcharges', 'codmin', 'codminimum', 'codfee', 'codflat'],
  cod_percent: ['codpercentage', 'codrate'],
  cod_rule: [],
  cod_max: ['codlimit', 'codmaximum', 'codmaxvalue'],
  fuel_percent: ['fuel', 'fuelsurcharge', 'fuelsurchargepercent', 'fsc', 'fscpercent', 'fuelpercentage'],
  awb_fee: ['awb', 'awbcharge', 'awbcharges', 'docket', 'docketfee', 'docketcharge', 'docketcharges'],
  minimum_charge: ['mincharge', 'minimumbill', 'minimumfreight'],
  qc_price: ['qc', 'qccharge', 'qccharges', 'qcfee'],
  platform_fee: ['platformcharge'],
  gst_percent: ['gst', 'gstrate', 'gstpercentage'],
} as const satisfies Readonly<Record<string, readonly string[]>>

/** A column of a small card that is not a price by zone. */
export type SmallTerm = keyof typeof terms
/** The names of those columns, in the order of the form. */
export const smallTerms = Object.keys(terms) as SmallTerm[]

/** Columns of a small card that take a weight. */
const weights: ReadonlySet<string> = new Set(['up_to', 'first_weight', 'step_weight', 'min_weight', 'max_weight'])

/**
 * What a header of a small card means; `unit` is what a bare weight below it is in, `grams` the slab that the header of
 * a price names (`Zone C additional 500g`).
 */
export type SmallColumn =
  | { readonly kind: 'term'; readonly term: SmallTerm; readonly unit?: BareWeight }
  | { readonly kind: 'first' | 'step' | 'days'; readonly zone: string; readonly grams?: number }
  | { readonly kind: 'surcharge'; readonly name: string }
  | { readonly kind: 'remark' }

const byHeader: ReadonlyMap<string, SmallTerm> = new Map(
  smallTerms.flatMap((term) => [term.replaceAll('_', ''), ...terms[term]].map((name) => [name, term] as const)),
)

/** The headers that mean the courier, as letters and digits. */
export const courierHeaders: readonly string[] = ['courier', ...terms.courier]

const remarks: ReadonlySet<string> = new Set([
  'note',
  'notes',
  'remark',
  'remarks',
  'comment',
  'comments',
  'srno',
  'sno',
])

const roles: Readonly<Record<string, 'step' | 'days'>> = {
  ...Object.fromEntries(
    'step add addl additional next further extra'.split(' ').map((word) => [word, 'step'] as const),
  ),
  ...Object.fromEntries('days tat transit'.split(' ').map((word) => [word, 'days'] as const)),
}
const fillers: ReadonlySet<string> = new Set(
  'first base initial forward fwd price prices rate rates charge charges rs inr rupees slab for each per every'.split(
    ' ',
  ),
)

/** What a header means, or undefined when it is no column of a small card. */
export function smallColumn(header: string): SmallColumn | undefined {
  const named = header.trim().replace(/^surcharge[ :_-]{1,3}/i, '')
  if (named !== header.trim() && named !== '') return { kind: 'surcharge', name: named }
  const words = header
    .replaceAll('%', ' percent ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
  const plain = words.join('').toLowerCase()
  if (remarks.has(plain)) return { kind: 'remark' }
  return termColumn(words, plain) ?? zoneColumn(header)
}

function termColumn(words: readonly string[], plain: string): SmallColumn | undefined {
  const term = byHeader.get(plain)
  if (term !== undefined) return { kind: 'term', term }
  const units = [...new Set(words.flatMap((word) => readWeightUnit(word) ?? []))]
  const bare = words.filter((word) => readWeightUnit(word) === undefined && !/^in$/i.test(word))
  const weight = byHeader.get(bare.join('').toLowerCase())
  if (units.length !== 1 || weight === undefined || !weights.has(weight)) return undefined
  return { kind: 'term', term: weight, unit: { unit: units[0]!, certain: true } }
}

const slab = /\b\d{1,6}(?:\.\d{1,3})?\s?(?:g|gms?|grams?|kgs?)\b/gi

/** A price or the days of a zone: `zone_a`, `Zone C1`, `B`, `Zone A additional 500 g`, `zone_a_days`, `Metro`. */
function zoneColumn(header: string): SmallColumn | undefined {
  const [weight, ...others] = header.match(slab) ?? []
  if (others.length > 0) return undefined
  const words = header
    .replace(slab, ' ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
  const role = words.map((word) => roles[word.toLowerCase()]).find((found) => found !== undefined)
  const rest = words.filter((word) => roles[word.toLowerCase()] === undefined && !fillers.has(word.toLowerCase()))
  const said = /^z(?:one)?$/i.test(rest[0] ?? '')
  const joined = said ? undefined : /^zone(\w{1,19})$/i.exec(rest[0] ?? '')?.[1]
  const zone = (said ? rest.slice(1) : joined === undefined ? rest : [joined, ...rest.slice(1)]).join(' ')
  const named = said || joined !== undefined || /^[a-z]\d{0,2}$/i.test(zone) || guessZone(zone) !== undefined
  if (zone === '' || !named) return undefined
  const kind = role ?? 'first'
  if (weight === undefined) return { kind, zone }
  const read = readGrams(weight, { unit: 'g', certain: true })
  return 'fault' in read ? undefined : { kind, zone, grams: read.grams }
}

/** What a sheet has no column for, by the words of the headers that people write for it, and where JSON has it. */
const onlyInJson: readonly (readonly [words: RegExp, what: string])[] = [
  [
    /\bcod\b.*\b(?:slabs?|above|below|over|upto|up to|between|range|zones?)\b/,
    'COD fees by value ("cod": {"slabs": …})',
  ],
  [/\bfuel\b.*\b(?:from|until|till|date|week|month)\b/, 'a rate by day ("percents": …)'],
  [
    /\b(?:above|over|beyond|below|oda|oversized?|remote|pincodes?)\b/,
    'a surcharge under conditions ("when": …; one that is always due: surcharge:<name>)',
  ],
  [/\b(?:tolerance|whole cm|cft|dead only|rounding)\b/, 'rules of weight ("tolerance", "kg_per_cft" …)'],
  [/\b(?:holidays?|cut ?off|working days?)\b/, 'cut-off, working days and holidays'],
]

/** The nearest header of a small card, or the form that has it, as a sentence about a header that is none. */
export function notSmall(header: string): string {
  const words = header
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
  if (words === 'valid from') return 'is not a column of a card: give the first day with --valid-from'
  const only = onlyInJson.find(([pattern]) => pattern.test(words))
  if (only !== undefined)
    return `only the full form, JSON, has ${only[1]}. Import the sheet without it, then: shipx ratecard export <card>`
  const near = nearest(header, [...smallTerms, ...byHeader.keys(), 'zone_a', 'zone_a_step', 'surcharge:name'])
  return `is not a column of a card${near === undefined ? '' : `. Did you mean ${byHeader.get(near) ?? near}?`}`
}

/** Whether a header is that of a small card: it has prices by zone. */
export const isSmall = (headers: readonly string[]): boolean =>
  headers.filter((header) => smallColumn(header)?.kind === 'first').length > 0
