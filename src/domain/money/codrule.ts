// The COD fee that explains most fees of a bill: fixed, a percentage of what was collected, the greater of both or
// their sum. Amounts are integer paise.
import { percentage } from '../money.ts'

/** A COD fee of a line, and what was collected; undefined where the line does not say. */
export interface CodLine {
  readonly fee: number
  readonly collected: number | undefined
}

/** A rule of fees: paise, percent. */
export interface CodRule {
  readonly fixed: number
  readonly percent: number
  readonly rule: 'max' | 'sum'
  /** The lines that it explains, and how many there are. */
  readonly lines: number
  readonly of: number
  /** Whether the bill says of most of them what was collected. */
  readonly valued: boolean
}

/** Fewer lines than that are chance, and so is a smaller share of them. */
export const [fewestAlike, leastAlike] = [3, 2 / 3]

/** Fees that are looked at. */
const mostLooked = 2000

type Bare = Pick<CodRule, 'fixed' | 'percent' | 'rule'>

/** The fee of a rule for what was collected; undefined where it goes by what the line does not say. */
export function feeBy({ fixed, percent, rule }: Bare, collected: number | undefined) {
  if (percent === 0) return fixed
  if (collected === undefined) return undefined
  const share = shareOf(percent)(collected)
  return rule === 'sum' ? fixed + share : Math.max(fixed, share)
}

const shares = new Map<number, ReturnType<typeof percentage>>()

function shareOf(percent: number): ReturnType<typeof percentage> {
  let share = shares.get(percent)
  if (share === undefined) {
    if (shares.size > 1000) shares.clear()
    shares.set(percent, (share = percentage(percent)))
  }
  return share
}

/** The values that come most often, at most `n` of them. */
export function commonest(values: Iterable<number>, n: number): readonly number[] {
  const counts = new Map<number, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, n)
    .map(([value]) => value)
}

const percentIn = (part: number, whole: number): number => Math.round((part * 10_000) / whole) / 100

/** The rule that explains most fees; undefined where none explains two thirds of at least three. */
export function codRuleOf(all: readonly CodLine[]): CodRule | undefined {
  const every = Math.max(1, Math.ceil(all.length / mostLooked))
  const lines = all.filter((_, at) => at % every === 0)
  const valued = lines.filter(({ collected = 0 }) => collected > 0) as { fee: number; collected: number }[]
  const slopes = valued.slice(1).flatMap(({ fee, collected }, at) => {
    const before = valued[at]!
    return collected === before.collected ? [] : [percentIn(fee - before.fee, collected - before.collected)]
  })
  const percents = [
    ...commonest(
      valued.map(({ fee, collected }) => percentIn(fee, collected)),
      5,
    ),
    ...commonest(slopes, 5),
  ].filter((percent) => percent > 0 && percent <= 25)
  const fixed = commonest(
    lines.map(({ fee }) => fee),
    4,
  )
  const rules: Bare[] = fixed.map((fee) => ({ fixed: fee, percent: 0, rule: 'max' }))
  for (const percent of new Set(percents)) {
    for (const fee of [0, ...fixed.filter((one) => one > 0)]) rules.push({ fixed: fee, percent, rule: 'max' })
    const share = shareOf(percent)
    for (const fee of commonest(
      valued.map((line) => line.fee - share(line.collected)),
      2,
    ))
      if (fee > 0) rules.push({ fixed: fee, percent, rule: 'sum' })
  }
  let best: CodRule | undefined
  for (const rule of rules) {
    const fitting = lines.reduce((n, { fee, collected }) => (feeBy(rule, collected) === fee ? n + 1 : n), 0)
    if (best === undefined || fitting > best.lines)
      best = { ...rule, lines: fitting, of: lines.length, valued: valued.length * 2 > lines.length }
  }
  return best === undefined || best.lines < fewestAlike || best.lines < best.of * leastAlike ? undefined : best
}

/** The percentage of a base that explains most amounts; undefined where none explains two thirds of at least three. */
export function shareRuleOf(
  all: readonly { readonly amount: number; readonly bases: readonly number[] }[],
): number | undefined {
  const sum = (bases: readonly number[]): number => bases.reduce((value, one) => value + one, 0)
  const lines = all.filter(({ bases }) => sum(bases) > 0)
  const found = commonest(
    lines.map(({ amount, bases }) => percentIn(amount, sum(bases))),
    5,
  )
    .filter((percent) => percent >= 0)
    .map((percent) => {
      const share = shareOf(percent)
      return [percent, lines.filter(({ amount, bases }) => sum(bases.map(share)) === amount).length] as const
    })
    .toSorted((a, b) => b[1] - a[1])[0]
  return found === undefined || found[1] < fewestAlike || found[1] < lines.length * leastAlike ? undefined : found[0]
}
