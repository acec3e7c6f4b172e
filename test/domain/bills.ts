// Bills made from a drawn tariff, with faults that are known: for the tests of what compares lines with each other.
import { billCounts, type BillCounts } from '../../src/domain/money/kinds.ts'
import { comparisonOf } from '../../src/domain/money/alike.ts'
import { judge, type Bench } from '../../src/domain/money/judge.ts'
import { blankLine, nothingSeen, type Billed, type Judged, type Shape } from '../../src/domain/money/billed.ts'
import { drawsOf, type Draws } from '../support/chance.ts'

/** A tariff: paise, hundredths of a gram, percent. */
export interface Drawn {
  readonly first: number
  readonly step: number
  readonly prices: ReadonlyMap<string, readonly [first: number, step: number]>
  readonly rtoPercent: number
  readonly cod: { readonly fixed: number; readonly percent: number; readonly rule: 'max' | 'sum' }
  readonly fuel: number
}

export const columns: Shape = { whole: false, rto: true, cod: true, fuel: true, other: true, gst: 'columns' }
export const onlyTotal: Shape = { whole: true, rto: false, cod: false, fuel: false, other: false, gst: 'none' }

const share = (paise: number, percent: number): number => {
  const scaled = BigInt(paise) * BigInt(Math.round(percent * 100))
  return Number((2n * scaled + 10_000n) / 20_000n)
}

/** A tariff of some zones. */
export function tariffOf({ below, pick }: Draws, zones: readonly string[]): Drawn {
  const first = pick([25_000, 50_000, 50_000, 100_000, 200_000])
  return {
    first,
    step: pick([25_000, 50_000, 50_000, 100_000].filter((step) => step <= first)),
    prices: new Map(zones.map((zone) => [zone, [2500 + below(6000), 1000 + below(5000)] as const])),
    rtoPercent: pick([100, 100, 90, 82.5]),
    cod: pick([
      { fixed: 3000, percent: 0, rule: 'max' },
      { fixed: 2900, percent: 1.75, rule: 'max' },
      { fixed: 0, percent: 2.2, rule: 'max' },
      { fixed: 1500, percent: 1, rule: 'sum' },
    ] as const),
    fuel: pick([0, 12, 17.25]),
  }
}

/** The freight of a weight in a zone. */
export function freightOf({ first, step, prices }: Drawn, zone: string, weight: number): number {
  const [price, more] = prices.get(zone)!
  return price + Math.max(0, Math.ceil((weight - first) / step)) * more
}

/** Line `n` of invoice I, with nothing in it but its AWB. */
export const emptyLine = (n: number): Billed => ({ ...blankLine(String(1_000_000 + n)), line: n, number: 'I' })

/** A line of a bill, and what is wrong with it. */
export interface MadeLine {
  readonly line: Billed
  readonly wrong: Readonly<Record<string, number>>
}

/** Lines of a tariff, a share of them with one fault. */
export function billOf(seed: number, tariff: Drawn, lines: number, faulty: number): readonly MadeLine[] {
  const { unit, below, pick } = drawsOf(seed)
  const zones = [...tariff.prices.keys()]
  return Array.from({ length: lines }, (_, n): MadeLine => {
    const [zone, weight] = [pick(zones), 5000 + below(60) * 5000 - below(2) * 1200]
    const [cod, back] = [below(2) === 0, below(6) === 0]
    const collected = cod ? 20_000 + below(400_000) : undefined
    const freight = freightOf(tariff, zone, weight)
    const rto = back ? share(freight, tariff.rtoPercent) : 0
    const fee = !cod || back ? 0 : feeOf(tariff, collected!)
    const fuel = share(freight, tariff.fuel) + share(rto, tariff.fuel)
    const kind = unit() < faulty ? pick(['rate', 'cod_rate', 'surcharge', ...(back ? ['rto_rate'] : [])]) : undefined
    const amount = 500 + below(4000)
    const named = kind === 'cod_rate' && back ? 'cod_not_reversed' : kind
    const wrong: Record<string, number> =
      named === undefined || (kind === 'cod_rate' && !cod) ? {} : { [named]: amount }
    const own = {
      freight: freight + (wrong['rate'] ?? 0),
      rto: rto + (wrong['rto_rate'] ?? 0),
      cod: fee + (wrong['cod_rate'] ?? wrong['cod_not_reversed'] ?? 0),
      fuel,
      other: wrong['surcharge'] ?? 0,
    }
    const base = own.freight + own.rto + own.cod + own.fuel + own.other
    const tax = share(base, 18)
    const payment = cod ? 'cod' : 'prepaid'
    return { line: { ...emptyLine(n + 1), zone, weight, ...own, tax, total: base + tax, payment, collected }, wrong }
  })
}

const feeOf = ({ cod }: Drawn, collected: number): number => {
  const part = share(collected, cod.percent)
  return cod.rule === 'sum' ? cod.fixed + part : Math.max(cod.fixed, part)
}

/** The counts of lines of one courier. */
export function countsOf(lines: readonly Billed[], shape = columns): BillCounts {
  const counts = billCounts(shape)
  for (const line of lines) counts.add(line, 'Delhivery')
  return counts
}

/** The lines judged by each other, without parcels. */
export function judgedAlone(lines: readonly Billed[], shape = columns, over: Partial<Bench> = {}): readonly Judged[] {
  const bench: Bench = {
    terms: { shape, order: 'zone', tolerance: 100, weightTolerance: { units: 0, share: 0 } },
    tariff: () => 'no card',
    dayOf: () => undefined,
    courier: 'Delhivery',
    sameCourier: () => true,
    comparison: comparisonOf(countsOf(lines, shape), shape.whole),
    alone: true,
    ...over,
  }
  return lines.map((line) => judge(line, undefined, nothingSeen, bench))
}
