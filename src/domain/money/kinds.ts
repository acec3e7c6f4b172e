// The lines of a bill by what they ought to cost the same for: courier, billed zone, weight, payment and journey. They
// are counted in a first reading of the file. Amounts are integer paise before GST, weights hundredths of a gram.
import { percentage } from '../money.ts'
import { insideBase } from './amounts.ts'
import { billedTotal, journeyOf, nothingSeen, partSum, type Billed, type Shape } from './billed.ts'
import { legOf } from './legs.ts'
import { finest, type SlabGrid, type Weighed } from './slabgrid.ts'
import type { Journey } from './words.ts'

/** The amounts of a line that lines of its kind have in common; `total` is that of a file with one amount. */
export const alikeParts = ['freight', 'rto', 'reverse', 'qc', 'fuel', 'other', 'total'] as const
export type AlikePart = (typeof alikeParts)[number]

/** How a line was paid; '' where neither a word nor a COD fee says it. */
export type Payment = 'cod' | 'prepaid' | ''

/** Lines of one weight and otherwise of one kind, and what was billed for them. */
export interface Cell {
  /** In small letters, and as the file writes it. */
  readonly courier: string
  readonly courierShown: string
  /** In small letters, and as the file writes it. */
  readonly zone: string
  readonly zoneShown: string
  readonly weight: number
  readonly payment: Payment
  readonly journey: Journey
  lines: number
  /** How many lines have an amount of a part other than 0, and the first of them; `billedIn` reads it. */
  readonly amounts: Map<number, { lines: number; readonly first: number }>
}

/** A COD fee with the kind of its line; of a file with one amount, that amount stands in the place of the fee. */
export interface CodSample {
  readonly cell: Cell
  readonly line: Billed
  readonly fee: number
  /** What was collected; filled by what is known of the parcel where the line does not say. */
  collected: number | undefined
}

/** A charge for fuel, and the freight of each way. */
export interface FuelSample {
  readonly courier: string
  readonly amount: number
  readonly bases: readonly number[]
}

/** The counts of a bill. */
export interface BillCounts {
  /** Counts a line of a courier; one that cannot be read, or that is a credit, is left out. */
  readonly add: (line: Billed, courier: string) => void
  readonly cells: () => readonly Cell[]
  readonly codFees: () => readonly CodSample[]
  readonly fuels: () => readonly FuelSample[]
  /** The percentage of GST that most lines have; undefined where no line has GST in a column. */
  readonly gstPercent: () => number | undefined
  /** Lines without a zone, and without a weight. */
  readonly blank: { lines: number; zone: number; weight: number }
}

/** Cells and amounts in memory at most; further ones are not compared. */
const [mostCells, mostAmounts] = [20_000, 60_000]

/** Lines that rules of COD and fuel are worked out from: every n-th of a longer bill. */
const mostSamples = 4000

/** GST of an amount of a bill that has GST in its amounts, percent. */
export const usualGst = 18

const gstRates = [0, 5, 12, 18, 28]

/** Keeps every n-th of what comes, so that it stays below a number. */
function sampler<T>(): { add: (make: () => T) => void; all: () => readonly T[] } {
  let kept: T[] = []
  let [every, seen] = [1, 0]
  return {
    add: (make) => {
      if (seen++ % every !== 0) return
      kept.push(make())
      if (kept.length < mostSamples) return
      kept = kept.filter((_, at) => at % 2 === 0)
      every *= 2
    },
    all: () => kept,
  }
}

/** How a line was paid: by its word, else by its COD fee, where the file has a column of them. */
export const paymentOf = (line: Billed, { cod }: Shape): Payment =>
  line.payment ?? (cod ? (line.cod === 0 ? 'prepaid' : 'cod') : '')

/** A weight rounded up, so that lines of nearly one weight are counted together. */
const rounded = (weight: number): number => Math.ceil(weight / finest) * finest

/** The parts of a line before GST; `percent` is the GST inside its amounts. */
export function partsBefore(line: Billed, { whole, gst }: Shape, percent: number): Readonly<Record<AlikePart, number>> {
  const bare = gst === 'inside' ? (paise: number): number => insideBase(paise, percent) : (paise: number) => paise
  const none = { freight: 0, rto: 0, reverse: 0, qc: 0, fuel: 0, other: 0, total: 0 }
  if (whole) {
    const total = line.total ?? line.gross ?? 0
    return { ...none, total: gst === 'columns' ? (line.gross ?? total - (line.tax ?? 0)) : bare(total) }
  }
  const { freight, rto, reverse, qc, fuel, other } = line
  return {
    freight: bare(freight),
    rto: bare(rto),
    reverse: bare(reverse),
    qc: bare(qc),
    fuel: bare(fuel),
    other: bare(other),
    total: 0,
  }
}

/** An amount of a part, the lines that have it, and the first of them. */
export interface BilledAmount {
  readonly amount: number
  readonly lines: number
  readonly first: number
}

/** The amounts of a part in a cell, those of 0 left out. */
export function billedIn({ amounts }: Cell, part: AlikePart): readonly BilledAmount[] {
  const [parts, own] = [alikeParts.length, alikeParts.indexOf(part)]
  const found: BilledAmount[] = []
  for (const [key, { lines, first }] of amounts)
    if ((((key - own) % parts) + parts) % parts === 0) found.push({ amount: (key - own) / parts, lines, first })
  return found
}

/** Counts the lines of a bill. */
export function billCounts(shape: Shape): BillCounts {
  const cells = new Map<string, Cell>()
  const fees = sampler<CodSample>()
  const fuels = sampler<FuelSample>()
  const taxes = new Map<number, number>()
  const shares = gstRates.map((rate) => [rate, percentage(rate)] as const)
  const blank = { lines: 0, zone: 0, weight: 0 }
  let amounts = 0
  const cellOf = (line: Billed, courier: string): Cell | undefined => {
    const kind = {
      courier: courier.toLowerCase(),
      zone: zoneKeyOf(line.zone),
      weight: rounded(line.weight),
      payment: paymentOf(line, shape),
      journey: journeyOf(line, undefined, shape),
    }
    const key = `${kind.weight}\n${kind.payment}\n${kind.journey}\n${kind.zone}\n${kind.courier}`
    let cell = cells.get(key)
    if (cell === undefined && cells.size < mostCells)
      cells.set(
        key,
        (cell = { ...kind, courierShown: courier, zoneShown: line.zone.trim(), lines: 0, amounts: new Map() }),
      )
    return cell
  }
  const count = (cell: Cell, part: number, amount: number, line: number): void => {
    const key = amount * alikeParts.length + part
    const same = cell.amounts.get(key)
    if (same !== undefined) same.lines++
    else if (amounts++ < mostAmounts) cell.amounts.set(key, { lines: 1, first: line })
  }
  return {
    add: (read, courier) => {
      const line = legOf(read, undefined, nothingSeen, shape)
      if (line.fault !== undefined || billedTotal(line, shape) < 0) return
      blank.lines++
      if (line.zone.trim() === '') blank.zone++
      if (line.weight === 0) blank.weight++
      const cell = cellOf(line, courier)
      if (cell === undefined) return
      cell.lines++
      const parts = partsBefore(line, shape, usualGst)
      for (const [at, part] of alikeParts.entries()) if (parts[part] !== 0) count(cell, at, parts[part], line.line)
      const fee = shape.gst === 'inside' ? insideBase(line.cod, usualGst) : line.cod
      if (cell.payment === 'cod' && (shape.cod || shape.whole))
        fees.add(() => ({
          cell,
          line: structuredClone(line),
          fee: shape.whole ? parts.total : fee,
          collected: line.collected,
        }))
      if (shape.fuel)
        fuels.add(() => ({ courier: cell.courier, amount: parts.fuel, bases: [parts.freight, parts.rto] }))
      if (shape.gst !== 'columns') return
      const base = line.gross ?? (shape.whole ? (line.total ?? 0) - (line.tax ?? 0) : partSum(line))
      for (const [rate, share] of shares)
        if (base > 0 && share(base) === line.tax) taxes.set(rate, (taxes.get(rate) ?? 0) + 1)
    },
    cells: () => [...cells.values()],
    codFees: fees.all,
    fuels: fuels.all,
    gstPercent: () => [...taxes].toSorted((a, b) => b[1] - a[1])[0]?.[0],
    blank,
  }
}

const zoneKeys = new Map<string, string>()

/** One key for the spellings of a billed zone: small letters, no blanks at its ends, no `zone` before it. */
export function zoneKeyOf(zone: string): string {
  let key = zoneKeys.get(zone)
  if (key === undefined) {
    const bare = zone.trim().toLowerCase()
    key = bare.replace(/^z(?:one)?[ _-]?(?=\w)/, '')
    if (zoneKeys.size > 10_000) zoneKeys.clear()
    zoneKeys.set(zone, key)
  }
  return key
}

/** The slabs of each courier of a bill. */
export function gridsOf<T = SlabGrid>(
  cells: readonly Cell[],
  gridFor: (lines: readonly Weighed[]) => T,
): ReadonlyMap<string, T> {
  const lines = new Map<string, Weighed[]>()
  for (const cell of cells) {
    const { courier, zone, weight, payment, journey } = cell
    if (weight === 0 || zone === '') continue
    let own = lines.get(courier)
    if (own === undefined) lines.set(courier, (own = []))
    for (const part of ['freight', 'rto', 'reverse', 'total'] as const)
      for (const { amount, lines: n } of billedIn(cell, part))
        own.push({ lane: `${part} ${journey} ${payment} ${zone}`, weight, amount, lines: n })
  }
  return new Map([...lines].map(([courier, own]) => [courier, gridFor(own)]))
}

/** The key of a kind: lines that ought to cost the same. */
export const kindKey = (
  { courier, zone, payment, journey }: Pick<Cell, 'courier' | 'zone' | 'payment' | 'journey'>,
  slab: number,
): string => `${slab}\n${payment}\n${journey}\n${zone}\n${courier}`
