// Whether amounts that shipx does not read explain why the amounts that it reads do not fit. Integer paise.
import { partSum, type Billed, type Shape } from './billed.ts'

/** An amount that is off by less than this fits: couriers round. */
const near = 100

/** What is known of a line and of its amounts that nothing reads. */
export interface UnreadLine {
  readonly line: Billed
  /** What was billed less what was expected, before GST; undefined where the line is not judged by its amounts. */
  readonly difference: number | undefined
  /**
   * The amounts of the unread columns; certain ones are charges by their name, and no totals; `rival` says that the
   * name is one of the total, which another column is read as.
   */
  readonly amounts: readonly {
    readonly paise: number
    readonly certain: boolean
    readonly total: boolean
    readonly rival: boolean
  }[]
}

/** What the amounts that were read lack: the total of the line less its parts, where it prints both. */
export function misfitOf(line: Billed, { whole }: Shape): number {
  const { gross, total, tax } = line
  const base = gross ?? (total === undefined ? undefined : total - (tax ?? 0))
  const misfit = whole || base === undefined ? 0 : base - partSum(line)
  if (Math.abs(misfit) >= near) return misfit
  const above = gross === undefined || total === undefined ? 0 : total - gross - (tax ?? 0)
  return Math.abs(above) >= near ? above : 0
}

/** Whether unread amounts are what is missing: one of them, all of them, or all but the totals. */
function explains({ amounts }: UnreadLine, missing: number, certain: boolean): boolean {
  const own = amounts.filter((one) => !certain || one.certain)
  const sum = (some: UnreadLine['amounts']): number => some.reduce((all, { paise }) => all + paise, 0)
  const sums = [...own.map(({ paise }) => paise), sum(own), sum(own.filter(({ total }) => !total))]
  return sums.some((one) => one !== 0 && Math.abs(Math.abs(missing) - one) < near)
}

/** Whether a line prints two totals that differ; a value of goods is far from what a parcel costs. */
export const hasTwoTotals = ({ line: { total = 0 }, amounts }: UnreadLine): boolean =>
  amounts.some(({ paise, rival }) => {
    const apart = Math.abs(paise - total)
    return rival && apart >= near && apart < Math.abs(total)
  })

/** Whether unread amounts are the reason why most lines do not fit. */
export function amountsMissing(lines: readonly UnreadLine[], shape: Shape): boolean {
  let [misfits, explained, byCharges] = [0, 0, 0]
  let [judged, differing, found] = [0, 0, 0]
  let charged = false
  for (const one of lines) {
    charged ||= one.amounts.some(({ certain, paise }) => certain && paise !== 0)
    const misfit = misfitOf(one.line, shape)
    if (misfit !== 0) {
      misfits++
      if (explains(one, misfit, false)) explained++
      if (explains(one, misfit, true)) byCharges++
    }
    if (one.difference === undefined) continue
    judged++
    if (Math.abs(one.difference) < near) continue
    differing++
    if (explains(one, one.difference, false)) found++
  }
  const most = (part: number, all: number): boolean => part * 2 > all
  if (most(lines.filter(hasTwoTotals).length, lines.length)) return true
  // Most lines do not add up to their own total, and there are charges that nothing reads.
  if (most(misfits, lines.length) && (charged || most(explained, misfits))) return true
  // Some do not, and what they lack stands in a column of a charge.
  if (most(byCharges, misfits) && (byCharges >= 3 || byCharges * 10 >= lines.length)) return true
  return most(differing, judged) && most(found, differing)
}
