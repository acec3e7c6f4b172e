// What was taken off COD before it reached the bank: named deductions, fees, and what nothing explains.
import type { BankMatch } from '../../../domain/money/bankmatch.ts'
import { rupeesOf } from '../../../domain/money.ts'
import type { CodOutcome } from './codjudging.ts'
import type { CodLine, CodTotal } from './codlines.ts'

/** A deduction, rupees: by its name, with the lines that have it. */
export interface Deduction extends Record<string, unknown> {
  readonly name: string
  readonly amount: number
  readonly lines: number
  readonly utr: string | null
}

export const unexplainedName = 'unexplained deduction'
const feeName = 'early COD fee'
const feeAbove = 'early COD fee above its percentage'

/** Adds up deductions by name and UTR, paise. */
function adding() {
  const sums = new Map<string, { readonly name: string; readonly utr: string | null; paise: number; lines: number }>()
  return {
    add: (name: string, utr: string | null, paise: number): void => {
      if (paise === 0) return
      const key = `${name}\n${utr ?? ''}`
      const known = sums.get(key) ?? { name, utr, paise: 0, lines: 0 }
      known.paise += paise
      known.lines++
      sums.set(key, known)
    },
    all: (): readonly Deduction[] =>
      [...sums.values()].map(({ name, utr, paise, lines }) => ({ name, amount: rupeesOf(paise), lines, utr })),
  }
}

const utrOf = ({ utrs }: Pick<CodLine, 'utrs'>): string | null => (utrs.length === 0 ? null : utrs.join(', '))

/** The sums of a remittance, paise: before and after deductions. */
export function sumsOf(lines: readonly CodLine[]): { readonly remitted: number; readonly net: number } {
  let [remitted, net] = [0, 0]
  for (const { remitted: gross, fee, adjusted, unexplained } of lines) {
    remitted += gross
    net += gross - fee - adjusted - unexplained
  }
  return { remitted, net }
}

/** A printed total that is not the sum of the lines, paise. */
export interface WrongCodTotal {
  readonly line: number
  readonly printed: number
  readonly sum: number
}

/** The sums that a total may be: of all lines, of those above it, and of those since the total before. */
function sumsAt(lines: readonly CodLine[], totals: readonly CodTotal[], { line }: CodTotal) {
  const last = Math.max(0, ...totals.flatMap((total) => (total.line < line ? [total.line] : [])))
  const above = lines.filter((one) => one.line < line)
  return [lines, above, above.filter((one) => one.line > last)].map(sumsOf)
}

/** The totals of a file that are wrong; a net total below the sum is a deduction that nothing explains. */
export function wrongTotals(
  lines: readonly CodLine[],
  totals: readonly CodTotal[],
): { readonly wrong: readonly WrongCodTotal[]; readonly unexplained: number } {
  const { remitted, net } = sumsOf(lines)
  const wrong: WrongCodTotal[] = []
  let unexplained = 0
  for (const total of totals) {
    const sums = sumsAt(lines, totals, total)
    if (total.remitted !== undefined && !sums.some((sum) => [sum.remitted, sum.net].includes(total.remitted!)))
      wrong.push({ line: total.line, printed: total.remitted, sum: remitted })
    if (total.net !== undefined && !sums.some((sum) => sum.net === total.net)) {
      wrong.push({ line: total.line, printed: total.net, sum: net })
      unexplained = Math.max(unexplained, net - total.net)
    }
  }
  return { wrong, unexplained }
}

/** What nothing explains: paise; of a line, of a transfer, or of the whole remittance. */
export interface Unexplained {
  readonly awb: string | undefined
  readonly utr: string | null
  readonly amount: number
}

/** What nothing explains: lines, the printed net total, and credits of the bank. */
export function unexplainedOf(
  lines: readonly CodLine[],
  ofTotals: number,
  matches: readonly BankMatch[],
  asked: ReadonlyMap<string, number>,
): readonly Unexplained[] {
  const short = matches.flatMap(({ utr, verdict }) =>
    verdict === 'short' && asked.get(utr)! > 0 ? [{ awb: undefined, utr, amount: asked.get(utr)! }] : [],
  )
  // What a net total lacks, the bank lacks as well.
  const total = Math.max(0, ofTotals - short.reduce((sum, { amount }) => sum + amount, 0))
  return [
    ...lines.flatMap((line) =>
      line.fault === undefined && line.unexplained !== 0
        ? [{ awb: line.awb === '' ? undefined : line.awb, utr: utrOf(line), amount: line.unexplained }]
        : [],
    ),
    ...(total === 0 ? [] : [{ awb: undefined, utr: null, amount: total }]),
    ...short,
  ]
}

/** All deductions of a remittance: named ones, fees, fees above their percentage, and those that nothing explains. */
export function deductionsOf(
  lines: readonly CodLine[],
  outcomes: readonly CodOutcome[],
  unexplained: readonly Unexplained[],
): readonly Deduction[] {
  const sums = adding()
  for (const line of lines) {
    if (line.fault !== undefined) continue
    sums.add(feeName, utrOf(line), line.fee)
    sums.add(line.entry ?? unexplainedName, utrOf(line), line.adjusted)
  }
  for (const { fee, feeDue, lines: own } of outcomes)
    if (feeDue !== null && fee > feeDue) sums.add(feeAbove, utrOf(own[0]!), fee - feeDue)
  for (const { utr, amount } of unexplained) sums.add(unexplainedName, utr, amount)
  return sums.all()
}
