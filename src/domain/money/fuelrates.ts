// The percentages that charges for fuel have in common: of rounded amounts, each is a range. Integer paise.

/** The percentages that a charge may be, and its rounding leaves open. */
interface Range {
  least: number
  most: number
}

/** What some lines are billed for fuel, and what the card says, in percent of the freight. */
interface Rates {
  readonly key: number
  readonly theirs: Range
  readonly ours: Range
}

/** A charge for fuel: paise. */
export interface FuelCharge {
  readonly billed: number
  /** What it is a share of, as billed. */
  readonly base: number
  readonly due: number
  /** What the card says that it is a share of. */
  readonly dueBase: number
}

/** The rates of a charge for fuel; undefined where both may be the same, and the freight alone differs. */
export type FuelRates = (charge: FuelCharge) => Rates | undefined

/** Pairs of rates in memory at most: a courier has a few. */
const mostRates = 200

/** An amount is rounded to a paisa, up or down. */
const rangeOf = (part: number, whole: number): Range => ({
  least: ((part - 1) * 100) / whole,
  most: ((part + 1) * 100) / whole,
})

const meet = (a: Range, b: Range): boolean => a.least <= b.most && b.least <= a.most

function narrow(range: Range, by: Range): void {
  range.least = Math.max(range.least, by.least)
  range.most = Math.min(range.most, by.most)
}

/** Rates of no line yet: each line has those of the first that fit it, which it narrows. */
export function fuelRates(): FuelRates {
  const known: Rates[] = []
  return ({ billed, base, due, dueBase }) => {
    if (base <= 0 || dueBase <= 0) return undefined
    const [theirs, ours] = [rangeOf(billed, base), rangeOf(due, dueBase)]
    const found = known.find((one) => meet(one.theirs, theirs) && meet(one.ours, ours))
    if (found !== undefined) {
      narrow(found.theirs, theirs)
      narrow(found.ours, ours)
      return found
    }
    // Paise may be all that differs.
    if (meet(theirs, ours) || known.length === mostRates) return undefined
    const made = { key: known.length, theirs, ours }
    known.push(made)
    return made
  }
}

/** What the other rate alone costs: not what comes of another freight. */
export const rateCost = ({ billed, base, due, dueBase }: FuelCharge): number =>
  billed - Math.round((base * due) / dueBase)

/** The percentage with the fewest decimals in a range. */
export function percentText({ least, most }: Range): string {
  for (let decimals = 0; decimals < 3; decimals++) {
    const value = ((least + most) / 2).toFixed(decimals)
    if (Number(value) >= least && Number(value) <= most) return value
  }
  return ((least + most) / 2).toFixed(2)
}
