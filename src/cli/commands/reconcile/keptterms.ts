// What a document keeps beside its lines: the sums of its reasons, the terms that it was judged by, and the totals of
// its file that are wrong. They are one text of JSON.
import { rupeesOf } from '../../../domain/money.ts'
import type { Terms } from '../../../domain/money/billed.ts'
import { noCard } from '../../../domain/money/judge.ts'
import type { Document } from '../../../engine/money/documents.ts'
import { folded } from '../../files/headers.ts'
import type { Maps } from '../../files/mapped.ts'
import type { Tab } from '../../files/sheet.ts'

/** The versions of a card by their first day, each as a sum of its content. */
export type VersionSums = Readonly<Record<string, string>>

/** The terms of a document: paise, hundredths of a gram; `inside` says that GST was taken out of its amounts. */
export interface KeptTerms {
  readonly order: 'zone' | 'weight'
  readonly tolerance: number
  readonly weight: { readonly units: number; readonly share: number }
  readonly inside: boolean
  /** Undefined for a document that an earlier shipx kept. */
  readonly reading?: Reading
}

/** How the file of a document was read, and what it was judged by. Files are known by the SHA-256 of their content. */
export interface Reading {
  /** The files of --card and --parcels; undefined where there was none. */
  readonly card?: string | undefined
  readonly parcels?: string | undefined
  readonly card_sheet?: string | undefined
  /** The versions of a card of this computer, by their first day; undefined for a file, and without a card. */
  readonly versions?: VersionSums | undefined
  /** Whether no parcel was looked for. */
  readonly alone: boolean
  readonly unit: 'g' | 'kg'
  readonly tab?: Tab | undefined
  readonly maps: Maps
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
  /**
   * What the document itself credits of what its lines bill too much, paise; undefined for one that an earlier shipx
   * kept.
   */
  readonly credited?: number
}

/** The terms that judge a document. */
export const keptTermsOf = ({ order, tolerance, weightTolerance, shape }: Terms, reading?: Reading): KeptTerms => ({
  order,
  tolerance,
  weight: weightTolerance,
  inside: shape.gst === 'inside',
  ...(reading === undefined ? {} : { reading }),
})

/** What is kept, as text. */
export const totalsText = (totals: Totals): string => JSON.stringify(totals)

/** What is kept of a document. */
export function totalsOf({ reasons }: Pick<Document, 'reasons'>): Totals {
  const kept = JSON.parse(reasons) as Totals | readonly ReasonSum[]
  return 'reasons' in kept ? kept : { reasons: kept, wrong: [] }
}

/** A printed total that is not the sum of the lines, rupees. */
export interface WrongSum {
  readonly line: number
  readonly printed: number
  readonly sum: number
}

/** The wrong totals of a kept document. */
export const wrongSums = (one: Pick<Document, 'reasons'>): readonly WrongSum[] =>
  totalsOf(one).wrong.map(({ line, printed, sum }) => ({ line, printed: rupeesOf(printed), sum: rupeesOf(sum) }))

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

/** The values of the flags that a document is judged by; `unit` and `sheet` as they were typed. */
export interface JudgingOptions {
  readonly card?: string | undefined
  readonly format?: string | undefined
  readonly order?: string | undefined
  readonly gst?: string | undefined
  readonly unit?: string | undefined
  readonly sheet?: string | undefined
  readonly date?: string | undefined
  readonly no_parcels: boolean
  readonly tolerance: number
  readonly weight_tolerance: KeptTerms['weight']
}

/** What the flags of a run name beside their values: the content of files, and the maps. */
export type Named = Pick<Reading, 'card' | 'parcels' | 'card_sheet' | 'maps'>

/** The flags of this run that a kept document was not read and judged by. */
export function otherTerms(
  known: Pick<Document, 'card' | 'form' | 'day'>,
  terms: KeptTerms | undefined,
  options: JudgingOptions,
  named: Named,
  given: (flag: string) => boolean,
): readonly string[] {
  const { weight_tolerance: weight } = options
  const reading = terms?.reading
  const sameMaps = reading !== undefined && JSON.stringify(reading.maps) === JSON.stringify(named.maps)
  const same: Readonly<Record<string, boolean>> = {
    card: named.card === undefined ? options.card === known.card : named.card === reading?.card,
    'card-sheet': named.card_sheet === reading?.card_sheet,
    'no-card': known.card === noCard,
    'no-parcels': options.no_parcels === reading?.alone,
    parcels: named.parcels !== undefined && named.parcels === reading?.parcels,
    format: options.format === known.form,
    order: options.order === terms?.order,
    gst: (options.gst === 'included') === terms?.inside,
    unit: options.unit === reading?.unit,
    date: options.date === known.day,
    sheet: isTab(reading?.tab, options.sheet),
    tolerance: options.tolerance === terms?.tolerance,
    'weight-tolerance': weight.units === terms?.weight.units && weight.share === terms.weight.share,
    map: sameMaps,
    'map-value': sameMaps,
    ignore: sameMaps,
    'use-map': sameMaps,
  }
  return Object.keys(same).flatMap((flag) => (given(flag) && !same[flag]! ? [`--${flag}`] : []))
}

const isTab = (tab: Tab | undefined, word = ''): boolean =>
  tab !== undefined && (folded(tab.name) === folded(word) || String(tab.number) === word)
