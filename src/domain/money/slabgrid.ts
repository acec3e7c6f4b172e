// The slabs by which a courier bills, found in its own bill: the first one and the step after which lines of one slab
// cost the same. Weights are hundredths of a gram.

/** The slabs of a courier: the end of the first one, and the width of each further one. */
export interface SlabGrid {
  readonly first: number
  readonly step: number
}

/** Lines of one weight that were billed one amount; `lane` is all else that their price depends on. */
export interface Weighed {
  readonly lane: string
  readonly weight: number
  readonly amount: number
  readonly lines: number
}

const grams = (list: readonly number[]): readonly number[] => list.map((one) => one * 100)

/** The slabs that contracts have, the likeliest first; all of them are multiples of 50 g. */
const firsts = grams([500, 1000, 250, 2000, 5000, 1500, 3000, 2500, 10_000, 100, 50])
const steps = grams([500, 1000, 250, 2000, 5000, 100, 50])

/** All slabs that contracts have, the likeliest first. */
export const contractGrids: readonly SlabGrid[] = firsts.flatMap((first) => steps.map((step) => ({ first, step })))

/** The width that weights are rounded up to before they are counted; every slab that is looked for is made of it. */
export const finest = 5000

const usual: SlabGrid = { first: 50_000, step: 50_000 }

/** How many steps above the first slab a weight is. */
export const stepsAbove = ({ first, step }: SlabGrid, weight: number): number =>
  weight <= first ? 0 : Math.ceil((weight - first) / step)

/** The end of the slab of a weight. */
export const slabEnd = (grid: SlabGrid, weight: number): number => grid.first + stepsAbove(grid, weight) * grid.step

/** Amounts that are looked at, those of most lines first. */
const mostLooked = 1500

/** How well slabs explain lines. */
interface Fit {
  readonly grid: SlabGrid
  /** Lines that cost what most of their slab cost, less one for each slab: an own price explains nothing. */
  readonly score: number
  readonly groups: number
  /** Slabs below the heaviest one that have no line. */
  readonly gaps: number
}

/** Lines with a number for each lane and each amount, which are quicker to count by than texts. */
interface Numbered {
  readonly lines: readonly {
    readonly lane: number
    readonly amount: number
    readonly weight: number
    readonly n: number
  }[]
  readonly lanes: number
  readonly amounts: number
}

function numbered(all: readonly Weighed[]): Numbered {
  const [lanes, amounts] = [new Map<string, number>(), new Map<number, number>()]
  const numberIn = <K>(known: Map<K, number>, key: K): number => {
    const before = known.get(key) ?? known.size
    known.set(key, before)
    return before
  }
  const lines = all.map(({ lane, weight, amount, lines: n }) => ({
    lane: numberIn(lanes, lane),
    amount: numberIn(amounts, amount),
    weight,
    n,
  }))
  return { lines, lanes: lanes.size, amounts: amounts.size }
}

function fitOf(grid: SlabGrid, { lines, lanes, amounts }: Numbered): Fit {
  const counts = new Map<number, number>()
  const most = new Map<number, number>()
  const slabs = new Set<number>()
  for (const { lane, amount, weight, n } of lines) {
    const above = stepsAbove(grid, weight)
    slabs.add(above)
    const group = above * lanes + lane
    const key = group * amounts + amount
    const same = (counts.get(key) ?? 0) + n
    counts.set(key, same)
    if (same > (most.get(group) ?? 0)) most.set(group, same)
  }
  let score = 0
  for (const n of most.values()) score += n - 1
  return { grid, score, groups: most.size, gaps: Math.max(...slabs) + 1 - slabs.size }
}

/**
 * The slabs that explain most lines, the likeliest first: 500 g and 500 g where nothing speaks against them. Of slabs
 * that explain the same, the narrowest accuse the fewest lines.
 */
export function gridsFitting(all: readonly Weighed[]): readonly SlabGrid[] {
  if (all.length === 0) return [usual]
  const lines = numbered(all.toSorted((a, b) => b.lines - a.lines).slice(0, mostLooked))
  const fits = contractGrids.map((grid) => fitOf(grid, lines))
  const best = Math.max(...fits.map(({ score }) => score))
  const equal = fits.filter(({ score }) => score === best)
  const known = equal.find(({ grid }) => grid.first === usual.first && grid.step === usual.step)
  const groups = known?.groups ?? Math.max(...equal.map((fit) => fit.groups))
  return equal
    .filter((fit) => fit.groups === groups)
    .toSorted((a, b) => a.gaps - b.gaps)
    .map(({ grid }) => grid)
}

/** The likeliest slabs. */
export const gridOf = (all: readonly Weighed[]): SlabGrid => gridsFitting(all)[0]!
