// The totals that a bill prints, compared with its lines.
import { billedTotal, type Billed, type Shape } from '../../../domain/money/billed.ts'
import { takesOff } from '../../../domain/money/footers.ts'
import { footerAmount, type FooterRow } from './footerrows.ts'
import type { WrongTotal } from './keptterms.ts'

/** Adds up the printed columns of lines, and compares the rows that are no lines with them. */
export interface TotalsCheck {
  readonly add: (line: Billed, shape: Shape) => void
  /** Whether the lines say the same as a row, or what it says is none of theirs; undefined for a wrong total. */
  readonly check: (row: FooterRow) => boolean | undefined
}

/** Less than this is the rounding of a bill, paise. */
const rounding = 100

/**
 * The check of a document's totals, which adds to `wrong`. A sum that includes subtotals is compared with the lines
 * since the last one. What is payable may also have the amounts of no parcel, and be rounded.
 */
export function totalsCheck(counts: 'line' | 'row', wrong: WrongTotal[]): TotalsCheck {
  let [all, freight, part, partFreight, apart] = [0, 0, 0, 0, 0]
  return {
    add: (line, shape) => {
      const total = billedTotal(line, shape)
      all += total
      part += total
      freight += line.freight
      partFreight += line.freight
    },
    check: (row) => {
      const { line, kind, words, amounts } = row
      if (kind === 'recharge') return true
      if (kind === 'apart') {
        const amount = footerAmount(row) ?? 0
        apart += takesOff(words) ? -Math.abs(amount) : amount
        return Math.abs(amount) < rounding
      }
      const total = amounts.get('total')
      const printed = total ?? amounts.get('freight')
      if (printed === undefined) return true
      const sums = total === undefined ? [freight, partFreight] : [all, part]
      if (kind === 'payable' || apart !== 0) sums.push(all + apart)
      const off = kind === 'payable' ? rounding : 1
      const fits = sums.some((sum) => Math.abs(printed - sum) < off)
      if (!fits) wrong.push({ counts, line, printed, sum: sums[0]! })
      part = 0
      partFreight = 0
      return fits ? true : undefined
    },
  }
}
