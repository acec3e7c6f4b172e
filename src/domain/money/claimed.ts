// What a document claims of a parcel: what its lines bill too much, less what the same document credits for the parcel,
// at least nothing, whatever the order of its lines (docs/guides/money.md, Credits). Integer paise.
import type { SeenAwbs } from './seenawbs.ts'

/** A line of a parcel: what it bills too much is 0 for one that does not. */
export interface ClaimLine {
  readonly line: number
  readonly billed: number
  readonly over: number
}

/** What a judged line bills too much; 0 for one that does not. */
export const overOf = (line: {
  readonly verdict: string
  readonly billed: number
  readonly expected: number | null
}): number => (line.verdict === 'over' ? line.billed - line.expected! : 0)

/**
 * What is claimed of a parcel after one more line; below 0 where more was credited. `net` is what was billed of it in
 * all, with this line: a credit of all that was billed ends what was before it.
 */
const openAfter = (open: number, { billed, over }: Omit<ClaimLine, 'line'>, net: number): number =>
  billed >= 0 ? open + over : net <= 0 ? Math.min(0, net) : open + billed

/** What a document claims, while its lines come. */
export interface ClaimSum {
  readonly add: (awb: string, line: Omit<ClaimLine, 'line'>, net: number) => void
  /** What it credits of what its lines bill too much. */
  readonly credited: () => number
}

/** Adds up what a document claims: a parcel without a credit or a line that costs too much takes no time. */
export function claimSum(awbs: SeenAwbs): ClaimSum {
  let [over, claimed] = [0, 0]
  return {
    add: (awb, line, net) => {
      if (line.billed >= 0 && line.over === 0) return
      awbs.goTo(awb)
      const before = awbs.net()
      const open = openAfter(before, line, net)
      awbs.bill(0, open, 0)
      over += line.over
      claimed += Math.max(0, open) - Math.max(0, before)
    },
    credited: () => over - claimed,
  }
}

/**
 * What is left to claim of each line of a parcel that costs too much, by line. A credit goes to the line that costs so
 * much too much, else to the first ones. `before` is what earlier documents billed.
 */
export function claimsOf(lines: readonly ClaimLine[], before: number): ReadonlyMap<number, number> {
  const left = new Map<number, number>()
  let [net, ahead] = [before, 0]
  for (const { line, billed, over } of lines) {
    net += billed
    if (billed < 0 && net <= 0) {
      for (const one of left.keys()) left.set(one, 0)
      ahead = -net
    } else if (billed < 0) ahead += unused(left, -billed)
    else if (over > 0) {
      const paid = Math.min(ahead, over)
      ahead -= paid
      left.set(line, over - paid)
    }
  }
  return left
}

/** Takes a credit off what is left of lines, and returns what no line has use for. */
function unused(left: Map<number, number>, credit: number): number {
  const same = [...left].find(([, amount]) => amount === credit)
  let rest = credit
  for (const [line, amount] of same === undefined ? left : [same]) {
    const part = Math.min(amount, rest)
    left.set(line, amount - part)
    rest -= part
  }
  return rest
}
