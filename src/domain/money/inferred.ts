// The tariff that explains most lines of a bill: prices by zone, RTO, COD, fuel and GST, solved from its amounts
// (docs/guides/money.md, Without a contract). What the lines cannot tell is left out. Amounts are integer paise before
// GST, weights hundredths of a gram.
import { percentage } from '../money.ts'
import { agreed, comparisonOf, type Comparison } from './alike.ts'
import { fewestAlike, leastAlike, shareRuleOf, type CodRule } from './codrule.ts'
import { billedIn, gridsOf, type AlikePart, type BillCounts, type Cell } from './kinds.ts'
import { contractGrids, gridsFitting, stepsAbove, type SlabGrid } from './slabgrid.ts'

/** The prices of a zone, and the lines that they explain. */
export interface InferredZone {
  /** As the file writes it. */
  readonly zone: string
  /** Undefined where no price explains two thirds of at least three lines. */
  readonly first: number | undefined
  /** Undefined where fewer than two lines are above the first slab. */
  readonly step: number | undefined
  readonly lines: number
  readonly fitting: number
  /** The first line of the commonest amount that does not fit. */
  readonly example: { readonly line: number; readonly amount: number } | undefined
}

/** The prices of a journey. */
export interface InferredPrices {
  readonly zones: readonly InferredZone[]
  /** The end of the heaviest slab that they explain: nothing tells what heavier parcels cost. */
  readonly limit: number
}

/** The tariff of a courier. */
export interface InferredService extends InferredPrices {
  readonly courier: string
  readonly grid: SlabGrid
  /** The lightest and the heaviest line, rounded up to 50 g. */
  readonly span: readonly [number, number]
  /** RTO as a share of the freight, or prices of its own; undefined where nothing explains it. */
  readonly rto: { readonly percent: number } | InferredPrices | undefined
  readonly returns: InferredPrices
  readonly qc: number | undefined
  readonly cod: CodRule | undefined
  /** Percent of the freight; undefined where there is none. */
  readonly fuel: number | undefined
  /** One more charge that most lines have; undefined where there is none. */
  readonly other: number | undefined
  /** What the lines cannot tell, in sentences. */
  readonly left: readonly string[]
}

/** The tariff of a bill. */
export interface InferredCard {
  readonly services: readonly InferredService[]
  /** Undefined where the bill names no GST. */
  readonly gstPercent: number | undefined
}

/** How often each amount was billed, by the steps above the first slab. */
type Points = Map<number, Map<number, { lines: number; readonly first: number }>>

/** Slabs and amounts that prices are solved from: those of most lines. */
const [mostSlabs, mostPrices] = [12, 3]

function pointsOf(cells: readonly Cell[], part: AlikePart, grid: SlabGrid): Points {
  const points: Points = new Map()
  for (const cell of cells) {
    const above = stepsAbove(grid, cell.weight)
    let own = points.get(above)
    if (own === undefined) points.set(above, (own = new Map()))
    for (const { amount, lines, first } of billedIn(cell, part)) {
      const same = own.get(amount)
      if (same === undefined) own.set(amount, { lines, first })
      else same.lines += lines
    }
  }
  for (const [above, amounts] of points) if (amounts.size === 0) points.delete(above)
  return points
}

const linesAt = (points: Points, above: number): number =>
  [...(points.get(above)?.values() ?? [])].reduce((sum, { lines }) => sum + lines, 0)

/** Lines whose amount is the price of their slab, at the first slab and above it. */
function fittingIn(points: Points, first: number, step: number): { first: number; above: number; slabs: number } {
  const fits = { first: 0, above: 0, slabs: 0 }
  for (const [above, amounts] of points) {
    const lines = amounts.get(first + above * step)?.lines ?? 0
    if (above === 0) fits.first += lines
    else fits.above += lines
    if (lines > 0) fits.slabs++
  }
  return fits
}

/** The first and step price that explain most lines. */
function solved(points: Points): { readonly first: number; readonly step: number } | undefined {
  const slabs = [...points.keys()]
    .toSorted((a, b) => linesAt(points, b) - linesAt(points, a) || a - b)
    .slice(0, mostSlabs)
  const common = new Map(
    slabs.map((above) => [
      above,
      [...points.get(above)!]
        .toSorted((a, b) => b[1].lines - a[1].lines || a[0] - b[0])
        .slice(0, mostPrices)
        .map(([amount]) => amount),
    ]),
  )
  const tried = (common.get(0) ?? []).map((first) => ({ first, step: 0 }))
  for (const low of slabs)
    for (const high of slabs)
      if (low < high)
        for (const a of common.get(low)!)
          for (const b of common.get(high)!) {
            const step = (b - a) / (high - low)
            if (Number.isInteger(step) && step >= 0 && a - low * step >= 0) tried.push({ first: a - low * step, step })
          }
  let [best, most] = [undefined as (typeof tried)[number] | undefined, 0]
  for (const one of tried) {
    const { first, above } = fittingIn(points, one.first, one.step)
    if (first + above > most) [best, most] = [one, first + above]
  }
  return best
}

/** The prices of a zone from what was billed in it. */
function zoneOf(zone: string, points: Points): InferredZone {
  const lines = [...points.keys()].reduce((sum, above) => sum + linesAt(points, above), 0)
  const found = solved(points)
  const fits = found === undefined ? undefined : fittingIn(points, found.first, found.step)
  // A price above the first slab needs two lines that agree, and two slabs.
  const stepped = fits !== undefined && fits.above >= 2 && fits.slabs >= 2
  const fitting = fits === undefined ? 0 : fits.first + (stepped ? fits.above : 0)
  const first = found?.first
  const known = first !== undefined && fitting >= fewestAlike && fitting >= lines * leastAlike
  const right = (above: number, amount: number): boolean =>
    known && (above === 0 || stepped) && amount === first + above * found!.step
  const odd = [...points]
    .flatMap(([above, amounts]) =>
      [...amounts].map(([amount, { lines: n, first: line }]) => ({ above, amount, lines: n, line })),
    )
    .filter(({ above, amount }) => !right(above, amount))
    .toSorted((a, b) => b.lines - a.lines)[0]
  return {
    zone,
    first: known ? first : undefined,
    step: known && stepped ? found!.step : undefined,
    lines,
    fitting: known ? fitting : 0,
    example: odd && { line: odd.line, amount: odd.amount },
  }
}

/** The cells of each zone, as the file writes the zone first. */
function byZone(cells: readonly Cell[]): ReadonlyMap<string, readonly Cell[]> {
  const zones = new Map<string, Cell[]>()
  const names = new Map<string, string>()
  for (const cell of cells) {
    if (cell.weight === 0 || cell.zone === '') continue
    const name = names.get(cell.zone) ?? cell.zoneShown
    names.set(cell.zone, name)
    const own = zones.get(name)
    if (own === undefined) zones.set(name, [cell])
    else own.push(cell)
  }
  return new Map([...zones].toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** The prices of a part by zone, and up to which weight they explain lines. */
function pricesOf(cells: readonly Cell[], part: AlikePart, grid: SlabGrid): InferredPrices {
  const found = [...byZone(cells)].flatMap(([zone, own]) => {
    const points = pointsOf(own, part, grid)
    return points.size === 0 ? [] : [{ points, prices: zoneOf(zone, points) }]
  })
  // Slabs count as explained as far up as two thirds of their lines are.
  const worth = new Map<number, number>()
  for (const { points, prices } of found)
    for (const [above, amounts] of points) {
      const fitting = amounts.get(priceAt(prices, above) ?? NaN)?.lines ?? 0
      const odd = prices.first === undefined ? 0 : linesAt(points, above) - fitting
      worth.set(above, (worth.get(above) ?? 0) + fitting - 2 * odd)
    }
  let [sum, best, last] = [0, 0, 0]
  for (const above of [...worth.keys()].toSorted((a, b) => a - b)) {
    sum += worth.get(above)!
    if (sum > best) [best, last] = [sum, above]
  }
  return { zones: found.map(({ prices }) => prices), limit: grid.first + last * grid.step }
}

/** The price of a slab of a zone. */
const priceAt = ({ first, step }: InferredZone, above: number): number | undefined =>
  first === undefined || (above > 0 && step === undefined) ? undefined : first + above * (step ?? 0)

/** RTO: a share of the freight where one explains it, else prices of its own. */
function rtoOf(cells: readonly Cell[], zones: readonly InferredZone[], grid: SlabGrid, whole: boolean) {
  const own = whole ? { zones: [], limit: 0 } : pricesOf(cells, 'rto', grid)
  const back: { readonly freight: number; readonly rto: number; readonly lines: number }[] = []
  let lines = 0
  for (const [zone, list] of byZone(cells)) {
    const prices = zones.find((one) => one.zone === zone)
    for (const cell of list) {
      if (whole && cell.journey !== 'rto') continue
      const freight = prices && priceAt(prices, stepsAbove(grid, cell.weight))
      for (const { amount, lines: n } of billedIn(cell, whole ? 'total' : 'rto')) {
        lines += n
        const rto = whole ? amount - (freight ?? 0) : amount
        if (freight !== undefined && freight > 0 && rto >= 0) back.push({ freight, rto, lines: n })
      }
    }
  }
  const shares = new Map<number, number>()
  for (const { freight, rto, lines: n } of back) {
    const percent = Math.round((rto * 10_000) / freight) / 100
    shares.set(percent, (shares.get(percent) ?? 0) + n)
  }
  const found = [...shares]
    .toSorted((a, b) => b[1] - a[1])
    .slice(0, 5)
    .map(([percent]) => {
      const share = percentage(percent)
      return { percent, lines: back.reduce((n, one) => (share(one.freight) === one.rto ? n + one.lines : n), 0) }
    })
    .toSorted((a, b) => b.lines - a.lines)[0]
  const fitting = own.zones.reduce((sum, zone) => sum + zone.fitting, 0)
  const most = found !== undefined && found.lines >= fewestAlike && found.lines >= lines * leastAlike
  if (most && found.lines >= fitting) return { rto: { percent: found.percent }, lines }
  return { rto: own.zones.some(({ first }) => first !== undefined) ? own : undefined, lines }
}

/** The amount that most lines of some cells have of a part; undefined where none does. */
function commonOf(cells: readonly Cell[], part: AlikePart, of: number): number | undefined {
  const sums = new Map<number, number>()
  for (const cell of cells)
    for (const { amount, lines } of billedIn(cell, part)) sums.set(amount, (sums.get(amount) ?? 0) + lines)
  const [found] = [...sums].toSorted((a, b) => b[1] - a[1])
  return found !== undefined && agreed({ amount: found[0], lines: found[1], of }) ? found[0] : undefined
}

const linesWith = (cells: readonly Cell[], part: AlikePart): number =>
  cells.reduce((sum, cell) => billedIn(cell, part).reduce((n, one) => n + one.lines, sum), 0)

/** A bill of more kinds than any courier has gets one try. */
const usualCells = 8000

/**
 * The slabs whose prices explain most lines, with the prices. Of those that explain the same, the slabs in which most
 * lines cost the same come first.
 */
function bestOf(cells: readonly Cell[], part: AlikePart): InferredPrices & { readonly grid: SlabGrid } {
  const [grids = gridsFitting([])] = gridsOf(cells, gridsFitting).values()
  const tried = (cells.length > usualCells ? grids.slice(0, 1) : [...grids, ...contractGrids]).map((grid) => ({
    grid,
    ...pricesOf(cells, part, grid),
  }))
  const fitting = tried.map(({ zones }) => zones.reduce((sum, one) => sum + one.fitting, 0))
  return tried[fitting.indexOf(Math.max(...fitting))]!
}

/** The lightest and the heaviest weight of some cells. */
function spanOf(cells: readonly Cell[]): readonly [number, number] {
  const weights = cells.flatMap(({ weight }) => (weight === 0 ? [] : [weight]))
  return [weights.reduce((a, b) => Math.min(a, b), Infinity), weights.reduce((a, b) => Math.max(a, b), 0)]
}

function serviceOf(cells: readonly Cell[], counts: BillCounts, comparison: Comparison, whole: boolean) {
  const { courier, courierShown } = cells[0]!
  const plain = whole ? cells.filter(({ payment, journey }) => payment === 'prepaid' && journey === 'forward') : cells
  const { grid, zones, limit } = bestOf(plain, whole ? 'total' : 'freight')
  const { rto, lines: returned } = rtoOf(
    whole ? cells.filter(({ payment }) => payment === 'prepaid') : cells,
    zones,
    grid,
    whole,
  )
  const all = cells.reduce((sum, { lines }) => sum + lines, 0)
  const fuels = counts.fuels().filter((one) => one.courier === courier)
  const fuel = fuels.every(({ amount }) => amount === 0) ? undefined : (shareRuleOf(fuels) ?? NaN)
  const [others, qcs] = [linesWith(cells, 'other'), linesWith(cells, 'qc')]
  const other = others === 0 ? undefined : commonOf(cells, 'other', all)
  const cod = comparison.codRule(courier, 'forward')
  const kept = comparison.codRule(courier, 'rto')
  const paid = cells.some(({ payment }) => payment === 'cod')
  const left = [
    ...(returned === 0 ? ['no RTO is billed'] : rto === undefined ? ['too few lines agree on its RTO'] : []),
    ...(cod !== undefined ? [] : [paid ? 'too few lines agree on its COD fees' : 'no COD fee is billed']),
    ...(kept === undefined || (kept.fixed === 0 && kept.percent === 0)
      ? []
      : ['RTO lines keep their COD fee: in JSON, the card says so ("on_rto": "charged")']),
    ...(Number.isNaN(fuel) ? ['too few lines agree on its fuel'] : []),
    ...(others > 0 && other === undefined ? ['other charges of some lines follow no rule'] : []),
    ...(whole ? ['one amount for each line: all of it but COD fees counts as freight'] : []),
  ]
  const service: InferredService = {
    courier: courierShown,
    grid,
    span: spanOf(cells),
    zones,
    limit,
    rto,
    returns: pricesOf(cells, 'reverse', grid),
    qc: qcs === 0 ? undefined : commonOf(cells, 'qc', qcs),
    cod,
    fuel: fuel === undefined || Number.isNaN(fuel) ? undefined : fuel,
    other,
    left,
  }
  return service
}

/** The tariff that explains most lines of a bill; `whole` says that each line has one amount for everything. */
export function inferredCard(counts: BillCounts, whole: boolean): InferredCard {
  const comparison = comparisonOf(counts, whole)
  const couriers = new Map<string, Cell[]>()
  for (const cell of counts.cells()) {
    if (!comparison.grids.has(cell.courier)) continue
    const own = couriers.get(cell.courier)
    if (own === undefined) couriers.set(cell.courier, [cell])
    else own.push(cell)
  }
  return {
    services: [...couriers.values()].map((cells) => serviceOf(cells, counts, comparison, whole)),
    gstPercent: counts.gstPercent(),
  }
}
