// The RTO of couriers like for like: each one's share in the account's own mix of zone and payment, by direct
// standardisation (docs/guides/returns.md, Like for like).
import { fewSettled, hundredthsIn, percentIn, percentOfShare, wilson } from './rto.ts'

/** The settled parcels of a courier in a zone with a payment. */
export interface Cell {
  readonly courier: string | null
  readonly zone: string | null
  readonly payment: string | null
  readonly settled: number
  readonly rto: number
}

/** A courier in the mix of the account: percentages from 0 to 100 with two decimals. */
export interface LikeForLike {
  readonly courier: string | null
  readonly settled: number
  readonly rto: number
  /** As it is, with the courier's own mix. */
  readonly rto_percent: number
  /** In the account's mix, as far as the courier has parcels there. */
  readonly standardised_percent: number
  /** All couriers in the same cells with the same weights. */
  readonly account_percent: number
  /** The courier less the account, in percentage points. */
  readonly difference: number
  /** How much of the account's settled parcels lies in cells that the courier has. */
  readonly covered_percent: number
  readonly low: number
  readonly high: number
  /** The cells that the courier lacks: `zone_e cod`. */
  readonly missing: readonly string[]
  readonly few: boolean
}

/** An exact share. */
export interface Ratio {
  readonly part: bigint
  readonly whole: bigint
}

/** A sum of exact shares with weights; `none` is no weight at all. */
function weighted(list: readonly { readonly weight: number; readonly part: number; readonly whole: number }[]): Ratio {
  let [part, whole, weights] = [0n, 1n, 0n]
  for (const one of list) {
    const [n, d] = [BigInt(one.weight) * BigInt(one.part), BigInt(one.whole)]
    ;[part, whole] = [part * d + n * whole, whole * d]
    weights += BigInt(one.weight)
    const common = gcd(part, whole)
    ;[part, whole] = [part / common, whole / common]
  }
  return { part, whole: whole * weights }
}

function gcd(a: bigint, b: bigint): bigint {
  while (b !== 0n) [a, b] = [b, a % b]
  return a === 0n ? 1n : a
}

/** What a cell is called: `zone_e cod`, `no zone prepaid`. */
const nameOf = ({ zone, payment }: Pick<Cell, 'zone' | 'payment'>): string =>
  `${zone ?? 'no zone'} ${payment ?? 'no payment'}`

interface Sum {
  readonly name: string
  settled: number
  rto: number
}

function sumsOf(cells: readonly Cell[]): ReadonlyMap<string, Sum> {
  const sums = new Map<string, Sum>()
  for (const cell of cells) {
    const name = nameOf(cell)
    const sum = sums.get(name) ?? { name, settled: 0, rto: 0 }
    sum.settled += cell.settled
    sum.rto += cell.rto
    sums.set(name, sum)
  }
  return sums
}

/** Each courier's exact share in the account's mix, and the account's in the same cells. */
export interface Standardised {
  readonly courier: string | null
  readonly own: Ratio
  readonly account: Ratio
}

/**
 * The couriers with settled parcels in the account's mix, those with the most parcels first. The weight of a cell is
 * the number of all settled parcels in it; cells that a courier lacks are left out of both of its shares.
 */
export function likeForLike(cells: readonly Cell[]): readonly (LikeForLike & Standardised)[] {
  const settled = cells.filter((cell) => cell.settled > 0)
  const all = [...sumsOf(settled).values()]
  const total = all.reduce((sum, cell) => sum + cell.settled, 0)
  const byCourier = new Map<string | null, Cell[]>()
  for (const cell of settled) byCourier.set(cell.courier, [...(byCourier.get(cell.courier) ?? []), cell])
  return [...byCourier]
    .map(([courier, own]) => courierIn(courier, sumsOf(own), all, total))
    .toSorted((a, b) => b.settled - a.settled || ((a.courier ?? '') < (b.courier ?? '') ? -1 : 1))
}

function courierIn(
  courier: string | null,
  cells: ReadonlyMap<string, Sum>,
  all: readonly Sum[],
  total: number,
): LikeForLike & Standardised {
  const shared = all.filter(({ name }) => cells.has(name))
  const own = weighted(
    shared.map(({ name, settled: weight }) => ({
      weight,
      part: cells.get(name)!.rto,
      whole: cells.get(name)!.settled,
    })),
  )
  const account = weighted(shared.map(({ settled: weight, rto: part }) => ({ weight, part, whole: weight })))
  const [settled, rto, covered] = [...cells.values()].reduce(
    ([n, back, weight], cell) => [n + cell.settled, back + cell.rto, weight],
    [0, 0, shared.reduce((sum, cell) => sum + cell.settled, 0)],
  )
  const [mine, theirs] = [own, account].map(({ part, whole }) => hundredthsIn(part, whole)) as [number, number]
  const [low, high] = rangeOf(shared, cells, Number(own.part) / Number(own.whole))
  return {
    courier,
    settled,
    rto,
    rto_percent: percentIn(rto, settled)!,
    standardised_percent: mine / 100,
    account_percent: theirs / 100,
    difference: (mine - theirs) / 100,
    covered_percent: percentIn(covered, total)!,
    low: percentOfShare(low),
    high: percentOfShare(high),
    missing: all.flatMap(({ name }) => (cells.has(name) ? [] : [name])).toSorted(),
    few: settled < fewSettled,
    own,
    account,
  }
}

/**
 * The 95 % interval of a weighted share out of the Wilson intervals of its cells (G. Y. Zou and A. Donner, 2008: the
 * squares of the weighted distances to each limit add up).
 */
function rangeOf(
  shared: readonly Sum[],
  cells: ReadonlyMap<string, Sum>,
  share: number,
): readonly [low: number, high: number] {
  const weights = shared.reduce((sum, cell) => sum + cell.settled, 0)
  let [below, above] = [0, 0]
  for (const { name, settled } of shared) {
    const { rto, settled: whole } = cells.get(name)!
    const [low, high] = wilson(rto, whole)
    below += ((settled / weights) * (rto / whole - low)) ** 2
    above += ((settled / weights) * (high - rto / whole)) ** 2
  }
  return [Math.max(0, share - Math.sqrt(below)), Math.min(1, share + Math.sqrt(above))]
}
