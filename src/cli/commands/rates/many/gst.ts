// GST in the prices of many parcels: how a table and its totals count what is paid.
import { percentOf } from '../../../../domain/money.ts'
import { amountPaid, type ComparableOffer } from '../../../../domain/rates/pricing.ts'
import { usualGst } from '../../../../domain/rates/rates.ts'
import type { RateCard } from '../../../../domain/rates/ratecard.ts'
import type { Answer } from './pricers.ts'

/** How what is paid includes GST. */
export interface Gst {
  /** The percent of all answers, where it is known before the first; the table then adds it to the record's price. */
  readonly percent: number | undefined
  /** What is paid for an answer's offer, paise. */
  readonly paid: (offer: ComparableOffer, answer: Answer) => number
  /** The words after an amount, once every answer is counted: `with 18% GST`, `before GST`. */
  readonly words: () => string
}

/** GST of the given cards; cards with different GST are compared without it. */
export function gstOfCards([first, ...others]: readonly RateCard[]): Gst {
  const percent = others.every((card) => card.gst_percent === first?.gst_percent) ? first?.gst_percent : undefined
  return {
    percent,
    paid: (offer) => withGst(amountPaid(offer), percent),
    words: () => (percent === undefined ? 'before GST' : `with ${percent}% GST`),
  }
}

/**
 * GST of a deployment's answers, which may name the percent in each of them. Where they do not, prices are before GST,
 * or with the usual one if `asked`.
 */
export function gstOfAnswers(asked: boolean): Gst {
  const seen = new Set<number | undefined>()
  return {
    percent: undefined,
    paid: (offer, { gst = asked ? usualGst : undefined }) => {
      seen.add(gst)
      return withGst(amountPaid(offer), gst)
    },
    words: () => {
      const [first] = seen
      if (seen.size > 1) return seen.has(undefined) ? 'with GST where the service says it' : 'with GST'
      return first === undefined
        ? `before GST (the service does not say it; --gst adds ${usualGst}%)`
        : `with ${first}% GST`
    },
  }
}

/** An amount in paise with GST of a percent; unchanged without one. */
export const withGst = (paise: number, percent: number | undefined): number =>
  percent === undefined ? paise : percentOf(paise, 100 + percent)
