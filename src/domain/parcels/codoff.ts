// Where COD loses money: pincodes whose returns cost more than the margin of what is delivered there
// (docs/guides/returns.md, Where COD loses money). Integer paise before GST.
import { percentOf } from '../money.ts'
import { fewSettled, percentIn, percentOfShare, wilson } from './rto.ts'

/** The settled COD parcels of a pincode. */
export interface CodPlace {
  readonly pincode: string | null
  readonly delivered: number
  readonly rto: number
  /** The value of the delivered parcels, and of the returned ones. */
  readonly delivered_value: number
  readonly rto_value: number
  readonly rto_cost: number
  /** Returned parcels whose cost is in `rto_cost`. */
  readonly rto_priced: number
}

/** A pincode where COD loses money: rupees, percentages from 0 to 100. */
export interface CodOff {
  readonly pincode: string | null
  readonly settled: number
  readonly delivered: number
  readonly rto: number
  readonly rto_percent: number
  /** The least RTO share that chance leaves likely, and the share above which COD loses money. */
  readonly low: number
  readonly break_even_percent: number
  readonly delivered_value: number
  /** The margin of what was delivered. */
  readonly margin: number
  readonly rto_cost: number
  readonly saves: number
  /** Returned parcels without a cost, which the sum leaves out. */
  readonly rto_unpriced: number
}

/** What `codOff` found, and why other pincodes are not judged. */
export interface CodOffFound {
  readonly places: readonly CodOff[]
  /** Pincodes with fewer settled COD parcels than can be judged. */
  readonly few: number
  /** Pincodes that lost money so far, and whose loss may be chance. */
  readonly chance: number
  /** Pincodes where no returned parcel has a cost. */
  readonly unpriced: number
  readonly judged: number
}

/**
 * The pincodes where COD loses money at a margin (percent of an order's value), the greatest sum first. COD off saves
 * the cost of the returns and loses the margin of what is delivered. A pincode counts when it has 30 settled COD
 * parcels, when that sum is above 0, and when the lower Wilson limit of its RTO share is above the share at which
 * margin and cost are equal, so that chance alone does not switch COD off.
 */
export function codOff(all: readonly CodPlace[], margin: number): CodOffFound {
  const places: CodOff[] = []
  let [few, chance, unpriced, judged] = [0, 0, 0, 0]
  for (const place of all) {
    const { delivered, rto, rto_cost: cost, rto_priced: priced } = place
    const settled = delivered + rto
    if (place.pincode === null || settled === 0) continue
    if (settled < fewSettled) few++
    else if (rto > 0 && priced === 0) unpriced++
    else {
      judged++
      const earned = percentOf(place.delivered_value, margin)
      if (cost <= earned) continue
      const even = breakEvenShare(place, margin)
      const low = wilson(rto, settled)[0]
      if (low <= even) chance++
      else
        places.push({
          pincode: place.pincode,
          settled,
          delivered,
          rto,
          rto_percent: percentIn(rto, settled)!,
          low: percentOfShare(low),
          break_even_percent: percentOfShare(even),
          delivered_value: place.delivered_value / 100,
          margin: earned / 100,
          rto_cost: cost / 100,
          saves: (cost - earned) / 100,
          rto_unpriced: rto - priced,
        })
    }
  }
  places.sort((a, b) => b.saves - a.saves || (a.pincode! < b.pincode! ? -1 : 1))
  return { places, few, chance, unpriced, judged }
}

/**
 * The RTO share at which COD earns nothing, from 0 to 1: p x cost = (1 - p) x margin, by the average cost of a returned
 * parcel and the average value of a delivered one (of a returned one where none was delivered).
 */
function breakEvenShare(place: CodPlace, margin: number): number {
  const { delivered, rto, rto_cost: cost, rto_priced: priced } = place
  const value = delivered > 0 ? place.delivered_value / delivered : place.rto_value / rto
  const earned = (value * margin) / 100
  return earned / (cost / priced + earned)
}
