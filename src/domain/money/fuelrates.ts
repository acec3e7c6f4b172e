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

/** The rates of a charge for fuel that differs by an amount; undefined where no percentage says the difference. */
export type FuelRates = (
  line: { readonly freight: number; readonly rto: number; readonly fuel: number },
  amount: number,
) => Rates | undefined

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
  return ({ freight, rto, fuel }, amount) => {
    const base = freight + rto
    if (base <= 0) return undefined
    const [theirs, ours] = [rangeOf(fuel, base), rangeOf(fuel - amount, base)]
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

/** The percentage with the fewest decimals in a range. */
export function percentText({ least, most }: Range): string {
  for (let decimals = 0; decimals < 3; decimals++) {
    const value = ((least + most) / 2).toFixed(decimals)
    if (Number(value) >= least && Number(value) <= most) return value
  }
  return ((least + most) / 2).toFixed(2)
}
