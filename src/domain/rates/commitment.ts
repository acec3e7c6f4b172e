// What a volume commitment costs: parcels that would have gone to a courier to fill it, at the least extra cost
// (docs/guides/whatif.md, Commitments). Amounts are ten-thousandths of a paisa.

/** So many parcels a month with a courier. */
export interface Commitment {
  readonly courier: string
  readonly parcels: number
}

/** A month of a commitment. */
export interface CommittedMonth {
  /** Parcels that go with the courier as chosen, in ten-thousandths. */
  given: number
  /** The other parcels that the courier takes: how many cost so much more with it. */
  readonly more: Map<number, number>
}

/** The months of a commitment by their names, `2026-09`. */
export type CommittedMonths = Map<string, CommittedMonth>

/** The month with this name, made where there is none. */
export function monthOf(months: CommittedMonths, name: string): CommittedMonth {
  let month = months.get(name)
  if (month === undefined) months.set(name, (month = { given: 0, more: new Map() }))
  return month
}

/** What a month of a commitment lacks and costs. */
export interface Filled {
  readonly given: number
  readonly lacks: number
  /** What it costs to fill it with the parcels that cost the least more, in ten-thousandths of a paisa. */
  readonly cost: number
  /** Parcels that it lacks even then. */
  readonly left: number
}

/** Fills a month: whole parcels that cost the least more go to the courier. */
export function fill({ given, more }: CommittedMonth, parcels: number, whole: number): Filled {
  const has = Math.floor(given / whole)
  const lacks = Math.max(0, parcels - has)
  let [left, cost] = [lacks, 0]
  for (const [extra, n] of [...more].toSorted(([a], [b]) => a - b)) {
    if (left === 0) break
    const moved = Math.min(n, left)
    cost += moved * extra
    left -= moved
  }
  return { given: has, lacks, cost, left }
}
