// What a document keeps beside its lines: the sums of its reasons, the terms that it was judged by, and the totals of
// its file that are wrong. They are one text of JSON.
import { rupeesOf } from '../../../domain/money.ts'
import type { Terms } from '../../../domain/money/billed.ts'
import { noCard } from '../../../domain/money/judge.ts'
import type { Document } from '../../../engine/money/documents.ts'

/** The terms of a document: paise, hundredths of a gram; `inside` says that GST was taken out of its amounts. */
export interface KeptTerms {
  readonly order: 'zone' | 'weight'
  readonly tolerance: number
  readonly weight: { readonly units: number; readonly share: number }
  readonly inside: boolean
}

/** A printed total that is not the sum of the lines, paise; `counts` says whether a row or a line has it. */
export interface WrongTotal {
  readonly counts: 'line' | 'row'
  readonly line: number
  readonly printed: number
  readonly sum: number
}

interface ReasonSum {
  readonly code: string
  readonly lines: number
  readonly amount: number
}

interface Totals {
  readonly reasons: readonly ReasonSum[]
  /** Undefined for a document that an earlier shipx kept. */
  readonly terms?: KeptTerms
  readonly wrong: readonly WrongTotal[]
}

/** The terms that judge a document. */
export const keptTermsOf = ({ order, tolerance, weightTolerance, shape }: Terms): KeptTerms => ({
  order,
  tolerance,
  weight: weightTolerance,
  inside: shape.gst === 'inside',
})

/** What is kept, as text. */
export const totalsText = (totals: Totals): string => JSON.stringify(totals)

/** What is kept of a document. */
export function totalsOf({ reasons }: Pick<Document, 'reasons'>): Totals {
  const kept = JSON.parse(reasons) as Totals | readonly ReasonSum[]
  return 'reasons' in kept ? kept : { reasons: kept, wrong: [] }
}

/** The terms in words, those that are usual left out: `tolerance ₹2.00, 50 g more than our weight accepted`. */
export function termsText({ tolerance, weight, inside }: KeptTerms, money: (rupees: number) => string): string {
  const { units, share } = weight
  const more = share === 0 ? `${units / 100} g` : `${Number((share * 100).toFixed(2))}%`
  return [
    ...(tolerance === 100 ? [] : [`tolerance ${money(rupeesOf(tolerance))}`]),
    ...(units === 0 && share === 0 ? [] : [`${more} above your weight accepted`]),
    ...(inside ? ['GST taken out of the amounts'] : []),
  ].join(', ')
}

/** The values of the flags that a document is judged by, as far as its terms hold them. */
interface JudgingOptions {
  readonly card?: string | undefined
  readonly format?: string | undefined
  readonly order?: string | undefined
  readonly gst?: string | undefined
  readonly tolerance: number
  readonly weight_tolerance: KeptTerms['weight']
}

/** The flags of this run that a kept document was not judged by. */
export function otherTerms(
  { card, form }: Pick<Document, 'card' | 'form'>,
  terms: KeptTerms | undefined,
  options: JudgingOptions,
  given: (flag: string) => boolean,
): readonly string[] {
  const { weight_tolerance: weight } = options
  const same: Readonly<Record<string, boolean>> = {
    card: options.card === card,
    format: options.format === form,
    order: options.order === terms?.order,
    gst: (options.gst === 'included') === terms?.inside,
    tolerance: options.tolerance === terms?.tolerance,
    'no-card': card === noCard,
    'weight-tolerance': weight.units === terms?.weight.units && weight.share === terms.weight.share,
  }
  return judging.filter((flag) => given(flag) && same[flag] !== true).map((flag) => `--${flag}`)
}

/** The flags that a document is judged by. */
const judging = 'card card-sheet no-card no-parcels format order gst unit tolerance weight-tolerance parcels'.split(' ')
